// The page of an inspection for people, with room for the inspector's signature.
#include "field_paper.hpp"

#include <array>

#include "folder.hpp"
#include "report/paper.hpp"

namespace talla::lab::submit {
namespace {

using report::Paper;

struct CheckWords {
  const char *name, *english, *spanish;
};
constexpr std::array<CheckWords, 9> check_words{{
    {"answers", "the appliance answers", "el equipo contesta"},
    {"software", "software under a fresh nonce", "software ante un reto nuevo"},
    {"records", "newest records, each with its receipt",
     "últimos asientos, cada uno con su recibo"},
    {"alive", "the answer stands among the newest records",
     "la respuesta está entre los últimos asientos"},
    {"since", "the log of the earlier visit is its beginning",
     "el registro de la visita anterior es su comienzo"},
    {"settlements", "last rounds, settled again", "últimas jugadas, liquidadas de nuevo"},
    {"rules", "catalogue of the rules", "catálogo de las reglas"},
    {"certification", "certification", "certificación"},
    {"witnesses", "witnesses", "testigos"},
}};

const char* verdict_in(const std::string& verdict, bool spanish) {
  if (verdict == "good") return spanish ? "bien" : "good";
  if (verdict == "bad") return spanish ? "MAL" : "BAD";
  return spanish ? "no se miró" : "not looked at";
}

Paper paper_in(const json::Value& inspection, const std::string& language) {
  const bool spanish = language == "es";
  Paper paper;
  paper.language = language;
  paper.blocks.emplace_back(Paper::Title{
      spanish ? "Talla: inspección de un equipo" : "Talla: inspection of an appliance",
      {std::string(spanish ? "registro: " : "log: ") + text_of(inspection, "origin"),
       std::string(spanish ? "asientos: " : "records: ") + text_of(inspection, "size"),
       std::string(spanish ? "hora: " : "time: ") + text_of(inspection, "time"),
       std::string(spanish ? "resumen del manifiesto de la carpeta: " : "digest of the files: ") +
           text_of(inspection, "files_sha256"),
       std::string(spanish ? "veredicto: " : "verdict: ") +
           verdict_in(text_of(inspection, "verdict"), spanish)}});
  Paper::Grid grid{.columns = {Paper::Column::text, Paper::Column::text, Paper::Column::text},
                   .heads = {spanish ? "qué" : "what", spanish ? "veredicto" : "verdict",
                             spanish ? "por qué" : "why"},
                   .small = true,
                   .rows = {}};
  for (const json::Value& one : list_of(inspection, "checks")) {
    std::string name = text_of(one, "name");
    for (const CheckWords& words : check_words)
      if (name == words.name) name = spanish ? words.spanish : words.english;
    const std::string verdict = text_of(one, "verdict");
    if (verdict == "bad")
      paper.blocks.emplace_back(Paper::Warning{name + ": " + text_of(one, "words")});
    grid.rows.push_back(
        {{name, ""}, {verdict_in(verdict, spanish), ""}, {text_of(one, "words"), ""}});
  }
  paper.blocks.emplace_back(std::move(grid));
  paper.blocks.emplace_back(Paper::Signatures{{"inspector: " + text_of(inspection, "inspector")}});
  return paper;
}

}  // namespace

std::string field_html(const json::Value& inspection, const std::string& language) {
  return report::html_of(paper_in(inspection, language));
}

std::string field_pdf(const json::Value& inspection, const std::string& language) {
  return report::pdf_of(paper_in(inspection, language));
}

}  // namespace talla::lab::submit

// The report of a run for people: the same blocks as HTML and PDF, in English and Spanish.
#include <fmt/format.h>

#include <algorithm>

#include "folder.hpp"
#include "report.hpp"
#include "report/paper.hpp"

namespace talla::lab::submit {
namespace {

using report::Paper;

struct ReportWords {
  const char *laboratory, *plan, *seed, *summary, *steps, *deviations, *none, *figures,
      *requirements, *open, *shown, *plots, *roles, *least, *most, *sum;
  const char *part, *verdict, *evidence, *figure, *value, *where, *clause, *asks, *state;
};
constexpr ReportWords english{
    .laboratory = "laboratory",
    .plan = "SHA-256 of the plan",
    .seed = "seed of all that was drawn",
    .summary = "summary",
    .steps = "steps of the run",
    .deviations = "deviations",
    .none = "none",
    .figures = "figures, each with the file that it comes from",
    .requirements = "requirements",
    .open = "OPEN",
    .shown = "shown",
    .plots = "drawings",
    .roles = "who may do what",
    .least = "least",
    .most = "most",
    .sum = "in all",
    .part = "step",
    .verdict = "verdict",
    .evidence = "evidence",
    .figure = "figure",
    .value = "value",
    .where = "file and place",
    .clause = "clause",
    .asks = "what it asks",
    .state = "state",
};
constexpr ReportWords spanish{
    .laboratory = "laboratorio",
    .plan = "SHA-256 del plan",
    .seed = "semilla de todo lo que se sorteó",
    .summary = "resumen",
    .steps = "pasos",
    .deviations = "desviaciones",
    .none = "ninguna",
    .figures = "cifras, cada una con el fichero del que viene",
    .requirements = "requisitos",
    .open = "ABIERTO",
    .shown = "mostrado",
    .plots = "gráficos",
    .roles = "quién puede hacer qué",
    .least = "mínimo",
    .most = "máximo",
    .sum = "en total",
    .part = "paso",
    .verdict = "veredicto",
    .evidence = "prueba",
    .figure = "cifra",
    .value = "valor",
    .where = "fichero y lugar",
    .clause = "cláusula",
    .asks = "lo que pide",
    .state = "estado",
};

std::string verdict_words(const std::string& verdict, bool in_spanish) {
  if (!in_spanish) return verdict;
  if (verdict == "passed") return "pasa";
  if (verdict == "not-passed") return "no pasa";
  if (verdict == "more-data") return "faltan datos";
  return verdict == "failed" ? "falló" : "no se hizo";
}

std::string evidence_words(const std::string& what, bool in_spanish) {
  if (what == "role-matrix") return in_spanish ? "tabla de funciones" : "role matrix";
  if (what == "known-answers")
    return in_spanish ? "respuestas conocidas del arranque" : "known answers of a start";
  if (what == "false-alarms")
    return in_spanish ? "falsas alarmas de las pruebas de salud" : "false alarms of health tests";
  if (what == "fault-matrix") return in_spanish ? "matriz de fallos" : "fault matrix";
  if (what == "fuzzing") return in_spanish ? "prueba con datos aleatorios" : "fuzzing";
  if (what == "kills") return in_spanish ? "cortes del programa" : "kills of the program";
  if (what == "liars") return in_spanish ? "mentiras bien firmadas" : "well-signed lies";
  return in_spanish ? "simulador" : "simulator";
}

/// Why a piece of evidence is not there.
std::string missing_words(const std::string& what, bool in_spanish) {
  if (what == "role-matrix")
    return in_spanish ? "ningún rngd del plan dio su tabla de operaciones"
                      : "no rngd of the plan told its table of operations";
  if (what == "known-answers")
    return in_spanish ? "ningún rngd del plan hizo sus respuestas conocidas"
                      : "no rngd of the plan ran its known answers";
  return in_spanish ? "el plan no da ninguna cifra de ello (evidence.figures)"
                    : "the plan gives no figures of it (evidence.figures)";
}

std::string plot_words(const std::string& what, bool in_spanish) {
  if (what == "outcomes")
    return in_spanish ? "cuántas veces salió cada resultado" : "how often each result came";
  if (what == "p-values")
    return in_spanish ? "dónde caen los valores p de las pruebas"
                      : "where the p-values of the tests lie";
  if (what == "samples")
    return in_spanish ? "cuántas veces salió cada valor de muestra"
                      : "how often each value of a sample came";
  return in_spanish ? "cuántas rachas de muestras iguales hay de cada longitud"
                    : "how many runs of equal samples there are of each length";
}

std::uint64_t count_of(const json::Value& object) {
  const json::Value* value = object.find("count");
  return value != nullptr && value->is_integer() && value->integer() > 0
             ? static_cast<std::uint64_t>(value->integer())
             : 0;
}

std::string number_text(const json::Value& object, std::string_view key) {
  const json::Value* value = object.find(key);
  return value != nullptr && value->is_integer() ? std::to_string(value->integer()) : "";
}

std::string joined_texts(const json::Array& texts) {
  std::string out;
  for (const json::Value& one : texts)
    if (one.is_string()) out += (out.empty() ? "" : "; ") + one.string();
  return out;
}

/// Builds the blocks from the report's JSON alone.
class ReportPaper {
 public:
  ReportPaper(const json::Value& report, const std::string& language)
      : report_(report), in_spanish_(language == "es"), words_(in_spanish_ ? spanish : english) {
    paper_.language = language;
  }
  [[nodiscard]] Paper made() {
    title();
    deviations();
    steps();
    figures();
    plots();
    roles();
    requirements();
    return std::move(paper_);
  }

 private:
  void title() {
    const json::Value& summary = *report_.find("summary");
    paper_.blocks.emplace_back(
        Paper::Title{text_of(report_, "title"),
                     {std::string(words_.laboratory) + ": " + text_of(report_, "laboratory")}});
    paper_.blocks.emplace_back(
        Paper::Grid{.columns = {Paper::Column::name, Paper::Column::code},
                    .heads = {},
                    .small = true,
                    .rows = {{{words_.plan, ""}, {text_of(report_, "plan_sha256"), ""}},
                             {{words_.seed, ""}, {text_of(report_, "seed"), ""}}}});
    paper_.blocks.emplace_back(Paper::Heading{words_.summary});
    const auto line = [&](const std::string& what, std::string_view key) {
      return what + ": " + number_text(summary, key);
    };
    paper_.blocks.emplace_back(Paper::List{
        .numbered = false,
        .small = false,
        .items = {line(words_.steps, "steps"), line(verdict_words("passed", in_spanish_), "passed"),
                  line(verdict_words("not-passed", in_spanish_), "not_passed"),
                  line(verdict_words("more-data", in_spanish_), "more_data"),
                  line(verdict_words("failed", in_spanish_), "failed"),
                  line(verdict_words("not-run", in_spanish_), "not_run"),
                  line(words_.requirements, "clauses"),
                  std::string(words_.requirements) + ", " + words_.open + ": " +
                      number_text(summary, "clauses_open"),
                  std::string(words_.evidence) + ", " + words_.open + ": " +
                      number_text(summary, "evidence_open")}});
  }
  void deviations() {
    paper_.blocks.emplace_back(Paper::Heading{words_.deviations});
    const json::Array& list = list_of(report_, "deviations");
    const json::Array& open = list_of(report_, "open_evidence");
    if (list.empty() && open.empty())
      paper_.blocks.emplace_back(
          Paper::List{.numbered = false, .small = false, .items = {words_.none}});
    for (const json::Value& one : list)
      paper_.blocks.emplace_back(Paper::Warning{
          text_of(one, "step") + ": " + verdict_words(text_of(one, "verdict"), in_spanish_) +
          (text_of(one, "why").empty() ? "" : ": " + text_of(one, "why"))});
    for (const json::Value& one : open) {
      const std::string what = text_of(one, "what");
      paper_.blocks.emplace_back(Paper::Warning{std::string(words_.open) + ": " +
                                                evidence_words(what, in_spanish_) + ": " +
                                                missing_words(what, in_spanish_)});
    }
  }
  void steps() {
    paper_.blocks.emplace_back(Paper::Heading{words_.steps});
    Paper::Grid grid{.columns = {Paper::Column::text, Paper::Column::text, Paper::Column::code},
                     .heads = {words_.part, words_.verdict, words_.evidence},
                     .small = true,
                     .rows = {}};
    for (const json::Value& one : list_of(report_, "steps"))
      grid.rows.push_back({{text_of(one, "step"), text_of(one, in_spanish_ ? "about_es" : "about")},
                           {verdict_words(text_of(one, "verdict"), in_spanish_), ""},
                           {text_of(one, "file"), text_of(one, "sha256")}});
    paper_.blocks.emplace_back(std::move(grid));
  }
  void figures() {
    paper_.blocks.emplace_back(Paper::Heading{words_.figures});
    Paper::Grid grid{.columns = {Paper::Column::text, Paper::Column::text, Paper::Column::code},
                     .heads = {words_.figure, words_.value, words_.where},
                     .small = true,
                     .rows = {}};
    for (const json::Value& step : list_of(report_, "steps")) {
      for (const json::Value& one : list_of(step, "figures")) {
        const std::string line = number_text(one, "line");
        grid.rows.push_back({{text_of(one, "what"), ""},
                             {text_of(one, "value"), ""},
                             {text_of(one, "file") + (line.empty() ? "" : ":" + line) + "#" +
                                  text_of(one, "pointer"),
                              ""}});
      }
    }
    paper_.blocks.emplace_back(std::move(grid));
  }
  void plots() {
    paper_.blocks.emplace_back(Paper::Heading{words_.plots});
    for (const json::Value& step : list_of(report_, "steps")) {
      for (const json::Value& one : list_of(step, "plots")) {
        const json::Value* even = one.find("even");
        Paper::Bars plot{
            .name = text_of(step, "step") + ": " + plot_words(text_of(one, "what"), in_spanish_),
            .note = {},
            .bars = {},
            .even = even != nullptr && even->is_bool() && even->boolean()};
        std::uint64_t sum = 0;
        for (const json::Value& bar : list_of(one, "bars")) {
          plot.bars.push_back({text_of(bar, "label"), count_of(bar)});
          sum += plot.bars.back().count;
        }
        if (plot.bars.empty()) continue;
        const auto [least, most] = std::ranges::minmax_element(plot.bars, {}, &Paper::Bar::count);
        plot.note = fmt::format("{}: {} {}, {} {}, {} {}", text_of(one, "file"), words_.least,
                                least->count, words_.most, most->count, words_.sum, sum);
        paper_.blocks.emplace_back(std::move(plot));
      }
    }
  }
  void roles() {
    const json::Value* matrix = report_.find("roles");
    if (matrix == nullptr || !matrix->is_object()) return;  // said among the deviations
    paper_.blocks.emplace_back(Paper::Heading{words_.roles});
    Paper::Grid grid{.columns = {Paper::Column::text, Paper::Column::text},
                     .heads = {text_of(*matrix, "file"), words_.roles},
                     .small = true,
                     .rows = {}};
    for (const json::Value& one : list_of(*matrix, "operations"))
      grid.rows.push_back({{text_of(one, "operation"), text_of(one, "request")},
                           {joined_texts(list_of(one, "roles")), ""}});
    paper_.blocks.emplace_back(std::move(grid));
  }
  void requirements() {
    paper_.blocks.emplace_back(Paper::Heading{words_.requirements, true});
    for (const json::Value& group : list_of(report_, "requirements")) {
      paper_.blocks.emplace_back(
          Paper::Heading{number_text(group, "number") + ". " + text_of(group, "name")});
      Paper::Grid grid{.columns = {Paper::Column::text, Paper::Column::text, Paper::Column::text},
                       .heads = {words_.clause, words_.asks, words_.state},
                       .small = true,
                       .rows = {}};
      for (const json::Value& one : list_of(group, "clauses")) {
        const std::string open = joined_texts(list_of(one, "open"));
        const std::string shown = joined_texts(list_of(one, "shown"));
        grid.rows.push_back(
            {{text_of(one, "clause"), text_of(one, "mark")},
             {text_of(one, "asks"), joined_texts(list_of(one, "tests"))},
             {open.empty() ? words_.shown : words_.open + (": " + open), shown, !open.empty()}});
      }
      paper_.blocks.emplace_back(std::move(grid));
    }
  }

  const json::Value& report_;
  bool in_spanish_;
  const ReportWords& words_;
  Paper paper_;
};

}  // namespace

std::string report_html(const json::Value& report, const std::string& language) {
  return report::html_of(ReportPaper(report, language).made());
}

std::string report_pdf(const json::Value& report, const std::string& language) {
  return report::pdf_of(ReportPaper(report, language).made());
}

}  // namespace talla::lab::submit

// A month for people: the same blocks as HTML and PDF, in English and Spanish.
#include <fmt/format.h>

#include "certs/openssl_hashes.hpp"
#include "games/catalogue.hpp"
#include "lab_month/month.hpp"
#include "report/paper.hpp"
#include "report/round_report.hpp"

namespace talla::lab::month {
namespace {

using report::Paper;

struct MonthWords {
  const char *title, *origin, *records, *root, *held, *nothing, *faults, *none, *tables, *draws;
  const char *table, *game, *rounds, *staked, *returned, *misdeals, *voids, *withheld, *what;
  const char *count, *results, *chance, *latches, *alarms, *machine, *signs;
  const char *wheel, *dice, *lots;
};
constexpr MonthWords month_english{
    .title = "Talla: the month of an appliance, from its log alone",
    .origin = "log",
    .records = "records of the month",
    .root = "root of all records",
    .held = "held against",
    .nothing = "nothing: no signed checkpoint was given",
    .faults = "what is wrong with the records",
    .none = "none",
    .tables = "tables",
    .draws = "outcomes",
    .table = "table",
    .game = "game",
    .rounds = "rounds",
    .staked = "staked",
    .returned = "returned",
    .misdeals = "misdeals",
    .voids = "voids, by cause",
    .withheld = "contributions withheld, by whom",
    .what = "what",
    .count = "how many",
    .results = "results",
    .chance = "chance of a less even month",
    .latches = "latches of the generator",
    .alarms = "alarms of health tests and monitors",
    .machine = "the appliance",
    .signs = "laboratory",
    .wheel = "wheel of {}",
    .dice = "dice: {}, of {} faces",
    .lots = "lots below {}",
};
constexpr MonthWords month_spanish{
    .title = "Talla: el mes de un equipo, solo con su registro",
    .origin = "registro",
    .records = "asientos del mes",
    .root = "raíz de todos los asientos",
    .held = "comparado con",
    .nothing = "nada: no se dio un punto de control firmado",
    .faults = "lo que está mal en los asientos",
    .none = "nada",
    .tables = "mesas",
    .draws = "resultados",
    .table = "mesa",
    .game = "juego",
    .rounds = "jugadas",
    .staked = "apostado",
    .returned = "devuelto",
    .misdeals = "errores de reparto",
    .voids = "anulaciones, por causa",
    .withheld = "aportaciones retenidas, de quién",
    .what = "qué",
    .count = "cuántos",
    .results = "resultados",
    .chance = "probabilidad de un mes menos parejo",
    .latches = "enclavamientos del generador",
    .alarms = "alarmas de pruebas de salud y vigilancias",
    .machine = "el equipo",
    .signs = "laboratorio",
    .wheel = "ruleta de {}",
    .dice = "dados: {}, de {} caras",
    .lots = "números menores que {}",
};

std::string word(const json::Value& value, std::string_view key) {
  const json::Value* found = value.find(key);
  if (found == nullptr) return {};
  return found->is_string()    ? found->string()
         : found->is_integer() ? std::to_string(found->integer())
                               : std::string();
}
const json::Array& items(const json::Value& value, std::string_view key) {
  static const json::Array none;
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_array() ? found->array() : none;
}
const json::Object& members(const json::Value& value, std::string_view key) {
  static const json::Object none;
  const json::Value* found = value.find(key);
  return found != nullptr && found->is_object() ? found->object() : none;
}
std::string joined_counts(const json::Object& counts) {
  std::string out;
  for (const auto& [name, count] : counts)
    out += (out.empty() ? "" : ", ") + name + ": " + std::to_string(count.integer());
  return out;
}

class MonthPaper {
 public:
  MonthPaper(const json::Value& month, const std::string& language)
      : month_(month), words_(language == "es" ? month_spanish : month_english) {
    paper_.language = language;
  }
  [[nodiscard]] Paper made() {
    title();
    faults();
    tables();
    draws();
    machine();
    paper_.blocks.emplace_back(Paper::Signatures{{words_.signs}});
    return std::move(paper_);
  }

 private:
  void title() {
    const json::Value& log = *month_.find("log");
    const std::string held = word(log, "held_against");
    paper_.blocks.emplace_back(Paper::Title{
        std::string(words_.title) + ", " + word(month_, "month"),
        {std::string(words_.origin) + ": " + word(log, "origin"),
         std::string(words_.records) + ": " + word(log, "records_of_month"),
         std::string(words_.root) + ": " + word(log, "root"),
         std::string(words_.held) + ": " + (held == "nothing" ? words_.nothing : held)}});
  }
  void faults() {
    paper_.blocks.emplace_back(Paper::Heading{words_.faults});
    for (const json::Value& one : items(month_, "faults"))
      paper_.blocks.emplace_back(Paper::Warning{word(one, "what") + ": " + word(one, "words")});
    if (items(month_, "faults").empty()) none();
  }
  void none() {
    paper_.blocks.emplace_back(
        Paper::List{.numbered = false, .small = false, .items = {words_.none}});
  }
  void tables() {
    paper_.blocks.emplace_back(Paper::Heading{words_.tables});
    using Column = Paper::Column;
    Paper::Grid grid{.columns = {Column::text, Column::text, Column::number, Column::number,
                                 Column::number, Column::number, Column::text, Column::text},
                     .heads = {words_.table, words_.game, words_.rounds, words_.staked,
                               words_.returned, words_.misdeals, words_.voids, words_.withheld},
                     .small = true,
                     .rows = {}};
    for (const auto& [id, table] : members(month_, "tables"))
      grid.rows.push_back({{id, word(table, "place")},
                           {game(table), ""},
                           {word(table, "rounds"), ""},
                           {money(table, "staked"), ""},
                           {money(table, "returned"), ""},
                           {word(table, "misdeals"), ""},
                           {joined_counts(members(table, "voids")), ""},
                           {joined_counts(members(table, "withheld")), ""}});
    if (grid.rows.empty()) return none();
    paper_.blocks.emplace_back(std::move(grid));
  }
  /// The game's name in the reader's language, where its catalogue is built in.
  [[nodiscard]] std::string game(const json::Value& table) const {
    const std::string id = word(table, "game");
    const auto digest = digest_from_hex(word(table, "catalogue"));
    const auto* catalogue =
        digest ? games::built_in_catalogue(*digest, certs::OpensslHashes()) : nullptr;
    return catalogue == nullptr ? id : catalogue->text(paper_.language, "game", id);
  }
  /// An amount of the table's units in its currency.
  [[nodiscard]] static std::string money(const json::Value& table, std::string_view key) {
    const auto text = report::money_text(table.find(key)->integer(), word(table, "unit"),
                                         word(table, "currency"));
    return text ? *text : word(table, key);
  }
  /// What is drawn, in words.
  [[nodiscard]] std::string asked(const json::Value& one) const {
    const std::string kind = word(one, "kind");
    if (kind == "wheel") return fmt::format(fmt::runtime(words_.wheel), word(one, "pockets"));
    if (kind == "dice")
      return fmt::format(fmt::runtime(words_.dice), word(one, "count"), word(one, "faces"));
    std::string bounds;
    for (const json::Value& bound : items(one, "bounds"))
      bounds += (bounds.empty() ? "" : ", ") + std::to_string(bound.integer());
    return fmt::format(fmt::runtime(words_.lots), bounds);
  }
  void draws() {
    paper_.blocks.emplace_back(Paper::Heading{words_.draws});
    using Column = Paper::Column;
    Paper::Grid grid{.columns = {Column::text, Column::number, Column::text, Column::number},
                     .heads = {words_.table, words_.count, words_.results, words_.chance},
                     .small = true,
                     .rows = {}};
    for (const auto& [id, table] : members(month_, "tables"))
      for (const json::Value& one : items(table, "draws"))
        grid.rows.push_back({{id, asked(*one.find("specification"))},
                             {word(one, "draws"), ""},
                             {joined_counts(members(one, "results")), ""},
                             {word(one, "p"), ""}});
    if (grid.rows.empty()) return none();
    paper_.blocks.emplace_back(std::move(grid));
  }
  void events(const char* heading, std::string_view list) {
    paper_.blocks.emplace_back(Paper::Heading{heading});
    Paper::List found{.numbered = false, .small = false, .items = {}};
    for (const json::Value& one : items(month_, list))
      found.items.push_back(word(one, "seq") + ": " + word(one, "what") + word(one, "source") +
                            (word(one, "test").empty() ? "" : " " + word(one, "test")) +
                            (word(one, "level").empty() ? "" : ", " + word(one, "level")));
    if (found.items.empty()) return none();
    paper_.blocks.emplace_back(std::move(found));
  }
  void machine() {
    events(words_.latches, "latches");
    events(words_.alarms, "alarms");
    paper_.blocks.emplace_back(Paper::Heading{words_.machine});
    paper_.blocks.emplace_back(
        Paper::List{.numbered = false,
                    .small = false,
                    .items = {"POWER: " + joined_counts(members(month_, "power")),
                              "SELFTEST: " + joined_counts(members(month_, "selftests")),
                              "RESEED: " + word(month_, "reseeds"),
                              "latch-reset: " + joined_counts(members(month_, "latch_resets")),
                              "ACCESS refused: " + word(month_, "accesses_refused")}});
  }

  const json::Value& month_;
  const MonthWords& words_;
  Paper paper_;
};

}  // namespace

std::string month_html(const json::Value& month, const std::string& language) {
  return report::html_of(MonthPaper(month, language).made());
}

std::string month_pdf(const json::Value& month, const std::string& language) {
  return report::pdf_of(MonthPaper(month, language).made());
}

}  // namespace talla::lab::month

// The mathematics of a game as blocks: identification, assumptions, figures, laws, readings, rules.
#include "report/odds_paper.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/bytes.hpp"
#include "games/listing.hpp"
#include "games/odds.hpp"
#include "games/other_values.hpp"
#include "games/payment_law.hpp"
#include "games/refusal.hpp"
#include "report/result_words.hpp"

namespace talla::report {
namespace {

using Column = Paper::Column;

struct SheetWords {
  const char *title, *source, *catalogue, *program, *assumed, *figures, *alone, *ends, *no_ends,
      *readings, *rules, *parameters, *maker, *examiner, *player_wins, *no_change, *gone, *fresh,
      *house, *jackpots;
  std::array<const char*, 8> figure_heads;
  std::array<const char*, 2> house_heads;
  std::array<const char*, 6> jackpot_heads;
  std::array<const char*, 4> end_heads;
  std::array<const char*, 5> reading_heads;
  std::array<const char*, 3> parameter_heads;
};
constexpr SheetWords sheet_spanish = {
    "Informe matemático",
    "Texto oficial",
    "SHA-256 del catálogo",
    "Calculado por",
    "De qué se parte",
    "Lo que vale cada apuesta",
    "Sin cifras propias",
    "Cómo puede acabar una jugada",
    "De este juego no hay ley de una sola jugada: dura varias, o se decide en ella.",
    "Lo que cambiarían otras lecturas y valores",
    "Las reglas, con su sección",
    "Parámetros de la mesa",
    "Por el fabricante",
    "Por el laboratorio",
    "GANA EL JUGADOR",
    "no cambia nada",
    "ya no se ofrece",
    "no se ofrecía",
    "Lo que se lleva la casa donde la banca es de los jugadores",
    "Acumulados, en posturas",
    {"apuesta", "gana", "pierde", "vuelve", "devuelve", "ventaja", "desviación", "racha"},
    {"apuesta", "de cada unidad apostada"},
    {"apuesta", "cobra de él", "se lo lleva entero", "añade", "tiene de media",
     "trae cuenta desde"},
    {"apuesta", "resultado", "por unidad", "probabilidad"},
    {"parámetro", "valor", "apuesta", "ventaja", "con ese valor"},
    {"parámetro", "decide", "valor"}};
constexpr SheetWords sheet_english = {
    "Mathematics report",
    "Official text",
    "SHA-256 of the catalogue",
    "Worked out by",
    "What is assumed",
    "What each bet is worth",
    "Without figures of their own",
    "How a round may end",
    "This game has no law of a single round: it lasts several, or is decided within.",
    "What other readings and values would change",
    "The rules, each with its section",
    "Parameters of the table",
    "For the maker",
    "For the laboratory",
    "THE PLAYER WINS",
    "nothing changes",
    "no longer offered",
    "was not offered",
    "What the house takes where players hold the bank",
    "Jackpots, in stakes",
    {"bet", "wins", "loses", "comes back", "returns", "edge", "deviation", "run"},
    {"bet", "of each unit staked"},
    {"bet", "is paid out of it", "takes all of it", "adds", "holds on average", "pays from"},
    {"bet", "result", "of each unit", "probability"},
    {"parameter", "value", "bet", "edge", "with that value"},
    {"parameter", "decides", "value"}};

/// What holds for every figure, and what for a family of games alone (empty: for all).
struct Assumption {
  std::string_view family;
  const char *spanish, *english;
};
constexpr auto assumptions = std::to_array<Assumption>({
    {"",
     "Cada apuesta se mira sola, con una postura de 1; los pagos son exactos, sin redondear a "
     "fichas.",
     "Each bet is looked at alone, with a stake of 1; payments are exact, not rounded to chips."},
    {"",
     "Lo que decide el jugador se decide como más devuelve; la racha es la que empieza una de cada "
     "cien series de jugadas.",
     "What the player decides is decided as returns most; the run is what one row of rounds in a "
     "hundred begins with."},
    {"wheel", "Todas las casillas son igual de probables y las jugadas independientes.",
     "All pockets are equally likely, and spins independent."},
    {"dice", "Cada dado muestra cada cara con 1/6, y las tiradas son independientes.",
     "Each die shows each face with 1/6, and throws are independent."},
    {"bingo", "Los cartones llevan números al azar y todos se cantan a tiempo.",
     "Cards have random numbers, and everybody announces in time."},
    {"baccarat", "Sabot completo, y nadie ha visto carta alguna.",
     "A full shoe, of which nobody has seen a card."},
    {"banque", "Sabot completo; quien elige conoce los puntos y no las cartas.",
     "A full shoe; who chooses knows points, not cards."},
    {"trente", "Cada golpe sale de seis barajas completas.", "Each coup is dealt from full decks."},
    {"monte", "Baraja completa, menos las cartas ya echadas.",
     "A full deck without the cards that lie there."},
    {"blackjack", "Primera mano de barajas completas; se juega con lo que está a la vista.",
     "The first hand of full decks, played by what is seen."},
    {"second-bet", "Baraja completa; el jugador conoce sus cartas y lo que la banca enseñe.",
     "A full deck; the player knows his cards and what the bank shows."},
    {"texas-holdem", "Baraja completa; el jugador conoce sus cartas y las comunes a la vista.",
     "A full deck; the player knows his cards and the common ones that are seen."},
    {"pai-gow", "Baraja completa con su comodín; la banca coloca según su norma.",
     "A full deck with its joker; the bank sets by its rule."},
    {"trijoker", "Baraja completa con sus comodines.", "A full deck with its jokers."},
});

std::string number(const games::Ratio& ratio) {
  return games::percent_text(ratio);
}

class OddsPaper {
 public:
  OddsPaper(const games::Table& table, Language language, const OddsPaperOptions& options)
      : table_(table),
        language_(language == Language::es ? "es" : "en"),
        words_(language == Language::es ? sheet_spanish : sheet_english),
        options_(options) {
    paper_.language = language_;
  }

  Result<Paper> made() {
    TALLA_TRY(const auto odds, games::bet_odds(table_));
    title();
    warnings(odds.bets);
    assumed();
    figures(odds);
    house(odds.bets);
    jackpots(odds.bets);
    ends();
    if (options_.readings) TALLA_TRY_STATUS(readings());
    rules();
    parameters();
    add(Paper::Signatures{{words_.maker, words_.examiner}});
    return std::move(paper_);
  }

 private:
  void add(Paper::Block block) { paper_.blocks.push_back(std::move(block)); }
  void heading(const char* text, bool new_page = false) {
    add(Paper::Heading{.text = text, .new_page = new_page});
  }
  [[nodiscard]] std::string text(const char* category, const std::string& code) const {
    return table_.catalogue().text(language_, category, code);
  }
  template <std::size_t count>
  [[nodiscard]] static std::vector<std::string> heads(const std::array<const char*, count>& all) {
    return {all.begin(), all.end()};
  }
  void grid(std::vector<Column> columns, std::vector<std::string> heads,
            std::vector<std::vector<Paper::Cell>> rows) {
    add(Paper::Grid{.columns = std::move(columns),
                    .heads = std::move(heads),
                    .small = true,
                    .rows = std::move(rows)});
  }
  void list(std::vector<std::string> items) {
    add(Paper::List{.numbered = false, .small = true, .items = std::move(items)});
  }

  void title() {
    const games::Catalogue& catalogue = table_.catalogue();
    add(Paper::Title{
        std::string(words_.title) + ": " + text("game", table_.rules().id),
        {catalogue.id + " " + table_.rules().id + ": " + catalogue.legal_name,
         std::string(words_.source) + ": " + catalogue.source + ", " + catalogue.published,
         std::string(words_.catalogue) + ": " + to_hex(catalogue.digest),
         std::string(words_.program) + ": " + options_.program}});
  }
  void warnings(const std::vector<games::BetOdds>& bets) {
    for (const games::BetOdds& bet : bets)
      if (games::player_wins(bet))
        add(Paper::Warning{std::string(words_.player_wins) + ": " + called(bet) + ", " +
                           number(-bet.odds.house_edge())});
  }
  void assumed() {
    heading(words_.assumed);
    std::vector<std::string> items;
    for (const Assumption& one : assumptions)
      if (one.family.empty() || one.family == table_.rules().family)
        items.emplace_back(language_ == "es" ? one.spanish : one.english);
    list(std::move(items));
  }

  [[nodiscard]] std::string called(const games::BetOdds& bet) const {
    std::string out = text("bet", bet.bet);
    for (const std::string& further : bet.with) out += " + " + text("bet", further);
    for (const std::string& play : bet.play)
      out += ", " + std::string(games::play_words(play, language_));
    return out;
  }
  static Paper::Cell exact(const games::Ratio& ratio) { return {number(ratio), ratio.text()}; }

  void figures(const games::TableOdds& odds) {
    heading(words_.figures);
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::BetOdds& bet : odds.bets) {
      const auto chance = [&](const games::Ratio& ratio) {
        return bet.mean_only ? Paper::Cell{} : exact(ratio);
      };
      const auto run = games::losing_run(bet.odds);
      rows.push_back(
          {{called(bet), games::positions_text(bet.on)},
           chance(bet.odds.win),
           chance(bet.odds.lose),
           chance(bet.odds.other),
           {number(bet.odds.returned),
            bet.odds.staked == games::Ratio(1) ? "" : "/ " + number(bet.odds.staked)},
           exact(bet.odds.house_edge()),
           {bet.mean_only ? "" : games::deviation(bet.odds, games::deviation_places), ""},
           {bet.mean_only || !run ? "" : std::to_string(*run), ""}});
    }
    if (!rows.empty())
      grid({Column::text, Column::number, Column::number, Column::number, Column::number,
            Column::number, Column::number, Column::number},
           heads(words_.figure_heads), std::move(rows));
    if (odds.others.empty()) return;
    heading(words_.alone);
    std::vector<std::string> items;
    for (const games::BetWithoutOdds& one : odds.others)
      items.push_back(text("bet", one.bet) + ": " + games::refusal_text({}, one.reason, language_));
    list(std::move(items));
  }

  void house(const std::vector<games::BetOdds>& bets) {
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::BetOdds& bet : bets)
      if (bet.house_share) rows.push_back({{called(bet), ""}, exact(*bet.house_share)});
    if (rows.empty()) return;
    heading(words_.house);
    grid({Column::text, Column::number}, heads(words_.house_heads), std::move(rows));
  }
  void jackpots(const std::vector<games::BetOdds>& bets) {
    const auto known = [](const std::optional<games::Ratio>& figure) -> Paper::Cell {
      return {figure ? figure->text() : "-", ""};
    };
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::BetOdds& bet : bets) {
      if (!bet.jackpot) continue;
      const games::JackpotOdds& one = *bet.jackpot;
      rows.push_back({{called(bet), ""},
                      exact(one.hit),
                      exact(one.whole),
                      known(one.growth),
                      known(one.mean),
                      known(one.break_even)});
    }
    if (rows.empty()) return;
    heading(words_.jackpots);
    grid({Column::text, Column::number, Column::number, Column::number, Column::number,
          Column::number},
         heads(words_.jackpot_heads), std::move(rows));
  }

  void ends() {
    heading(words_.ends);
    const auto laws = games::payment_laws(table_);
    if (!laws) return list({words_.no_ends});
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::PaymentLaw& law : *laws) {
      std::string bet = text("bet", law.bet);
      for (const games::PaidEnd& end : law.ends) {
        std::string result;
        std::string factor;
        for (const games::Paid& way : end.ways) {
          result += (result.empty() ? "" : " / ") +
                    result_words(way.result, language_ == "es" ? Language::es : Language::en);
          factor += (factor.empty() ? "" : " / ") + way.factor.text();
        }
        rows.push_back(
            {{std::exchange(bet, ""), ""}, {result, ""}, {factor, ""}, exact(end.probability)});
      }
    }
    grid({Column::text, Column::text, Column::number, Column::number}, heads(words_.end_heads),
         std::move(rows));
  }

  Status readings() {
    TALLA_TRY(const auto others, games::other_values(table_));
    heading(words_.readings);
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::OtherValue& one : others) {
      const Paper::Cell parameter{text("parameter", one.parameter), one.parameter};
      const Paper::Cell value{games::plain(one.value), ""};
      if (!one.refused.empty())
        rows.push_back(
            {parameter, value, {games::refusal_text({}, one.refused, language_), ""}, {}, {}});
      else if (one.changed.empty() && one.gone.empty())
        rows.push_back({parameter, value, {words_.no_change, ""}, {}, {}});
      for (const games::ChangedOdds& row : one.changed)
        rows.push_back({parameter,
                        value,
                        {called(row.now), games::positions_text(row.now.on)},
                        {row.before ? number(*row.before) : words_.fresh, ""},
                        {number(row.now.odds.house_edge()),
                         games::player_wins(row.now) ? words_.player_wins : ""}});
      for (const std::string& bet : one.gone)
        rows.push_back({parameter, value, {text("bet", bet), ""}, {}, {words_.gone, ""}});
    }
    if (rows.empty())
      list({words_.no_change});
    else
      grid({Column::text, Column::text, Column::text, Column::number, Column::number},
           heads(words_.reading_heads), std::move(rows));
    return {};
  }

  void rules() {
    heading(words_.rules, true);
    std::vector<std::string> items;
    for (const games::RuleLine& line :
         games::rule_lines(table_.catalogue(), table_.rules(), language_))
      items.push_back(line.text + " [" + line.rule +
                      (line.reading.empty() ? "" : ", " + line.reading) + "]");
    list(std::move(items));
  }
  void parameters() {
    heading(words_.parameters);
    std::vector<std::vector<Paper::Cell>> rows;
    for (const games::ParameterRule& rule : table_.rules().parameters) {
      const json::Value* value = table_.params().json().find(rule.id);
      rows.push_back({{rule.id, ""},
                      {text("parameter", rule.id), ""},
                      {value == nullptr ? "" : games::plain(*value), ""}});
    }
    if (!rows.empty())
      grid({Column::name, Column::text, Column::text}, heads(words_.parameter_heads),
           std::move(rows));
  }

  const games::Table& table_;
  std::string language_;
  const SheetWords& words_;
  const OddsPaperOptions& options_;
  Paper paper_;
};

}  // namespace

Result<Paper> odds_paper(const games::Table& table, Language language,
                         const OddsPaperOptions& options) {
  return OddsPaper(table, language, options).made();
}

}  // namespace talla::report

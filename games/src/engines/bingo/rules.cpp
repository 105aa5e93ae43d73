#include "engines/bingo/rules.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/check.hpp"
#include "shuffle/deck.hpp"

namespace talla::games::bingo {
namespace {

constexpr std::size_t rows_named = 3;  // top, centre, bottom

tl::unexpected<Error> bad(const GameRules& rules, const std::string& what) {
  return fail(Errc::catalogue_malformed, "game " + rules.id + ": " + what);
}

Status check_words(const GameRules& rules, std::string_view id,
                   const std::set<std::string>& known) {
  const auto* parameter = rules.parameter(id);
  const bool fits = parameter != nullptr && parameter->type == ParameterType::choice &&
                    std::all_of(parameter->allowed.begin(), parameter->allowed.end(),
                                [&](const auto& value) { return known.contains(value.string()); });
  return fits ? Status()
              : Status(bad(rules, std::string(id) + " is missing or has unknown values"));
}

Status check_number(const GameRules& rules, std::string_view id, ParameterType type,
                    std::int64_t least) {
  const auto* parameter = rules.parameter(id);
  if (parameter == nullptr || parameter->type != type) {
    return bad(rules, std::string(id) + " is missing or no " +
                          (type == ParameterType::integer ? "integer" : "fraction"));
  }
  if (!parameter->min || *parameter->min < Fraction(least)) {
    return bad(rules, std::string(id) + " is at least " + std::to_string(least));
  }
  return {};
}

Status check_parameters(const GameRules& rules) {
  TALLA_TRY_STATUS(check_number(rules, "card_price", ParameterType::integer, 1));
  TALLA_TRY_STATUS(check_number(rules, "series_size", ParameterType::integer, 1));
  TALLA_TRY_STATUS(check_number(rules, "line_prize", ParameterType::fraction, 0));
  TALLA_TRY_STATUS(check_number(rules, "bingo_prize", ParameterType::fraction, 0));
  TALLA_TRY_STATUS(check_words(rules, "prize_basis", {"takings", "card-price", "announced"}));
  TALLA_TRY_STATUS(check_words(rules, "specific_line", {"none", "top", "centre", "bottom"}));
  return check_words(rules, "unclaimed_line", {"not-paid", "to-bingo"});
}

Status check_data(const GameRules& rules) {
  for (const auto& [name, block] : rules.data) {
    if (name != "card" && name != "prizes" && name != "claims" && name != "sale")
      return bad(rules, "data block '" + name + "' is not known");
  }
  for (const std::string_view name : {"card", "prizes", "claims", "sale"}) {
    if (!rules.data.contains(name)) return bad(rules, "no data block '" + std::string(name) + "'");
  }
  json::Reader reader(rules.data.find("card")->second.value, "card");
  TALLA_TRY(const auto lines, reader.integer("lines", rows_named, rows_named));
  TALLA_TRY_STATUS(reader.finish());
  if (rules.bets.front().covers.find("count")->integer() % lines != 0)
    return bad(rules, "the numbers of a card do not fill its lines");
  json::Reader prizes(rules.data.find("prizes")->second.value, "prizes");
  TALLA_TRY(const auto split, prizes.string("split"));
  TALLA_TRY_STATUS(prizes.finish());
  if (split != "winning-card") return bad(rules, "a prize is shared by winning card");
  for (const std::string_view name : {"claims", "sale"}) {
    if (!rules.data.find(name)->second.value.object().empty())
      return bad(rules, std::string(name) + " holds no figure");
  }
  return {};
}

template <class T>
bool are(const std::vector<T>& all, std::string T::*id, const std::set<std::string>& wanted) {
  std::set<std::string> seen;
  for (const auto& one : all) seen.insert(one.*id);
  return seen == wanted;
}

Status check_bet(const GameRules& rules) {
  if (rules.bets.size() != 1 || rules.bets.front().on != OnForm::numbers ||
      !rules.bets.front().payouts.empty() || rules.bets.front().offered_if) {
    return bad(rules, "the one bet is a card with its numbers, paid from the prizes");
  }
  const auto deck =
      rules.shoe ? shuffle::DeckSpec::parse(rules.shoe->deck) : shuffle::DeckSpec::parse("");
  if (!deck || deck->options().family != shuffle::DeckFamily::balls90 ||
      rules.shoe->stop_depth != 0 || rules.draw) {
    return bad(rules, "the balls are a shoe, balls90x1, without a stop card");
  }
  if (rules.bets.front().covers.find("highest")->integer() !=
      static_cast<std::int64_t>(deck->cards_count()))
    return bad(rules, "the numbers of a card are those of the balls");
  return {};
}

}  // namespace

Status check_bingo_rules(const GameRules& rules) {
  TALLA_TRY_STATUS(check_bet(rules));
  if (!are(rules.places, &Named::id, {"bola"})) return bad(rules, "the one place is bola");
  if (!are(rules.actions, &Named::id, {"linea", "bingo"}))
    return bad(rules, "the actions are linea and bingo");
  if (std::any_of(rules.errors.begin(), rules.errors.end(),
                  [](const ErrorRule& error) { return error.effect != "void-game"; })) {
    return bad(rules, "the one effect is void-game");
  }
  if (!rules.limits.empty()) return bad(rules, "cards have a price, no limits");
  TALLA_TRY_STATUS(check_parameters(rules));
  return check_data(rules);
}

Figures figures_of(const Table& table) {
  const auto& rules = table.rules();
  const auto& params = table.params();
  const auto& bet = rules.bets.front();
  Figures out;
  out.kind = bet.id;
  out.numbers = static_cast<std::size_t>(bet.covers.find("count")->integer());
  out.rows =
      static_cast<std::size_t>(rules.data.find("card")->second.value.find("lines")->integer());
  out.price = params.integer("card_price") * table.min();
  out.series = static_cast<std::uint32_t>(params.integer("series_size"));
  const auto& row = params.choice("specific_line");
  if (row != "none") out.line_row = row == "top" ? 0 : row == "centre" ? 1 : 2;
  out.line_share = params.fraction("line_prize");
  out.bingo_share = params.fraction("bingo_prize");
  out.of_takings = params.choice("prize_basis") == "takings";
  out.announced = params.choice("prize_basis") == "announced";
  out.line_to_bingo = params.choice("unclaimed_line") == "to-bingo";
  out.prize_cite = rules.data.find("prizes")->second.cite;
  out.claim_cite = rules.data.find("claims")->second.cite;
  out.sale_cite = rules.data.find("sale")->second.cite;
  return out;
}

Prizes prizes_of(const Figures& figures, std::size_t cards_sold) {
  Fraction basis = figures.announced ? 1 : figures.price;
  if (figures.of_takings) basis = basis * Fraction(static_cast<std::int64_t>(cards_sold));
  return {basis * figures.line_share, basis * figures.bingo_share};
}

bool payable(const Figures& figures, std::size_t cards_sold) {
  const auto prizes = prizes_of(figures, cards_sold);
  return prizes.line + prizes.bingo <= Fraction(units_max);
}

}  // namespace talla::games::bingo

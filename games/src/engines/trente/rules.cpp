#include "engines/trente/rules.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/shared/rules_check.hpp"

namespace talla::games::trente {
namespace {

constexpr std::array<std::string_view, 4> chances = {"rojo", "negro", "color", "inverso"};

/// What becomes of the premium: kept after a decided coup, 31-31, another tie, an annulled coup.
struct Premium {
  std::string_view name;
  std::array<bool, 4> kept;
};
constexpr std::array<Premium, 4> premiums = {{{"kept-unless-null", {true, true, false, false}},
                                              {"kept-always", {true, true, true, true}},
                                              {"kept-when-decided", {true, false, false, false}},
                                              {"kept-unless-refait", {true, false, true, true}}}};

Result<const DataBlock*> block_of(const GameRules& rules, std::string_view name) {
  const auto found = rules.data.find(name);
  if (found == rules.data.end())
    return bad_rules(rules, "data." + std::string(name) + " is missing");
  return &found->second;
}

Status read_values(const GameRules& rules, Figures& out) {
  TALLA_TRY(const auto* block, block_of(rules, "values"));
  json::Reader reader(block->value, rules.id + ".data.values");
  TALLA_TRY(const auto* ranks, reader.array("ranks"));
  if (ranks->size() != out.values.size())
    return bad_rules(rules, "values: 13 figures, ace to king");
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const auto& value = ranks->at(i);
    if (!value.is_integer() || value.integer() < 1 || value.integer() > 10)
      return bad_rules(rules, "values: points are 1 to 10");
    out.values.at(i) = static_cast<int>(value.integer());
  }
  return reader.finish();
}

Status read_rows(const GameRules& rules, Figures& out) {
  TALLA_TRY(const auto* rows, block_of(rules, "rows"));
  json::Reader row_reader(rows->value, rules.id + ".data.rows");
  TALLA_TRY(const auto reach, row_reader.integer("reach", 1, 100));
  TALLA_TRY_STATUS(row_reader.finish());
  out.reach = static_cast<int>(reach);
  out.rows_cite = rows->cite;
  TALLA_TRY(const auto* tie, block_of(rules, "tie"));
  json::Reader tie_reader(tie->value, rules.id + ".data.tie");
  TALLA_TRY(const auto result, tie_reader.string("result"));
  TALLA_TRY_STATUS(tie_reader.finish());
  if (result != "void" && result != "push") return bad_rules(rules, "tie: result is void or push");
  out.tie = result == "void" ? BetResult::void_ : BetResult::push;
  out.tie_cite = tie->cite;
  return {};
}

Status read_refait(const GameRules& rules, Figures& out) {
  TALLA_TRY(const auto* block, block_of(rules, "refait"));
  json::Reader reader(block->value, rules.id + ".data.refait");
  TALLA_TRY(const auto total, reader.integer("total", out.reach, out.reach + 9));
  out.refait = static_cast<int>(total);
  TALLA_TRY(out.value_parameter, reader.string("value_parameter"));
  TALLA_TRY(out.silent_parameter, reader.string("silent_parameter"));
  TALLA_TRY(out.null_parameter, reader.string("null_parameter"));
  if (reader.has("below_minimum_parameter")) {
    TALLA_TRY(out.below_minimum_parameter, reader.string("below_minimum_parameter"));
  }
  TALLA_TRY_STATUS(reader.finish());
  out.refait_cite = block->cite;
  return {};
}

Status read_insurance(const GameRules& rules, Figures& out) {
  TALLA_TRY(const auto* block, block_of(rules, "insurance"));
  json::Reader reader(block->value, rules.id + ".data.insurance");
  TALLA_TRY(out.insurance_bet, reader.string("bet"));
  TALLA_TRY(const auto rate, reader.string("rate"));
  TALLA_TRY(out.rate, Fraction::parse(rate));
  TALLA_TRY(out.threshold_parameter, reader.string("threshold_parameter"));
  TALLA_TRY(out.premium_parameter, reader.string("premium_parameter"));
  TALLA_TRY_STATUS(reader.finish());
  if (out.rate.is_zero()) return bad_rules(rules, "insurance: a premium is above zero");
  out.insurance_cite = block->cite;
  return {};
}

Status check_parameters(const GameRules& rules, const Figures& figures) {
  TALLA_TRY_STATUS(check_choice(rules, figures.value_parameter, {"residual", "literal", "whole"}));
  TALLA_TRY_STATUS(check_choice(rules, figures.silent_parameter, {"prison", "half"}));
  TALLA_TRY_STATUS(check_choice(rules, figures.null_parameter, {"stays", "freed"}));
  if (!figures.below_minimum_parameter.empty()) {
    TALLA_TRY_STATUS(
        check_choice(rules, figures.below_minimum_parameter, {"prison", "prison-first", "choice"}));
  }
  TALLA_TRY_STATUS(
      check_choice(rules, figures.premium_parameter,
                   {premiums[0].name, premiums[1].name, premiums[2].name, premiums[3].name}));
  const auto* threshold = rules.parameter(figures.threshold_parameter);
  if (threshold == nullptr ||
      (threshold->type != ParameterType::integer && threshold->type != ParameterType::amount)) {
    return bad_rules(
        rules, "insurance: no integer or amount parameter '" + figures.threshold_parameter + "'");
  }
  return {};
}

Status check_chance(const GameRules& rules, const BetRule& bet) {
  const bool plain = bet.on == OnForm::none && bet.covers.is_string() &&
                     bet.covers.string() == bet.id && chance_from(bet.id).has_value();
  if (!plain)
    return bad_rules(
        rules, bet.id + ": covers is \"rojo\", \"negro\", \"color\" or \"inverso\", its own id");
  if (bet.payouts.size() != 1 || bet.payout("win") == nullptr)
    return bad_rules(rules, bet.id + ": one payout, for win");
  return {};
}

Status check_insurance_bet(const GameRules& rules, const BetRule& bet) {
  if (bet.on != OnForm::set || !bet.covers_when.empty() || bet.payouts.size() != 1 ||
      bet.payout("returned") == nullptr || !bet.payout("returned")->pays.is_zero()) {
    return bad_rules(rules,
                     bet.id + ": on a set of one chance, one payout \"returned\" of nothing more");
  }
  for (const auto& position : bet.covers.array()) {
    const auto& one = position.array();
    if (one.size() != 1 || !one.front().is_string() || !chance_from(one.front().string()))
      return bad_rules(rules, bet.id + ": covers names chances, one each");
  }
  return {};
}

}  // namespace

std::optional<Chance> chance_from(std::string_view name) {
  for (std::size_t i = 0; i < chances.size(); ++i) {
    if (chances.at(i) == name) return static_cast<Chance>(i);
  }
  return std::nullopt;
}

Result<Figures> read_figures(const GameRules& rules) {
  Figures out;
  TALLA_TRY_STATUS(read_values(rules, out));
  TALLA_TRY_STATUS(read_rows(rules, out));
  TALLA_TRY_STATUS(read_refait(rules, out));
  TALLA_TRY_STATUS(read_insurance(rules, out));
  if (rules.data.size() != 5)
    return bad_rules(rules, "data holds values, rows, tie, refait and insurance, nothing else");
  out.stop_cite = rules.shoe_cite.value_or(out.rows_cite);
  return out;
}

Status check_trente_rules(const GameRules& rules) {
  TALLA_TRY(const auto figures, read_figures(rules));
  if (!rules.shoe || !rules.shoe->deck.starts_with("french52") || rules.shoe->covered) {
    return bad_rules(rules, "the game needs an open shoe of French cards");
  }
  TALLA_TRY_STATUS(check_parameters(rules, figures));
  for (const auto& bet : rules.bets) {
    TALLA_TRY_STATUS(bet.id == figures.insurance_bet ? check_insurance_bet(rules, bet)
                                                     : check_chance(rules, bet));
  }
  if (rules.bet(figures.insurance_bet) == nullptr)
    return bad_rules(rules, "the bet of the insurance is missing");
  for (const std::string_view place : {"negra", "roja"}) {
    const auto& all = rules.places;
    if (std::none_of(all.begin(), all.end(), [&](const Named& one) { return one.id == place; }))
      return bad_rules(rules, "place " + std::string(place) + " is missing");
  }
  if (rules.places.size() != 2) return bad_rules(rules, "places are negra and roja");
  if (!rules.errors.empty()) return bad_rules(rules, "no error is known to this game");
  for (const auto& action : rules.actions) {
    if (action.id != "half" && action.id != "prison")
      return bad_rules(rules, "action '" + action.id + "' is not known");
  }
  return rules.actions.size() == 2 ? Status{}
                                   : Status(bad_rules(rules, "actions are half and prison"));
}

std::shared_ptr<const Prepared> prepare_trente(const Table& table) {
  auto out = std::make_shared<Prepared>();
  auto figures = read_figures(table.rules());
  TALLA_CHECK(figures.has_value());  // check_rules accepted them when the catalogue was loaded
  out->figures = *std::move(figures);
  const auto& params = table.params();
  const auto& value = params.choice(out->figures.value_parameter);
  if (value == "literal") out->value = Prepared::Value::literal;
  if (value == "whole") out->value = Prepared::Value::whole;
  if (!out->figures.below_minimum_parameter.empty()) {
    const auto& below = params.choice(out->figures.below_minimum_parameter);
    if (below == "prison") out->below_minimum = Prepared::Below::prison;
    if (below == "prison-first") out->below_minimum = Prepared::Below::prison_first;
  }
  out->silence_is_half = params.choice(out->figures.silent_parameter) == "half";
  out->null_frees = params.choice(out->figures.null_parameter) == "freed";
  out->threshold = params.fraction(out->figures.threshold_parameter);
  const auto& premium = params.choice(out->figures.premium_parameter);
  for (const auto& one : premiums) {
    if (one.name == premium) out->premium_kept = one.kept;
  }
  return out;
}

int row_total(const Figures& figures, std::span<const Card> row) {
  int sum = 0;
  for (const auto card : row) sum += figures.values.at(static_cast<std::size_t>(card.rank() - 1));
  return sum;
}

bool wins(Chance chance, bool red_wins, bool first_is_red) {
  switch (chance) {
    case Chance::rojo:
      return red_wins;
    case Chance::negro:
      return !red_wins;
    case Chance::color:
      return red_wins == first_is_red;
    case Chance::inverso:
      return red_wins != first_is_red;
  }
  return false;
}

}  // namespace talla::games::trente

#include "engines/wheel/rules.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "engines/shared/rules_check.hpp"
#include "games/bets.hpp"
#include "table/parameter_value.hpp"

namespace talla::games::wheel {
namespace {

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Result<std::vector<std::string>> words(json::Reader& reader, std::string_view key) {
  TALLA_TRY(const auto* list, reader.array(key));
  std::vector<std::string> result;
  for (const auto& entry : *list) {
    if (!entry.is_string())
      return fail(Errc::catalogue_malformed, std::string(key) + " holds no word");
    result.push_back(entry.string());
  }
  return result;
}

std::string code_of(const json::Value& value) {
  if (value.is_string()) return value.string();
  return value.is_integer() ? std::to_string(value.integer()) : std::string();
}

Status check_pockets(const GameRules& rules, const std::vector<std::string>& pockets,
                     const BetRule& bet, const json::Value& list) {
  if (!list.is_array() || list.array().empty())
    return bad_rules(rules, bet.id + ": covers is no list of pockets");
  for (const auto& entry : list.array()) {
    if (!contains(pockets, code_of(entry)))
      return bad_rules(rules, bet.id + ": covers names no pocket");
  }
  return {};
}

Status check_covers(const GameRules& rules, const std::vector<std::string>& pockets,
                    const BetRule& bet, const json::Value& covers) {
  if (bet.on == OnForm::none) return check_pockets(rules, pockets, bet, covers);
  if (!covers.is_array() || covers.array().empty())
    return bad_rules(rules, bet.id + ": covers has no position");
  for (const auto& position : covers.array())
    TALLA_TRY_STATUS(check_pockets(rules, pockets, bet, position));
  return {};
}

Status check_zero(const GameRules& rules, const std::vector<std::string>& pockets,
                  const ZeroRule& zero) {
  for (const auto& pocket : zero.pockets) {
    if (!contains(pockets, pocket)) return bad_rules(rules, "zero names no pocket");
  }
  for (const auto& pocket : zero.more_pockets) {
    if (!contains(pockets, pocket)) return bad_rules(rules, "zero names no pocket");
  }
  if (zero.more_when) {
    const auto* parameter = rules.parameter(zero.more_when->parameter);
    if (parameter == nullptr || !check_parameter_value(*parameter, zero.more_when->value)) {
      return bad_rules(rules, "zero: a condition that can never hold");
    }
  }
  for (const auto& bet : zero.bets) {
    if (rules.bet(bet) == nullptr) return bad_rules(rules, "zero names no bet");
  }
  if (!zero.choice) return {};
  TALLA_TRY_STATUS(check_choice(rules, zero.value_parameter, {"residual", "literal", "whole"}));
  TALLA_TRY_STATUS(check_choice(rules, zero.silent_parameter, {"prison", "half"}));
  if (!zero.below_minimum_parameter.empty()) {
    TALLA_TRY_STATUS(
        check_choice(rules, zero.below_minimum_parameter, {"prison", "prison-first", "choice"}));
  }
  return {};
}

Status check_bet(const GameRules& rules, const BetRule& bet) {
  const auto& pockets = rules.draw->pockets;
  TALLA_TRY_STATUS(check_covers(rules, pockets, bet, bet.covers));
  for (const auto& more : bet.covers_when)
    TALLA_TRY_STATUS(check_covers(rules, pockets, bet, more.covers));
  if (bet.is_call()) return {};
  if (bet.payouts.size() != 1 || bet.payout("win") == nullptr)
    return bad_rules(rules, bet.id + ": one payout, for win");
  return {};
}

Prepared::Prize prize_of(const Table& table, const BetRule& bet) {
  Prepared::Prize out;
  const auto* indexed = table.bet_index().find(bet.id);
  TALLA_CHECK(indexed != nullptr);
  out.payout = bet.payout("win", table.params());
  if (out.payout == nullptr) return out;
  out.factor = out.payout->factor(table.params());
  out.result = out.payout->pays.is_zero() ? BetResult::push : BetResult::win;
  out.named_rule = table.rules().rule(out.payout->cite);
  for (const auto& position : indexed->positions) {
    for (const auto& pocket : table.rules().draw->pockets) {
      out.hits.push_back(contains(position.covers, pocket) ? 1 : 0);
    }
  }
  return out;
}

}  // namespace

bool ZeroRule::is_zero(std::string_view pocket, const Params& params) const {
  return contains(pockets, pocket) ||
         (more_when && contains(more_pockets, pocket) && params.holds(*more_when));
}

bool ZeroRule::concerns(std::string_view kind) const {
  return contains(bets, kind);
}

Result<std::optional<ZeroRule>> zero_rule(const GameRules& rules) {
  const auto block = rules.data.find("zero");
  if (block == rules.data.end()) return std::optional<ZeroRule>();
  json::Reader reader(block->second.value, rules.id + ".data.zero");
  ZeroRule zero;
  TALLA_TRY(zero.pockets, words(reader, "pockets"));
  TALLA_TRY(zero.bets, words(reader, "bets"));
  if (const auto* more = reader.optional("pockets_when")) {
    json::Reader inner(*more, rules.id + ".data.zero.pockets_when");
    Condition when;
    TALLA_TRY(when.parameter, inner.string("parameter"));
    TALLA_TRY(const auto value, inner.string("value"));
    when.value = value;
    TALLA_TRY(zero.more_pockets, words(inner, "pockets"));
    TALLA_TRY_STATUS(inner.finish());
    zero.more_when = std::move(when);
  }
  std::string effect = "choice";
  if (reader.has("effect")) {
    TALLA_TRY(effect, reader.string("effect"));
  }
  if (effect != "choice" && effect != "half")
    return bad_rules(rules, "zero: effect is choice or half");
  zero.choice = effect == "choice";
  if (zero.choice) {
    TALLA_TRY(zero.value_parameter, reader.string("value_parameter"));
    TALLA_TRY(zero.silent_parameter, reader.string("silent_parameter"));
  }
  if (zero.choice && reader.has("below_minimum_parameter")) {
    TALLA_TRY(zero.below_minimum_parameter, reader.string("below_minimum_parameter"));
  }
  TALLA_TRY_STATUS(reader.finish());
  zero.cite = block->second.cite;
  return std::optional<ZeroRule>(std::move(zero));
}

Result<std::optional<ColourRule>> colour_rule(const GameRules& rules) {
  const auto block = rules.data.find("colours");
  if (block == rules.data.end()) return std::optional<ColourRule>();
  json::Reader reader(block->second.value, rules.id + ".data.colours");
  ColourRule out;
  TALLA_TRY(out.bet, reader.string("bet"));
  if (const auto* seats = reader.optional("seats")) {
    json::Reader inner(*seats, rules.id + ".data.colours.seats");
    TALLA_TRY(out.seats_parameter, inner.string("parameter"));
    TALLA_TRY_STATUS(inner.finish());
    const auto* parameter = rules.parameter(out.seats_parameter);
    if (parameter == nullptr || parameter->type != ParameterType::integer)
      return bad_rules(rules, "colours: seats names a parameter that is a number");
  }
  TALLA_TRY_STATUS(reader.finish());
  if (rules.bet(out.bet) == nullptr) return bad_rules(rules, "colours: no bet " + out.bet);
  out.cite = block->second.cite;
  return std::optional<ColourRule>(std::move(out));
}

Result<std::string> pairs_parameter(const GameRules& rules) {
  const auto block = rules.data.find("pairs");
  if (block == rules.data.end()) return std::string();
  json::Reader reader(block->second.value, rules.id + ".data.pairs");
  TALLA_TRY(auto parameter, reader.string("parameter"));
  TALLA_TRY_STATUS(reader.finish());
  return parameter;
}

std::shared_ptr<const Prepared> prepare_wheel(const Table& table) {
  const auto& rules = table.rules();
  auto out = std::make_shared<Prepared>();
  auto zero = zero_rule(rules);
  TALLA_CHECK(zero.has_value());  // check_rules accepted it when the catalogue was loaded
  out->zero = *std::move(zero);
  for (const auto& pocket : rules.draw->pockets) {
    out->pockets.push_back(
        {CodeKey(pocket), &pocket, out->zero && out->zero->is_zero(pocket, table.params())});
  }
  auto colours = colour_rule(rules);
  TALLA_CHECK(colours.has_value());
  out->colours = *std::move(colours);
  if (out->colours && !out->colours->seats_parameter.empty())
    out->colours->seats =
        static_cast<std::size_t>(table.params().integer(out->colours->seats_parameter));
  const auto pairs = pairs_parameter(rules);
  TALLA_CHECK(pairs.has_value());
  out->neighbours = !pairs->empty() && table.params().choice(*pairs) == "neighbours";
  for (const auto& bet : rules.bets) out->prizes.push_back(prize_of(table, bet));
  return out;
}

std::optional<std::size_t> Prepared::find_pocket(std::string_view code) const {
  const CodeKey key(code);
  for (std::size_t i = 0; i < pockets.size(); ++i) {
    if (pockets[i].key == key && (key.whole() || *pockets[i].code == code)) return i;
  }
  return std::nullopt;
}

Status check_wheel_rules(const GameRules& rules) {
  if (!rules.draw || rules.draw->kind != DrawKind::wheel || rules.draw->pockets.empty()) {
    return bad_rules(rules, "a wheel game draws from a wheel");
  }
  const auto& pockets = rules.draw->pockets;
  for (const auto& [name, block] : rules.data) {
    if (name != "zero" && name != "pairs" && name != "colours")
      return bad_rules(rules, "data block '" + name + "' is not known");
  }
  if (!rules.errors.empty() || !rules.places.empty())
    return bad_rules(rules, "a wheel has no places and no misdeals");
  for (const auto& bet : rules.bets) TALLA_TRY_STATUS(check_bet(rules, bet));
  TALLA_TRY(const auto zero, zero_rule(rules));
  if (zero) TALLA_TRY_STATUS(check_zero(rules, pockets, *zero));
  TALLA_TRY(const auto colours, colour_rule(rules));
  std::vector<std::string_view> wanted;
  if (zero && zero->choice) wanted = {"half", "prison"};
  if (colours) wanted.emplace_back("fichas");
  for (const auto& action : rules.actions) {
    if (std::find(wanted.begin(), wanted.end(), action.id) == wanted.end())
      return bad_rules(rules, "action '" + action.id + "' has no rule here");
  }
  if (rules.actions.size() != wanted.size())
    return bad_rules(rules,
                     "a choice at the zero has the actions half and prison, colours have fichas");
  TALLA_TRY(const auto pairs, pairs_parameter(rules));
  return pairs.empty() ? Status{} : check_choice(rules, pairs, {"any", "neighbours"});
}

}  // namespace talla::games::wheel

#include <algorithm>
#include <set>

#include "catalogue_read.hpp"
#include "parameter_value.hpp"

namespace talla::games {
namespace {

tl::unexpected<Error> malformed(const GameRules& game, const std::string& why) {
  return fail(Errc::catalogue_malformed, game.id + ": " + why);
}

template <class T>
Status unique(const GameRules& game, const std::vector<T>& all, std::string T::*id, const std::string& what) {
  std::set<std::string> seen;
  for (const auto& one : all) {
    if (!seen.insert(one.*id).second) return malformed(game, what + " " + one.*id + " stands twice");
  }
  return {};
}

Status check_condition(const GameRules& game, const Condition& condition) {
  const auto* rule = game.parameter(condition.parameter);
  if (rule == nullptr) return malformed(game, "a condition names no parameter: " + condition.parameter);
  if (auto ok = check_parameter_value(*rule, condition.value); !ok) {
    return malformed(game, "a condition on " + condition.parameter + " that can never hold");
  }
  return {};
}

Status check_number_parameter(const GameRules& game, const std::string& id) {
  if (id.empty()) return {};
  const auto* rule = game.parameter(id);
  if (rule == nullptr) return malformed(game, "a limit names no parameter: " + id);
  if (rule->type != ParameterType::integer && rule->type != ParameterType::fraction) {
    return malformed(game, "a limit needs a number, which " + id + " is not");
  }
  return {};
}

Status check_scope_parameter(const GameRules& game, const std::string& id) {
  if (id.empty()) return {};
  const auto* rule = game.parameter(id);
  if (rule == nullptr) return malformed(game, "a limit names no parameter: " + id);
  static const std::set<std::string> scopes = {"bet", "seat", "box", "table"};
  const bool fits = rule->type == ParameterType::choice &&
                    std::all_of(rule->allowed.begin(), rule->allowed.end(),
                                [&](const auto& value) { return scopes.contains(value.string()); });
  if (!fits) return malformed(game, id + " is no scope: bet, seat, box or table");
  return {};
}

Status check_limit(const GameRules& game, const LimitRule& limit) {
  for (const auto& bet : limit.bets) {
    if (game.bet(bet) == nullptr) return malformed(game, "a limit names no bet: " + bet);
  }
  TALLA_TRY_STATUS(check_number_parameter(game, limit.multiple_parameter));
  TALLA_TRY_STATUS(check_number_parameter(game, limit.base_parameter));
  return check_scope_parameter(game, limit.scope_parameter);
}

}  // namespace

Status check_references(const GameRules& game) {
  TALLA_TRY_STATUS(unique(game, game.bets, &BetRule::id, "bet"));
  TALLA_TRY_STATUS(unique(game, game.parameters, &ParameterRule::id, "parameter"));
  TALLA_TRY_STATUS(unique(game, game.actions, &Named::id, "action"));
  TALLA_TRY_STATUS(unique(game, game.places, &Named::id, "place"));
  TALLA_TRY_STATUS(unique(game, game.errors, &ErrorRule::code, "error"));
  for (const auto& bet : game.bets) {
    if (bet.offered_if) TALLA_TRY_STATUS(check_condition(game, *bet.offered_if));
    for (const auto& more : bet.covers_when) TALLA_TRY_STATUS(check_condition(game, more.when));
  }
  for (const auto& limit : game.limits) TALLA_TRY_STATUS(check_limit(game, limit));
  return {};
}

}  // namespace talla::games

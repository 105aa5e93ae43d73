// Whether the parts of a loaded game fit each other: references, positions, citations, commissions.
#include <algorithm>
#include <set>

#include "catalogue/read.hpp"
#include "code.hpp"
#include "table/parameter_value.hpp"

namespace talla::games {
namespace {

template <class T>
Status unique(const GameRules& game, const std::vector<T>& all, std::string T::*id,
              const std::string& what) {
  std::set<std::string> seen;
  for (const auto& one : all) {
    if (!seen.insert(one.*id).second)
      return bad_catalogue(game.id, what + " " + one.*id + " stands twice");
  }
  return {};
}

Status check_condition(const GameRules& game, const Condition& condition) {
  const auto* rule = game.parameter(condition.parameter);
  if (rule == nullptr)
    return bad_catalogue(game.id, "a condition names no parameter: " + condition.parameter);
  if (auto ok = check_parameter_value(*rule, condition.value); !ok) {
    return bad_catalogue(game.id, "a condition on " + condition.parameter + " that can never hold");
  }
  return {};
}

Status check_number_parameter(const GameRules& game, const std::string& id) {
  if (id.empty()) return {};
  const auto* rule = game.parameter(id);
  if (rule == nullptr) return bad_catalogue(game.id, "a limit names no parameter: " + id);
  if (rule->type != ParameterType::integer && rule->type != ParameterType::fraction) {
    return bad_catalogue(game.id, "a limit needs a number, which " + id + " is not");
  }
  return {};
}

Status check_scope_parameter(const GameRules& game, const std::string& id) {
  if (id.empty()) return {};
  const auto* rule = game.parameter(id);
  if (rule == nullptr) return bad_catalogue(game.id, "a limit names no parameter: " + id);
  static const std::set<std::string> scopes = {"bet", "seat", "box", "table"};
  const bool fits = rule->type == ParameterType::choice &&
                    std::all_of(rule->allowed.begin(), rule->allowed.end(),
                                [&](const auto& value) { return scopes.contains(value.string()); });
  if (!fits) return bad_catalogue(game.id, id + " is no scope: bet, seat, box or table");
  return {};
}

Status check_minimum_rule(const GameRules& game, const MinimumRule& minimum) {
  for (const auto& bet : minimum.bets) {
    const auto* rule = game.bet(bet);
    if (rule == nullptr || rule->is_call())
      return bad_catalogue(game.id, "a minimum names no bet: " + bet);
    if (game.minimum(bet) != &minimum) return bad_catalogue(game.id, "two minimums for " + bet);
  }
  TALLA_TRY_STATUS(check_number_parameter(game, minimum.multiple_parameter));
  if (minimum.stepped_parameter.empty()) return {};
  const auto* rule = game.parameter(minimum.stepped_parameter);
  if (rule == nullptr || rule->type != ParameterType::boolean) {
    return bad_catalogue(game.id, "multiples_parameter is no bool: " + minimum.stepped_parameter);
  }
  return {};
}

/// A commission is a fraction of the stake that never passes the profit.
Status check_commission(const GameRules& game, const BetRule& bet, const Payout& payout) {
  if (payout.commission_parameter.empty()) return {};
  const auto* rule = game.parameter(payout.commission_parameter);
  if (rule == nullptr || rule->type != ParameterType::fraction || !rule->max || !rule->min) {
    return bad_catalogue(game.id, bet.id +
                                      ": commission_parameter is no fraction with min and max: " +
                                      payout.commission_parameter);
  }
  if (*rule->min < Fraction(0) || *rule->max > payout.pays)
    return bad_catalogue(game.id, bet.id + ": the commission can pass the profit");
  return {};
}

std::vector<std::string> sorted_codes(const json::Value& codes) {
  std::vector<std::string> out;
  for (const auto& code : codes.array()) {
    out.push_back(code_text(code));
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool is_code_list(const json::Value& value) {
  return value.is_array() &&
         std::all_of(value.array().begin(), value.array().end(),
                     [](const auto& code) { return code.is_integer() || code.is_string(); });
}

/// Whether the bet has that position, at least at some tables.
bool has_position(const BetRule& rule, std::vector<std::string> on) {
  if (rule.on == OnForm::none) return on.empty();
  if (rule.on != OnForm::set) return false;
  std::sort(on.begin(), on.end());
  const auto among = [&](const json::Value& covers) {
    return std::any_of(covers.array().begin(), covers.array().end(),
                       [&](const auto& position) { return sorted_codes(position) == on; });
  };
  return among(rule.covers) || std::any_of(rule.covers_when.begin(), rule.covers_when.end(),
                                           [&](const auto& more) { return among(more.covers); });
}

/// A call bet's parts are positions of ordinary bets, and together they cover what it says it
/// covers.
Status check_call(const GameRules& game, const BetRule& bet) {
  if (bet.neighbours) {
    const auto* pleno = game.bet(bet.neighbours->bet);
    if (pleno == nullptr || pleno->is_call() || pleno->on != OnForm::set || !game.draw ||
        game.draw->pockets.size() <= std::size_t{2} * bet.neighbours->each_side) {
      return bad_catalogue(game.id, bet.id + ": its chips lie on no bet of one pocket of a wheel");
    }
    for (const auto& pocket : game.draw->pockets) {
      if (!has_position(*pleno, {pocket}) || !has_position(bet, {pocket})) {
        return bad_catalogue(game.id, bet.id + ": not every pocket can be played");
      }
    }
    return {};
  }
  std::set<std::string> covered;
  for (const auto& member : bet.members) {
    const auto* other = game.bet(member.bet);
    if (other == nullptr || other->is_call() || !has_position(*other, member.on)) {
      return bad_catalogue(game.id, bet.id + ": a part is no position of " + member.bet);
    }
    if (member.on.empty() && !is_code_list(other->covers))
      return bad_catalogue(game.id, bet.id + ": " + member.bet + " covers no list");
    const auto list = member.on.empty() ? sorted_codes(other->covers) : member.on;
    covered.insert(list.begin(), list.end());
  }
  std::vector<std::string> stated;
  if (is_code_list(bet.covers)) stated = sorted_codes(bet.covers);
  if (!std::equal(covered.begin(), covered.end(), stated.begin(), stated.end())) {
    return bad_catalogue(game.id, bet.id + ": its parts do not cover what covers says");
  }
  return {};
}

/// Every citation of the game.
std::vector<const Citation*> citations(const GameRules& game) {
  std::vector<const Citation*> out{&game.cite};
  if (game.draw_cite) out.push_back(&*game.draw_cite);
  if (game.shoe_cite) out.push_back(&*game.shoe_cite);
  for (const auto& bet : game.bets) {
    out.push_back(&bet.cite);
    for (const auto& one : bet.payouts) out.push_back(&one.cite);
    for (const auto& one : bet.payouts_when) out.push_back(&one.payout.cite);
    for (const auto& one : bet.covers_when) out.push_back(&one.cite);
  }
  for (const auto& one : game.limits) out.push_back(&one.cite);
  for (const auto& one : game.minimums) out.push_back(&one.cite);
  for (const auto& one : game.parameters) out.push_back(&one.cite);
  for (const auto& one : game.actions) out.push_back(&one.cite);
  for (const auto& one : game.places) out.push_back(&one.cite);
  for (const auto& one : game.errors) out.push_back(&one.cite);
  for (const auto& [name, block] : game.data) out.push_back(&block.cite);
  return out;
}

Status check_inherited(const GameRules& game) {
  for (const auto* cite : citations(game)) {
    if (!cite->inherited.empty() && cite->inherited != game.base) {
      return bad_catalogue(game.id, "a figure is inherited from " + cite->inherited +
                                        ", which is not the game's base");
    }
  }
  return {};
}

Status check_limit(const GameRules& game, const LimitRule& limit) {
  for (const auto& bet : limit.bets) {
    if (game.bet(bet) == nullptr) return bad_catalogue(game.id, "a limit names no bet: " + bet);
  }
  TALLA_TRY_STATUS(check_number_parameter(game, limit.multiple_parameter));
  TALLA_TRY_STATUS(check_number_parameter(game, limit.base_parameter));
  for (const auto& one : limit.multiple_when) TALLA_TRY_STATUS(check_condition(game, one.when));
  if (limit.base_when) TALLA_TRY_STATUS(check_condition(game, *limit.base_when));
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
    for (const auto& one : bet.payouts) TALLA_TRY_STATUS(check_commission(game, bet, one));
    for (const auto& more : bet.payouts_when) {
      TALLA_TRY_STATUS(check_condition(game, more.when));
      TALLA_TRY_STATUS(check_commission(game, bet, more.payout));
    }
    if (bet.is_call()) TALLA_TRY_STATUS(check_call(game, bet));
  }
  for (const auto& limit : game.limits) TALLA_TRY_STATUS(check_limit(game, limit));
  for (const auto& minimum : game.minimums) TALLA_TRY_STATUS(check_minimum_rule(game, minimum));
  return check_inherited(game);
}

}  // namespace talla::games

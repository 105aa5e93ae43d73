/// \file
/// What the simulator cannot judge by the catalogue's bet list alone, game by game. Everything not named here is held
/// to the plain rules; a new line needs its reason beside it.
#pragma once

#include <optional>
#include <string_view>

#include "games/table.hpp"

namespace talla::sim {

/// Wins that are no plain payout of the bet's list (deductions, meters, shares of a fund): scenarios and unit tests
/// check their amounts.
[[nodiscard]] bool pays_computed(const games::GameRules& rules, std::string_view bet);
/// Bets that move or wait over rounds, so that their stakes do not count with new ones on the same position.
[[nodiscard]] bool carries_over(const games::GameRules& rules, std::string_view bet);
/// The stake that an action made out of this one: its id is the bet's, a point and more (split hands, insurance).
[[nodiscard]] bool made_by_action(const games::GameRules& rules, std::string_view id,
                                  std::string_view origin);
/// One seat's action may change stakes of others (doubled and split hands that several have backed).
[[nodiscard]] bool acts_for_others(const games::GameRules& rules);
/// The one amount that the bet takes at this table, where there is only one.
[[nodiscard]] std::optional<games::Units> fixed_stake(const games::Table& table, const games::BetRule& rule);
/// Bets that random play need not reach.
[[nodiscard]] bool rarely_settled(const games::GameRules& rules, std::string_view bet);
/// Bets whose amount follows from another stake, so that chips and minimum do not bind it.
[[nodiscard]] bool follows_a_stake(const games::GameRules& rules, std::string_view bet);

}  // namespace talla::sim

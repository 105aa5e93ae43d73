/// \file
/// What the simulator cannot judge by the catalogue's bet list alone, game by game. Everything not named here is held
/// to the plain rules; a new line needs its reason beside it.
#pragma once

#include <string_view>

#include "games/rules.hpp"

namespace talla::sim {

/// Wins that are no plain payout of the bet's list (deductions, meters, shares of a fund): scenarios and unit tests
/// check their amounts.
[[nodiscard]] bool pays_computed(const games::GameRules& rules, std::string_view bet);
/// Bets that move or wait over rounds, so that their stakes do not count with new ones on the same position.
[[nodiscard]] bool carries_over(const games::GameRules& rules, std::string_view bet);
/// Bets that random play need not reach.
[[nodiscard]] bool rarely_settled(const games::GameRules& rules, std::string_view bet);

}  // namespace talla::sim

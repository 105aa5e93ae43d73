/// \file
/// Sums over all deals as odds of a bet, and why a bet of a poker table has none by itself. Private
/// to games.
///
/// Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "games/odds.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games::poker {

/// `with`: the further bets that the sums hold.
[[nodiscard]] BetOdds counted(std::string bet, const Odds& odds, std::vector<std::string> with);

/// It is laid down beside that bet and has its odds in that bet's.
[[nodiscard]] BetWithoutOdds accompanies(std::string_view bet, std::string_view main);
/// Its best play and that bet's are one question, which is not worked out.
[[nodiscard]] BetWithoutOdds hangs_together(std::string_view bet, std::string_view main);
/// OddsTime::minutes works it out.
[[nodiscard]] BetWithoutOdds takes_minutes(std::string_view bet);

}  // namespace talla::games::poker

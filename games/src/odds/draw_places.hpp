/// \file
/// All results of a draw, and all that may stand in a bet's `on`. Private to games.
///
/// Errors: game_not_available. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "games/event.hpp"
#include "games/need.hpp"
#include "games/rules.hpp"

namespace talla::games {

/// Each as likely as the next; at most a million.
[[nodiscard]] Result<std::vector<DrawResult>> draw_results(const Draw& draw);

/// What may stand in `on`: nothing, the codes of a set, one index, or two. Of bets on numbers of
/// the client's choice, which are too many to list, nothing.
[[nodiscard]] std::vector<std::vector<std::string>> places_of(const BetRule& rule,
                                                              const Params& params);

}  // namespace talla::games

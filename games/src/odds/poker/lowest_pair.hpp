/// \file
/// The least hand with a pair of some rank: from where a bank plays, or a bet is paid. Private to
/// games.
///
/// Threads: a pure function.
#pragma once

#include "games/poker_hand.hpp"

namespace talla::games::poker {

/// The pair with the three lowest other cards, of four suits. `rank`: 2 to 14 (the ace).
[[nodiscard]] HandValue lowest_pair(const Ranker& ranker, int rank);

}  // namespace talla::games::poker

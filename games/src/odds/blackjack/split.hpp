/// \file
/// What a pair is worth when it is split, exactly for the removal of the cards of all its hands.
/// Private to games.
///
/// Threads: pure functions.
#pragma once

#include "odds/blackjack/hands_against.hpp"

namespace talla::games::blackjack {

struct SplitWorth {
  Ratio net;     ///< of all hands together
  Ratio staked;  ///< on all of them
};
/// Of two cards of that class; each hand is played as `hands` says of the same cards unsplit.
[[nodiscard]] SplitWorth split_worth(const HandLaw& law, const HandsAgainst& hands,
                                     std::size_t pair);

}  // namespace talla::games::blackjack

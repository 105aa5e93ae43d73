/// \file
/// Every way in which a dealer's hand may end, by the cards drawn to it. Private to games.
///
/// Threads: plain values.
#pragma once

#include <vector>

#include "odds/blackjack/hand_law.hpp"

namespace talla::games::blackjack {

/// How a dealer's hand ends: over the target, at a total, or with a blackjack.
struct DealerEnd {
  Counts drawn{};          ///< behind the first card
  std::uint8_t cards = 0;  ///< how many that are
  int total = 0;           ///< above the target: it is over
  bool blackjack = false;
  std::uint64_t orders = 0;  ///< in which these cards lead there
};
/// All of them behind that first card, of cards of which there are enough.
[[nodiscard]] std::vector<DealerEnd> dealer_ends(const HandLaw& law, std::size_t first);

/// The best total of so many points with an ace one, and whether there is an ace.
[[nodiscard]] int best_total(const HandLaw& law, int low, bool ace);

}  // namespace talla::games::blackjack

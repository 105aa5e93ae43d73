/// \file
/// Every way in which a dealer's hand may end, by the cards drawn to it. Private to games.
///
/// Threads: plain values.
#pragma once

#include <span>
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
  std::uint8_t classes = 0;  ///< classes behind which nothing is drawn
  /// Of these the first ones, in which it draws what the end before it does.
  std::uint8_t shared = 0;
};
/// All of them behind that first card, of cards of which there are enough; neighbours draw alike.
[[nodiscard]] std::vector<DealerEnd> dealer_ends(const HandLaw& law, std::size_t first);

/// Orders of the cards of a dealer's hand, twelve at the most.
__extension__ using Orders = unsigned __int128;

/// Calls `visit` with each end and the number of orders in which its cards come from those that are
/// left; cards of class `apart` are left out of that number (classes_count: none).
template <class Visit>
void each_end(std::span<const DealerEnd> ends, const Counts& left, std::size_t apart, Visit visit) {
  // Of twelve cards none has more than its share of the points that a dealer may come to.
  constexpr std::size_t cards_most = 12;
  constexpr std::size_t points_most = 26;
  std::array<std::array<std::uint64_t, cards_most + 1>, classes_count> fallen{};
  for (std::size_t one = 0; one < classes_count; ++one) {
    auto& row = fallen.at(one);
    row.front() = 1;
    for (std::size_t i = 1; i < row.size() && i * (one + 1) <= points_most; ++i)
      row.at(i) = one == apart ? 1 : left.at(one) < i ? 0 : row.at(i - 1) * (left.at(one) - i + 1);
  }
  std::array<Orders, classes_count + 1> prefix{};
  prefix.front() = 1;
  for (const DealerEnd& end : ends) {
    for (std::size_t one = end.shared; one < end.classes; ++one)
      prefix[one + 1] = prefix[one] * fallen[one][end.drawn[one]];
    visit(end, prefix[end.classes] * end.orders);
  }
}

/// The best total of so many points with an ace one, and whether there is an ace.
[[nodiscard]] int best_total(const HandLaw& law, int low, bool ace);

}  // namespace talla::games::blackjack

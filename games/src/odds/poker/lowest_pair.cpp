// The least hand with a pair of some rank.
#include "odds/poker/lowest_pair.hpp"

#include <array>

namespace talla::games::poker {

HandValue lowest_pair(const Ranker& ranker, int rank) {
  using shuffle::Suit;
  constexpr int ace = 14;
  const int pair = rank == ace ? 1 : rank;
  int next = 2;
  const auto lowest_other = [&] {
    if (next == pair) ++next;
    return next++;
  };
  const int first = lowest_other();
  const int second = lowest_other();
  const int third = lowest_other();
  const std::array<Card, 5> hand{Card::of(pair, Suit::clubs), Card::of(pair, Suit::diamonds),
                                 Card::of(first, Suit::hearts), Card::of(second, Suit::spades),
                                 Card::of(third, Suit::hearts)};
  return ranker.five(hand);
}

}  // namespace talla::games::poker

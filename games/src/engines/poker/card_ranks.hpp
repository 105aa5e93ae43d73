/// \file
/// Ranks of poker cards as numbers: two to ten, jack 11, queen 12, king 13, ace 14. A joker counts
/// as an ace here.
///
/// Threads: pure functions.
#pragma once

#include <algorithm>
#include <span>

#include "shuffle/card.hpp"

namespace talla::games::poker {

[[nodiscard]] inline int rank_of(shuffle::Card card) {
  return card.is_joker() || card.rank() == 1 ? 14 : card.rank();
}

/// The rank of the highest pair among the cards, or 0.
[[nodiscard]] inline int pair_rank(std::span<const shuffle::Card> cards) {
  int out = 0;
  for (const auto one : cards) {
    const auto same = [&](shuffle::Card other) { return rank_of(other) == rank_of(one); };
    if (std::count_if(cards.begin(), cards.end(), same) >= 2) out = std::max(out, rank_of(one));
  }
  return out;
}

}  // namespace talla::games::poker

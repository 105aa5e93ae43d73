/// \file
/// Sets of up to six cards of a deck with four equal suits, numbered, and grouped by what differs
/// in more than suits.
///
/// A card is its place in the deck: suits one after the other, the same ranks in each.
/// Number:  of a set among those of its size, from 0: the sum of binomials of its places.
/// Classes: sets that the same change of suits makes out of each other; numbered from 0.
/// Memory:  with six of 52 cards 110 MiB. Threads: immutable.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engines/poker/hand_table.hpp"

namespace talla::games::poker {

/// Places of cards in a deck.
using Place = std::uint8_t;
inline constexpr std::size_t set_cards_max = 6;

using Binomials = std::array<std::array<std::uint32_t, 8>, deck_cards_count + 1>;
[[nodiscard]] constexpr Binomials all_binomials() {
  Binomials out{};
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n][0] = 1;
    for (std::size_t k = 1; k < out[n].size() && n > 0; ++k)
      out[n][k] = out[n - 1][k - 1] + out[n - 1][k];
  }
  return out;
}
inline constexpr Binomials binomials = all_binomials();
/// How many sets of `size` there are of the cards below a place, up to seven of 52.
[[nodiscard]] constexpr std::uint32_t sets_below(std::size_t place, std::size_t size) {
  return binomials[place][size];
}

/// Four suits' masks, the largest first: what differs only by suits is equal then.
template <class Mask>
constexpr void order_suits(std::array<Mask, shuffle::suits_count>& masks) {
  const auto order = [&masks](std::size_t i, std::size_t j) {
    const Mask low = std::min(masks[i], masks[j]);
    masks[i] = std::max(masks[i], masks[j]);
    masks[j] = low;
  };
  order(0, 1);
  order(2, 3);
  order(0, 2);
  order(1, 3);
  order(1, 2);
}

class CardSets {
 public:
  /// Of a deck of four suits of `ranks`; sets of up to `most` cards.
  CardSets(std::size_t ranks, std::size_t most);

  [[nodiscard]] std::size_t cards() const { return ranks_ * 4; }
  /// Precondition: places ascending.
  [[nodiscard]] static std::uint32_t number(std::span<const Place> set);
  [[nodiscard]] std::uint32_t class_of(std::size_t size, std::uint32_t number) const {
    return class_of_[size][number];
  }
  [[nodiscard]] std::size_t classes(std::size_t size) const { return sets_[size].size(); }
  /// How many sets are in a class.
  [[nodiscard]] std::uint32_t sets(std::size_t size, std::uint32_t one) const {
    return sets_[size][one];
  }
  /// The first set of each class of that size, and its class's sets.
  struct First {
    std::vector<Place> set;
    std::uint32_t sets = 0;
  };
  [[nodiscard]] std::vector<First> firsts(std::size_t size) const;
  /// The same number for all sets of one class, of any size.
  [[nodiscard]] std::uint64_t key(std::span<const Place> set) const;

 private:
  void number_classes(std::size_t size);

  std::size_t ranks_;
  std::array<std::vector<std::uint32_t>, set_cards_max + 1> class_of_;
  std::array<std::vector<std::uint32_t>, set_cards_max + 1> sets_;
};

/// The next set of as many places of a deck of `cards`, by number; false behind the last one.
[[nodiscard]] bool next_set(std::span<Place> set, std::size_t cards);

/// One set, and the numbers of what one or two further cards make of it, at once.
class SetWith {
 public:
  /// Precondition: up to five places, ascending.
  SetWith(std::span<const Place> set, std::size_t cards);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::uint32_t number() const { return none_[size_]; }
  /// Precondition: not in the set.
  [[nodiscard]] std::uint32_t with(Place one) const {
    const std::size_t at = below_[one];
    return none_[at] + sets_below(one, at + 1) + one_[size_] - one_[at];
  }
  /// Precondition: neither in the set, the first one lower.
  [[nodiscard]] std::uint32_t with(Place low, Place high) const {
    const std::size_t at = below_[low];
    const std::size_t then = below_[high];
    return none_[at] + sets_below(low, at + 1) + one_[then] - one_[at] +
           sets_below(high, then + 2) + two_[size_] - two_[then];
  }

 private:
  static constexpr std::size_t most = 5;
  std::size_t size_;
  /// Sums of the binomials of the first so many cards, with none, one and two cards below them.
  std::array<std::uint32_t, most + 1> none_{};
  std::array<std::uint32_t, most + 1> one_{};
  std::array<std::uint32_t, most + 1> two_{};
  std::array<Place, deck_cards_count> below_{};  ///< cards of the set below that place
};

}  // namespace talla::games::poker

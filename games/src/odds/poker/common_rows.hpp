/// \file
/// Sums by what a player of hold'em knows when he decides: three or four common cards and his own
/// two. Private to games.
///
/// Method:  sets of common cards that a change of suits makes out of each other share one row with
///          a place for every pair of own cards, which that change turns too. All pairs of a board
///          go through a row one after the other. At the end those places are summed that the
///          changes of suits which leave the common cards as they are make out of each other.
/// Memory:  with four common cards 350 MiB until the choices are made, then 22 MiB.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "odds/poker/card_sets.hpp"

namespace talla::games::poker {

/// Pairs of own cards among all 52, by CardSets::number.
inline constexpr std::size_t pairs_count = binomials[deck_cards_count][2];

inline constexpr std::size_t common_cards = 5;
inline constexpr std::int64_t choices_of_three = 10;
/// For each common card, as bits, those choices of the first three that leave it out.
using LeavingOut = std::array<std::uint16_t, common_cards>;

/// Calls `visit` with each choice of the first three, ascending, and its bit.
template <class Visit>
LeavingOut each_three(const std::array<Place, common_cards>& common, Visit visit) {
  LeavingOut out{};
  unsigned bit = 0;
  for (std::size_t i = 0; i < common.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      std::array<Place, 3> three{};
      std::size_t count = 0;
      for (std::size_t k = 0; k < common.size(); ++k)
        if (k != i && k != j) three[count++] = common[k];
      visit(three, bit);
      for (const std::size_t left_out : {i, j})
        out[left_out] = static_cast<std::uint16_t>(out[left_out] | 1U << bit);
      ++bit;
    }
  }
  return out;
}

class CommonRows {
 public:
  struct Sum {
    std::int64_t gain = 0;
    std::int64_t deals = 0;
  };
  /// What is known of one choice, for all that differ only by suits.
  struct Choice {
    std::uint16_t pair = 0;  ///< one of its pairs of own cards
    Sum sum;
  };

  /// Sets of so many common cards: three or four.
  explicit CommonRows(std::size_t common);

  /// To each of these pairs beside these common cards (ascending) its gain, and so many deals.
  void add(std::span<const Place> common, std::span<const std::uint16_t> pairs,
           std::span<const std::int64_t> gains, std::int64_t deals);
  /// Makes the choices: to go on where that gains more than `price` lost in each deal. All of
  /// them; nothing may be added any more.
  [[nodiscard]] std::vector<Choice> choose(std::int64_t price);
  /// Sets this bit of the marks of those pairs that go on, once chosen.
  void mark(std::span<const Place> common, std::span<const std::uint16_t> pairs, unsigned bit,
            std::span<std::uint16_t> marks) const;

 private:
  static constexpr std::size_t suit_orders = 24;
  using Image = std::array<std::uint16_t, pairs_count>;  ///< pairs by a change of suits
  struct First {
    std::uint32_t row = 0;
    std::uint8_t order = 0;  ///< the change of suits that makes the row's first set of it
  };

  /// Chooses in one row; the changes of suits that leave its common cards as they are.
  void choose_in(std::size_t row, std::int64_t price, std::span<const std::uint8_t> orders,
                 std::vector<Choice>& out);

  std::size_t common_;
  std::vector<Image> images_;
  std::vector<First> first_of_;                     // by the number of the set
  std::vector<std::vector<std::uint8_t>> keeping_;  // by row: changes that keep its first set
  std::vector<std::vector<Sum>> sums_;              // by row; empty: nothing added
  std::vector<std::vector<std::uint8_t>> goes_;     // by row, once chosen
};

}  // namespace talla::games::poker

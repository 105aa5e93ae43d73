/// \file
/// Sums by what a player of hold'em knows when he decides: three or four common cards and his own
/// two. Private to games.
///
/// Method:  one row (suit_rows.hpp) for common cards that differ only by suits, through which all
///          pairs of own cards of a board go one after the other. At the end those pairs of a row
///          are summed that differ only by suits.
/// Memory:  with four common cards 350 MiB until the choices are made, then 22 MiB.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "odds/poker/suit_rows.hpp"

namespace talla::games::poker {

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

  /// Sets of so many common cards, three or four, of a deck of four suits of `ranks`.
  CommonRows(std::size_t ranks, std::size_t common);

  /// To each of these pairs beside these common cards (ascending) its gain, and so many deals.
  void add(std::span<const Place> common, std::span<const std::uint16_t> pairs,
           std::span<const std::int64_t> gains, std::int64_t deals);
  /// Makes the choices: to go on where that gains more than `price` lost in each deal. All of
  /// them; nothing may be added any more.
  [[nodiscard]] std::vector<Choice> choose(std::int64_t price);
  /// Sets this bit of the marks of those pairs that go on, once chosen.
  void mark(std::span<const Place> common, std::span<const std::uint16_t> pairs, unsigned bit,
            std::span<std::uint16_t> marks) const;

  /// Whether that pair goes on, once chosen. Precondition: something was added to it.
  [[nodiscard]] bool goes(std::span<const Place> common, std::uint16_t pair) const;

 private:
  void choose_in(std::uint32_t row, std::int64_t price, std::vector<Choice>& out);

  SuitRows rows_;
  std::vector<std::vector<Sum>> sums_;           // by row; empty: nothing added
  std::vector<std::vector<std::uint8_t>> goes_;  // by row, once chosen
};

}  // namespace talla::games::poker

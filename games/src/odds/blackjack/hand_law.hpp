/// \file
/// What the best play of a hand of blackjack depends on, as numbers. Private to games.
///
/// Cards are told apart by their points alone: class 0 is the ace, 1 to 8 are two to nine, 9 ten.
/// Threads: plain values.
#pragma once

#include <array>
#include <cstdint>
#include <set>

#include "engines/blackjack/rules.hpp"
#include "games/ratio.hpp"

namespace talla::games::blackjack {

inline constexpr std::size_t classes_count = 10;
inline constexpr std::size_t ace_class = 0;
inline constexpr std::size_t ten_class = 9;
/// So many cards of each class.
using Counts = std::array<std::uint8_t, classes_count>;

struct HandLaw {
  Counts shoe{};
  int target = 21;
  int ace_extra = 10;
  int stands_on = 17;
  Ratio blackjack;                  ///< profit on a blackjack
  bool blackjack_ties = true;       ///< with the dealer's; false: it wins
  bool split_target_ties = false;   ///< 21 in two cards of a split hand with a dealer's blackjack
  std::optional<Ratio> even_money;  ///< profit on a blackjack taken before the dealer plays
  bool doubles = false;
  std::optional<std::set<int>> double_totals;  ///< an ace one; none: all
  bool doubles_soft = true;
  bool doubles_aces = false;
  bool doubled_aces_low = false;  ///< the aces of a doubled pair of cards count one
  bool splits = false;
  std::size_t hands_max = 0;  ///< 0: no limit
  bool resplits_aces = true;
  std::optional<Ratio> surrender;  ///< what comes back
  std::set<std::size_t> no_surrender_against;

  [[nodiscard]] int points(std::size_t one) const { return static_cast<int>(one) + 1; }
  /// Cards of the whole shoe.
  [[nodiscard]] int cards() const {
    int sum = 0;
    for (const auto one : shoe) sum += one;
    return sum;
  }
};

/// Of a table, with so many decks. nullopt: its cards have other points.
[[nodiscard]] std::optional<HandLaw> hand_law(const Law& law, std::uint32_t decks);

}  // namespace talla::games::blackjack

/// \file
/// The chart of blackjack by totals: what is best for two first cards of a total on average, and
/// what playing by it costs. Private to games.
///
/// A cell is the choice that returns most over all pairs of different cards that make its total,
/// each as often as it is dealt and played on at its best; behind the second card it says hit or
/// stand, by the same cards. A pair has a cell of its own.
/// Threads: pure functions.
#pragma once

#include "odds/blackjack/best_play.hpp"

namespace talla::games::blackjack {

/// One cell: of two first cards, and where that is not open (any more).
struct ChartPlay {
  Action first = Action::stand;
  Action later = Action::stand;  ///< hit or stand
};

inline constexpr std::size_t totals_count = 22;  ///< up to twenty-one

struct Chart {
  using Totals = std::array<std::array<ChartPlay, classes_count>, totals_count>;
  Totals hard{};  ///< [total][dealer]
  Totals soft{};  ///< with an ace that counts high
  /// [class][dealer]: what is best for such a pair.
  std::array<std::array<Action, classes_count>, classes_count> pairs{};
  BestPlay best;
  Played played;  ///< by the chart; `win`, `lose` and `square` are not worked out

  /// What it says of two different cards.
  [[nodiscard]] const ChartPlay& cell(std::size_t a, std::size_t b, std::size_t dealer,
                                      const HandLaw& law) const;
};
[[nodiscard]] Chart chart(const HandLaw& law);

}  // namespace talla::games::blackjack

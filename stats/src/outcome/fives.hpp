/// \file
/// Five results in a row, or the first five cards of a shoe: classes of the poker test, ranks of
/// the order statistics.
#pragma once

#include <array>
#include <cstdint>

#include "stats/outcome/patterns.hpp"

namespace talla::stats::outcome {

inline constexpr double poker_cell_least = 0.002;
inline constexpr double order_cell_least = 0.004;
/// The least of five, the median and the greatest.
inline constexpr std::array<std::size_t, 3> statistic_ranks = {1, 3, 5};

/// Class in `poker_probabilities`: by the number of equal pairs among the five.
[[nodiscard]] inline std::size_t poker_class(const std::array<std::uint32_t, poker_draws>& five) {
  constexpr std::array<std::size_t, 11> by_pairs = {0, 1, 2, 3, 4, 0, 5, 0, 0, 0, 6};
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < poker_draws; ++i) {
    for (std::size_t j = i + 1; j < poker_draws; ++j)
      pairs += static_cast<std::size_t>(five[i] == five[j]);
  }
  return by_pairs[pairs];
}

}  // namespace talla::stats::outcome

/// \file
/// What many sequences together say: proportion of passing sequences and uniformity of p-values (SP
/// 800-22 Rev. 1a, 4.2).
///
/// Profiles: `nist_2_1_2` counts as NIST's program does, which reads its p-values back with six
///           decimals in single precision and expects floor(s / 10) of s in each tenth; `corrected`
///           uses the p-values as they are and s / 10.
/// Verdict:  a row alone is compared with NIST's limits (three standard deviations; 0.0001), which
///           some good rows of 188 must miss. The verdict over all rows uses Holm's procedure on
///           exact binomial tails and uniformity p-values, so that the chance of a wrong alarm is
///           at most `family_error` however the rows depend on each other.
/// Threads:  pure function.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "stats/sp800_22/battery.hpp"

namespace talla::stats::sp800_22 {

struct RowSummary {
  std::array<std::size_t, 10> tenths{};  ///< p-values in [0, 0.1), ..., [0.9, 1]
  std::size_t sequences_count = 0;       ///< to which the test could be applied
  std::size_t passed_count = 0;          ///< p >= 0.01
  double uniformity = 0.0;               ///< P-value of the p-values; NaN below ten sequences
  double tail = 1.0;                     ///< P(this few or fewer pass) for good sequences
  bool proportion_in_limits = true;
  bool uniformity_in_limits = true;
};

/// What all sequences together say.
struct Summary {
  std::vector<RowSummary> rows;
  std::size_t rows_outside = 0;    ///< rows that miss one of NIST's limits
  double smallest_adjusted = 1.0;  ///< least p-value after Holm's correction
  bool consistent = true;          ///< smallest_adjusted >= family_error
};

/// `p_values` holds one row after another of `sequences_count` each; NaN where a test could not be
/// applied. With one sequence the p-values themselves are judged. Preconditions: sizes match,
/// family_error in (0, 1).
[[nodiscard]] Summary summarise(Profile profile, std::span<const double> p_values,
                                std::size_t sequences_count, double family_error);

}  // namespace talla::stats::sp800_22

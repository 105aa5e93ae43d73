/// \file
/// The IID track of NIST SP 800-90B (2018), section 5: permutation testing, chi-square tests,
/// longest repeated substring.
///
/// Repeatable: round r shuffles the data by a generator seeded with (seed, r); counts depend on the
///             seed alone, not on threads.
/// Cost:       about 12 ms a round for 1,000,000 samples without the compression statistic, which
///             takes some 300 ms.
/// Threads:    pure functions; `permutation_test` starts the threads it is told to.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string_view>

#include "stats/sp800_90b/samples.hpp"

namespace talla::stats::sp800_90b {

/// 5.2.1 to 5.2.4 and 5.2.5.
struct ChiSquare {
  double statistic = 0.0;  ///< 0 or more
  int degrees = 0;         ///< of freedom
  double p = 1.0;          ///< of a statistic at least as large
  bool passed = true;      ///< p >= 0.001
};
[[nodiscard]] ChiSquare chi_square_independence(const Samples& samples);
[[nodiscard]] ChiSquare chi_square_goodness_of_fit(const Samples& samples);
struct LongestRepeat {
  double collision = 0.0;    ///< p_col
  std::uint64_t length = 0;  ///< W
  double p = 1.0;            ///< P(a repeat this long or longer)
  bool passed = true;        ///< p >= 0.001
};
[[nodiscard]] LongestRepeat longest_repeat(const Samples& samples);

/// Statistics of the permutation test, 5.1.
inline constexpr std::size_t statistics_count = 19;
/// 5.1.1 to 5.1.11 in NIST's order; "covariance(16)".
[[nodiscard]] std::string_view statistic_name(std::size_t statistic);
using Statistics = std::array<double, statistics_count>;
/// Which statistics to compute.
using Wanted = std::array<bool, statistics_count>;
[[nodiscard]] Statistics permutation_statistics(const Samples& samples, const Wanted& wanted);

/// How the permutation test runs.
struct PermutationOptions {
  std::uint64_t seed = 1;         ///< of the shuffles
  std::uint32_t rounds = 10'000;  ///< shuffles, 10,000 in the standard
  /// Every round for every statistic; else each stops when its verdict stands.
  bool full_counts = false;
  bool with_compression = true;                 ///< the bzip2 statistic, by far the slowest
  unsigned threads = 1;                         ///< 1 to 64
  std::function<void(std::uint32_t)> progress;  ///< called with the rounds done
};
struct PermutationResult {
  Statistics original{};
  /// Rounds above, equal to, below the original.
  std::array<std::array<std::uint32_t, 3>, statistics_count> counts{};
  std::array<bool, statistics_count> passed{};
  std::uint32_t rounds = 0;  ///< that were needed
  bool all_passed = false;
};
[[nodiscard]] PermutationResult permutation_test(const Samples& samples,
                                                 const PermutationOptions& options);

}  // namespace talla::stats::sp800_90b

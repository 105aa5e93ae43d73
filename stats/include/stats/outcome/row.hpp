/// \file
/// One p-value of the outcome tests with its story, and the verdict over all of them together.
///
/// Verdict: Holm's procedure over every row that could be judged: good outcomes are called
///          inconsistent with a chance of at most the stated family error, however the rows depend
///          on each other (GLI-19 3.2.2: "collectively").
/// Threads: pure functions over plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace talla::stats::outcome {

/// How the p-value of a row was found.
enum class Basis : std::uint8_t {
  exact,  ///< the distribution of the statistic itself, counted
  /// chi-square, normal or Poisson limit; mean and variance of the statistic are exact.
  approximate
};
[[nodiscard]] const char* basis_name(Basis basis);

/// One p-value, or why there is none.
struct Row {
  std::string test;    ///< "frequency", "gap", ...
  std::string item;    ///< of what: "17", "lag 3", "position 12"; may be empty
  std::string series;  ///< of which series of results: "die 1", "sum"; empty when there is one only
  std::uint64_t n = 0;      ///< outcomes (spins, throws, shoes) that were there
  std::uint64_t n_min = 0;  ///< least n: every class of the statistic is then expected five times
  double statistic = 0.0;
  double degrees = 0.0;  ///< of freedom; 0 where the statistic is no chi-square
  double p = 0.0;        ///< NaN when n < n_min
  Basis basis = Basis::approximate;

  /// There were results enough for a p-value.
  [[nodiscard]] bool judged() const;
  /// How many more outcomes the test needs; 0 when it was made.
  [[nodiscard]] std::uint64_t needs() const { return n < n_min ? n_min - n : 0; }
};

/// What all rows together say.
struct Family {
  /// p-values after Holm's correction, in the order of the rows; NaN: not judged.
  std::vector<double> adjusted;
  double smallest = 1.0;  ///< the least of them
  std::size_t judged_count = 0;
  std::size_t short_count = 0;  ///< rows with too few outcomes
  [[nodiscard]] bool consistent(double family_error) const { return !(smallest < family_error); }
};
[[nodiscard]] Family judge(std::span<const Row> rows);

}  // namespace talla::stats::outcome

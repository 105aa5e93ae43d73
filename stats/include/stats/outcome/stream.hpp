/// \file
/// Tests of a series of independent results with known probabilities: wheel numbers, one die, the
/// sum of dice, hands.
///
/// Tests:   frequency (all, and every result by its exact binomial), serial (overlapping pairs and
///          triples by the differences of Good's psi-square, pairs at distances up to 8), serial
///          correlation, runs (equal neighbours, low and high, rises, up and down, lengths), gap,
///          coupon collector, poker, permutation, order statistic, duplicates, Kolmogorov-Smirnov
///          over the p-values of windows. Sources: TAOCP vol. 2, 3.3.2; I. Good (1953), P.
///          Billingsley (1956).
/// Range:   2 to 1,024 different results, each with a probability above 0; they sum to 1.
/// Cost:    constant memory in the number of results, about 30 ns for each.
/// Errors:  create refuses what is out of range by name.
/// Threads: one object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stats/outcome/row.hpp"
#include "stats/result.hpp"

namespace talla::stats::outcome {

/// The results that can come, in their order, and how likely each is.
struct Alphabet {
  std::vector<std::string> names;
  std::vector<double> probabilities;
  /// "0", "1", ... all equally likely.
  [[nodiscard]] static Alphabet uniform(std::size_t size, std::size_t first = 0);
};

/// The tests of one series of results.
class StreamTests {
 public:
  /// `series` names the results in the rows when there are several series.
  [[nodiscard]] static Result<StreamTests> create(Alphabet alphabet, std::string series = {});
  StreamTests(StreamTests&&) noexcept;
  StreamTests& operator=(StreamTests&&) noexcept;
  ~StreamTests();

  /// The next results, in their order. Precondition: each below the size of the alphabet.
  void add(std::span<const std::uint16_t> results);
  [[nodiscard]] std::uint64_t count() const;
  [[nodiscard]] const Alphabet& alphabet() const;
  [[nodiscard]] std::vector<std::uint64_t> frequencies() const;
  /// All rows of what was added so far, the frequency test first.
  [[nodiscard]] std::vector<Row> rows() const;
  /// p-values (upper tail) of the frequencies in windows of equal length, in their order; for
  /// plots.
  [[nodiscard]] std::vector<double> window_p_values() const;

 private:
  struct Impl;
  explicit StreamTests(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace talla::stats::outcome

/// \file
/// Classes of a chi-square test, joined by their probabilities alone (never by what was seen), and
/// the row it makes.
///
/// Range:   probabilities above 0 that sum to 1. Each cell must be expected five times:
///          observations_min().
/// Threads: plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/outcome/row.hpp"

namespace talla::stats::outcome {

/// How often each class must be expected (Cochran's rule, as in SP 800-90B 5.2).
inline constexpr double expected_least = 5.0;

class Cells {
 public:
  Cells() = default;
  /// One cell for each class.
  [[nodiscard]] static Cells single(std::span<const double> probabilities);
  /// The rarest classes joined until each cell has at least probability `least`.
  [[nodiscard]] static Cells joined(std::span<const double> probabilities, double least);
  /// Neighbouring classes joined until each cell has at least probability `least`: for lengths and
  /// ordered values.
  [[nodiscard]] static Cells neighbours(std::span<const double> probabilities, double least);

  [[nodiscard]] std::size_t size() const { return probabilities_.size(); }
  [[nodiscard]] std::size_t of(std::size_t klass) const { return cell_of_[klass]; }
  [[nodiscard]] std::size_t classes() const { return cell_of_.size(); }
  [[nodiscard]] std::span<const double> probabilities() const { return probabilities_; }
  /// Least number of observations.
  [[nodiscard]] std::uint64_t observations_min() const;
  /// Pearson's statistic of counts by cell.
  [[nodiscard]] double chi_square(std::span<const std::uint64_t> counts) const;

 private:
  std::vector<std::size_t> cell_of_;
  std::vector<double> probabilities_;
};

/// Names of a row, and what it was made of.
struct Title {
  std::string test;
  std::string item;
  std::string series;
};
/// Observations counted by cell. `outcomes` were there, of which each observation takes about
/// `outcomes_each`. Less than two cells: nothing to test, no row is added.
void add_chi_square_row(std::vector<Row>& rows, Title title, const Cells& cells,
                        std::span<const std::uint64_t> counts, std::uint64_t outcomes,
                        double outcomes_each);
/// Frequencies of independent results with known probabilities: chi-square over all, and with
/// `each` the exact binomial of every one of them.
void add_frequency_rows(std::vector<Row>& rows, const Title& title,
                        std::span<const std::string> names, std::span<const double> probabilities,
                        std::span<const std::uint64_t> counts, bool each);
/// A statistic with exact mean and variance whose limit is normal.
void add_normal_row(std::vector<Row>& rows, Title title, double statistic, double mean,
                    double variance, std::uint64_t outcomes, std::uint64_t outcomes_min);

}  // namespace talla::stats::outcome

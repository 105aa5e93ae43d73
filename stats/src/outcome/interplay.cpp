#include "stats/outcome/interplay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/outcome/cells.hpp"
#include "stats/outcome/distributions.hpp"

namespace talla::stats::outcome {
namespace {

/// Mean and variance of the place in the alphabet.
std::pair<double, double> place_of(std::span<const double> probabilities) {
  double mean = 0.0, square = 0.0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const auto place = static_cast<double>(i);
    mean += place * probabilities[i];
    square += place * place * probabilities[i];
  }
  return {mean, square - mean * mean};
}

}  // namespace

Interplay::Interplay(const Alphabet& first, const Alphabet& second, std::string item)
    : first_(first.probabilities),
      second_(second.probabilities),
      item_(std::move(item)),
      table_(first_.size() * second_.size()) {}

void Interplay::add(std::span<const std::uint16_t> first, std::span<const std::uint16_t> second) {
  for (std::size_t i = 0; i < first.size(); ++i) ++table_[first[i] * second_.size() + second[i]];
  n_ += first.size();
}

void Interplay::rows(std::vector<Row>& rows) const {
  const auto n = static_cast<double>(n_);
  std::vector<double> left(first_.size()), right(second_.size());
  double pairs = 0.0, singles = 0.0, products = 0.0;
  const auto [left_mean, left_variance] = place_of(first_);
  const auto [right_mean, right_variance] = place_of(second_);
  for (std::size_t i = 0; i < first_.size(); ++i) {
    for (std::size_t j = 0; j < second_.size(); ++j) {
      const auto count = static_cast<double>(table_[i * second_.size() + j]);
      left[i] += count;
      right[j] += count;
      pairs += count * count / (first_[i] * second_[j]);
      products +=
          count * (static_cast<double>(i) - left_mean) * (static_cast<double>(j) - right_mean);
    }
  }
  for (std::size_t i = 0; i < first_.size(); ++i) singles += left[i] * left[i] / first_[i];
  for (std::size_t j = 0; j < second_.size(); ++j) singles += right[j] * right[j] / second_[j];
  Row row;
  row.test = "interplay";
  row.item = item_;
  row.n = n_;
  const double rarest = *std::min_element(first_.begin(), first_.end()) *
                        *std::min_element(second_.begin(), second_.end());
  row.n_min = static_cast<std::uint64_t>(std::ceil(expected_least / rarest * (1.0 - 1e-9)));
  row.degrees = static_cast<double>((first_.size() - 1) * (second_.size() - 1));
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (n_ >= row.n_min) {
    row.statistic = (pairs - singles) / n + n;
    row.p = chi_square_two_sided(row.statistic, row.degrees);
  }
  rows.push_back(std::move(row));
  add_normal_row(rows, {"interplay", item_ + ", correlation", ""}, products, 0.0,
                 n * left_variance * right_variance, n_, normal_least);
}

}  // namespace talla::stats::outcome

// Interplay of places: products of scores for every two places of a shoe, and with the same place
//                      of the shoe before.
#include <algorithm>
#include <cmath>
#include <limits>

#include "outcome/shoe_parts.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/special.hpp"

namespace talla::stats::outcome {
namespace {

constexpr std::size_t distances_most = 16;
constexpr std::uint64_t correlation_shoes_least = 100;
constexpr std::uint64_t correlation_shoes_least_largest = 1000;  // far tails of the normal limit

/// Whole numbers near the centred scores.
std::int16_t whole_score(const ShoeKind& kind, std::size_t face) {
  return static_cast<std::int16_t>(static_cast<int>(face) - static_cast<int>(kind.faces / 2));
}

}  // namespace

Correlations::Correlations(const ShoeKind& kind)
    : kind_(kind),
      block_(kind.drawn * block),
      sums_(kind.drawn * kind.drawn),
      before_(kind.drawn),
      first_(kind.drawn),
      last_(kind.drawn) {}

void Correlations::flush(std::vector<std::int64_t>& sums) const {
  const std::size_t places = kind_.drawn;
  for (std::size_t i = 0; i < places; ++i) {
    const std::int16_t* a = block_.data() + i * block;
    for (std::size_t j = i + 1; j < places; ++j) {
      const std::int16_t* b = block_.data() + j * block;
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < block; ++k) sum += std::int32_t{a[k]} * std::int32_t{b[k]};
      sums[i * places + j] += sum;
    }
  }
}

void Correlations::add(Faces shoe) {
  const std::int16_t base = whole_score(kind_, 0);
  for (std::size_t i = 0; i < shoe.size(); ++i) {
    const auto score = static_cast<std::int16_t>(base + shoe[i]);
    block_[i * block + in_block_] = score;
    before_[i] +=
        std::int64_t{score} * std::int64_t{last_[i]};  // nothing for the first shoe: last_ is zero
    last_[i] = score;
  }
  if (!begun_) first_ = last_;
  begun_ = true;
  if (++in_block_ < block) return;
  flush(sums_);
  in_block_ = 0;
}

void Correlations::rows(std::vector<Row>& rows, const Places& places, std::uint64_t n) const {
  const std::size_t drawn = kind_.drawn;
  std::vector<std::int64_t> sums = sums_;
  for (std::size_t i = 0; i < drawn; ++i) {
    for (std::size_t j = i + 1; j < drawn; ++j) {
      for (std::size_t k = 0; k < in_block_; ++k) {
        sums[i * drawn + j] +=
            std::int64_t{block_[i * block + k]} * std::int64_t{block_[j * block + k]};
      }
    }
  }
  // From whole scores to centred ones: x = s - m, where m is the mean of the whole scores.
  const double mean = static_cast<double>(whole_score(kind_, 0)) - kind_.scores.centred[0];
  const auto shoes = static_cast<double>(n);
  std::vector<double> whole(drawn), at_distance_sum(drawn);
  for (std::size_t i = 0; i < drawn; ++i) whole[i] = places.score_sum(i) + shoes * mean;
  const double expected = shoes * kind_.scores.product;
  const double variance =
      shoes * (kind_.scores.squares - kind_.scores.product * kind_.scores.product);
  double largest = 0.0;
  std::string which;
  for (std::size_t i = 0; i < drawn; ++i) {
    for (std::size_t j = i + 1; j < drawn; ++j) {
      const double centred = static_cast<double>(sums[i * drawn + j]) -
                             mean * (whole[i] + whole[j]) + shoes * mean * mean;
      at_distance_sum[j - i] += centred;
      const double z = (centred - expected) / std::sqrt(variance);
      if (!(std::abs(z) > std::abs(largest))) continue;
      largest = z;
      which = std::to_string(i + 1) + " and " + std::to_string(j + 1);
    }
  }
  const double pairs = static_cast<double>(drawn) * static_cast<double>(drawn - 1) / 2.0;
  Row row;
  row.test = "pairs of places";
  row.n = n;
  row.n_min = correlation_shoes_least_largest;
  row.p = std::numeric_limits<double>::quiet_NaN();
  if (n >= row.n_min && variance > 0.0) {
    row.item = "largest correlation, places " + which;
    row.statistic = largest;
    row.p = least_of(2.0 * normal_below(-std::abs(largest)), pairs);
  }
  rows.push_back(std::move(row));
  for (std::size_t d = 1; d <= std::min(distances_most, drawn - 1); ++d) {
    const Moments moments = at_distance(kind_.scores, drawn, d);
    add_normal_row(rows, {"pairs of places", "distance " + std::to_string(d), ""},
                   at_distance_sum[d], shoes * moments.mean, shoes * moments.variance, n,
                   correlation_shoes_least);
  }
}

void Correlations::before_rows(std::vector<Row>& rows, const Places& places,
                               std::uint64_t n) const {
  const double mean = static_cast<double>(whole_score(kind_, 0)) - kind_.scores.centred[0];
  const auto shoes = static_cast<double>(n), pairs = shoes - 1.0;
  const double variance = kind_.scores.variance * kind_.scores.variance;
  const auto drawn = static_cast<double>(kind_.drawn);
  std::vector<double> centred(kind_.drawn);
  double all = 0.0;
  for (std::size_t i = 0; i < kind_.drawn; ++i) {
    const double total = places.score_sum(i) + shoes * mean;
    centred[i] = static_cast<double>(before_[i]) - mean * (2.0 * total - first_[i] - last_[i]) +
                 pairs * mean * mean;
    all += centred[i];
  }
  const double together =
      drawn * variance + drawn * (drawn - 1.0) * kind_.scores.product * kind_.scores.product;
  add_normal_row(rows, {"shoe before", "correlation, all places", ""}, all, 0.0, pairs * together,
                 n, correlation_shoes_least);
  for (std::size_t i = 0; i < kind_.drawn; ++i) {
    add_normal_row(rows, {"shoe before", "correlation, place " + std::to_string(i + 1), ""},
                   centred[i], 0.0, pairs * variance, n, correlation_shoes_least);
  }
}

}  // namespace talla::stats::outcome

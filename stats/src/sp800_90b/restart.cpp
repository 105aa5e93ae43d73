#include "stats/sp800_90b/restart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/special.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr unsigned side = restarts_count;
using Series = std::vector<double>;  // coefficients up to that of z^side

/// Product of two series, cut behind z^side.
Series product(const Series& a, const Series& b) {
  Series out(side + 1, 0.0);
  for (std::size_t i = 0; i <= side; ++i) {
    if (a[i] == 0.0) continue;
    for (std::size_t j = 0; i + j <= side; ++j) out[i + j] += a[i] * b[j];
  }
  return out;
}

/// Poisson probabilities of 0 to `most` with that mean: the counts of a multinomial are Poisson
/// ones with a fixed sum.
Series counts_up_to(unsigned most, double mean) {
  Series out(side + 1, 0.0);
  for (unsigned k = 0; k <= most; ++k)
    out[k] = std::exp(-mean + k * std::log(mean) - log_gamma(k + 1.0));
  return out;
}

Series power(Series base, unsigned exponent) {
  Series out(side + 1, 0.0);
  out[0] = 1.0;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) out = product(out, base);
    if (exponent > 1) base = product(base, base);
  }
  return out;
}

/// P(no symbol occurs more than `most` times among `side`) with as many symbols of probability p as
/// fit, and the rest in one.
double none_above(unsigned most, double p) {
  const auto whole = static_cast<unsigned>(std::floor(1.0 / p + 1e-12));
  const double rest = std::max(0.0, 1.0 - whole * p);
  Series joint = power(counts_up_to(most, side * p), whole);
  if (rest > 1e-12) joint = product(joint, counts_up_to(most, side * rest));
  const double same_sum =
      std::exp(-static_cast<double>(side) + side * std::log(side) - log_gamma(side + 1.0));
  return joint[side] / same_sum;
}

/// Occurrences of the most common symbol among `side` that lie `step` apart.
unsigned largest_count(std::span<const std::uint8_t> symbols, std::size_t first, std::size_t step) {
  std::array<unsigned, 256> counts{};
  for (std::size_t i = 0; i < side; ++i) ++counts[symbols[first + i * step]];
  return *std::max_element(counts.begin(), counts.end());
}

std::vector<std::uint8_t> columns_of(std::span<const std::uint8_t> rows) {
  std::vector<std::uint8_t> columns(rows.size());
  for (std::size_t i = 0; i < side; ++i) {
    for (std::size_t j = 0; j < side; ++j) columns[j * side + i] = rows[i * side + j];
  }
  return columns;
}

Result<Track> track_of(const Samples& samples, bool iid) {
  if (iid) {
    Track track;
    track.estimates.push_back(most_common_value(samples.symbols(), samples.alphabet()));
    return track;
  }
  return literal_track(samples);
}

}  // namespace

unsigned restart_cutoff(double h) {
  const double alpha = -std::expm1(std::log(0.99) / 2000.0);
  const double p = std::exp2(-h);
  unsigned low = static_cast<unsigned>(std::floor(side / std::ceil(1.0 / p - 1e-12))) - 1,
           high = side;  // P(above high) = 0
  while (high - low > 1) {
    const unsigned middle = low + (high - low) / 2;
    (1.0 - none_above(middle, p) <= alpha ? high : low) = middle;
  }
  return high;
}

Result<RestartAssessment> assess_restarts(const Samples& samples, double h_initial, bool iid) {
  if (samples.size() != std::size_t{side} * side) {
    return refuse(std::to_string(samples.size()) +
                  " samples: restart data are 1,000 samples of each of 1,000 restarts");
  }
  if (!(h_initial > 0.0) || h_initial > samples.width()) {
    return refuse("an initial assessment of " + std::to_string(h_initial) +
                  ": above 0 and at most the " + std::to_string(samples.width()) +
                  " bits of a sample");
  }
  RestartAssessment out;
  out.cutoff = restart_cutoff(h_initial);
  for (std::size_t i = 0; i < side; ++i) {
    out.largest_count = std::max({out.largest_count, largest_count(samples.symbols(), i * side, 1),
                                  largest_count(samples.symbols(), i, side)});
  }
  out.sane = out.largest_count <= out.cutoff;
  if (!out.sane) return out;
  auto transposed = Samples::create(columns_of(samples.raw()), samples.width());
  if (!transposed) return tl::unexpected<Error>(transposed.error());
  auto rows = track_of(samples, iid);
  if (!rows) return tl::unexpected<Error>(rows.error());
  auto columns = track_of(*transposed, iid);
  if (!columns) return tl::unexpected<Error>(columns.error());
  out.rows = std::move(*rows);
  out.columns = std::move(*columns);
  out.h_rows = std::min<double>(samples.width(), out.rows.min_entropy());
  out.h_columns = std::min<double>(samples.width(), out.columns.min_entropy());
  out.valid = std::min(out.h_rows, out.h_columns) >= h_initial / 2.0;
  if (out.valid) out.min_entropy = std::min({out.h_rows, out.h_columns, h_initial});
  return out;
}

}  // namespace talla::stats::sp800_90b

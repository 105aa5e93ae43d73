// SP 800-90B: 6.3.1 most common value, 6.3.2 collision, 6.3.3 Markov.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {
namespace {

Estimate from_mode(std::uint64_t mode, std::size_t count) {
  const auto n = static_cast<double>(count);
  const double p = static_cast<double>(mode) / n;
  const double bound = std::min(1.0, p + z_alpha * std::sqrt(p * (1.0 - p) / (n - 1.0)));
  return {"Most Common Value",
          -std::log2(bound),
          {{"Mode count", static_cast<double>(mode)}, {"p-hat", p}, {"p_u", bound}},
          {}};
}

/// -log2 of the likeliest of the six shapes of 128 bits (6.3.3, step 3).
double likeliest_path(double p0, double p1, double p00, double p01, double p10, double p11) {
  double least = 128.0;
  const auto consider = [&](double start, double first, double many_first, double second,
                            double many_second) {
    // Each factor that occurs must be possible.
    if ((many_first > 0.0 && first <= 0.0) || (many_second > 0.0 && second <= 0.0)) return;
    double entropy = -std::log2(start);
    if (many_first > 0.0) entropy -= many_first * std::log2(first);
    if (many_second > 0.0) entropy -= many_second * std::log2(second);
    least = std::min(least, entropy);
  };
  consider(p0, p00, 127.0, 0.0, 0.0);
  consider(p0, p01, 64.0, p10, 63.0);
  consider(p0, p01, 1.0, p11, 126.0);
  consider(p1, p10, 1.0, p00, 126.0);
  consider(p1, p10, 64.0, p01, 63.0);
  consider(p1, p11, 127.0, 0.0, 0.0);
  return least;
}

}  // namespace

Estimate most_common_value(const Bits& bits) {
  const std::size_t ones = bits.ones(0, bits.size());
  return from_mode(std::max(ones, bits.size() - ones), bits.size());
}

Estimate most_common_value(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  std::vector<std::uint64_t> counts(alphabet);
  for (const std::uint8_t symbol : symbols) ++counts[symbol];
  return from_mode(*std::max_element(counts.begin(), counts.end()), symbols.size());
}

Estimate collision(const Bits& bits) {
  // Two equal bits collide after two, anything else after three.
  const std::size_t length = bits.size();
  std::uint64_t twos = 0, threes = 0;
  std::size_t at = 0;
  while (at + 1 < length) {
    const bool equal = bits.bit(at) == bits.bit(at + 1);
    if (!equal && at + 2 >= length) break;
    twos += static_cast<std::uint64_t>(equal);
    threes += static_cast<std::uint64_t>(!equal);
    at += 3 - static_cast<std::size_t>(equal);
  }
  const auto v = static_cast<double>(twos + threes), sum = static_cast<double>(at);
  const double mean = sum / v;
  const double squares = 4.0 * static_cast<double>(twos) + 9.0 * static_cast<double>(threes);
  const double sigma = std::sqrt((squares - sum * mean) / (v - 1.0));
  const double bound = std::max(2.0, mean - z_alpha * sigma / std::sqrt(v));
  // For two symbols step 7 reduces to bound = 2 + 2p - 2p^2.
  const bool solved = bound < 2.5;
  const double p = solved ? 0.5 + std::sqrt(1.25 - 0.5 * bound) : 0.5;
  return {"Collision",
          solved ? -std::log2(p) : 1.0,
          {{"v", v},
           {"Sum t_i", sum},
           {"X-bar", mean},
           {"sigma-hat", sigma},
           {"X-bar'", bound},
           {"p", p}},
          {}};
}

Estimate markov(const Bits& bits) {
  const std::size_t length = bits.size();
  const std::size_t ones = bits.ones(0, length);
  std::size_t both = 0, at = 0;  // pairs 11
  for (; at + 65 <= length; at += 64)
    both += static_cast<std::size_t>(std::popcount(bits.word_at(at) & bits.word_at(at + 1)));
  for (; at + 1 < length; ++at) both += static_cast<std::size_t>(bits.bit(at) && bits.bit(at + 1));
  const std::size_t ones_first =
      ones - static_cast<std::size_t>(bits.bit(length - 1));  // as first of a pair
  const std::size_t ones_second = ones - static_cast<std::size_t>(bits.bit(0));
  const std::size_t zeros_first = length - 1 - ones_first;
  const std::size_t one_zero = ones_first - both;
  const std::size_t zero_zero = zeros_first - (ones_second - both);
  const double p0 = static_cast<double>(length - ones) / static_cast<double>(length), p1 = 1.0 - p0;
  double p00 = 0.0, p01 = 0.0, p10 = 0.0, p11 = 0.0;
  if (zeros_first > 0) {
    p00 = static_cast<double>(zero_zero) / static_cast<double>(zeros_first);
    p01 = 1.0 - p00;
  }
  if (ones_first > 0) {
    p10 = static_cast<double>(one_zero) / static_cast<double>(ones_first);
    p11 = 1.0 - p10;
  }
  const double least = likeliest_path(p0, p1, p00, p01, p10, p11);
  return {"Markov",
          std::min(least / 128.0, 1.0),
          {{"P_0", p0},
           {"P_1", p1},
           {"P_{0,0}", p00},
           {"P_{0,1}", p01},
           {"P_{1,0}", p10},
           {"P_{1,1}", p11},
           {"p-hat_max", std::exp2(-least)}},
          {}};
}

}  // namespace talla::stats::sp800_90b

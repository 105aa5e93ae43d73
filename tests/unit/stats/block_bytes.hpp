/// \file
/// Blocks made for tests, bit by bit, and a binomial law summed term by term.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "stats/blocks/twenty_thousand.hpp"

namespace talla::stats {

using Bytes = std::vector<std::uint8_t>;

inline bool long_run_wanted() {
  return std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread
}

inline Bytes random_bytes(std::mt19937_64& random, std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; i += 8) {
    const std::uint64_t word = random();
    std::memcpy(&bytes[i], &word, std::min<std::size_t>(8, count - i));
  }
  return bytes;
}

inline unsigned bit_of(std::span<const std::uint8_t> bytes, std::size_t index) {
  return unsigned{bytes[index / 8]} >> (7 - index % 8) & 1U;
}

inline void set_bit(Bytes& bytes, std::size_t index, unsigned value) {
  const auto mask = static_cast<std::uint8_t>(0x80U >> (index % 8));
  bytes[index / 8] =
      static_cast<std::uint8_t>(value != 0 ? bytes[index / 8] | mask : bytes[index / 8] & ~mask);
}

inline blocks::Block block_of(const Bytes& bytes) {
  return blocks::Block(bytes.data(), blocks::block_bytes);
}

/// Two-sided binomial p-value, summed term by term.
inline double plain_two_sided(std::uint64_t k, std::uint64_t n, double p) {
  const auto term = [&](std::uint64_t i) {
    const auto x = static_cast<double>(i), m = static_cast<double>(n);
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread
    return std::exp(std::lgamma(m + 1) - std::lgamma(x + 1) - std::lgamma(m - x + 1) +
                    x * std::log(p) + (m - x) * std::log1p(-p));
    // NOLINTEND(concurrency-mt-unsafe)
  };
  double low = 0, high = 0;
  for (std::uint64_t i = 0; i <= n; ++i) {
    if (i <= k) low += term(i);
    if (i >= k) high += term(i);
  }
  return std::min(1.0, 2.0 * std::min(low, high));
}

}  // namespace talla::stats

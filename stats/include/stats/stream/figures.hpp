/// \file
/// Figures of a stream of bytes or bits as the program `ent` (J. Walker, 1.2) prints them, and how
/// likely ideal bytes would show such figures.
///
/// Definitions: entropy and chi-square of the values; mean; Monte Carlo value of pi from pairs of
///          24-bit coordinates, six bytes a point, always from whole bytes; serial correlation of
///          each value with the next, the last with the first (Knuth, The Art of Computer
///          Programming, volume 2, 3.3.2 K). Bits: the highest bit of a byte first.
/// Memory:  constant. Cost: below 1 ns a byte. Range: up to 2^47 bytes.
/// Threads: one object belongs to one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace talla::stats {

enum class Unit : std::uint8_t { byte, bit };

/// NaN where a figure does not exist (too little data, all values equal).
struct StreamFigures {
  std::uint64_t count = 0;  ///< values: bytes, or bits
  double entropy = 0;       ///< bits per value
  /// How much smaller an optimal code would make it, rounded towards zero.
  int compression_percent = 0;
  double chi_square = 0;       ///< with 255 degrees of freedom, or 1
  double chi_square_tail = 1;  ///< chance of a larger one, ideal values
  double mean = 0;
  double pi = 0;
  double pi_error_percent = 0;
  double serial_correlation = 0;
  // Two-sided p-values under ideal bytes: too near to the expected value is a fault as well
  // (chi-square), the others are judged by their distance from it.
  /// 2 min(P(larger), P(smaller)); the chi-square law is good from about 1,280 bytes on.
  double chi_square_p = 1;
  double mean_p = 1;                ///< normal law
  double pi_p = 1;                  ///< binomial law of the points inside the circle
  double serial_correlation_p = 1;  ///< normal law with mean -1 / (n - 1) and variance 1 / n
};

/// The counts behind the figures.
class Stream {
 public:
  /// Counts these bytes too.
  void add(std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::uint64_t bytes_count() const { return bytes_; }
  [[nodiscard]] StreamFigures figures(Unit unit) const;
  /// How often each value came: 256 of them, or two.
  [[nodiscard]] std::vector<std::uint64_t> counts(Unit unit) const;

 private:
  void add_chunk(std::span<const std::uint8_t> bytes);
  void add_points(std::span<const std::uint8_t> bytes);
  std::uint64_t bytes_ = 0;
  std::array<std::uint64_t, 256> counts_{};
  std::uint64_t products_ = 0;   // sum of x(i) x(i + 1) without the wrap
  std::uint64_t bit_pairs_ = 0;  // ones that a one follows, across bytes
  std::uint64_t points_ = 0, inside_ = 0;
  std::uint8_t first_ = 0, last_ = 0;
  std::array<std::uint8_t, 6> point_{};  // bytes of a point that is not full
  std::size_t point_bytes_ = 0;
};

}  // namespace talla::stats

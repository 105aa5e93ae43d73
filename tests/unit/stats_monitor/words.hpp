/// \file
/// Fast and good enough to be the null: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace talla::stats::monitor::test {

class Words {
 public:
  explicit Words(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
  }
  /// By multiplication of 32 bits: the bias, below 2^-23 for the bounds used, is far below all that
  /// is measured here.
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(((next() >> 32U) * bound) >> 32U);
  }
  /// Bytes of so many bits each.
  std::vector<std::uint8_t> samples(std::size_t count, unsigned bits) {
    std::vector<std::uint8_t> all(count);
    const auto mask = static_cast<std::uint8_t>((1U << bits) - 1U);
    for (std::size_t i = 0; i < count; i += 8) {
      std::uint64_t word = next();
      for (std::size_t k = i; k < std::min(count, i + 8); ++k, word >>= 8U)
        all[k] = static_cast<std::uint8_t>(word & mask);
    }
    return all;
  }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  bool strikes(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace talla::stats::monitor::test

/// \file
/// Fast and good enough to be the null: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cstddef>
#include <cstdint>

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
  /// By multiplication of 32 bits: the bias, below 2^-23 for the bounds used, is far below all that is measured here.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(((next() >> 32U) * bound) >> 32U); }
  double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace talla::stats::monitor::test

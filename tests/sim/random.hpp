/// \file
/// The simulator's dice: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). One seed is one session, for
/// ever.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.hpp"

namespace talla::sim {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::uint64_t word() {
    state_ += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  /// In [0, bound), exactly uniform; bound at least 1.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    TALLA_CHECK(bound > 0);
    std::uint64_t mask = bound - 1;
    for (unsigned shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
    for (;;) {
      const auto value = word() & mask;
      if (value < bound) return value;
    }
  }
  /// True once in `times`, on average.
  [[nodiscard]] bool once_in(std::size_t times) { return below(times) == 0; }
  template <class T>
  [[nodiscard]] const T& pick(const std::vector<T>& from) {
    return from.at(below(from.size()));
  }
  template <class T>
  void shuffle(std::vector<T>& all) {
    for (std::size_t i = all.size(); i > 1; --i) std::swap(all.at(i - 1), all.at(below(i)));
  }

 private:
  std::uint64_t state_;
};

}  // namespace talla::sim

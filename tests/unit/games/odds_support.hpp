/// \file
/// Rounds played through the driver against their exact odds.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "../../sim/random.hpp"
#include "games/driver.hpp"
#include "games/odds.hpp"

namespace talla::games::test {

/// 10^5 rounds, 10^7 with TALLA_LONG.
inline int rounds_count() {
  return std::getenv("TALLA_LONG") != nullptr ? 10'000'000  // NOLINT(concurrency-mt-unsafe)
                                              : 100'000;
}

/// The first cards of a shoe shuffled anew for each round: only those that a round needs are drawn.
class Shoe {
 public:
  Shoe(std::vector<Card> cards, std::uint64_t seed) : cards_(std::move(cards)), random_(seed) {}
  void shuffle() { at_ = 0; }
  [[nodiscard]] Card next() {
    std::swap(cards_.at(at_), cards_.at(at_ + random_.below(cards_.size() - at_)));
    return cards_.at(at_++);
  }

 private:
  std::vector<Card> cards_;
  sim::Random random_;
  std::size_t at_ = 0;
};

/// Gains on a first stake of 1, in units of 1 / scale, and the odds that they should follow.
class Gains {
 public:
  explicit Gains(std::int64_t scale) : scale_(scale) {}
  void add(const Fraction& gain) {
    const Fraction scaled = gain * Fraction(scale_);
    ASSERT_TRUE(scaled.is_integer());
    sum_ += scaled.floor();
    ++rounds_;
  }
  /// (sum - n mean)^2 <= 16 n variance, in integers.
  void expect_within_four_deviations(const Odds& odds, const std::string& bet) const {
    const Ratio mean = -odds.house_edge();
    const Ratio off = Ratio(Fraction(sum_, scale_)) - Ratio(rounds_) * mean;
    const Ratio variance = odds.square - mean * mean;
    EXPECT_LE(off * off, Ratio(16) * Ratio(rounds_) * variance)
        << bet << ": " << sum_ << " / " << scale_ << " in " << rounds_;
  }

 private:
  std::int64_t scale_;
  std::int64_t sum_ = 0;
  std::int64_t rounds_ = 0;
};

}  // namespace talla::games::test

/// \file
/// Predictors of raw noise, cheap enough to run beside the health tests: they guess the next sample
/// from the past and count hits.
///
/// What is looked at, in blocks of 4,096 samples:
///   lags 1 to 8, 16, 32, 64, 128   every sample: is it the one `lag` places earlier?
///   long lag                       every sample against the best of the lags 9 to 2,047 so far;
///                                  one candidate of them is counted in each block and takes over
///                                  for the next ones when it did better
///   most common value              every sample against the most common value of one block in
///                                  eight so far
///   (older ones fade)
///   successor                      in one block of four, every sample against what most often
///                                  followed the one before it, learned in one block of sixteen
/// Each guess is fixed before its sample: what a block teaches is used from the next block on.
/// Secrecy: keeps the last 6,144 samples and wipes them at destruction; counts of single blocks
///          stay inside.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace talla::stats::monitor {

class Predictors {
 public:
  static constexpr std::size_t block_samples = 4096;
  static constexpr std::array<std::size_t, 12> lags = {1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 128};
  static constexpr std::size_t count = lags.size() + 3;
  static constexpr std::size_t lag_min = 9;
  static constexpr std::size_t lag_max = 2047;

  struct Score {
    std::uint64_t hits = 0;    ///< guesses that came true
    std::uint64_t trials = 0;  ///< guesses
  };
  using Scores = std::array<Score, count>;

  Predictors();
  Predictors(const Predictors&) = delete;
  Predictors& operator=(const Predictors&) = delete;
  ~Predictors();

  /// Samples as they come, any number; whole blocks are scored into `scores` (added). Returns how
  /// many blocks were.
  std::size_t observe(std::span<const std::uint8_t> samples, Scores& scores);
  /// "lag 1", ..., "long lag", "most common value", "successor".
  [[nodiscard]] static std::string_view name(std::size_t predictor);

 private:
  void score_block(Scores& scores);
  void score_lags(const std::uint8_t* block, Scores& scores) const;
  void score_long_lag(const std::uint8_t* block, Score& score);
  void score_successor(const std::uint8_t* block, Score& score) const;
  void learn_values(const std::uint8_t* block);
  void learn_successors(const std::uint8_t* block);
  [[nodiscard]] std::size_t known() const;

  std::vector<std::uint8_t> buffer_;  // history, then the block
  std::size_t used_ = 0;              // samples of the block so far
  std::uint64_t blocks_ = 0;
  std::array<std::uint32_t, 256> value_counts_{};
  std::uint8_t common_ = 0;
  std::vector<std::uint16_t> pair_counts_;  // [previous][next]
  std::array<std::uint8_t, 256> successor_{};
  std::size_t long_lag_ = lag_min;
  double long_rate_ = 0;  // hits of a block of that lag, fading
  std::size_t candidate_ = lag_min;
};

}  // namespace talla::stats::monitor

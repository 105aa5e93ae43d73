/// \file
/// Several predictors of bits run against each other; the best so far predicts (6.3.8, 6.3.9:
/// scoreboard and winner).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {

/// Counts correct predictions and the longest run of them, up to 64 steps at once; bit k of a word
/// is step k.
class RunCounter {
 public:
  /// `correct` among the `known` steps; steps that are not known neither add to a run nor end it.
  void add(std::uint64_t correct, std::uint64_t known) {
    hits_.correct += static_cast<std::uint64_t>(std::popcount(correct));
    if (known != ~std::uint64_t{0}) {
      for (; known != 0; known &= known - 1) step((correct & known & (~known + 1)) != 0);
      return;
    }
    unsigned left = 64;
    while (left > 0) {
      const auto ones = static_cast<unsigned>(std::countr_one(correct));
      if (ones >= left) {
        run_ += left;
        break;
      }
      close(ones);
      const auto skip = static_cast<unsigned>(std::countr_zero(correct >> ones));
      if (skip >= left - ones) return;
      correct >>= ones + skip;
      left -= ones + skip;
    }
  }
  void step(bool correct) {
    if (correct) {
      ++run_;
    } else {
      close(0);
    }
  }
  void count(bool correct) {
    hits_.correct += static_cast<std::uint64_t>(correct);
    step(correct);
  }
  [[nodiscard]] Hits result(std::uint64_t total) {
    close(0);
    hits_.total = total;
    return hits_;
  }

 private:
  void close(std::uint64_t more) {
    run_ += more;
    hits_.longest_run = std::max(run_, hits_.longest_run);
    run_ = 0;
  }
  Hits hits_;
  std::uint64_t run_ = 0;
};

/// The scoreboard of `Count` predictors, fed with blocks of up to 64 steps. Only predictors near
/// the top are followed step by step: one that lies more than a block behind cannot win inside it.
template <std::size_t Count>
class Race {
 public:
  /// hits[d]: steps that predictor d got right; known[d]: steps it predicted at all; `steps`:
  /// length of the block.
  void run(const std::array<std::uint64_t, Count>& hits,
           const std::array<std::uint64_t, Count>& known, unsigned steps) {
    std::array<std::size_t, Count> near{};
    std::size_t near_count = 0;
    for (std::size_t d = 0; d < Count; ++d) {
      if (scores_[d] + steps >= scores_[winner_]) near[near_count++] = d;
    }
    const std::uint64_t all = steps == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << steps) - 1;
    if (near_count == 1) {
      counter_.add(hits[winner_], known[winner_] & all);
    } else {
      step_by_step(hits, known, near, near_count, steps);
    }
    for (std::size_t d = 0; d < Count; ++d)
      scores_[d] += static_cast<std::uint64_t>(std::popcount(hits[d]));
  }
  [[nodiscard]] Hits result(std::uint64_t total) { return counter_.result(total); }

 private:
  void step_by_step(const std::array<std::uint64_t, Count>& hits,
                    const std::array<std::uint64_t, Count>& known,
                    const std::array<std::size_t, Count>& near, std::size_t near_count,
                    unsigned steps) {
    std::array<std::uint64_t, Count> now = scores_;
    for (unsigned k = 0; k < steps; ++k) {
      if (((known[winner_] >> k) & 1U) != 0) counter_.count(((hits[winner_] >> k) & 1U) != 0);
      for (std::size_t i = 0; i < near_count; ++i) {
        const std::size_t d = near[i];
        if (((hits[d] >> k) & 1U) != 0 && ++now[d] >= now[winner_]) winner_ = d;
      }
    }
  }
  std::array<std::uint64_t, Count> scores_{};
  std::size_t winner_ = 0;
  RunCounter counter_;
};

}  // namespace talla::stats::sp800_90b

/// \file
/// Bets against an entropy claim: with H bits of min-entropy given the past no predictor is right
/// with probability above 2^-H.
///
/// E <- E (1 + lambda (hit - p) / (1 - p)), p = 2^-H, for eight lambda in (0, (1 - p) / p): with
/// lambda = kappa (1 - p) / p the factor is 1 - kappa + kappa / p on a hit, 1 - kappa on a miss. It
/// depends on hits and trials alone, so a whole block is one step. The null is composite (any
/// source that keeps its claim, however biased, correlated or drifting below it), and the process
/// is a supermartingale under all of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "stats/monitor/state.hpp"

namespace talla::stats::monitor {

class ClaimBet {
 public:
  static constexpr std::size_t strengths = 8;
  /// Excess of the predictor's rate over 2^-H that each strength is best at.
  static constexpr std::array<double, strengths> excess = {0.003, 0.01, 0.03, 0.1, 0.3, 1, 4, 16};

  /// `millibits`: claimed min-entropy of a sample, 1 to 8000.
  explicit ClaimBet(std::uint32_t millibits);
  /// Predictions of one block. Precondition: hits <= trials.
  void observe(std::uint64_t hits, std::uint64_t trials);
  [[nodiscard]] double log_e() const;
  /// Logarithm of 1 + the mean of the detectors; each takes one step a block.
  [[nodiscard]] double log_detector() const;
  [[nodiscard]] std::uint64_t hits() const { return hits_; }
  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  void begin_epoch();
  void restart_detector();
  void freeze_e(bool frozen) { e_frozen_ = frozen; }
  void freeze_detector(bool frozen) { detector_frozen_ = frozen; }
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  std::array<double, strengths> log_hit_{};
  std::array<double, strengths> log_miss_{};
  std::uint64_t hits_ = 0;
  std::uint64_t trials_ = 0;
  std::array<double, strengths> log_detectors_{};  // log(1 + M)
  bool e_frozen_ = false;
  bool detector_frozen_ = false;
};

/// log of the mean of exp(x), without overflow.
[[nodiscard]] double log_mean_exp(const double* values, std::size_t count);

}  // namespace talla::stats::monitor

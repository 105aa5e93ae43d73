/// \file
/// Does what was staked end as it should? Bets on the share of a round's stakes that came to each
/// of the ends that a law knows.
///
/// A round is one observation, however many stakes it has: S_x is the share of them that came to
/// the end x, its expectation is the end's probability p_x whatever those who stake do and however
/// their stakes depend on each other, and 1 - k + k S_x / p_x and 1 - k + k (1 - S_x) / (1 - p_x)
/// are factors of expectation 1 that are never negative: bets that an end comes too often, and too
/// seldom. The e-process is the mean over ends, both directions and six strengths. A law may change
/// from round to round, as cards leave a shoe. What no end of the law allows has probability 0:
/// the e-value is then as great as a double can be.
/// Threads: one object belongs to one thread at a time. Determinism: same observations, same
///          doubles.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "stats/monitor/process.hpp"
#include "stats/monitor/scaled.hpp"

namespace talla::stats::monitor {

class Shares final : public Process {
 public:
  static constexpr std::size_t strengths = 6;
  /// So much more often (of its probability) each bet upwards expects an end to come ...
  static constexpr std::array<double, strengths> excess = {0.01, 0.03, 0.1, 0.3, 1, 4};
  /// ... and so much less often each bet downwards.
  static constexpr std::array<double, strengths> lack = {0.01, 0.03, 0.1, 0.3, 0.6, 0.9};

  /// `ends`: how many the law knows, 1 to 1000.
  Shares(std::string name, std::size_t ends);
  /// One round: the share of the stakes that came to each end, and the end's probability before the
  /// round. `foreign`: some stake came to no end of the law. Precondition: as many as there are
  /// ends; all of both in [0, 1]; the probabilities add up to 1, the shares to 1 unless `foreign`.
  void observe(std::span<const double> shares, std::span<const double> probabilities, bool foreign);
  [[nodiscard]] std::uint64_t steps() const override { return steps_; }
  [[nodiscard]] double e() const override;
  [[nodiscard]] double log_e() const override;
  [[nodiscard]] double detector() const override;
  [[nodiscard]] double log_detector() const override;
  void begin_epoch() override;
  void restart_detector() override;
  void freeze_e(bool frozen) override { frozen_ = frozen; }
  void freeze_detector(bool frozen) override { detector_frozen_ = frozen; }
  void save(StateWriter& out) const override;
  void load(StateReader& in) override;

 private:
  /// The bets of one end that expect more of it, then those that expect less.
  static constexpr std::size_t bets_of_end = 2 * strengths;
  void play(std::size_t end, double share, double probability);
  std::vector<Scaled> fortunes_;   // [end x bets_of_end + bet]
  std::vector<double> detectors_;  // the same
  std::uint64_t steps_ = 0;
  bool impossible_ = false;           // something of probability 0 came, in this epoch
  bool detector_impossible_ = false;  // since the detector began
  bool frozen_ = false;
  bool detector_frozen_ = false;
};

/// The rounds of one bet of one table.
///   payments  an end too frequent or too rare, or none that the law allows
class Payments final : public Group {
 public:
  explicit Payments(std::size_t ends) : shares_("payments", ends), processes_{&shares_} {}
  /// As Shares::observe.
  void observe(std::span<const double> shares, std::span<const double> probabilities,
               bool foreign) {
    shares_.observe(shares, probabilities, foreign);
  }
  [[nodiscard]] const Shares& shares() const { return shares_; }
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return "rounds"; }

 private:
  Shares shares_;
  std::array<Process*, 1> processes_;
};

}  // namespace talla::stats::monitor

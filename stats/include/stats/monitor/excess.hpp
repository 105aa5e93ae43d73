/// \file
/// Do stakes gain more than the best play may expect? Bets on the gain beyond a bound.
///
/// A round is one observation: of each view of it (from its bets on; from its first cards on) the
/// gain less the bound that was known for it, in first stakes. Its expectation is not above 0
/// whatever those who stake do, and it is never below -`least`, so that 1 + k x / `least` with k up
/// to 1 is a factor of expectation at most 1 that is never negative. The e-process is the mean over
/// views and strengths. A payment that no rule gives has probability 0: the e-value is then as
/// great as a double can be. Who loses more than he must is not found: it may be his play.
/// Threads: one object belongs to one thread at a time. Determinism: same observations, same
///          doubles.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "stats/monitor/process.hpp"
#include "stats/monitor/scaled.hpp"

namespace talla::stats::monitor {

class Excess final : public Process {
 public:
  static constexpr std::size_t views = 2;
  static constexpr double least = 8;
  static constexpr double greatest = 1000;
  static constexpr std::array<double, 6> strengths = {1, 0.5, 0.25, 0.12, 0.06, 0.03};
  using Gains = std::array<double, views>;

  explicit Excess(std::string name) : Process(std::move(name)) {}
  /// One round. `foreign`: some stake was paid what no rule gives. Precondition: no gain is below
  /// -`least`; one above `greatest` counts as that.
  void observe(const Gains& beyond, bool foreign);
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
  static constexpr std::size_t bets = views * strengths.size();
  std::array<Scaled, bets> fortunes_{};
  std::array<double, bets> detectors_{};
  std::uint64_t steps_ = 0;
  bool impossible_ = false;           // something of probability 0 came, in this epoch
  bool detector_impossible_ = false;  // since the detector began
  bool frozen_ = false;
  bool detector_frozen_ = false;
};

/// The rounds of a bet of one table whose players choose.
///   payments  gains above what the best play may expect, or a payment that no rule gives
class Returns final : public Group {
 public:
  Returns() : excess_("payments"), processes_{&excess_} {}
  /// As Excess::observe.
  void observe(const Excess::Gains& beyond, bool foreign) { excess_.observe(beyond, foreign); }
  [[nodiscard]] const Excess& excess() const { return excess_; }
  [[nodiscard]] std::span<Process* const> processes() const override { return processes_; }
  [[nodiscard]] std::string_view unit() const override { return "rounds"; }

 private:
  Excess excess_;
  std::array<Process*, 1> processes_;
};

}  // namespace talla::stats::monitor

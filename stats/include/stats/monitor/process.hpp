/// \file
/// One question put to a stream for ever: an e-process with a lifetime bound, and beside it a
/// change detector.
///
/// The e-process is a nonnegative supermartingale under the null that starts at 1 (or an average of
/// such): it bets against the null with what it has learned from the past alone. The detector is an
/// e-detector of Shiryaev-Roberts type (Shin, Ramdas, Rinaldo, "E-detectors", 2022): M <- (M + 1) L
/// for each bet, averaged; M - n is a supermartingale under the null, so the run length until it
/// reaches c has mean at least c, and no lifetime bound is claimed. What is frozen learns nothing
/// and moves no more: after an alarm a process stands until its next epoch begins.
/// Threads: one process belongs to one thread at a time. Determinism: same observations, same
///          doubles.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stats/monitor/state.hpp"

namespace talla::stats::monitor {

class Process {
 public:
  explicit Process(std::string name) : name_(std::move(name)) {}
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  virtual ~Process() = default;

  /// What is asked, e.g. "frequency"; unique in its group.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Observations since the epoch began.
  [[nodiscard]] virtual std::uint64_t steps() const = 0;
  /// The e-value now; the largest finite double where it is greater.
  [[nodiscard]] virtual double e() const = 0;
  /// Its natural logarithm.
  [[nodiscard]] virtual double log_e() const = 0;
  /// The detector's statistic now (0 at its start), and the logarithm of it + 1.
  [[nodiscard]] virtual double detector() const = 0;
  [[nodiscard]] virtual double log_detector() const = 0;
  /// Forgets everything and starts the e-process at 1.
  virtual void begin_epoch() = 0;
  /// Starts the detector at 0.
  virtual void restart_detector() = 0;
  virtual void freeze_e(bool frozen) = 0;
  virtual void freeze_detector(bool frozen) = 0;
  virtual void save(StateWriter& out) const = 0;
  virtual void load(StateReader& in) = 0;

 private:
  std::string name_;
};

/// The processes that watch one stream, fed together.
class Group {
 public:
  Group() = default;
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  virtual ~Group() = default;
  [[nodiscard]] virtual std::span<Process* const> processes() const = 0;
  /// What is counted, in the plural: "numbers", "throws", "cards", "bytes", "samples".
  [[nodiscard]] virtual std::string_view unit() const = 0;
};

}  // namespace talla::stats::monitor

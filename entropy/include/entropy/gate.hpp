/// \file
/// The quarantine of one source: samples wait until their whole window is judged green; nothing red
/// comes out.
///
/// A window is 4,096 samples. A red one and everything younger in the call are wiped; green samples
/// that arrived after the alarm's evidence began are wiped with them. Level 1 puts the source back
/// into its start-up test; a permanent cutoff, or a third level 1 alarm within ten minutes, closes
/// the gate until `reopen`. Start-up: 32 whole windows (131,072 samples; all lags in the first)
/// whose samples are not used; on demand by `restart`. An alarm suspects everything since its test
/// last found all well, green samples included.
/// Limits:   at most 8 green windows are kept; beyond that the oldest is wiped (surplus).
/// Threads:  one gate belongs to one thread. Secrecy: samples live in SecretBytes and are wiped
///   when taken or dropped.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "base/secret.hpp"
#include "entropy/duplicate_words.hpp"
#include "entropy/health.hpp"

namespace talla::entropy {

/// Arrival times of samples, monotonic nanoseconds, both ends included.
struct TimeRange {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  /// The smallest range that holds both.
  [[nodiscard]] TimeRange joined(const TimeRange& other) const;
};

/// One read of a source: when it was asked, when it returned.
struct ReadTimes {
  std::int64_t asked_ns = 0;
  std::int64_t came_ns = 0;
};

/// The start-up test runs; samples come out; none will any more.
enum class GateState : std::uint8_t { startup, open, closed };

/// What one call of the gate found.
struct GateReport {
  Alarm alarm;  ///< Level after counting: the third level 1 in ten minutes reads 2.
  std::int64_t suspect_from_ns = 0;  ///< With an alarm: where the suspect window begins.
  bool startup_passed = false;       ///< The start-up test ended well in this call.
  /// With an alarm: wiped here, what was not looked at any more included.
  std::uint64_t dropped_samples = 0;
};

/// What has gone through the gate since it was made.
struct GateCounts {
  std::uint64_t raw_samples = 0;
  std::uint64_t green_samples = 0;
  std::uint64_t surplus_samples = 0;
  std::uint64_t green_windows = 0;
  std::uint64_t dropped_windows = 0;
  std::uint64_t level1_events = 0;  ///< Alarms of level 1.
  std::uint64_t level2_events = 0;  ///< Alarms of level 2.
};

/// One source's gate.
class Gate {
 public:
  /// `nominal_rate_hz` 0: no rate is judged, and silence only of a `stream`.
  Gate(const HealthSettings& settings, std::uint32_t nominal_rate_hz, bool stream = false);

  /// Takes what one read brought (perhaps nothing).
  [[nodiscard]] GateReport feed(std::span<const std::uint8_t> samples, ReadTimes times);
  /// The source reported that its stream is over: level 2.
  [[nodiscard]] GateReport stream_over(std::int64_t now_ns);
  /// Start-up test again (on demand); green samples stay.
  void restart();
  /// Leaves `closed` for a start-up test; alarm history and samples are forgotten.
  void reopen();
  /// Wipes everything that was held.
  void wipe();

  [[nodiscard]] GateState state() const { return state_; }
  [[nodiscard]] std::size_t green_samples() const { return green_total_; }
  /// Moves the oldest `count` green samples (at most green_samples()) to the end of `out` and wipes
  /// them here.
  [[nodiscard]] TimeRange take(std::size_t count, SecretBytes& out);
  /// When the last window turned green; 0 = never.
  [[nodiscard]] std::int64_t last_good_ns() const { return last_good_ns_; }
  [[nodiscard]] const GateCounts& counts() const { return counts_; }

 private:
  struct Window {
    std::size_t slot = 0;
    std::size_t used = 0;
    TimeRange range;
  };
  [[nodiscard]] std::uint8_t* slot_data(std::size_t slot) {
    return arena_.data() + slot * gate_window_samples;
  }
  [[nodiscard]] Finding judge_window();
  /// `unread_samples`: of the same read, behind the window that alarmed.
  [[nodiscard]] GateReport raise(const Finding& finding, std::size_t unread_samples,
                                 std::int64_t now_ns);
  void release_window(std::int64_t now_ns);
  void wipe_window();
  void drop_front();
  void drop_green_since(std::int64_t from_ns);

  HealthSettings settings_;
  ContinuousTests continuous_;
  Battery battery_;
  DuplicateWords duplicates_;
  RateMonitor rate_;
  GateState state_ = GateState::startup;
  SecretBytes arena_;
  std::vector<std::size_t> free_slots_;
  std::deque<Window> green_;
  std::size_t green_total_ = 0;
  Window open_;  ///< The window in quarantine; `used` counts the samples in it.
  std::deque<std::int64_t> level1_times_;
  std::size_t startup_done_ = 0;     ///< Green windows of the start-up test.
  std::int64_t first_asked_ns_ = 0;  ///< When the first sample was asked for; with asked_.
  bool asked_ = false;
  std::int64_t last_good_ns_ = 0;
  GateCounts counts_;
};

}  // namespace talla::entropy

/// \file
/// The past of what the monitors show: logarithms of e-processes and detectors in thousandths,
/// shares of raw noise in millionths, by the minute for a day and by the hour for a month.
///
/// Kept: minutes in chunks of 60, 25 of them; hours in chunks of 24, 32 of them (curve_track.hpp);
/// at most 448 figures of monitors and 448 of sources in a chunk. That is 48 MB at the very most;
/// two sources and a dozen streams come to 8 MB.
/// Files: `curves/minutes-NN` and `curves/hours-NN` in the data folder, one a chunk, of which only
/// the newest two are ever written again. A file that is damaged, of another log or in another's
/// place is refused by name, and its time is a gap: nothing rests on it. It is no evidence either:
/// who can write in the folder can write another past. What counts is in the log, the HEALTH
/// records.
/// Threads: any. Secrecy: aggregates alone, as the status shows them.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/monitor_hook.hpp"
#include "monitor/boards.hpp"
#include "monitor/curve_track.hpp"
#include "monitor/quality_watch.hpp"

namespace talla::rngd {

class Curves {
 public:
  Curves();

  /// What the monitors and sources show now. Looks that come more than twenty seconds after the one
  /// before, or with a clock that moved two seconds against the monotonic one, begin a new stretch.
  void see(std::int64_t utc_us, std::int64_t monotonic_ns,
           const std::vector<stats::monitor::BoardRow>& monitors,
           const std::vector<QualityWatch::Shares>& sources);
  /// As core::MonitorHook::history.
  [[nodiscard]] json::Object history(const core::HistoryQuery& query) const;

  /// Takes up what is there, before the first look, and keeps it there from now on. A line for each
  /// file that was refused.
  [[nodiscard]] std::vector<std::string> keep_in(const std::string& folder,
                                                 const std::string& origin);
  /// Writes the chunks that have changed, when the last time is so long ago; nothing without
  /// `keep_in`. One thread at a time. Errors: those of the files; what failed is written next time.
  [[nodiscard]] Status save(std::int64_t now_ns, std::int64_t interval_ns);

 private:
  struct Named {
    const char* name = nullptr;
    CurveTrack track;
  };
  std::string folder_, origin_;
  std::int64_t saved_ns_ = 0;  // of who saves
  mutable std::mutex mutex_;
  std::array<Named, 2> tracks_;     // mutex_
  std::size_t refused_ = 0;         // mutex_; files, at the start
  std::int64_t utc_us_ = 0;         // mutex_; of the last look
  std::int64_t monotonic_ns_ = -1;  // mutex_; none yet
};

}  // namespace talla::rngd

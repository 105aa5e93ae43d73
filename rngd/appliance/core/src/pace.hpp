/// \file
/// How many groups wait for the disk at once: what the sequencer measures of itself and of the
/// disk. Private to core.
///
/// While the groups in the air wait, the sequencer works on those who ask again. So few groups are
/// best that this work fills the time of a sync with half as much again to spare: the larger a
/// group is, the less each of its commands costs.
/// Threads: the sequencer's.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace talla::core {

class Pace {
 public:
  /// `most`: groups in the air at the same time, at least 1. `overlap_from_ns`: one only while a
  /// sync is quicker.
  Pace(std::size_t most, std::int64_t overlap_from_ns)
      : most_(std::max<std::size_t>(most, 1)), overlap_from_ns_(overlap_from_ns) {}

  void sync_took(std::int64_t ns) { sync_ns_ = ns; }
  /// A turn's own work, waits left out, and the commands it took up or brought to their outcome.
  void turn_took(std::int64_t ns, std::size_t commands) {
    if (commands == 0) return;
    command_ns_ += (ns / static_cast<std::int64_t>(commands) - command_ns_) / smoothing;
  }

  [[nodiscard]] std::int64_t sync_ns() const { return sync_ns_; }
  /// Groups that may be in the air while so many commands ask or wait.
  [[nodiscard]] std::size_t groups(std::size_t commands) const {
    if (sync_ns_ < overlap_from_ns_) return 1;
    const std::int64_t work_ns = static_cast<std::int64_t>(commands) * command_ns_;
    std::size_t parts = std::min<std::size_t>(most_, 2);
    while (parts < most_ &&
           work_ns - work_ns / static_cast<std::int64_t>(parts) < sync_ns_ + sync_ns_ / 2)
      ++parts;
    return parts;
  }

 private:
  static constexpr std::int64_t smoothing = 8;

  std::size_t most_;
  std::int64_t overlap_from_ns_;
  std::int64_t sync_ns_ = 0;
  std::int64_t command_ns_ = 0;
};

}  // namespace talla::core

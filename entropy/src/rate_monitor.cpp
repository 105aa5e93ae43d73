// Judges a source's rate, window by window, in integers.
#include <algorithm>

#include "base/clock.hpp"
#include "entropy/health.hpp"

namespace talla::entropy {

namespace {

constexpr std::int64_t stall_ns_min = 2 * second_ns;
constexpr std::int64_t stall_samples = 64;
constexpr std::int64_t stall_ns_unknown = 4 * second_ns;
constexpr std::int64_t window_ns_min = 4 * second_ns;
constexpr std::int64_t window_samples_min = 1000;
constexpr std::int64_t own_pause_ns = second_ns / 2;
constexpr std::size_t learned_windows = 3;
constexpr std::size_t median_place = learned_windows / 2;
__extension__ using Wide = unsigned __int128;

}  // namespace

void RateMonitor::restart() {
  started_ = false;  // whatever is held is set again by the first read
}

void RateMonitor::open_window(std::int64_t now_ns) {
  window_from_ns_ = now_ns;
  window_samples_ = 0;
}

/// All in integers, seconds as nanoseconds (windows last minutes at most).
RateMonitor::Side RateMonitor::side_of(std::uint64_t samples, std::uint64_t elapsed_ns) {
  const Wide seen = Wide{samples} * static_cast<std::uint64_t>(second_ns);
  if (nominal_hz_ != 0) {
    const Wide expected = Wide{elapsed_ns} * nominal_hz_;
    return seen * 10 < expected * 9    ? Side::slow
           : seen * 10 > expected * 11 ? Side::fast
                                       : Side::good;
  }
  const auto heard = static_cast<std::uint64_t>(seen * 1000 / elapsed_ns);
  if (heard_.size() < learned_windows) {
    heard_.insert(std::ranges::upper_bound(heard_, heard), heard);
    return Side::good;
  }
  const Wide own = heard_[median_place];
  return Wide{heard} * 4 < own ? Side::slow : heard > own * 4 ? Side::fast : Side::good;
}

Alarm RateMonitor::close_window(std::int64_t came_ns) {
  const auto elapsed = static_cast<std::uint64_t>(came_ns - window_from_ns_);
  const Side side = side_of(window_samples_, elapsed);
  const bool again = side != Side::good && side == bad_side_;
  if (!again) evidence_from_ns_ = window_from_ns_;
  bad_side_ = side;
  open_window(came_ns);
  return again ? Alarm{HealthTest::rate, 1} : Alarm{};
}

Alarm RateMonitor::note(std::int64_t asked_ns, std::int64_t came_ns, std::size_t samples) {
  if (nominal_hz_ == 0 && !stream_) return {};
  if (!started_ || asked_ns - returned_ns_ > own_pause_ns) {
    started_ = true;
    bad_side_ = Side::good;
    last_sample_ns_ = asked_ns;
    open_window(asked_ns);
  }
  returned_ns_ = came_ns;
  window_samples_ += samples;
  if (samples > 0) last_sample_ns_ = came_ns;
  const std::int64_t sample_ns = nominal_hz_ == 0 ? 0 : second_ns / nominal_hz_;
  const std::int64_t stall_ns =
      nominal_hz_ == 0 ? stall_ns_unknown : std::max(stall_ns_min, stall_samples * sample_ns);
  if (came_ns - last_sample_ns_ >= stall_ns) {
    evidence_from_ns_ = last_sample_ns_;
    return {HealthTest::stall, 1};
  }
  const std::int64_t window_ns = std::max(window_ns_min, window_samples_min * sample_ns);
  return came_ns - window_from_ns_ >= window_ns ? close_window(came_ns) : Alarm{};
}

}  // namespace talla::entropy

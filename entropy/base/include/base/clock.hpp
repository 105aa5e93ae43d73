/// \file
/// Time as an effect that is passed in, so that a whole appliance can run on simulated time.
#pragma once

#include <cstdint>
#include <string_view>

namespace talla {

/// Nanoseconds of a second.
inline constexpr std::int64_t second_ns = 1'000'000'000;

/// How far the wall clock can be trusted (record field `time_quality`).
enum class TimeQuality : std::uint8_t { synced, holdover, unset };
[[nodiscard]] constexpr std::string_view time_quality_name(TimeQuality quality) {
  return quality == TimeQuality::synced     ? "synced"
         : quality == TimeQuality::holdover ? "holdover"
                                            : "unset";
}

/// A wall clock and a monotonic clock.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;
  /// Wall clock, microseconds since 1970-01-01T00:00:00Z.
  [[nodiscard]] virtual std::int64_t utc_us() = 0;
  /// Never goes back, nanoseconds, arbitrary origin.
  [[nodiscard]] virtual std::int64_t monotonic_ns() = 0;
  [[nodiscard]] virtual TimeQuality quality() = 0;
};

/// The machine's clocks; quality from adjtimex(2): synced while the kernel says so, otherwise
/// unset.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t utc_us() override;
  [[nodiscard]] std::int64_t monotonic_ns() override;
  [[nodiscard]] TimeQuality quality() override;
};

/// A clock that moves only when told; for tests and simulations.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t utc_us_start = 1'767'225'600'000'000) : utc_us_(utc_us_start) {}
  [[nodiscard]] std::int64_t utc_us() override { return utc_us_; }
  [[nodiscard]] std::int64_t monotonic_ns() override { return monotonic_ns_; }
  [[nodiscard]] TimeQuality quality() override { return quality_; }
  /// Both clocks go on by so much.
  void advance_ns(std::int64_t ns) {
    monotonic_ns_ += ns;
    utc_us_ += ns / 1000;
  }
  /// The wall clock alone steps; what it says of its quality.
  void step_utc_us(std::int64_t us) { utc_us_ += us; }
  void set_quality(TimeQuality quality) { quality_ = quality; }

 private:
  std::int64_t utc_us_;
  std::int64_t monotonic_ns_ = 0;
  TimeQuality quality_ = TimeQuality::synced;
};

}  // namespace talla

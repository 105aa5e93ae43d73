// Time of ring 2 as the emulated bus gives it: it moves when the host asks for what is not there
// yet. What a device does within a millisecond takes a millisecond, however long the machine was
// elsewhere.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "base/clock.hpp"

namespace talla::emulator {

/// Read by any thread; moved by the bus under its lock.
class PolledClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t utc_us() override { return 1'767'225'600'000'000 + now_ns_ / 1000; }
  [[nodiscard]] std::int64_t monotonic_ns() override {
    awaited_ = true;
    return now_ns_;
  }
  [[nodiscard]] TimeQuality quality() override { return TimeQuality::synced; }
  [[nodiscard]] std::int64_t device_ns() const { return now_ns_; }

  /// The host asked in vain. While somebody waits by this clock, each step is longer than the one
  /// before, so that a silence of seconds costs few polls. What nobody looks at this clock for is a
  /// single request, which libusb times by the machine's: from its second poll in vain on the
  /// device's time is real too.
  void idle() {
    const Machine::time_point polled = Machine::now();
    if (awaited_.exchange(false)) {
      step_ns_ = std::min(step_ns_ + step_ns_ / 4 + step_ns_min, step_ns_max);
      now_ns_ += step_ns_;
    } else if (std::exchange(alone_, true)) {
      now_ns_ += std::chrono::nanoseconds(polled - polled_).count();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // libusb would ask again at once
    } else {
      now_ns_ += step_ns_min;
    }
    polled_ = polled;
  }
  /// The host got something.
  void busy() {
    step_ns_ = 0;
    alone_ = false;
  }

 private:
  using Machine = std::chrono::steady_clock;
  static constexpr std::int64_t step_ns_min = 50'000;
  static constexpr std::int64_t step_ns_max = 20'000'000;
  std::atomic<std::int64_t> now_ns_{0};
  std::atomic<bool> awaited_{false};
  std::int64_t step_ns_ = 0;
  bool alone_ = false;
  Machine::time_point polled_{};
};

}  // namespace talla::emulator

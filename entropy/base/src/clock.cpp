#include "base/clock.hpp"

#include <sys/timex.h>

#include <chrono>

namespace talla {

std::int64_t SystemClock::utc_us() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t SystemClock::monotonic_ns() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

TimeQuality SystemClock::quality() {
  timex state{};
  const int answer = ::adjtimex(&state);
  return answer >= 0 && answer != TIME_ERROR && (state.status & STA_UNSYNC) == 0
             ? TimeQuality::synced
             : TimeQuality::unset;
}

}  // namespace talla

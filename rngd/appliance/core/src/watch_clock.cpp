// A step of the wall clock beyond its bound latches.
#include "watch_clock.hpp"

#include <cstdlib>

namespace talla::core {

void ClockWatch::on_turn() {
  auto& clock = appliance_.effects.clock;
  const auto offset = clock.utc_us() - clock.monotonic_ns() / 1000;
  const bool jumped =
      offset_us_ != 0 && std::abs(offset - offset_us_) > appliance_.settings.clock_step_us_max;
  if (jumped && !stepped_) {
    stepped_ = true;
    appliance_.effects.supply.latch(entropy::LatchReason::clock_step);
  }
  offset_us_ = offset;
}

std::optional<Error> ClockWatch::objection() const {
  if (!stepped_) return std::nullopt;
  return Error(Errc::clock_stepped, "the wall clock stepped beyond its bound");
}

}  // namespace talla::core

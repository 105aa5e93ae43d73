/// \file
/// A step of the wall clock beyond its bound latches: what is recorded must follow what happened.
#pragma once

#include "duty.hpp"

namespace talla::core {

class ClockWatch : public Duty {
 public:
  explicit ClockWatch(Appliance& appliance) : appliance_(appliance) { on_turn(); }
  void on_turn() override;
  [[nodiscard]] std::optional<Error> objection() const override;

  [[nodiscard]] bool stepped() const { return stepped_; }
  /// Two persons have reset the latch.
  void forget() { stepped_ = false; }

 private:
  Appliance& appliance_;
  std::int64_t offset_us_ = 0;  // of the wall clock to the monotonic one, in the turn before
  std::atomic<bool> stepped_{false};
};

}  // namespace talla::core

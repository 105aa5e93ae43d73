/// \file
/// What ends by the wall clock: batches that are used up or too old, and acts that nobody confirmed
/// in time.
#pragma once

#include "duty.hpp"

namespace talla::core {

class Expiry : public Duty {
 public:
  explicit Expiry(Appliance& appliance) : appliance_(appliance) {}
  void on_turn() override;

 private:
  void close_batches();
  void end_acts();
  Appliance& appliance_;
};

}  // namespace talla::core

/// \file
/// How much the state holds, as gauges.
#pragma once

#include "duty.hpp"

namespace talla::core {

class StateGauges : public Duty {
 public:
  explicit StateGauges(Appliance& appliance) : appliance_(appliance) {}
  void on_pause() override;

 private:
  Appliance& appliance_;
};

}  // namespace talla::core

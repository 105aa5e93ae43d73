/// \file
/// Something that stops new commitments and ends by itself: its begin and its end stand in the log.
#pragma once

#include "appliance.hpp"

namespace talla::core {

class Told {
 public:
  /// `test`: name of its SELFTEST; lives for ever.
  explicit Told(const char* test) : test_(test) {}
  /// A SELFTEST where it stands otherwise than the log says of this boot. What cannot be written
  /// now is tried again with the next call.
  void tell(Appliance& appliance, bool stands);

 private:
  const char* test_;
  bool told_ = false;
};

}  // namespace talla::core

/// \file
/// What the models whose transfers are nothing but bytes share: one byte, one sample.
#pragma once

#include "usb/driver.hpp"

namespace talla::usb {

class ByteDriver : public Driver {
 public:
  [[nodiscard]] Status decode(ByteView transfer, std::int64_t /*arrived_ns*/,
                              SecretBytes& samples) override {
    samples.insert(samples.end(), transfer.begin(), transfer.end());
    return {};
  }
};

}  // namespace talla::usb

// Goal: no bytes of a device can crash the ChaosKey decoder; accepted transfers give one sample per
//       word.
// Method: each input is one transfer, decoded behind samples that must stay as they are.
#include <cstdint>

#include "base/check.hpp"
#include "usb/chaoskey.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace talla;
  SecretBytes samples{1, 2, 3};
  const bool accepted = usb::make_chaoskey()->decode(ByteView(data, size), 0, samples).has_value();
  TALLA_CHECK(samples.size() == 3 + (accepted ? size / 2 : 0));
  TALLA_CHECK(samples[0] == 1 && samples[1] == 2 && samples[2] == 3);
  TALLA_CHECK(!accepted || size % 2 == 0);
  return 0;
}

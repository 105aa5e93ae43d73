// TrueRNG V1 to V3. Facts: the maker's scripts: data flow while DTR is set, what was buffered
// before is to be discarded; one mode, whitened. The id belongs to the chip's maker and is found on
// relays too, so the name decides.
#include "cdc.hpp"
#include "serial_stream.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {

std::unique_ptr<Driver> make_truerng() {
  return make_serial_stream(
      {.model = "truerng",
       .match = {.id = {.vendor_id = 0x04d8, .product_id = 0xf5fe}, .product_prefix = "TrueRNG"},
       .lines = cdc::dtr,
       .origin =
           "none: whitened by a deterministic generator inside, so the stream is never credited",
       .quirks = "one mode, whitened; data flow while DTR is set",
       .rate_hz = 50'000,
       .rate_origin = "its maker: more than 400 kbit/s of V3; more than 350 of V1"});
}

}  // namespace talla::usb

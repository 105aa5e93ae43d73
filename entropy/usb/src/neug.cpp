// NeuG on FST-01. Facts: firmware and its author's page: converter words of an STM32F103 through
// CRC-32, 140 bytes of that through Hash_df by SHA-256 into 32, tested before with 4.2 bits a byte;
// no documented way to the raw words.
#include "cdc.hpp"
#include "serial_stream.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {

std::unique_ptr<Driver> make_neug() {
  return make_serial_stream(
      {.model = "neug",
       .match = {.id = {.vendor_id = 0x234b, .product_id = 0x0001}, .product_prefix = "NeuG"},
       .lines = cdc::dtr | cdc::rts,
       .origin =
           "none: CRC-32 and SHA-256 inside the device hide the converter, so the stream is never "
           "credited",
       .quirks = "CRC-32 and SHA-256 over converter words inside",
       .rate_hz = 80'000,
       .rate_origin = "its author: more than 80 kB/s"});
}

}  // namespace talla::usb

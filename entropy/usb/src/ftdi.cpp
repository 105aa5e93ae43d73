#include "ftdi.hpp"

#include "bulk.hpp"
#include "timeouts.hpp"

namespace talla::usb::ftdi {

Status set(Device& device, Request request, std::uint16_t value, std::uint16_t index) {
  constexpr std::uint8_t vendor_out = 0x40;
  return device.control_out({.request_type = vendor_out,
                             .request = static_cast<std::uint8_t>(request),
                             .value = value,
                             .index = index},
                            {}, control_timeout_ms);
}

Result<Endpoints> endpoints_of(const DeviceInfo& info) {
  const EndpointInfo* in = find_bulk(info, 0, true);
  const EndpointInfo* out = find_bulk(info, 0, false);
  if (in == nullptr || out == nullptr) {
    return fail(UsbErrc::impostor, info.place() + " has no pair of bulk endpoints on interface 0");
  }
  if (in->packet_bytes_max != 64 && in->packet_bytes_max != 512) {
    return fail(UsbErrc::impostor, info.place() + " has packets of " +
                                       std::to_string(in->packet_bytes_max) +
                                       " bytes, an FTDI chip has 64 or 512");
  }
  return Endpoints{.in = in->address, .out = out->address, .packet_bytes = in->packet_bytes_max};
}

}  // namespace talla::usb::ftdi

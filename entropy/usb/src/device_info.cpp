#include "usb/device_info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "usb/errors.hpp"

namespace talla::usb {

const EndpointInfo* DeviceInfo::find_endpoint(std::uint8_t interface_number,
                                              std::uint8_t endpoint) const {
  for (const InterfaceInfo& candidate : interfaces) {
    if (candidate.number != interface_number) continue;
    const auto found = std::ranges::find(candidate.endpoints, endpoint, &EndpointInfo::address);
    if (found != candidate.endpoints.end()) return &*found;
  }
  return nullptr;
}

std::string DeviceInfo::place() const {
  return fmt::format("{:04x}:{:04x} at {}-{}", vendor_id, product_id, bus, address);
}

Result<std::string> decode_string_descriptor(ByteView descriptor) {
  constexpr std::uint8_t string_type = 3;
  if (descriptor.size() < 2)
    return fail(UsbErrc::nonsense, "string descriptor shorter than its header");
  const std::size_t size = descriptor[0];
  if (descriptor[1] != string_type)
    return fail(UsbErrc::nonsense, "string descriptor of another type");
  if (size < 2 || size % 2 != 0 || size > descriptor.size()) {
    return fail(UsbErrc::nonsense, "string descriptor with a wrong length");
  }
  std::string text;
  text.reserve(size / 2);
  for (std::size_t at = 2; at < size; at += 2) {
    const bool printable =
        descriptor[at + 1] == 0 && descriptor[at] >= 0x20 && descriptor[at] <= 0x7e;
    text.push_back(printable ? static_cast<char>(descriptor[at]) : '?');
  }
  return text;
}

}  // namespace talla::usb

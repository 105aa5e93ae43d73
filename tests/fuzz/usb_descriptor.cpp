// Goal: no string descriptor and no layout can crash discovery or put an unprintable character into
//       texts.
// Method: the input is a string descriptor, and the endpoints of a device with that string as its
//         name.
#include <algorithm>
#include <cstdint>

#include "base/check.hpp"
#include "usb/chaoskey.hpp"
#include "usb/device_info.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace talla;
  const auto text = usb::decode_string_descriptor(ByteView(data, size));
  if (!text) return 0;
  TALLA_CHECK(text->size() <= 126);
  TALLA_CHECK(std::ranges::all_of(*text, [](char c) { return c >= 0x20 && c <= 0x7e; }));
  usb::DeviceInfo info;
  info.vendor_id = usb::chaoskey_id.vendor_id;
  info.product_id = usb::chaoskey_id.product_id;
  info.product = *text;
  info.interfaces.push_back({.number = 0, .class_code = 0, .endpoints = {}});
  for (std::size_t at = 2; at + 1 < size; at += 2) {
    info.interfaces[0].endpoints.push_back(
        {.address = data[at],
         .type = static_cast<usb::TransferType>(data[at + 1] & 3U),
         .packet_bytes_max = data[at + 1]});
  }
  const auto driver = usb::builtin_registry().find(info);
  TALLA_CHECK(driver || driver.error().is(usb::UsbErrc::impostor));
  TALLA_CHECK(!driver || info.find_endpoint(0, usb::chaoskey_raw_endpoint) != nullptr);
  return 0;
}

/// \file
/// What a USB device says of itself: ids, strings, interfaces, endpoints. Plain data, all of it
/// untrusted.
///
/// Standard: USB 2.0 chapter 9 (descriptors).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace talla::usb {

/// bmAttributes bits 1..0 of an endpoint descriptor (USB 2.0 table 9-13).
enum class TransferType : std::uint8_t { control = 0, isochronous = 1, bulk = 2, interrupt = 3 };

/// One endpoint descriptor.
struct EndpointInfo {
  std::uint8_t address = 0;  ///< Bit 7 set: IN (device to host).
  TransferType type = TransferType::control;
  std::uint16_t packet_bytes_max = 0;  ///< wMaxPacketSize bits 10..0.

  [[nodiscard]] bool is_in() const { return (address & 0x80U) != 0; }
  bool operator==(const EndpointInfo&) const = default;
};

/// Alternate setting 0 of one interface.
struct InterfaceInfo {
  std::uint8_t number = 0;      ///< bInterfaceNumber.
  std::uint8_t class_code = 0;  ///< bInterfaceClass.
  std::vector<EndpointInfo> endpoints;

  bool operator==(const InterfaceInfo&) const = default;
};

/// One device as it is attached now.
struct DeviceInfo {
  std::uint8_t bus = 0;      ///< As the system counts them.
  std::uint8_t address = 0;  ///< On that bus; a new one after each plugging.
  /// Where it is plugged in, "1-4.2": bus, port, ports of hubs behind it; the same after each
  /// plugging. Empty: not known.
  std::string port;
  std::uint16_t vendor_id = 0;
  std::uint16_t product_id = 0;
  std::uint16_t release_bcd = 0;
  std::string manufacturer;  ///< Strings are printable ASCII; empty when absent or not readable.
  std::string product;
  std::string serial;
  std::vector<InterfaceInfo> interfaces;  ///< Of the active configuration.
  /// Empty when the device could be opened; else why not ("access_denied: ..."), and the strings
  /// are empty.
  std::string access_problem;

  /// That endpoint of that interface, or null.
  [[nodiscard]] const EndpointInfo* find_endpoint(std::uint8_t interface_number,
                                                  std::uint8_t endpoint) const;
  [[nodiscard]] bool accessible() const { return access_problem.empty(); }
  /// "1d50:60c6 at 1-4", for people.
  [[nodiscard]] std::string place() const;
  bool operator==(const DeviceInfo&) const = default;
};

/// Text of a string descriptor (USB 2.0 section 9.6.7: length, type 3, UTF-16LE). Every unit
/// outside printable ASCII becomes '?', so that a device cannot put control characters into logs or
/// JSON. At most 126 characters. Errors: UsbErrc::nonsense when length or type are wrong; nothing
/// beyond the stated length is looked at.
[[nodiscard]] Result<std::string> decode_string_descriptor(ByteView descriptor);

}  // namespace talla::usb

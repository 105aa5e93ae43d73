/// \file
/// Generators that pose as a serial port (CDC-ACM, USB class 2 and 10): both interfaces, the lines,
/// the baud rate.
///
/// Facts: PSTN120 6.3.10 (SET_LINE_CODING 0x20, seven bytes) and 6.3.12 (SET_CONTROL_LINE_STATE
/// 0x22: bit 0 DTR, bit 1 RTS). The kernel's cdc_acm holds both interfaces: both are claimed.
#pragma once

#include "usb/transport.hpp"

namespace talla::usb::cdc {

struct Port {
  std::uint8_t control_interface = 0;
  std::uint8_t data_interface = 0;
  std::uint8_t in = 0;
  std::uint8_t out = 0;  ///< 0: none
  std::uint16_t packet_bytes = 64;
  [[nodiscard]] std::vector<std::uint8_t> interfaces() const {
    return {control_interface, data_interface};
  }
};
/// Errors: impostor.
[[nodiscard]] Result<Port> port_of(const DeviceInfo& info);

enum Lines : std::uint16_t { none = 0, dtr = 1, rts = 2 };
[[nodiscard]] Status set_lines(Device& device, const Port& port, std::uint16_t lines);
/// Reads and wipes what was buffered before the data that is wanted. Errors: as `drain_endpoint`.
[[nodiscard]] Status drop_buffered(Device& device, const Port& port);
/// 8 data bits, no parity, one stop bit.
[[nodiscard]] Status set_baud(Device& device, const Port& port, std::uint32_t baud);

}  // namespace talla::usb::cdc

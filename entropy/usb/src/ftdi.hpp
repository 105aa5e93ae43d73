/// \file
/// What FTDI's bridge chips have in common: vendor requests of channel A, and two status bytes
/// before each packet.
///
/// Facts: requests go to device recipient with wIndex 1; every IN packet, even an empty one, begins
/// with modem status and line status; the latency timer sends a short packet when it fires.
#pragma once

#include "usb/transport.hpp"

namespace talla::usb::ftdi {

enum class Request : std::uint8_t {
  reset = 0x00,  ///< value 0: chip, 1: purge receive, 2: purge transmit
  flow_control = 0x02,
  baud_rate = 0x03,
  modem_status = 0x05,
  event_character = 0x06,
  error_character = 0x07,
  latency_timer = 0x09,  ///< milliseconds, 1 to 255
  bit_mode = 0x0B,       ///< mode in the high byte, pin directions in the low one
};

inline constexpr std::uint16_t channel_a = 1;
inline constexpr std::size_t status_bytes = 2;

[[nodiscard]] Status set(Device& device, Request request, std::uint16_t value,
                         std::uint16_t index = channel_a);

/// Calls `take(data)` for the data of each packet of a transfer. Errors: nonsense (a packet without
/// its status).
template <class Take>
[[nodiscard]] Status for_each_packet(ByteView transfer, std::size_t packet_bytes, Take take) {
  for (std::size_t at = 0; at < transfer.size(); at += packet_bytes) {
    const ByteView packet = transfer.subspan(at, std::min(packet_bytes, transfer.size() - at));
    if (packet.size() < status_bytes)
      return fail(UsbErrc::nonsense, "a packet without its two status bytes");
    take(packet.subspan(status_bytes));
  }
  return {};
}

/// The bulk endpoints of interface 0, which must have one packet size. Errors: impostor.
struct Endpoints {
  std::uint8_t in = 0;
  std::uint8_t out = 0;
  std::uint16_t packet_bytes = 64;
};
[[nodiscard]] Result<Endpoints> endpoints_of(const DeviceInfo& info);

}  // namespace talla::usb::ftdi

/// \file
/// Bulk endpoints: finding them, and emptying one before a dialogue begins.
#pragma once

#include "usb/transport.hpp"

namespace talla::usb {

/// The first bulk endpoint of that interface and direction, or nullptr.
[[nodiscard]] const EndpointInfo* find_bulk(const DeviceInfo& info, std::uint8_t interface_number,
                                            bool in);

/// Reads and wipes what waits on an IN endpoint until nothing comes for `quiet_ms`, at most
/// `bytes_max`.
/// Errors: what the bus says, but for silence, which is what is wanted; nonsense when it never
///         ends.
[[nodiscard]] Status drain_endpoint(Device& device, std::uint8_t endpoint, std::size_t bytes_max,
                                    unsigned quiet_ms);

/// Reads exactly so many bytes, in whole packets of `packet_bytes`, waiting at most `timeout_ms`
/// for each piece.
/// Errors: timed_out, nonsense (more than asked for), and those of the bus.
[[nodiscard]] Result<Bytes> read_exactly(Device& device, std::uint8_t endpoint,
                                         std::size_t size_bytes, std::size_t packet_bytes,
                                         unsigned timeout_ms);

}  // namespace talla::usb

#include "bulk.hpp"

#include <algorithm>

#include "base/secret.hpp"

namespace talla::usb {

const EndpointInfo* find_bulk(const DeviceInfo& info, std::uint8_t interface_number, bool in) {
  for (const InterfaceInfo& candidate : info.interfaces) {
    if (candidate.number != interface_number) continue;
    for (const EndpointInfo& endpoint : candidate.endpoints) {
      if (endpoint.type == TransferType::bulk && endpoint.is_in() == in &&
          endpoint.packet_bytes_max > 0)
        return &endpoint;
    }
  }
  return nullptr;
}

Status drain_endpoint(Device& device, std::uint8_t endpoint, std::size_t bytes_max,
                      unsigned quiet_ms) {
  constexpr std::size_t piece_bytes = 4096;
  std::size_t drained = 0;
  while (drained <= bytes_max) {
    auto piece = device.bulk_in(endpoint, piece_bytes, quiet_ms);
    if (!piece) {
      if (piece.error().is(UsbErrc::timed_out)) return {};
      return tl::unexpected<Error>(piece.error());
    }
    wipe(piece->data(), piece->size());
    drained += std::max<std::size_t>(piece->size(), 1);
  }
  return fail(UsbErrc::nonsense, device.info().place() + " does not stop sending");
}

Result<Bytes> read_exactly(Device& device, std::uint8_t endpoint, std::size_t size_bytes,
                           std::size_t packet_bytes, unsigned timeout_ms) {
  Bytes all;
  while (all.size() < size_bytes) {
    const std::size_t left = size_bytes - all.size();
    const std::size_t asked = (left + packet_bytes - 1) / packet_bytes * packet_bytes;
    TALLA_TRY(const Bytes piece, device.bulk_in(endpoint, asked, timeout_ms));
    if (piece.size() > left || piece.empty()) {
      return fail(UsbErrc::nonsense,
                  device.info().place() + " answered with another number of bytes than asked for");
    }
    all.insert(all.end(), piece.begin(), piece.end());
  }
  return all;
}

}  // namespace talla::usb

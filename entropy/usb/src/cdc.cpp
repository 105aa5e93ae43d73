#include "cdc.hpp"

#include "bulk.hpp"
#include "timeouts.hpp"

namespace talla::usb::cdc {
namespace {

constexpr std::uint8_t class_interface_out = 0x21;
constexpr unsigned quiet_ms = 50;
constexpr std::size_t buffered_bytes_max = 65536;

}  // namespace

Result<Port> port_of(const DeviceInfo& info) {
  constexpr std::uint8_t communications = 0x02;
  constexpr std::uint8_t data = 0x0A;
  Port port;
  bool has_control = false;
  for (const InterfaceInfo& each : info.interfaces) {
    if (each.class_code == communications && !has_control) {
      port.control_interface = each.number;
      has_control = true;
    }
    if (each.class_code != data || port.in != 0) continue;
    const EndpointInfo* in = find_bulk(info, each.number, true);
    if (in == nullptr) continue;
    const EndpointInfo* out = find_bulk(info, each.number, false);
    port.data_interface = each.number;
    port.in = in->address;
    port.out = out != nullptr ? out->address : std::uint8_t{0};
    port.packet_bytes = in->packet_bytes_max;
  }
  if (!has_control || port.in == 0) {
    return fail(UsbErrc::impostor,
                info.place() + " is no serial port: it lacks a control or a data interface");
  }
  return port;
}

Status set_lines(Device& device, const Port& port, std::uint16_t lines) {
  constexpr std::uint8_t set_control_line_state = 0x22;
  return device.control_out({.request_type = class_interface_out,
                             .request = set_control_line_state,
                             .value = lines,
                             .index = port.control_interface},
                            {}, control_timeout_ms);
}

Status drop_buffered(Device& device, const Port& port) {
  return drain_endpoint(device, port.in, buffered_bytes_max, quiet_ms);
}

Status set_baud(Device& device, const Port& port, std::uint32_t baud) {
  constexpr std::uint8_t set_line_coding = 0x20;
  constexpr std::uint8_t data_bits = 8;
  Bytes coding(7);
  for (unsigned k = 0; k < 4; ++k) coding[k] = static_cast<std::uint8_t>(baud >> (8 * k));
  coding[6] = data_bits;
  return device.control_out({.request_type = class_interface_out,
                             .request = set_line_coding,
                             .value = 0,
                             .index = port.control_interface},
                            coding, control_timeout_ms);
}

}  // namespace talla::usb::cdc

/// \file
/// The hub port a generator hangs on: its power, and the bus reset. For laboratories that record
/// restarts; the daemon links it and never calls it.
///
/// Standards: USB 2.0 11.24.2 (hub class requests SET_FEATURE and CLEAR_FEATURE, PORT_POWER),
///            11.23.2.1 (hub descriptor: logical power switching mode), 7.1.7.5 (reset signalling).
/// Threads:   one thread. The device must not be open here while its port is switched or reset.
/// Rights:    requests to a hub need write access to the hub's node, which only root has by
///            default.
#pragma once

#include <memory>

#include "usb/device_info.hpp"
#include "usb/errors.hpp"

namespace talla::usb {

/// Where a device hangs. Stays right while the device is without power; its own address does not.
struct HubPort {
  std::uint8_t bus = 0;          ///< as the system counts them
  std::uint8_t hub_address = 0;  ///< on that bus
  std::uint8_t port = 0;
  bool operator==(const HubPort&) const = default;
};

/// Power and reset of one hub port.
class PortControl {
 public:
  PortControl() = default;
  PortControl(const PortControl&) = delete;
  PortControl& operator=(const PortControl&) = delete;
  virtual ~PortControl() = default;

  /// The port, when its hub says that it switches the power of single ports (many say so and do
  /// not: look whether the device leaves). Errors: unsupported (no hub above it, or one that
  /// switches nothing or all ports together), gone, access_denied.
  [[nodiscard]] virtual Result<HubPort> switchable_port(const DeviceInfo& info) = 0;
  /// Errors: gone (the hub), access_denied, and those of the bus.
  [[nodiscard]] virtual Status set_power(const HubPort& port, bool on) = 0;
  /// Bus reset of the device's port: the device's USB side starts anew, its power stays on.
  /// Errors: gone, access_denied, and those of the bus.
  [[nodiscard]] virtual Status reset(const DeviceInfo& info) = 0;
};

/// Over libusb, with a context of its own. Errors: unavailable.
[[nodiscard]] Result<std::unique_ptr<PortControl>> make_libusb_port_control();

}  // namespace talla::usb

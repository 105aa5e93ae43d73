/// \file
/// The transport over libusb 1.0.26, asynchronous transfers, no thread of its own: events are handled inside
/// the calls.
#pragma once

#include <memory>

#include "usb/transport.hpp"

namespace talla::usb {

/// Errors: UsbErrc::unavailable when libusb cannot start (no USB file system, for instance).
[[nodiscard]] Result<std::unique_ptr<Transport>> make_libusb_transport();

}  // namespace talla::usb

/// \file
/// The transport over libusb 1.0.26, asynchronous transfers, no thread of its own: events are
/// handled inside the calls.
#pragma once

#include <memory>

#include "base/clock.hpp"
#include "usb/transport.hpp"

namespace talla::usb {

/// Errors: UsbErrc::unavailable when libusb cannot start (no USB file system, for instance).
[[nodiscard]] Result<std::unique_ptr<Transport>> make_libusb_transport();
/// The same with another clock for how long a stream's reads, hot plug and the end of transfers are
/// waited for; it outlives transport and devices. Time limits of single requests stay libusb's own,
/// by the machine's clock.
[[nodiscard]] Result<std::unique_ptr<Transport>> make_libusb_transport(Clock& clock);

}  // namespace talla::usb

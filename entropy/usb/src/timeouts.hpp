/// \file
/// How long a device that is well may take for a single transfer. Private to entropy_usb.
#pragma once

namespace talla::usb {

/// A control transfer, either way.
inline constexpr unsigned control_timeout_ms = 1000;
/// A bulk transfer to the device.
inline constexpr unsigned write_timeout_ms = 1000;

}  // namespace talla::usb

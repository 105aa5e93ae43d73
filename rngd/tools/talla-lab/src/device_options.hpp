/// \file
/// What the commands that open a USB generator share: options of the device, and the signals that
/// end them.
#pragma once

#include <cstdint>
#include <string>

#include "commandline/command.hpp"
#include "usb/driver.hpp"

namespace talla::lab {

struct DeviceChoice {
  std::string selector = "auto";
  std::string settings;
  std::uint32_t millibits = 0;
  std::uint32_t rate = 0;
};

/// --device, --settings, --assessed-millibits, --rate.
void add_device_options(commandline::Command& command, DeviceChoice& choice);
/// Errors: bad_option.
[[nodiscard]] Result<usb::DriverOptions> driver_options(const DeviceChoice& choice);

/// While one lives, SIGINT, SIGTERM and SIGHUP only leave a mark; the old handlers come back with
/// its end.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();
  [[nodiscard]] static bool came();
};

}  // namespace talla::lab

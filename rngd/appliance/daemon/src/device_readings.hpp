/// \file
/// What the USB generators' processes tell of their devices, for the status page and /metrics:
/// stalls, silences, dropped blocks, and what the drivers measure (usb/driver.hpp, DeviceFigures).
/// Hearsay: nothing is decided by it.
///
/// Threads: any. Secrecy: counts and figures over many samples.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "source_keeper.hpp"

namespace talla::rngd {

class DevicePages {
 public:
  explicit DevicePages(const std::vector<UsbPlace>& places);
  /// Member `device` of the source at that place of the generator; nothing where it is no device.
  [[nodiscard]] std::optional<json::Object> status(std::size_t source) const;
  /// talla_device_...{source="N"}.
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

 private:
  std::map<std::size_t, std::shared_ptr<const usb::DeviceReadings>>
      devices_;  // constant after construction
};

}  // namespace talla::rngd

#include "device_readings.hpp"

namespace talla::rngd {

DevicePages::DevicePages(const std::vector<UsbPlace>& places) {
  for (const UsbPlace& place : places) {
    if (place.options.readings) devices_[place.index] = place.options.readings;
  }
}

std::optional<json::Object> DevicePages::status(std::size_t source) const {
  const auto found = devices_.find(source);
  if (found == devices_.end()) return std::nullopt;
  const usb::SourceProcessCounters read = found->second->read();
  json::Object device{{"stalls_cleared", read.stalls_cleared},
                      {"silences", read.silences},
                      {"blocks_dropped", read.blocks_dropped}};
  if (read.figures.gain_permille != 0) device["gain_permille"] = read.figures.gain_permille;
  if (read.figures.sample_variance != 0) device["sample_variance"] = read.figures.sample_variance;
  if (read.figures.supply_millivolts != 0)
    device["supply_millivolts"] = read.figures.supply_millivolts;
  if (read.figures.firmware_version != 0)
    device["firmware_version"] = read.figures.firmware_version;
  return device;
}

void DevicePages::add_metrics(std::map<std::string, double>& counters,
                              std::map<std::string, double>& gauges) const {
  for (const auto& [source, readings] : devices_) {
    const std::string label = "{source=\"" + std::to_string(source) + "\"}";
    const usb::SourceProcessCounters read = readings->read();
    counters["talla_device_stalls_cleared_total" + label] =
        static_cast<double>(read.stalls_cleared);
    counters["talla_device_silences_total" + label] = static_cast<double>(read.silences);
    counters["talla_device_blocks_dropped_total" + label] =
        static_cast<double>(read.blocks_dropped);
    const usb::DeviceFigures& figures = read.figures;
    if (figures.gain_permille != 0)
      gauges["talla_device_gain" + label] = static_cast<double>(figures.gain_permille) / 1000;
    if (figures.sample_variance != 0)
      gauges["talla_device_sample_variance" + label] = static_cast<double>(figures.sample_variance);
    if (figures.supply_millivolts != 0)
      gauges["talla_device_supply_volts" + label] =
          static_cast<double>(figures.supply_millivolts) / 1000;
  }
}

}  // namespace talla::rngd

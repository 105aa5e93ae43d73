/// \file
/// Which generators are attached, usable or not, and the choice of one by a selector.
///
/// Selector:
///   "auto"              the first usable device, in the registry's order
///   "<model>"           the first usable of that model
///   "<model>:<serial>"  exactly that one; refused where two say the same
///   "serial:<serial>"   that one of any model
///   "<model>@<port>"    what is plugged in there, "1-4.2"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "entropy/source.hpp"
#include "usb/driver.hpp"
#include "usb/noise_source.hpp"

namespace talla::usb {

struct FoundDevice {
  DeviceInfo info;
  std::string model;  ///< Of the driver; for a device that is not usable, of the table it fits.
  entropy::SourceDescription description;  ///< Meaningful when usable.
  std::string assessment_origin;
  std::string problem;  ///< Empty when usable; else "code: why" (no access, impostor).

  [[nodiscard]] bool usable() const { return problem.empty(); }
};

/// Every attached device with a supported id, in the order `auto` tries them. Errors: unavailable.
[[nodiscard]] Result<std::vector<FoundDevice>> discover(Transport& transport,
                                                        const Registry& registry);
/// The same as one JSON array: model, class, serial, product, bus, address, vendor_id, product_id,
/// usable, problem, assessed_millibits_per_sample, assessment_origin.
[[nodiscard]] json::Value found_devices_json(const std::vector<FoundDevice>& found);

/// Every model of the registry as one JSON array: model, ids ("1d50:60c6"), products (what their
/// names begin with), class, bits_per_sample, assessed_millibits_per_sample, assessment_origin,
/// rate_hz, rate_origin, quirks.
[[nodiscard]] json::Value supported_devices_json(const Registry& registry);
/// Rules for udev: the group `group` may open the registry's devices and no modem program probes
///                 them.
[[nodiscard]] std::string udev_rules(const Registry& registry, std::string_view group);

/// Errors: bad_selector.
[[nodiscard]] Status check_selector(std::string_view selector);
/// Picks from what was found. Errors: bad_selector, no_device (naming what is there and why it does
/// not do).
[[nodiscard]] Result<FoundDevice> select_device(const std::vector<FoundDevice>& found,
                                                std::string_view selector);
/// discover, select, open, create. With the setting product=any a unit that lacks its product
/// string is taken too, where the selector names a serial number or port.
[[nodiscard]] Result<std::unique_ptr<UsbNoiseSource>> open_source(Transport& transport,
                                                                  const Registry& registry,
                                                                  std::string_view selector,
                                                                  const DriverOptions& options,
                                                                  Clock& clock);

}  // namespace talla::usb

#include "usb/discover.hpp"

#include <algorithm>

namespace talla::usb {
namespace {

/// Model of the first table with this id; for devices that could not be looked at.
std::string model_by_id(const Registry& registry, const DeviceInfo& info) {
  const UsbId id{.vendor_id = info.vendor_id, .product_id = info.product_id};
  for (const Registry::Maker maker : registry.makers()) {
    const auto driver = maker();
    const auto table = driver->matches();
    if (std::ranges::find(table, id, &Match::id) != table.end())
      return std::string(driver->model());
  }
  return {};
}

FoundDevice judge(const Registry& registry, DeviceInfo info) {
  FoundDevice found;
  found.model = model_by_id(registry, info);
  if (!info.accessible()) {
    found.problem = info.access_problem;
  } else if (auto driver = registry.find(info)) {
    found.model = (*driver)->model();
    found.description = (*driver)->describe(info, {});
    found.assessment_origin = (*driver)->claim().origin;
  } else {
    found.problem = driver.error().text();
  }
  found.info = std::move(info);
  return found;
}

std::size_t rank(const Registry& registry, const FoundDevice& found) {
  const auto& makers = registry.makers();
  for (std::size_t at = 0; at < makers.size(); ++at) {
    if (makers[at]()->model() == found.model) return at;
  }
  return makers.size();
}

struct Selector {
  std::string model;   ///< Empty: any.
  std::string serial;  ///< Empty: any.
  std::string port;    ///< Empty: any.
  [[nodiscard]] bool fits(const DeviceInfo& info) const {
    return (serial.empty() || info.serial == serial) && (port.empty() || info.port == port);
  }
  [[nodiscard]] bool exact() const { return !serial.empty() || !port.empty(); }
};

constexpr std::string_view selector_forms =
    "a device is auto, MODEL, MODEL:SERIAL, MODEL@PORT or serial:SERIAL";

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
}

bool is_model_name(std::string_view text) {
  return !text.empty() && text.size() <= 32 && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

bool is_serial(std::string_view text) {
  return !text.empty() && text.size() <= 126 &&
         std::ranges::all_of(text, [](char c) { return c >= 0x20 && c <= 0x7e; });
}

Result<Selector> parse_selector(std::string_view text) {
  Selector selector;
  const std::size_t colon = text.find_first_of(":@");
  const std::string_view model = text.substr(0, colon);
  if (!is_model_name(model)) return fail(UsbErrc::bad_selector, std::string(selector_forms));
  if (colon != std::string_view::npos) {
    const std::string_view name = text.substr(colon + 1);
    const bool port = text[colon] == '@';
    if (model == "auto" || (port ? model == "serial" || !is_port(name) : !is_serial(name)))
      return fail(UsbErrc::bad_selector, std::string(selector_forms));
    (port ? selector.port : selector.serial) = name;
  } else if (model == "serial") {
    return fail(UsbErrc::bad_selector, "serial: wants a serial number behind it");
  }
  if (model != "auto" && model != "serial") selector.model = model;
  return selector;
}

}  // namespace

namespace {

/// Makes usable what only lacks its product string, where the selector says which unit is meant.
Status take_nameless(const Registry& registry, std::string_view selector,
                     std::vector<FoundDevice>& found) {
  TALLA_TRY(const Selector wanted, parse_selector(selector));
  if (!wanted.exact()) {
    return fail(
        UsbErrc::bad_option,
        "product=any takes the word of whoever sets it: name the unit, MODEL:SERIAL or MODEL@PORT");
  }
  for (FoundDevice& each : found) {
    if (each.usable() || !each.info.accessible() || !wanted.fits(each.info)) continue;
    const auto driver = registry.find_nameless(each.info);
    if (!driver) continue;
    each.model = (*driver)->model();
    each.description = (*driver)->describe(each.info, {});
    each.assessment_origin = (*driver)->claim().origin;
    each.problem.clear();
  }
  return {};
}

}  // namespace

Result<std::vector<FoundDevice>> discover(Transport& transport, const Registry& registry) {
  TALLA_TRY(std::vector<DeviceInfo> infos, transport.enumerate(registry.ids()));
  std::vector<FoundDevice> found;
  found.reserve(infos.size());
  for (DeviceInfo& info : infos) found.push_back(judge(registry, std::move(info)));
  std::ranges::stable_sort(found, {},
                           [&](const FoundDevice& each) { return rank(registry, each); });
  return found;
}

json::Value found_devices_json(const std::vector<FoundDevice>& found) {
  json::Array list;
  for (const FoundDevice& each : found) {
    json::Value value;
    value["model"] = each.model;
    value["product"] = each.info.product;
    value["serial"] = each.info.serial;
    value["bus"] = each.info.bus;
    value["address"] = each.info.address;
    value["port"] = each.info.port;
    value["vendor_id"] = each.info.vendor_id;
    value["product_id"] = each.info.product_id;
    value["usable"] = each.usable();
    value["problem"] = each.problem;
    value["class"] = each.usable() ? entropy::source_class_name(each.description.source_class) : "";
    value["assessed_millibits_per_sample"] =
        each.usable() ? each.description.assessed_millibits_per_sample : 0;
    value["assessment_origin"] = each.assessment_origin;
    list.push_back(std::move(value));
  }
  return list;
}

Status check_selector(std::string_view selector) {
  TALLA_TRY(const Selector parsed, parse_selector(selector));
  static_cast<void>(parsed);
  return {};
}

Result<FoundDevice> select_device(const std::vector<FoundDevice>& found,
                                  std::string_view selector) {
  TALLA_TRY(const Selector wanted, parse_selector(selector));
  std::string refusals;
  const FoundDevice* chosen = nullptr;
  for (const FoundDevice& each : found) {
    if (!wanted.model.empty() && each.model != wanted.model) continue;
    if (!each.usable()) {  // its serial may not even be readable: always named
      refusals += (refusals.empty() ? "; " : ", ") + each.problem;
      continue;
    }
    if (!wanted.fits(each.info)) continue;
    if (!wanted.exact()) return each;
    if (chosen != nullptr) {
      return fail(UsbErrc::bad_selector, "two devices answer to \"" + std::string(selector) +
                                             "\", at ports " + chosen->info.port + " and " +
                                             each.info.port + ": name one by its port, " +
                                             each.model + "@" + each.info.port);
    }
    chosen = &each;
  }
  if (chosen != nullptr) return *chosen;
  return fail(UsbErrc::no_device, "no usable generator for \"" + std::string(selector) + "\" (" +
                                      std::to_string(found.size()) + " candidates attached" +
                                      refusals + ")");
}

Result<std::unique_ptr<UsbNoiseSource>> open_source(Transport& transport, const Registry& registry,
                                                    std::string_view selector,
                                                    const DriverOptions& options, Clock& clock) {
  TALLA_TRY_STATUS(check_selector(selector));
  const auto product = options.settings.find("product");
  const bool nameless = product != options.settings.end() && product->second == "any";
  TALLA_TRY(std::vector<FoundDevice> found, discover(transport, registry));
  if (nameless) TALLA_TRY_STATUS(take_nameless(registry, selector, found));
  TALLA_TRY(const FoundDevice chosen, select_device(found, selector));
  TALLA_TRY(std::unique_ptr<Device> device, transport.open(chosen.info));
  if (device->info().product != chosen.info.product ||
      device->info().serial != chosen.info.serial) {
    return fail(UsbErrc::impostor,
                chosen.info.place() + " was exchanged between listing and opening");
  }
  auto named = registry.find(device->info());
  if (!named && nameless) named = registry.find_nameless(device->info());
  TALLA_TRY(std::unique_ptr<Driver> driver, std::move(named));
  return UsbNoiseSource::create({.driver = std::move(driver),
                                 .device = std::move(device),
                                 .clock = &clock,
                                 .options = options});
}

}  // namespace talla::usb

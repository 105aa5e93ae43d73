// The devices that have a driver, as JSON and as udev rules.
#include <fmt/format.h>

#include "usb/discover.hpp"

namespace talla::usb {

json::Value supported_devices_json(const Registry& registry) {
  json::Array list;
  for (const Registry::Maker maker : registry.makers()) {
    const auto driver = maker();
    const StreamClaim claim = driver->claim();
    json::Array ids;
    json::Array products;
    for (const Match& match : driver->matches()) {
      ids.emplace_back(fmt::format("{:04x}:{:04x}", match.id.vendor_id, match.id.product_id));
      products.emplace_back(std::string(match.product_prefix));
    }
    json::Value value;
    value["model"] = driver->model();
    value["ids"] = std::move(ids);
    value["products"] = std::move(products);
    value["class"] = entropy::source_class_name(claim.source_class);
    value["bits_per_sample"] = claim.bits_per_sample;
    value["assessed_millibits_per_sample"] =
        claim.source_class == entropy::SourceClass::raw_physical ? claim.millibits_per_sample : 0U;
    value["assessment_origin"] = claim.origin;
    value["rate_hz"] = claim.rate_hz;
    value["rate_origin"] = claim.rate_origin;
    value["quirks"] = driver->quirks();
    list.push_back(std::move(value));
  }
  return list;
}

std::string udev_rules(const Registry& registry, std::string_view group) {
  std::string rules =
      "# USB noise generators: readable by rngd-source alone, left alone by modem programs.\n"
      "ACTION==\"remove\", GOTO=\"talla_end\"\n"
      "SUBSYSTEM!=\"usb\", GOTO=\"talla_end\"\n";
  for (const Registry::Maker maker : registry.makers()) {
    const auto driver = maker();
    for (const Match& match : driver->matches()) {
      rules += fmt::format(
          "ENV{{DEVTYPE}}==\"usb_device\", ATTR{{idVendor}}==\"{:04x}\", "
          "ATTR{{idProduct}}==\"{:04x}\", "
          "ATTR{{product}}==\"{}*\", GROUP=\"{}\", MODE=\"0660\", "
          "ENV{{ID_MM_DEVICE_IGNORE}}=\"1\"\n",
          match.id.vendor_id, match.id.product_id, match.product_prefix, group);
    }
  }
  return rules + "LABEL=\"talla_end\"\n";
}

}  // namespace talla::usb

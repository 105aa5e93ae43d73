// The list of drivers, and which of them fits a device.
#include <algorithm>

#include "usb/chaoskey.hpp"
#include "usb/driver.hpp"
#include "usb/drivers.hpp"

namespace talla::usb {

std::vector<UsbId> Registry::ids() const {
  std::vector<UsbId> all;
  for (const Maker maker : makers_) {
    const auto driver = maker();
    for (const Match& match : driver->matches()) {
      if (std::ranges::find(all, match.id) == all.end()) all.push_back(match.id);
    }
  }
  return all;
}

Result<std::unique_ptr<Driver>> Registry::find(const DeviceInfo& info) const {
  const UsbId id{.vendor_id = info.vendor_id, .product_id = info.product_id};
  std::string refusal;
  for (const Maker maker : makers_) {
    auto driver = maker();
    for (const Match& match : driver->matches()) {
      if (match.id != id) continue;
      if (!info.product.starts_with(match.product_prefix)) {
        refusal = info.place() + " calls itself \"" + info.product + "\", a " +
                  std::string(driver->model()) + " begins with \"" +
                  std::string(match.product_prefix) + "\"";
        if (driver->may_lack_product())
          refusal +=
              "; a unit without that name is taken by serial number or port with product=any";
        continue;
      }
      auto layout = driver->check_layout(info);
      if (layout) return driver;
      refusal = layout.error().detail;
    }
  }
  if (refusal.empty()) return fail(UsbErrc::no_device, info.place() + " is no supported generator");
  return fail(UsbErrc::impostor, refusal);
}

Result<std::unique_ptr<Driver>> Registry::find_nameless(const DeviceInfo& info) const {
  const UsbId id{.vendor_id = info.vendor_id, .product_id = info.product_id};
  for (const Maker maker : makers_) {
    auto driver = maker();
    const auto table = driver->matches();
    if (!driver->may_lack_product() || std::ranges::find(table, id, &Match::id) == table.end())
      continue;
    TALLA_TRY_STATUS(driver->check_layout(info));
    return driver;
  }
  return fail(UsbErrc::bad_option, info.place() + ": product=any is for infnoise alone");
}

const Registry& builtin_registry() {
  static const Registry registry = [] {
    Registry built;
    for (const Registry::Maker maker :
         {&make_chaoskey, &make_bitbabbler, &make_infnoise, &make_onerng, &make_truerng_pro,
          &make_swiftrng, &make_swiftrng_cdc, &make_quantis, &make_alea, &make_neug,
          &make_truerng}) {
      built.add(maker);
    }
    return built;
  }();
  return registry;
}

}  // namespace talla::usb

#include "claim_check.hpp"

#include "usb/discover.hpp"
#include "usb/errors.hpp"

namespace talla::usb {
namespace {

tl::unexpected<Error> refused(const std::string& what) {
  return fail(UsbErrc::claim_refused, "the source process claims " + what);
}

Status check_identity(const std::string& selector, const entropy::SourceDescription& claimed) {
  if (selector == "auto") return {};
  const std::size_t colon = selector.find_first_of(":@");
  const std::string model = selector.substr(0, colon);
  if (model != "serial" && claimed.model != model)
    return refused("to be " + claimed.model + ", not " + model);
  if (colon != std::string::npos && selector[colon] == ':' &&
      claimed.serial != selector.substr(colon + 1)) {
    return refused("another serial number than " + selector.substr(colon + 1));
  }
  return {};
}

}  // namespace

Status check_claim(const std::string& selector, const DriverOptions& options,
                   const Registry& registry, HelloFrame& hello) {
  const entropy::SourceDescription& claimed = hello.description;
  TALLA_TRY_STATUS(check_selector(selector));
  TALLA_TRY_STATUS(check_identity(selector, claimed));
  bool known = false;
  for (const Registry::Maker maker : registry.makers()) {
    if (maker()->model() != claimed.model) continue;
    known = true;
    for (const Match& match : maker()->matches()) {
      const auto driver = maker();
      DeviceInfo info;
      info.vendor_id = match.id.vendor_id;
      info.product_id = match.id.product_id;
      info.product = match.product_prefix;
      info.serial = claimed.serial;
      if (!driver->configure(info, options.settings)) continue;  // not for this product
      const entropy::SourceDescription own = driver->describe(info, options);
      const bool same =
          own.source_class == claimed.source_class &&
          own.bits_per_sample == claimed.bits_per_sample &&
          own.assessed_millibits_per_sample == claimed.assessed_millibits_per_sample &&
          own.nominal_rate_hz == claimed.nominal_rate_hz;
      if (!same) continue;
      hello.assessment_origin = options.assessed_millibits_per_sample != 0
                                    ? "configured at this site"
                                    : std::string(driver->claim().origin);
      return {};
    }
  }
  if (!known) return refused("to be a " + claimed.model + ", which no driver knows");
  return refused("a class, width, entropy or rate that " + claimed.model + " does not have");
}

}  // namespace talla::usb

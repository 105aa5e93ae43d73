#include "sources.hpp"

#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "log.hpp"
#include "source_user.hpp"
#include "usb/drivers.hpp"
#include "usb/source_process.hpp"

namespace talla::rngd {

namespace {

entropy::Assessment assessment_of(const Config::Source::Device& device) {
  using entropy::AssessmentOrigin;
  if (device.assessed_millibits == 0) return {};
  if (device.assessment.empty()) return {.origin = AssessmentOrigin::stated, .digest = {}};
  const bool type = device.assessment_kind == "type";
  return {.origin = type ? AssessmentOrigin::type : AssessmentOrigin::unit,
          .digest = device.assessment};
}

/// Whether the model gives a raw stream with these settings; of a model that nobody knows the start
/// will say so.
bool gives_raw(const Config::Source::Device& device) {
  const auto settings = usb::parse_settings(device.settings);
  for (const usb::Registry::Maker maker : usb::builtin_registry().makers()) {
    if (maker()->model() != device.model || !settings) continue;
    for (const usb::Match& match : maker()->matches()) {
      const auto driver = maker();
      usb::DeviceInfo info;
      info.product = match.product_prefix;
      if (!driver->configure(info, *settings)) continue;  // not for this product
      if (driver->claim().source_class == entropy::SourceClass::raw_physical) return true;
    }
  }
  return false;
}

/// What a configuration must name of a unit besides its figure and document.
struct Bound {
  std::string_view setting;  ///< An assessment says nothing without it; empty: none.
  bool units_alike = false;  ///< Which unit is meant only its port says, else its serial number.
};

Bound bound_of(const Config::Source::Device& device) {
  for (const usb::Registry::Maker maker : usb::builtin_registry().makers()) {
    if (const auto driver = maker(); driver->model() == device.model)
      return {.setting = driver->assessed_with(), .units_alike = driver->units_alike()};
  }
  return {};
}

/// Whether the site's settings give this one a value; a text that is no settings is refused
/// elsewhere.
bool says(const Config::Source::Device& device, std::string_view setting) {
  const auto settings = usb::parse_settings(device.settings);
  if (!settings) return true;
  const auto found = settings->find(setting);
  return found != settings->end() && found->second != "none";
}

/// How every rngd-source of this daemon is started.
struct Starting {
  std::string program;
  std::string user;
  std::string socket;
};

Status add_usb(const Config::Source::Device& device, const Starting& starting,
               ChosenSources& chosen) {
  usb::SourceProcessOptions options;
  options.program = starting.program;
  options.user = starting.user;
  options.socket = starting.socket;
  if (!device.model.empty())
    options.device = !device.port.empty()    ? device.model + "@" + device.port
                     : device.serial.empty() ? device.model
                                             : device.model + ":" + device.serial;
  options.assessed_millibits_per_sample = device.assessed_millibits;
  options.nominal_rate_hz = device.rate;
  options.settings = device.settings;
  options.readings = std::make_shared<usb::DeviceReadings>();
  TALLA_TRY(auto source, usb::SourceProcess::start(options));
  const entropy::SourceDescription& found = source->description();
  if (!chosen.description.empty()) chosen.description += ", ";
  chosen.description += found.serial.empty() ? found.model : found.model + " " + found.serial;
  const entropy::Assessment assessment = assessment_of(device);
  if (found.source_class == entropy::SourceClass::raw_physical) {
    chosen.certified = (chosen.certified || !chosen.raw) && assessment.documented();
    chosen.raw = true;
    log(assessment.documented() ? Level::info : Level::warning, "assessment",
        {{"device", options.device},
         {"millibits", std::to_string(found.assessed_millibits_per_sample)},
         {"origin", std::string(entropy::assessment_origin_name(assessment.origin))},
         {"document", assessment.digest.empty() ? "none" : assessment.digest}});
  }
  if (device.independent)
    log(Level::notice, "independence",
        {{"device", options.device},
         {"document", device.independence},
         {"meaning", "its assessed entropy is added to that of the others so named"}});
  // From now on it is this device: model and serial number, or the port that was named.
  if (device.port.empty())
    options.device = found.serial.empty() ? found.model : found.model + ":" + found.serial;
  chosen.usb.push_back({.index = chosen.slots.size(), .options = std::move(options)});
  chosen.slots.push_back({.source = std::move(source),
                          .independent = device.independent,
                          .required = device.required,
                          .assessment = assessment});
  return {};
}

/// Every device of the list must be there, whether it is required later or not: a start is the time
/// to notice.
Result<ChosenSources> from_usb(const Config::Source& config, const std::string& program) {
  ChosenSources chosen;
  Starting starting{.program = program, .user = {}, .socket = config.socket};
  if (config.socket.empty()) {
    TALLA_TRY(starting.user, source_user(config.user));
  } else {
    log(Level::info, "source_socket",
        {{"socket", config.socket}, {"meaning", "rngd-source runs as the user of its own unit"}});
  }
  for (const Config::Source::Device& device : config.devices) {
    TALLA_TRY_STATUS(add_usb(device, starting, chosen));
  }
  if (config.devices.empty()) {
    const Config::Source::Device any;
    TALLA_TRY_STATUS(add_usb(any, starting, chosen));
  }
  return chosen;
}

ChosenSources from_system(entropy::OsRandom& os) {
  ChosenSources chosen;
  chosen.description = "system";
  chosen.slots.push_back({.source = std::make_unique<entropy::SystemSource>(os),
                          .independent = false,
                          .required = true});
  return chosen;
}

}  // namespace

Status check_assessments(const Config& config) {
  if (config.profile != Profile::production || config.source.kind != "usb") return {};
  for (const Config::Source::Device& device : config.source.devices) {
    if (!gives_raw(device)) continue;
    // In a port anything of the model may stand: an assessment is of one unit.
    const Bound bound = bound_of(device);
    const bool named = !(bound.units_alike ? device.port : device.serial).empty();
    std::string missing = named ? "" : bound.units_alike ? ", port" : ", serial";
    if (device.assessed_millibits == 0) missing += ", assessed_millibits";
    if (device.assessment.empty()) missing += ", assessment";
    if (!bound.setting.empty() && !says(device, bound.setting))
      missing += ", " + std::string(bound.setting) + "= in settings";
    if (missing.empty()) continue;
    return fail(
        ConfigErrc::bad_configuration,
        "source: " + device.model + (device.serial.empty() ? "" : " " + device.serial) +
            ": production credits a unit by what was found on it; missing: " + missing.substr(2) +
            " (talla-lab assess makes the report, sha256sum its digest)");
  }
  return {};
}

Result<ChosenSources> choose_sources(const Config::Source& config, const std::string& program,
                                     entropy::OsRandom& os, entropy::RdSeed& rdseed) {
  ChosenSources chosen;
  if (config.kind == "system") {
    chosen = from_system(os);
  } else {
    auto usb = from_usb(config, program);
    if (!usb && config.kind == "usb") return pass(std::move(usb));
    if (!usb) log(Level::warning, "no_usb_generator", {{"reason", usb.error().text()}});
    chosen = usb ? std::move(*usb) : from_system(os);
    if (usb && !chosen.raw &&
        config.kind == "auto") {  // the device's own processing stands between it and us
      chosen.description += ", system";
      chosen.slots.push_back({.source = std::make_unique<entropy::SystemSource>(os),
                              .independent = false,
                              .required = true});
    }
  }
  if (rdseed.available()) {
    TALLA_TRY(auto processor, entropy::RdSeedSource::create(rdseed));
    chosen.slots.push_back(
        {.source = std::move(processor), .independent = false, .required = false});
  }
  return chosen;
}

}  // namespace talla::rngd

#include "sources.hpp"

#include "base/bytes.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "entropy/assessment_document.hpp"
#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "log.hpp"
#include "source_user.hpp"
#include "usb/drivers.hpp"
#include "usb/source_process.hpp"

namespace talla::rngd {

namespace {

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

/// A figure's origin, and of the samples that it is about the width; 0: no document says.
struct Figure {
  entropy::Assessment assessment{};
  unsigned bits_per_sample = 0;
};

/// What a report says must be what the configuration says of the device.
Result<unsigned> check_report(const Config::Source::Device& device, std::string_view text) {
  TALLA_TRY(const auto document, entropy::read_assessment_document(text));
  TALLA_TRY(usb::Settings settings, usb::parse_settings(device.settings));
  const entropy::AssessedUnit unit{.model = device.model,
                                   .serial = device.serial,
                                   .settings = std::move(settings),
                                   .millibits = device.assessed_millibits};
  TALLA_TRY_STATUS(entropy::check_document(document, unit));
  return document.bits_per_sample;
}

/// Where the figure of a device comes from. A document is read here, each time: that its bytes are
/// those of the digest, and of a report on this unit all that it says of the unit. A type
/// certification is for people; of it the appliance knows the digest.
Result<Figure> figure_of(const Config::Source::Device& device) {
  using entropy::AssessmentOrigin;
  Figure figure;
  if (device.assessed_millibits == 0) return figure;
  figure.assessment.origin = AssessmentOrigin::stated;
  if (device.assessment.empty()) return figure;
  const auto refused = [&device](const std::string& reason) {
    return fail(ConfigErrc::bad_configuration,
                "source: " + device.model + (device.serial.empty() ? "" : " " + device.serial) +
                    ": assessment_file " + device.assessment_file + ": " + reason);
  };
  const auto text = certs::read_file(device.assessment_file);
  if (!text) return refused(text.error().detail);
  const std::string found = to_hex(certs::OpensslHashes().sha256({as_bytes(*text)}));
  if (found != device.assessment) {
    return refused("its SHA-256 is " + found + ", and assessment says " + device.assessment +
                   ": this is another document, or it was changed");
  }
  figure.assessment.digest = device.assessment;
  figure.assessment.origin = AssessmentOrigin::type;
  if (device.assessment_kind == "type") return figure;
  const auto bits = check_report(device, *text);
  if (!bits) return refused(bits.error().detail);
  figure.assessment.origin = AssessmentOrigin::unit;
  figure.bits_per_sample = *bits;
  return figure;
}

/// What was held against the configuration and the device, for the log.
std::string_view checked_of(const Figure& figure) {
  switch (figure.assessment.origin) {
    case entropy::AssessmentOrigin::unit:
      return "digest, model, serial number, class, settings, samples, figure, sample width";
    case entropy::AssessmentOrigin::type:
      return "digest";
    default:
      return "nothing";
  }
}

/// Production credits a unit by what was found on it, so all of that must be named.
Status nothing_missing(const Config::Source::Device& device, Profile profile) {
  if (profile != Profile::production || !gives_raw(device)) return {};
  // In a port anything of the model may stand: an assessment is of one unit.
  const Bound bound = bound_of(device);
  const bool named = !(bound.units_alike ? device.port : device.serial).empty();
  std::string missing = named ? "" : bound.units_alike ? ", port" : ", serial";
  if (device.assessed_millibits == 0) missing += ", assessed_millibits";
  if (device.assessment.empty()) missing += ", assessment, assessment_file";
  if (!bound.setting.empty() && !says(device, bound.setting))
    missing += ", " + std::string(bound.setting) + "= in settings";
  if (missing.empty()) return {};
  return fail(
      ConfigErrc::bad_configuration,
      "source: " + device.model + (device.serial.empty() ? "" : " " + device.serial) +
          ": production credits a unit by what was found on it; missing: " + missing.substr(2) +
          " (talla-lab assess --document writes the document and says all of these)");
}

/// How every rngd-source of this daemon is started.
struct Starting {
  std::string program;
  std::string user;
  std::string socket;
};

Status add_usb(const Config::Source::Device& device, const Starting& starting,
               ChosenSources& chosen) {
  TALLA_TRY(const Figure figure, figure_of(device));
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
  const entropy::Assessment& assessment = figure.assessment;
  if (figure.bits_per_sample != 0 && figure.bits_per_sample != found.bits_per_sample) {
    return fail(ConfigErrc::bad_configuration,
                "source: " + device.model + ": " + device.assessment_file +
                    " is about samples of " + std::to_string(figure.bits_per_sample) +
                    " bits, the device gives " + std::to_string(found.bits_per_sample) +
                    "-bit ones");
  }
  if (found.source_class == entropy::SourceClass::raw_physical) {
    chosen.certified = (chosen.certified || !chosen.raw) && assessment.documented();
    chosen.raw = true;
    log(assessment.documented() ? Level::info : Level::warning, "assessment",
        {{"device", options.device},
         {"millibits", std::to_string(found.assessed_millibits_per_sample)},
         {"origin", std::string(entropy::assessment_origin_name(assessment.origin))},
         {"document", assessment.digest.empty() ? "none" : assessment.digest},
         {"checked", std::string(checked_of(figure))}});
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
  if (config.source.kind != "usb") return {};
  for (const Config::Source::Device& device : config.source.devices) {
    TALLA_TRY_STATUS(nothing_missing(device, config.profile));
    TALLA_TRY_STATUS(figure_of(device));
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

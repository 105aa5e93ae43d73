#include "sources.hpp"

#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "log.hpp"
#include "source_user.hpp"
#include "usb/source_process.hpp"

namespace talla::rngd {

namespace {

Status add_usb(const Config::Source::Device& device, const std::string& program, const std::string& user,
               ChosenSources& chosen) {
  usb::SourceProcessOptions options;
  options.program = program;
  if (!device.model.empty())
    options.device = device.serial.empty() ? device.model : device.model + ":" + device.serial;
  options.assessed_millibits_per_sample = device.assessed_millibits;
  options.nominal_rate_hz = device.rate;
  options.settings = device.settings;
  options.user = user;
  options.readings = std::make_shared<usb::DeviceReadings>();
  TALLA_TRY(auto source, usb::SourceProcess::start(options));
  const entropy::SourceDescription& found = source->description();
  if (!chosen.description.empty()) chosen.description += ", ";
  chosen.description += found.serial.empty() ? found.model : found.model + " " + found.serial;
  chosen.certified = chosen.certified || found.source_class == entropy::SourceClass::raw_physical;
  // From now on it is this device: model and serial number.
  options.device = found.serial.empty() ? found.model : found.model + ":" + found.serial;
  chosen.usb.push_back({.index = chosen.slots.size(), .options = std::move(options)});
  chosen.slots.push_back(
      {.source = std::move(source), .independent = device.independent, .required = device.required});
  return {};
}

/// Every device of the list must be there, whether it is required later or not: a start is the time to notice.
Result<ChosenSources> from_usb(const Config::Source& config, const std::string& program) {
  ChosenSources chosen;
  TALLA_TRY(const std::string user, source_user(config.user));
  for (const Config::Source::Device& device : config.devices) {
    TALLA_TRY_STATUS(add_usb(device, program, user, chosen));
  }
  if (config.devices.empty()) {
    Config::Source::Device any;
    any.independent = true;
    TALLA_TRY_STATUS(add_usb(any, program, user, chosen));
  }
  return chosen;
}

ChosenSources from_system(entropy::OsRandom& os) {
  ChosenSources chosen;
  chosen.description = "system";
  chosen.slots.push_back(
      {.source = std::make_unique<entropy::SystemSource>(os), .independent = false, .required = true});
  return chosen;
}

}  // namespace

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
    if (usb && !chosen.certified &&
        config.kind == "auto") {  // the device's own processing stands between it and us
      chosen.description += ", system";
      chosen.slots.push_back(
          {.source = std::make_unique<entropy::SystemSource>(os), .independent = false, .required = true});
    }
  }
  if (rdseed.available()) {
    TALLA_TRY(auto processor, entropy::RdSeedSource::create(rdseed));
    chosen.slots.push_back({.source = std::move(processor), .independent = false, .required = false});
  }
  return chosen;
}

}  // namespace talla::rngd

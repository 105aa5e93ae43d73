#include "sources.hpp"

#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "log.hpp"
#include "usb/source_process.hpp"

namespace talla::rngd {

namespace {

Result<ChosenSources> from_usb(const Config::Source& config, const std::string& program) {
  usb::SourceProcessOptions options;
  options.program = program;
  if (!config.model.empty())
    options.device = config.serial.empty() ? config.model : config.model + ":" + config.serial;
  options.assessed_millibits_per_sample = config.assessed_millibits;
  TALLA_TRY(auto source, usb::SourceProcess::start(options));
  const entropy::SourceDescription& found = source->description();
  ChosenSources chosen;
  chosen.description = found.serial.empty() ? found.model : found.model + " " + found.serial;
  chosen.certified = found.source_class == entropy::SourceClass::raw_physical;
  chosen.slots.push_back({.source = std::move(source), .independent = true, .required = true});
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
  }
  if (rdseed.available()) {
    TALLA_TRY(auto processor, entropy::RdSeedSource::create(rdseed));
    chosen.slots.push_back({.source = std::move(processor), .independent = false, .required = false});
  }
  return chosen;
}

}  // namespace talla::rngd

/// \file
/// Decides once, at start, which noise sources feed the generator. While the daemon runs only the
/// same devices come back.
///
/// `auto`    (development): the first usable USB generator; with none the operating system's,
///           uncertified.
/// `usb`     the named devices; one absent means the daemon does not start. Each has an rngd-source
///           of its own.
/// `system`  the operating system's generator, uncertified.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"
#include "entropy/effects.hpp"
#include "entropy/generator_types.hpp"
#include "source_keeper.hpp"

namespace talla::rngd {

struct ChosenSources {
  std::vector<entropy::SourceSlot> slots;
  std::string description;  ///< Models and serials of the main sources, for the log.
  bool raw = false;         ///< A raw physical source is among them.
  /// And behind the figure of each such source stands a document: what the records call certified.
  bool certified = false;
  std::vector<UsbPlace> usb;  ///< Those that can be pulled out and come back.
};

/// Production credits a device by what was found on that very unit: serial, figure and document of
/// each raw one. A document that is named is read in development too: it must have the digest that
/// stands beside it and, as a report on the unit, be about that unit, with that figure or more.
/// Errors: ConfigErrc::bad_configuration, naming the device and what is missing or does not agree.
[[nodiscard]] Status check_assessments(const Config& config);

/// `program` is the path of rngd-source. Errors: those of usb::SourceProcess; the caller must be on
/// a thread that lives as long as the sources. `os` and `rdseed` must outlive them.
[[nodiscard]] Result<ChosenSources> choose_sources(const Config::Source& config,
                                                   const std::string& program,
                                                   entropy::OsRandom& os, entropy::RdSeed& rdseed);

}  // namespace talla::rngd

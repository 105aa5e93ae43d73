/// \file
/// Which software an appliance must be: the watch over it, as the configuration names the manifest.
#pragma once

#include <memory>
#include <string>

#include "config/config.hpp"
#include "software_watch.hpp"

namespace talla::rngd {

/// rngd-source: lies beside this program.
[[nodiscard]] std::string source_program();

/// The watch, with its check of the start done; without a manifest it only says so. This program,
/// rngd-source and the rules that are built in must be listed. Errors: those of
/// SoftwareWatch::create; RuntimeErrc::production_refused without a manifest in production.
[[nodiscard]] Result<std::unique_ptr<SoftwareWatch>> open_software(const Config& config,
                                                                   const HashSuite& hashes,
                                                                   Clock& clock);

}  // namespace talla::rngd

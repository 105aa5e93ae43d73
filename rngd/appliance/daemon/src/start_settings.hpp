/// \file
/// What a start makes of its configuration, and what production refuses.
///
/// Errors:  RuntimeErrc, and those of the files and keys that are read.
/// Threads: any.
#pragma once

#include <string>
#include <vector>

#include "base/hash.hpp"
#include "certs/keys.hpp"
#include "config/config.hpp"
#include "config/enrolment.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "monitor/monitors.hpp"
#include "sources.hpp"

namespace talla::rngd {

/// SHA-256 of the program that runs.
[[nodiscard]] Result<Digest> program_digest(const HashSuite& hashes);
/// Production takes no development key or certificate, and no sealing key from a file (PROTOCOL.md
/// sections 7 and 8).
[[nodiscard]] Status refuse_development(const Config& config, const certs::LogKey& log_key,
                                        const std::string& sealing);
/// Nothing of an uncertified source may become a draw in production.
[[nodiscard]] Status refuse_uncertified(const Config& config, const ChosenSources& chosen);
/// The key of `keys.next_log_key`, with its statement.
[[nodiscard]] Result<core::NextLogKey> open_next(const Config& config);
/// Limits, intervals and enrolled clients of the core.
[[nodiscard]] core::Settings settings_of(const Config& config,
                                         const std::vector<EnrolledClient>& clients);
[[nodiscard]] MonitorOptions monitor_options(const Config& config);

}  // namespace talla::rngd

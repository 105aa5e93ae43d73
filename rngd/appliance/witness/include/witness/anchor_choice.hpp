/// \file
/// The rollback anchor, the witnesses and the keys that a configuration names, not used yet.
///
/// Errors: malformed_key, bad_url, uri_malformed. Threads: any.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "certs/key_history.hpp"
#include "certs/key_sources.hpp"
#include "config/config.hpp"
#include "witness/witness_keeper.hpp"

namespace talla::rngd {

/// Where log key and sealing key are, for certs::open_keys.
[[nodiscard]] certs::KeySources key_sources(const Config& config);
/// Log key and next log key as configured, for certs::choose_log_key.
[[nodiscard]] std::vector<certs::LogKeySource> log_key_sources(const Config& config);
/// Null when no witness is configured.
[[nodiscard]] Result<std::unique_ptr<WitnessKeeper>> make_witnesses(
    const Config& config,
    std::function<void(const std::string& event, const std::string& detail)> say);
/// TPM or HSM; null for the other kinds.
[[nodiscard]] Result<std::unique_ptr<certs::OuterAnchor>> make_device_anchor(const Config& config);

}  // namespace talla::rngd

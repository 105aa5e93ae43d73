/// \file
/// What lies sealed in the ledger, opened again for whom a rule lets have it.
///
/// Threads: the sequencer's. Secrecy: what comes out is secret until a rule opens it.
#pragma once

#include "appliance.hpp"
#include "format/openings.hpp"

namespace talla::core {

/// The sealed bytes of the record of that seq; it is durable. Errors: secret_unusable.
[[nodiscard]] Result<SecretBytes> unsealed(const Appliance& appliance, const std::string& object,
                                           std::uint64_t seq);
/// What an auditor may read of a covered shoe. Errors: not_found, wrong_state (not closed, not
/// covered), secret_unusable.
[[nodiscard]] Result<certs::Openings> openings_of(const Appliance& appliance,
                                                  const std::string& shoe);

}  // namespace talla::core

/// \file
/// The sentences of the codes from 900 on, each of one rule of FORMAT.md section 9. Private to
/// certs_verify; `evidence_refusals` has them behind the others.
#pragma once

#include <span>

#include "verify/refusals.hpp"

namespace talla::certs {

/// Ascending by number, all above those of refusals.cpp. Threads: pure function.
[[nodiscard]] std::span<const EvidenceRefusal> rule_refusals();

}  // namespace talla::certs

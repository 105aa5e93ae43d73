/// \file
/// What the calls of a table are counted by (FORMAT.md section 8).
#pragma once

#include <string>

#include "format/call.hpp"

namespace talla::certs {

/// The round that a core is for; outside rounds its shoe or batch.
[[nodiscard]] inline const std::string& call_subject(const CallCore& core) {
  return core.round == "0" ? core.object : core.round;
}

}  // namespace talla::certs

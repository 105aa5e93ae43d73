/// \file
/// Refusal of what would add to a log that the root has ended.
#pragma once

#include "core/errc.hpp"
#include "core/settings.hpp"

namespace talla::core {

[[nodiscard]] inline Error ended_error(const LogEnded& ended) {
  return {Errc::log_ended, "the root ended this log with " + std::to_string(ended.size) +
                               " records (" + ended.reason + "): nothing is added to it any more"};
}

}  // namespace talla::core

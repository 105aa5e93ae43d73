/// \file
/// What can go wrong in laboratory work with a device. Numbers 860 to 867 of the appliance's range.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::lab {

enum class LabErrc : std::uint16_t {
  wrong_stream = 860,     ///< The device's stream is not of the kind asked for (raw, conditioned).
  not_consecutive = 861,  ///< The stream had gaps again and again.
  interrupted = 862,      ///< By a signal; nothing was written.
  ambiguous = 863,        ///< Several attached devices could be the one that comes back.
  no_restart = 864,  ///< The device cannot be restarted in the way asked for, or did not come back.
  file_exists = 865,  ///< A file of evidence is never overwritten.
  file_io = 866,
  bad_wish = 867,  ///< Counts or values outside their ranges.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(LabErrc errc);

}  // namespace talla::lab

/// \file
/// Errors of software manifests, 880 to 884.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::software {

enum class Errc : std::uint16_t {
  malformed_manifest = 880,  ///< Not a manifest of this format, or not its canonical bytes.
  unsigned_manifest = 881,   ///< A signature that is asked for is missing or wrong.
  unreadable = 882,          ///< A file cannot be read, or is no plain file.
  loader_refused = 883,      ///< The dynamic loader does not find all libraries of a program.
  mismatch = 884,            ///< A file or the running code is not what the manifest says.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::software

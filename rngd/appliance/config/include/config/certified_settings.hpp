/// \file
/// The settings that a certification covers: what of the configuration bears on randomness, on
/// evidence or on who watches over them. Names, paths, addresses and people may change without it.
///
/// certs/FORMAT.md section 14 lists the members; `talla-lab certify settings` prints them.
#pragma once

#include "base/json.hpp"
#include "config/config.hpp"

namespace talla::rngd {

/// One object, every member always there.
[[nodiscard]] json::Value certified_settings(const Config& config);

}  // namespace talla::rngd

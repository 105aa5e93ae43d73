/// \file
/// Who an rngd-source is: a user of its own when root starts the daemon, the daemon's user
/// otherwise, and the log says so.
#pragma once

#include <string>

#include "base/result.hpp"

namespace talla::rngd {

/// "UID:GID,GID..." of the named user for usb::SourceProcessOptions::user; empty without a name (as
/// root: nobody, once the device is open) and for a daemon that is not root. Errors:
/// bad_configuration (no such user, or root itself).
[[nodiscard]] Result<std::string> source_user(const std::string& name);

}  // namespace talla::rngd

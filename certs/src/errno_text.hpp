/// \file
/// What the system says of a call that failed. Private to certs.
#pragma once

#include <cerrno>
#include <string>
#include <system_error>

namespace talla::certs {

/// Of `errno` as it stands.
[[nodiscard]] inline std::string errno_text() {
  return std::error_code(errno, std::generic_category()).message();
}

}  // namespace talla::certs

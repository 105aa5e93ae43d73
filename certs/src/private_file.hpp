/// \file
/// Reading a file that some may not touch. Private to certs.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// Whole content (at most 1 MiB) of a plain file none of whose `forbidden` mode bits is set and
/// which belongs to this process or to root.
/// Errors: key_file_missing, key_file_open, key_malformed.
[[nodiscard]] Result<SecretBytes> read_file_closed_to(const std::string& path, mode_t forbidden);

}  // namespace talla::certs

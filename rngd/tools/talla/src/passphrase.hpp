/// \file
/// A passphrase for a command: from a source that the options name, or from the terminal without
/// echo.
///
/// Errors: those of certs/secret_source.hpp; usage when there is no terminal, or the two entries
///         differ.
#pragma once

#include <string>

#include "base/result.hpp"
#include "base/secret.hpp"

namespace talla::cli {

/// `source`: a path or `credential:NAME`; empty: asked for at the terminal, twice when it is new.
[[nodiscard]] Result<SecretBytes> passphrase_from(const std::string& source, bool fresh);

}  // namespace talla::cli

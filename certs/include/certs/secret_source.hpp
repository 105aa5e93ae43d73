/// \file
/// Where a small secret (PIN, passphrase, key) comes from: a private file, or a credential of the
/// service manager.
///
/// A source is a path, or `credential:NAME`: the file NAME in the folder that systemd names in
/// CREDENTIALS_DIRECTORY.
/// Errors:  uri_malformed (a name with '/'), key_file_missing, key_file_open, key_malformed.
/// Threads: any. Secrecy: contents live in secret memory; errors name the source only.
#pragma once

#include <string>
#include <string_view>

#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// `credential:NAME`?
[[nodiscard]] bool is_credential(std::string_view source);
/// Whole content. Of a path: `read_private_file`. Of a credential: a plain file that nobody may
/// write and others may not read; systemd may let the service in with an access list, which shows
/// as a readable group.
[[nodiscard]] Result<SecretBytes> read_secret(const std::string& source);
/// The same for a PIN or passphrase: one line end at its end is no part of it; empty ones and
/// control characters are refused.
[[nodiscard]] Result<SecretBytes> read_secret_line(const std::string& source);

}  // namespace talla::certs

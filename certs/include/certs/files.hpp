/// \file
/// Files that hold keys, statements and anchors: private, durable, never half written.
///
/// Errors: key_file_missing, key_file_open, key_exists, ledger_io. Secrecy: contents read as secret
/// stay in secret memory.
#pragma once

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// Whole content (at most 1 MiB) of a plain file that neither group nor others may read or write,
/// and that belongs to this process or to root.
[[nodiscard]] Result<SecretBytes> read_private_file(const std::string& path);
/// Whole content (at most 8 MiB) of any file.
[[nodiscard]] Result<std::string> read_file(const std::string& path);
/// Creates the file with mode 0600 and syncs it; refuses to replace one (key_exists).
[[nodiscard]] Status create_private_file(const std::string& path, ByteView content);
/// The same with mode 0644, for certificates and statements.
[[nodiscard]] Status create_public_file(const std::string& path, std::string_view content);
/// Replaces the file in one step: temporary file, fsync, rename, fsync of the folder.
[[nodiscard]] Status replace_file(const std::string& path, std::string_view content);
/// The same for a file that holds a secret: mode 0600.
[[nodiscard]] Status replace_private_file(const std::string& path, ByteView content);
/// Creates the folder and its parents; new ones have mode 0700.
[[nodiscard]] Status create_folder(const std::string& path);

}  // namespace talla::certs

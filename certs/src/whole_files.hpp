/// \file
/// Files of any length: digest, durable copy, sync. Private to certs.
///
/// Errors: backup_refused (cannot be read), ledger_io (cannot be written or synced). Threads: no
///         shared state.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "certs/backup.hpp"

namespace talla::certs {

struct FileDigest {
  Digest sha256{};
  std::uint64_t bytes = 0;
};
[[nodiscard]] Result<FileDigest> digest_of_file(const std::string& path);
/// A new file (0600) with the bytes of another, synced; the digest is that of what was written.
/// Refuses to replace one.
[[nodiscard]] Result<FileDigest> copy_file_durably(const std::string& from, const std::string& to);
/// fsync of a file or a folder.
[[nodiscard]] Status sync_path(const std::string& path);
/// The folder gets its name, durably; nothing may be there yet. Errors: backup_refused (something
/// is), ledger_io.
[[nodiscard]] Status name_folder(const std::string& partial, const std::string& folder);

}  // namespace talla::certs

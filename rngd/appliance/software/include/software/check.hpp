/// \file
/// Compares the files of a manifest with those on disk, plainly and under a challenger's nonce.
///
/// Challenge (certs/FORMAT.md section 12): answer_i = HMAC(nonce, D("software-file") || field(path)
/// || content), answer = HMAC(nonce, D("software") || manifest digest || field(path) || answer_i
/// ...), in the order of the manifest. A file that cannot be read has 32 zero bytes. Whoever has
/// the same files computes the same; nobody can before the nonce.
/// Errors:  none; what is wrong is a finding. Threads: pure functions over the file system.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "software/manifest.hpp"

namespace talla::software {

/// One thing that is not as the manifest says.
struct Finding {
  std::string path;
  std::string what;  ///< see the names below
  bool operator==(const Finding&) const = default;
};
/// Missing, no plain file, or not readable.
inline constexpr const char* found_unreadable = "unreadable";
inline constexpr const char* found_changed = "changed";  ///< other bytes
/// Runs here and is not in the manifest.
inline constexpr const char* found_not_listed = "not-listed";
/// Runs here, its file was replaced since.
inline constexpr const char* found_replaced = "replaced";
/// Its code in memory is not that of the file.
inline constexpr const char* found_in_memory = "memory";
inline constexpr const char* found_anonymous = "anonymous";  ///< code that comes from no file

/// [{"path", "what"}], as replies and `--json` give them.
[[nodiscard]] json::Array finding_list(const std::vector<Finding>& findings);

/// What one file of the manifest is on this system.
struct CheckedFile {
  Digest sha256{};  ///< as found; zero where it cannot be read
  Digest answer{};  ///< under the nonce; zero without one
};
/// Where is looked, and under which nonce.
struct CheckOptions {
  std::string root{};             ///< put before every path; empty: this system
  ByteView nonce{};               ///< empty: plain digests only
  std::function<bool()> go_on{};  ///< asked before each file; false ends the check early
};
/// What a check found.
struct CheckReport {
  bool whole = true;               ///< false: ended early
  std::vector<CheckedFile> files;  ///< in the order of the manifest
  Digest answer{};
  std::vector<Finding> findings;
};
[[nodiscard]] CheckReport check_files(const HashSuite& hashes, const SignedManifest& manifest,
                                      const CheckOptions& options);

/// Whole content of a plain file (no link, device or folder), at most 512 MiB. Errors: unreadable.
[[nodiscard]] Result<Bytes> read_plain_file(const std::string& path);

}  // namespace talla::software

/// \file
/// Makes a manifest of files that are there: programs with all libraries that the dynamic loader
/// finds for them.
///
/// Errors:  Errc::unreadable, loader_refused, malformed_manifest. Threads: starts the loader as a
///          process of its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "software/manifest.hpp"

namespace talla::software {

struct MakeOptions {
  std::string version;
  std::string build;  ///< empty: the GNU build id of the first program
  /// Where the files are, not in the manifest: before every path but those of libraries, which are
  /// the system's.
  std::string root;
  std::vector<std::pair<FileKind, std::string>> files;  ///< paths without `root`
  bool libraries = true;                                ///< add what the programs load
};
/// The manifest of what is installed.
[[nodiscard]] Result<Manifest> make_manifest(const HashSuite& hashes, const MakeOptions& options);

/// Paths without links of every library that `ld.so --list` finds for a program, the loader among
/// them; empty for a static program or a script.
[[nodiscard]] Result<std::vector<std::string>> libraries_of(const std::string& program);
/// Hex of the note NT_GNU_BUILD_ID; empty without one. Errors: unreadable.
[[nodiscard]] Result<std::string> build_id_of(const std::string& program);

}  // namespace talla::software

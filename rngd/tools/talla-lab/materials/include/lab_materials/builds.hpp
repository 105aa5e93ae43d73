/// \file
/// Two builds of the same source, compared byte by byte.
///
/// A build that is compared with itself says nothing: the same folder, or a file that lies in both
/// by one inode, is refused. What is examined must be of these builds: programs that neither folder
/// has are named.
/// Errors: BuildsErrc::builds_refused. Threads: pure functions over the file system.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::lab::materials {

enum class BuildsErrc : std::uint16_t {
  builds_refused = 843,  ///< No two folders of builds, or one of them twice.
};
/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(BuildsErrc errc);

/// Which folders, and who built them.
struct BuildsWish {
  std::string first, second;        ///< folders
  std::string first_by, second_by;  ///< who built each
  /// Each must be a file of both, by its bytes.
  std::vector<std::string> programs{};
};
/// {"differences": [{"name", "what", "words"}], "files": [{"bytes", "name", "sha256"}], "first_by",
/// "second_by"}. `what`: differs, only-first, only-second, not-of-these-builds. `files` are those
/// that are the same.
[[nodiscard]] Result<json::Value> compare_builds(const BuildsWish& wish);

}  // namespace talla::lab::materials

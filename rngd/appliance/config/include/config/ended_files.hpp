/// \file
/// Files with what the root says about the end of logs (certs/FORMAT.md section 5): one file, or a
/// folder of them.
///
/// Of a folder every `*.json` is taken, by name; a folder without any is refused. What the files
/// say is judged by certs/verify.
/// Errors: ConfigErrc::bad_configuration with the path.
#pragma once

#include <string>
#include <vector>

#include "config/config.hpp"

namespace talla::rngd {

/// Texts of the files; nothing for an empty path.
[[nodiscard]] Result<std::vector<std::string>> load_ended_files(const std::string& path);
/// Of several paths, one behind the other.
[[nodiscard]] Result<std::vector<std::string>> load_ended_files(
    const std::vector<std::string>& paths);

}  // namespace talla::rngd

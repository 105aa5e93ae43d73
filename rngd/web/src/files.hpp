/// \file
/// The web page's files as they were built in. Private to web.
#pragma once

#include <span>
#include <string_view>

namespace talla::web {

struct File {
  std::string_view path;  ///< `/web/...`
  std::string_view text;
};
/// Ascending by path.
[[nodiscard]] std::span<const File> files();
/// The engines for browsers, packed, and the script that pins their digest; nothing where they are
/// not built in (TALLA_SETTLE).
[[nodiscard]] std::span<const File> module_files();

}  // namespace talla::web

#include "web/pages.hpp"

#include <algorithm>

#include "files.hpp"

namespace talla::web {

namespace {

std::string_view content_type(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  return "text/html; charset=utf-8";
}

}  // namespace

std::optional<Page> find_page(std::string_view path) {
  if (!path.starts_with("/web/")) return std::nullopt;  // every request of the API is asked about
  const auto found = std::ranges::find(files(), path, &File::path);
  if (found == files().end()) return std::nullopt;
  return Page{.content_type = content_type(path), .text = found->text};
}

bool is_public_page(std::string_view path) {
  return path == "/web/style.css" || path == verify_page || path == contribute_page ||
         path.starts_with("/web/verify_") || path.starts_with("/web/verify/") ||
         path.starts_with("/web/contribute/");
}

}  // namespace talla::web

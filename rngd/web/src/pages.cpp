#include "web/pages.hpp"

#include <algorithm>
#include <span>

#include "files.hpp"

namespace talla::web {

namespace {

std::string_view content_type(std::string_view path) {
  if (path.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (path.ends_with(".css")) return "text/css; charset=utf-8";
  if (path.ends_with(".gz")) return "application/gzip";
  return "text/html; charset=utf-8";
}

}  // namespace

std::optional<Page> find_page(std::string_view path) {
  if (!path.starts_with("/web/")) return std::nullopt;  // every request of the API is asked about
  for (const std::span<const File> all : {files(), module_files()}) {
    const auto found = std::ranges::find(all, path, &File::path);
    if (found != all.end()) return Page{.content_type = content_type(path), .text = found->text};
  }
  return std::nullopt;
}

bool is_public_page(std::string_view path) {
  return path == "/web/style.css" || path == verify_page || path == contribute_page ||
         path == play_page || path.starts_with("/web/verify_") ||
         path.starts_with("/web/verify/") || path.starts_with("/web/contribute/") ||
         path.starts_with("/web/settle/") || path.starts_with("/web/play/");
}

std::string policy_of(std::string_view path) {
  constexpr std::string_view scripts = "script-src 'self'";
  std::string policy(content_security_policy);
  if (std::ranges::find(engine_pages, path) != engine_pages.end())
    policy.insert(policy.find(scripts) + scripts.size(), " 'wasm-unsafe-eval'");
  return policy;
}

}  // namespace talla::web

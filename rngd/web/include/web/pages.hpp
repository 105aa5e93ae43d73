/// \file
/// The web page's files, and what every reply with one of them says besides.
///
/// Threads: no shared state.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace talla::web {

struct Page {
  std::string_view content_type;
  std::string_view text;
};

/// Where the pages begin. A player takes part by `contribute_page`; `play_page` needs no table.
inline constexpr std::string_view front_page = "/web/index.html";
inline constexpr std::string_view verify_page = "/web/verify.html";
inline constexpr std::string_view contribute_page = "/web/contribute.html";
inline constexpr std::string_view play_page = "/web/play.html";

/// By its path, without a query. Nothing when there is none.
[[nodiscard]] std::optional<Page> find_page(std::string_view path);
/// Whether a page is for everybody: it asks nothing of the API that needs a certificate (a player's
/// asks by the token of its link).
[[nodiscard]] bool is_public_page(std::string_view path);

/// Nothing is loaded from or sent to anywhere else, no text of a record becomes script, no other
/// page frames these.
inline constexpr std::string_view content_security_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
    "data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Pages that run the engines of the games, and what one of them starts beside itself.
inline constexpr std::string_view odds_worker = "/web/play/odds_worker.js";
inline constexpr std::array engine_pages{verify_page, play_page, odds_worker};
/// The policy of a file: those pages compile WebAssembly besides ('wasm-unsafe-eval'), no other.
[[nodiscard]] std::string policy_of(std::string_view path);

}  // namespace talla::web

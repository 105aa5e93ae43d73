/// \file
/// Numbers and parameters as people type them.
///
/// Errors: CliErrc::usage.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app.hpp"
#include "shuffle/card.hpp"

namespace talla::cli {

/// `what` names the option in the error.
[[nodiscard]] Result<std::int64_t> number(std::string_view text, const std::string& what);
/// NAME=VALUE each: true, false, an integer, or a text. An object of them.
[[nodiscard]] Result<json::Value> params_of(const std::vector<std::string>& texts);
/// "ASKD" as cards; a card is two letters. Errors: also those of Card::parse.
[[nodiscard]] Result<std::vector<shuffle::Card>> cards_of(const std::string& text);

}  // namespace talla::cli

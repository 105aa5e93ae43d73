/// \file
/// TOML text as the house's JSON values; the only place that sees the TOML library, and where its
/// exceptions end.
#pragma once

#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"

namespace talla::games {

/// Tables become objects. Errors (catalogue_malformed): no TOML, a float, a date, an integer beyond
/// 2^53, nesting beyond 16, text that is not UTF-8.
[[nodiscard]] Result<json::Value> toml_to_json(std::string_view text);

}  // namespace talla::games

/// \file
/// Values as people type them behind NAME=.
#pragma once

#include <string_view>

#include "base/json.hpp"

namespace talla::commandline {

/// `true` and `false`, a whole number, or else the text itself.
[[nodiscard]] json::Value typed_value(std::string_view text);

}  // namespace talla::commandline

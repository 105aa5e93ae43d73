/// \file
/// What the header Allow says of a path.
#pragma once

#include <string>
#include <string_view>

namespace talla::core {

/// The methods that a path (without query) takes, as the header Allow lists them; empty: there is
/// no such resource. Threads: any.
[[nodiscard]] std::string allowed_methods(std::string_view path);

}  // namespace talla::core

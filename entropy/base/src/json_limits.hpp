/// \file
/// Limits of JSON text, the same for every reader. Private to json.
#pragma once

#include <cstddef>

namespace talla::json {

inline constexpr std::size_t text_size_max = std::size_t{8} << 20;
inline constexpr int depth_max = 32;

}  // namespace talla::json

/// \file
/// Numbers in texts of lines: decimal digits in the one spelling that each number has. Private to
/// certs_format.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace talla::certs {

/// Digits alone, no zero before another digit; nothing for any other text, or one above 64 bits.
[[nodiscard]] std::optional<std::uint64_t> decimal_number(std::string_view text);

}  // namespace talla::certs

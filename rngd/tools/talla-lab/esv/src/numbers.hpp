/// \file
/// JSON with decimal numbers, exactly: the house's JSON has whole numbers alone, and entropy comes
/// in fractions of a bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace talla::lab::esv {

/// A number in thousand-millionths: bits of entropy with nine decimals.
using Nano = std::int64_t;
inline constexpr Nano one = 1'000'000'000;
/// Largest number that is read: far above any count of bits.
inline constexpr std::int64_t number_most = 1'000'000'000;

/// Reads JSON; numbers with a point or an exponent become texts that `number_of` knows. Errors:
/// esv_refused, also for more than nine decimals and for numbers above `number_most`.
[[nodiscard]] Result<json::Value> read_json(std::string_view text, const std::string& what);
/// The text of a value of `read_json`, decimals as they were read.
[[nodiscard]] std::string plain_json(const json::Value& value);
/// The number, or nothing when there is none.
[[nodiscard]] std::optional<Nano> number_of(const json::Value* value);
/// Whether the value is a decimal number, and no text.
[[nodiscard]] bool is_decimal(const json::Value& value);
/// The number as people write it.
[[nodiscard]] std::string text_of(Nano value);

}  // namespace talla::lab::esv

/// \file
/// Finds in JSON text, eight bytes at a time, where something else than plain text begins. Private
/// to json.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace talla::json {

/// How many bytes from the start are printable ASCII (0x20 to 0x7e) other than the quote and the
/// backslash.
[[nodiscard]] inline std::size_t plain_run(std::string_view text) {
  const auto is_plain = [](unsigned char c) {
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
  };
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x8080808080808080U;
    // The top bit of each byte that is zero. A byte above a zero one may be marked wrongly; the
    // lowest mark is right.
    const auto zeros = [](std::uint64_t x) { return (x - ones) & ~x & tops; };
    for (; at + 8 <= text.size(); at += 8) {
      std::uint64_t x = 0;
      std::memcpy(&x, text.data() + at, 8);
      const std::uint64_t above = (x | (x + ones)) & tops;        // 0x7f and more
      const std::uint64_t below = (x - 0x20 * ones) & ~x & tops;  // less than 0x20
      const std::uint64_t marks =
          above | below | zeros(x ^ (0x22 * ones)) | zeros(x ^ (0x5c * ones));
      if (marks != 0) return at + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
  }
  while (at < text.size() && is_plain(static_cast<unsigned char>(text[at]))) ++at;
  return at;
}

}  // namespace talla::json

/// \file
/// The auditor's openings of a closed covered shoe: what a public shoe opens at its close, in a
/// file of its own (FORMAT.md section 9, "Openings of a covered shoe").
///
/// Errors: FormatErrc::malformed_bundle. Secrecy: the file tells every card, also those that were
/// never shown; it goes to the auditor alone and is written nowhere else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace talla::certs {

/// K || u32 length, which stands before the tape of each root (FORMAT.md section 10).
inline constexpr std::size_t sealed_head_bytes = 32 + 4;

/// The secrets of one root.
struct RootOpening {
  Digest key{};  ///< K
  Bytes tape;
};

/// What the auditor has of one closed covered shoe: key and tape of each root.
struct Openings {
  std::string origin;
  std::string shoe;
  std::uint64_t close = 0;         ///< seq of its SHOE_CLOSE
  std::vector<RootOpening> roots;  ///< that of SHOE_COMMIT first; never empty

  /// From what stays sealed under SHOE_CLOSE (FORMAT.md section 10): K || u32 length || tape,
  /// root by root.
  [[nodiscard]] static Result<std::vector<RootOpening>> roots_of(
      std::span<const std::uint8_t> sealed_text);
  [[nodiscard]] static Result<Openings> parse(std::string_view text);
  [[nodiscard]] std::string text() const;
};

}  // namespace talla::certs

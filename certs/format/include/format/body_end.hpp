/// \file
/// Typed bodies of what ends a round or a table (FORMAT.md section 6).
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <cstdint>
#include <string>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace talla::certs {

/// Running counts of a place in the house, from its first opening on.
struct PlaceCounts {
  std::uint64_t turns = 0;         ///< CALL
  std::uint64_t voids = 0;         ///< VOID
  std::uint64_t early_closes = 0;  ///< SHOE_CLOSE and TABLE_CLOSE with reason `closed` of a shoe or
                                   ///< `voided` of either
  bool operator==(const PlaceCounts&) const = default;
};

/// ROUND_END.
struct RoundEndBody {
  Digest state_after{};     ///< state digest of what the round leaves
  std::uint32_t dealt = 0;  ///< cards dealt under the newest root of the live shoe; 0: none is
  PlaceCounts counts;       ///< up to here
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<RoundEndBody> from_json(const json::Value& body);
};

/// TABLE_CLOSE: the last record of a table.
struct TableCloseBody {
  std::string place;         ///< that of TABLE_OPEN
  std::uint64_t opened = 1;  ///< that of TABLE_OPEN
  std::uint64_t rounds = 0;  ///< opened at the table
  bool voided = false;       ///< reason `voided`, else `closed`
  PlaceCounts counts;        ///< with this record
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TableCloseBody> from_json(const json::Value& body);
};

}  // namespace talla::certs

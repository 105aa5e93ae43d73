/// \file
/// Typed bodies of what ends a round or a table (FORMAT.md section 6).
///
/// Each has `to_json` and a strict `from_json`; Errors: FormatErrc::malformed_body.
#pragma once

#include <cstdint>

#include "base/bytes.hpp"
#include "base/json.hpp"

namespace talla::certs {

struct RoundEndBody {
  Digest state_after{};  ///< state digest of what the round leaves
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<RoundEndBody> from_json(const json::Value& body);
};

/// TABLE_CLOSE: the last record of a table.
struct TableCloseBody {
  std::uint64_t rounds = 0;  ///< opened at the table
  bool voided = false;       ///< reason `voided`, else `closed`
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TableCloseBody> from_json(const json::Value& body);
};

}  // namespace talla::certs

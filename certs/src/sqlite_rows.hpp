/// \file
/// Rows of the ledger's tables and their values. Private to certs.
#pragma once

#include <optional>

#include "certs/ledger.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs {

inline constexpr const char* object_by_id_sql =
    "SELECT id, opened, last, closed, pending FROM objects WHERE opened = ?1 AND id = ?2";
/// A state as the table's row: live until it is closed and nothing is pending.
[[nodiscard]] constexpr bool object_live(const ObjectState& state) {
  return !state.closed || state.pending > 0;
}

/// The state in the statement's present row.
[[nodiscard]] ObjectState object_row(const Statement& statement);
/// Runs object_by_id_sql.
[[nodiscard]] Result<std::optional<ObjectState>> read_object(Statement& statement, std::string_view id);

/// Sequence numbers as u64 each.
[[nodiscard]] Bytes encode_seqs(const std::vector<std::uint64_t>& seqs);
[[nodiscard]] std::vector<std::uint64_t> decode_seqs(ByteView bytes);

}  // namespace talla::certs

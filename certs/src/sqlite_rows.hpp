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
inline constexpr const char* reply_by_id_sql =
    "SELECT client, key, method, path, request, status, head, seqs FROM replies"
    " WHERE client = ?1 AND key = ?2 AND method = ?3 AND path = ?4";
inline constexpr const char* nonce_sql = "SELECT 1 FROM nonces WHERE client = ?1 AND nonce = ?2";

/// 32 bytes. Errors: ledger_damaged.
[[nodiscard]] Result<Digest> digest_column(const Statement& statement, int column);
/// The columns of reply_by_id_sql.
[[nodiscard]] Result<StoredReply> reply_row(const Statement& statement);
/// Runs reply_by_id_sql.
[[nodiscard]] Result<std::optional<StoredReply>> read_reply(Statement& statement, const ReplyKey& id);
/// Runs nonce_sql.
[[nodiscard]] Result<bool> read_nonce(Statement& statement, std::string_view client, ByteView nonce);
/// Runs object_by_id_sql.
[[nodiscard]] Result<std::optional<ObjectState>> read_object(Statement& statement, std::string_view id);

/// Sequence numbers as u64 each.
[[nodiscard]] Bytes encode_seqs(const std::vector<std::uint64_t>& seqs);
[[nodiscard]] std::vector<std::uint64_t> decode_seqs(ByteView bytes);

}  // namespace talla::certs

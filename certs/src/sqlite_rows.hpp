/// \file
/// Rows of the SQLite ledger's tables and their values. Private to certs.
#pragma once

#include <optional>

#include "certs/ledger.hpp"
#include "ledger_rows.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs {

inline constexpr const char* object_by_id_sql =
    "SELECT id, opened, last, closed, pending FROM objects WHERE opened = ?1 AND id = ?2";

/// The state in the statement's present row.
[[nodiscard]] ObjectState object_row(const Statement& statement);
inline constexpr const char* reply_by_id_sql =
    "SELECT client, key, method, path, request, status, head, seqs FROM replies"
    " WHERE id = ?1";
/// All replies of a client's key: their ids begin alike.
inline constexpr const char* replies_by_key_sql =
    "SELECT client, key, method, path, request, status, head, seqs FROM replies"
    " WHERE id >= ?1 AND id <= ?2 ORDER BY row";
inline constexpr const char* nonce_sql = "SELECT 1 FROM nonces WHERE id = ?1";

/// 32 bytes. Errors: ledger_damaged.
[[nodiscard]] Result<Digest> digest_column(const Statement& statement, int column);
/// The columns of reply_by_id_sql.
[[nodiscard]] Result<StoredReply> reply_row(const Statement& statement);
/// Runs reply_by_id_sql. Errors: ledger_damaged when the row under the digest has another id.
[[nodiscard]] Result<std::optional<StoredReply>> read_reply(const HashSuite& hashes, Statement& statement,
                                                            const ReplyKey& id);
/// Runs replies_by_key_sql.
[[nodiscard]] Result<std::vector<StoredReply>> read_replies(const HashSuite& hashes, Statement& statement,
                                                            std::string_view client, std::string_view key);
/// Runs nonce_sql.
[[nodiscard]] Result<bool> read_nonce(const HashSuite& hashes, Statement& statement, std::string_view client,
                                      ByteView nonce);
/// Runs object_by_id_sql.
[[nodiscard]] Result<std::optional<ObjectState>> read_object(Statement& statement, std::string_view id);

}  // namespace talla::certs

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
inline constexpr const char* reply_sql =
    "SELECT client, key, method, path, request, status, head, seqs FROM replies WHERE row = ?1";

/// 32 bytes. Errors: ledger_damaged.
[[nodiscard]] Result<Digest> digest_column(const Statement& statement, int column);
/// Runs reply_sql. Errors: ledger_damaged when there is no such row.
[[nodiscard]] Result<StoredReply> read_reply(Statement& statement, std::uint64_t row);
/// Runs object_by_id_sql.
[[nodiscard]] Result<std::optional<ObjectState>> read_object(Statement& statement,
                                                             std::string_view id);

}  // namespace talla::certs

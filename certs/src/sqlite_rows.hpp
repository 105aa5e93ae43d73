/// \file
/// Rows of the ledger's tables and their values. Private to certs.
#pragma once

#include <array>
#include <optional>

#include "base/hash.hpp"
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
    " WHERE id = ?1";
/// All replies of a client's key: their ids begin alike.
inline constexpr const char* replies_by_key_sql =
    "SELECT client, key, method, path, request, status, head, seqs FROM replies"
    " WHERE id >= ?1 AND id <= ?2 ORDER BY row";
inline constexpr const char* nonce_sql = "SELECT 1 FROM nonces WHERE id = ?1";

/// Keys and nonces come in any order. An index over short digests of them keeps the pages few that a group touches.
using ReplyDigest = std::array<std::uint8_t, 24>;  ///< 16 bytes of client and key, 8 of method and path
using NonceDigest = std::array<std::uint8_t, 16>;
[[nodiscard]] ReplyDigest reply_digest(const HashSuite& hashes, const ReplyKey& id);
[[nodiscard]] NonceDigest nonce_digest(const HashSuite& hashes, std::string_view client, ByteView nonce);

/// Leaves of a row of leaf_pages: those of the records [256 page, 256 page + 256), for whoever wants all of them at once.
inline constexpr std::uint64_t leaves_of_page = 256;

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

/// Sequence numbers as u64 each.
[[nodiscard]] Bytes encode_seqs(const std::vector<std::uint64_t>& seqs);
[[nodiscard]] std::vector<std::uint64_t> decode_seqs(ByteView bytes);

}  // namespace talla::certs

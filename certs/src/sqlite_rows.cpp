#include "sqlite_rows.hpp"

#include <algorithm>

namespace talla::certs {

ObjectState object_row(const Statement& statement) {
  return {.id = statement.text(0),
          .opened = statement.integer(1),
          .last = statement.integer(2),
          .closed = statement.integer(3) != 0,
          .pending = static_cast<std::uint32_t>(statement.integer(4))};
}

Result<std::optional<ObjectState>> read_object(Statement& statement, std::string_view id) {
  const auto opened = object_seq(id.substr(0, id.find('-')), id);
  if (!opened) return std::optional<ObjectState>();
  const ResetAtEnd reset(statement);
  TALLA_TRY(const bool row, statement.bind(1, *opened).bind(2, id).step());
  if (!row) return std::optional<ObjectState>();
  return std::optional<ObjectState>(object_row(statement));
}

Result<Digest> digest_column(const Statement& statement, int column) {
  const ByteView bytes = statement.bytes(column);
  Digest digest{};
  if (bytes.size() != digest.size()) return fail(Errc::ledger_damaged, "a digest has not 32 bytes");
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

Result<StoredReply> reply_row(const Statement& statement) {
  TALLA_TRY(const Digest request, digest_column(statement, 4));
  return StoredReply{.id = {.client = statement.text(0),
                            .method = statement.text(2),
                            .path = statement.text(3),
                            .key = statement.text(1)},
                     .request = request,
                     .status = static_cast<int>(statement.integer(5)),
                     .head = statement.text(6),
                     .seqs = decode_seqs(statement.bytes(7))};
}

Result<std::optional<StoredReply>> read_reply(const HashSuite& hashes, Statement& statement,
                                              const ReplyKey& id) {
  const ReplyDigest digest = reply_digest(hashes, id);
  const ResetAtEnd reset(statement);
  TALLA_TRY(const bool row, statement.bind(1, ByteView(digest)).step());
  if (!row) return std::optional<StoredReply>();
  TALLA_TRY(StoredReply reply, reply_row(statement));
  if (reply.id != id) return fail(Errc::ledger_damaged, "the reply to key " + id.key + " has another id");
  return std::optional<StoredReply>(std::move(reply));
}

Result<std::vector<StoredReply>> read_replies(const HashSuite& hashes, Statement& statement,
                                              std::string_view client, std::string_view key) {
  const auto [first, last] = reply_range(hashes, client, key);
  const ResetAtEnd reset(statement);
  statement.bind(1, ByteView(first)).bind(2, ByteView(last));
  std::vector<StoredReply> out;
  for (;;) {
    TALLA_TRY(const bool row, statement.step());
    if (!row) return out;
    TALLA_TRY(StoredReply reply, reply_row(statement));
    if (reply.id.client == client && reply.id.key == key) out.push_back(std::move(reply));
  }
}

Result<bool> read_nonce(const HashSuite& hashes, Statement& statement, std::string_view client,
                        ByteView nonce) {
  const NonceDigest digest = nonce_digest(hashes, client, nonce);
  const ResetAtEnd reset(statement);
  return statement.bind(1, ByteView(digest)).step();
}

}  // namespace talla::certs

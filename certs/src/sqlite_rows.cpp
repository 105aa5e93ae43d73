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

namespace {

/// Of two texts, the first behind its length: no two pairs give the same bytes.
Digest pair_digest(const HashSuite& hashes, ByteView first, ByteView second) {
  const Bytes length = ByteWriter().u64(first.size()).take();
  return hashes.sha256({length, first, second});
}

}  // namespace

ReplyDigest reply_digest(const HashSuite& hashes, const ReplyKey& id) {
  const Digest key = pair_digest(hashes, as_bytes(id.client), as_bytes(id.key));
  const Digest place = pair_digest(hashes, as_bytes(id.method), as_bytes(id.path));
  ReplyDigest digest{};
  std::copy_n(key.begin(), 16, digest.begin());
  std::copy_n(place.begin(), 8, digest.begin() + 16);
  return digest;
}

NonceDigest nonce_digest(const HashSuite& hashes, std::string_view client, ByteView nonce) {
  const Digest whole = pair_digest(hashes, as_bytes(client), nonce);
  NonceDigest digest{};
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
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
  ReplyDigest first = reply_digest(hashes, {std::string(client), {}, {}, std::string(key)});
  ReplyDigest last = first;
  std::fill(first.begin() + 16, first.end(), std::uint8_t{0});
  std::fill(last.begin() + 16, last.end(), std::uint8_t{0xff});
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

Bytes encode_seqs(const std::vector<std::uint64_t>& seqs) {
  ByteWriter writer;
  for (const std::uint64_t seq : seqs) writer.u64(seq);
  return writer.take();
}

std::vector<std::uint64_t> decode_seqs(ByteView bytes) {
  std::vector<std::uint64_t> seqs;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) seqs.push_back(load_be64(bytes.data()));
  return seqs;
}

}  // namespace talla::certs

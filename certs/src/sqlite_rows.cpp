#include "sqlite_rows.hpp"

#include <fmt/format.h>

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

Result<StoredReply> read_reply(Statement& statement, std::uint64_t row) {
  const ResetAtEnd reset(statement);
  TALLA_TRY(const bool found, statement.bind(1, row).step());
  if (!found) return fail(Errc::ledger_damaged, fmt::format("reply {} is missing", row));
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

}  // namespace talla::certs

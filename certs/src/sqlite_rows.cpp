#include "sqlite_rows.hpp"

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

#include "sqlite_keys.hpp"

#include <algorithm>
#include <utility>

namespace talla::certs {

namespace {

constexpr std::size_t merged_per_new = 2;     // so that a set is merged before the next one is full
constexpr std::uint64_t trimmed_at_once = 8;  // blocks
constexpr std::uint64_t blocks_max = std::uint64_t{1} << 62;

}  // namespace

Result<SqliteKeyWriter> SqliteKeyWriter::create(sqlite3* database,
                                                std::shared_ptr<YoungKeys> young) {
  SqliteKeyWriter writer;
  writer.database_ = database;
  writer.young_ = std::move(young);
  TALLA_TRY(writer.block_, Statement::prepare(database, "INSERT INTO young VALUES(?1, ?2)"));
  TALLA_TRY(writer.known_, Statement::prepare(database, "INSERT INTO known VALUES(?1, ?2)"));
  TALLA_TRY(writer.at_, Statement::prepare(database, "SELECT at FROM known WHERE id = ?1"));
  TALLA_TRY(writer.trim_, Statement::prepare(database, "DELETE FROM young WHERE block <= ?1"));
  TALLA_TRY(Statement blocks,
            Statement::prepare(database, "SELECT block, keys FROM young ORDER BY block"));
  TALLA_TRY(Statement reply, Statement::prepare(database, "SELECT id FROM replies WHERE row = ?1"));
  for (;;) {
    TALLA_TRY(const bool row, blocks.step());
    if (!row) break;
    const std::uint64_t block = blocks.integer(0);
    if (block < writer.next_block_ || block > blocks_max)
      return fail(Errc::ledger_damaged, "a block of keys has no number of one");
    TALLA_TRY(const auto keys, decode_keys(blocks.bytes(1)));
    for (const KnownKey& key : keys) {
      const ResetAtEnd reset(reply);
      TALLA_TRY(const bool found, reply.bind(1, key.at).step());
      if (!found || !std::ranges::equal(reply.bytes(0), key.id))
        return fail(Errc::ledger_damaged, "a block has a key that its reply does not have");
    }
    TALLA_TRY_STATUS(writer.young_->add(keys, block));
    if (writer.next_block_ == 1) writer.trimmed_to_ = block - 1;
    writer.next_block_ = block + 1;
  }
  return writer;
}

Status SqliteKeyWriter::insert(std::vector<KnownKey> keys) {
  keys_ = std::move(keys);
  merged_ = 0;
  trim_to_ = trimmed_to_;
  if (keys_.empty()) return {};
  const Bytes bytes = encode_keys(keys_);
  if (const int code = block_.bind(1, next_block_).bind(2, ByteView(bytes)).run();
      code != SQLITE_OK)
    return sqlite_fail(database_, code, "keys");
  for (const KnownKey& key : young_->due(merged_per_new * keys_.size())) {
    TALLA_TRY_STATUS(insert_known(key));
    ++merged_;
  }
  trim_to_ = std::min(young_->merged_to(), trimmed_to_ + trimmed_at_once);
  if (trim_to_ <= trimmed_to_) return {};
  if (const int code = trim_.bind(1, trim_to_).run(); code != SQLITE_OK)
    return sqlite_fail(database_, code, "keys");
  return {};
}

/// What was merged before a restart is in the block still, and found again.
Status SqliteKeyWriter::insert_known(const KnownKey& key) {
  const int code = known_.bind(1, ByteView(key.id)).bind(2, key.at).run();
  if (code == SQLITE_OK) return {};
  if (code != SQLITE_CONSTRAINT_PRIMARYKEY) return sqlite_fail(database_, code, "index of keys");
  const ResetAtEnd reset(at_);
  TALLA_TRY(const bool row, at_.bind(1, ByteView(key.id)).step());
  if (row && at_.integer(0) == key.at) return {};
  return fail(Errc::ledger_damaged, "a key was given twice");
}

Status SqliteKeyWriter::committed() {
  if (keys_.empty()) return {};
  young_->merged(merged_);
  trimmed_to_ = std::max(trimmed_to_, trim_to_);
  return young_->add(std::exchange(keys_, {}), next_block_++);
}

Result<SqliteKeyReader> SqliteKeyReader::create(sqlite3* database,
                                                std::shared_ptr<const YoungKeys> young) {
  SqliteKeyReader reader;
  reader.young_ = std::move(young);
  TALLA_TRY(reader.find_, Statement::prepare(database, "SELECT at FROM known WHERE id = ?1"));
  TALLA_TRY(reader.between_,
            Statement::prepare(database, "SELECT at FROM known WHERE id >= ?1 AND id <= ?2"));
  TALLA_TRY(reader.known_, Statement::prepare(database, "SELECT id FROM known"));
  TALLA_TRY(reader.blocks_, Statement::prepare(database, "SELECT keys FROM young"));
  return reader;
}

Status SqliteKeyReader::each_young(const std::function<void(const KnownKey&)>& sink) {
  const ResetAtEnd reset(blocks_);
  for (;;) {
    TALLA_TRY(const bool row, blocks_.step());
    if (!row) return {};
    TALLA_TRY(const auto keys, decode_keys(blocks_.bytes(0)));
    std::ranges::for_each(keys, sink);
  }
}

Result<std::optional<std::uint64_t>> SqliteKeyReader::find(const ReplyDigest& id) {
  std::optional<std::uint64_t> at;
  if (young_) {
    at = young_->find(id);
  } else {
    TALLA_TRY_STATUS(each_young([&](const KnownKey& key) {
      if (key.id == id) at = key.at;
    }));
  }
  if (at) return at;
  const ResetAtEnd reset(find_);
  TALLA_TRY(const bool row, find_.bind(1, ByteView(id)).step());
  if (row) at = find_.integer(0);
  return at;
}

Result<std::vector<std::uint64_t>> SqliteKeyReader::between(const ReplyRange& range) {
  std::vector<std::uint64_t> found;
  if (young_) {
    found = young_->between(range.first, range.last);
  } else {
    TALLA_TRY_STATUS(each_young([&](const KnownKey& key) {
      if (range.first <= key.id && key.id <= range.last) found.push_back(key.at);
    }));
  }
  const ResetAtEnd reset(between_);
  between_.bind(1, ByteView(range.first)).bind(2, ByteView(range.last));
  for (;;) {
    TALLA_TRY(const bool row, between_.step());
    if (!row) break;
    found.push_back(between_.integer(0));
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

Status SqliteKeyReader::seen(const std::function<void(ByteView)>& sink) {
  TALLA_TRY_STATUS(each_young([&](const KnownKey& key) { sink(key.id); }));
  const ResetAtEnd reset(known_);
  for (;;) {
    TALLA_TRY(const bool row, known_.step());
    if (!row) return {};
    const ByteView digest = known_.bytes(0);
    if (digest.size() != sizeof(ReplyDigest))
      return fail(Errc::ledger_damaged, "the digest of a key has a wrong length");
    sink(digest);
  }
}

}  // namespace talla::certs

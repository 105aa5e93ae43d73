#include "sqlite_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sqlite_rows.hpp"

namespace talla::certs {

Result<std::unique_ptr<SqliteReader>> SqliteReader::create(DatabaseHandle database,
                                                           std::shared_ptr<const YoungKeys> young) {
  std::unique_ptr<SqliteReader> reader(new SqliteReader);  // NOLINT: private constructor
  reader->database_ = std::move(database);
  struct Row {
    Statement* statement;
    const char* sql;
  };
  const std::initializer_list<Row> rows = {
      {&reader->record_, "SELECT seq, leaf, prev, kind, object, bytes FROM records WHERE seq = ?1"},
      {&reader->range_,
       "SELECT seq, leaf, prev, kind, object, bytes FROM records WHERE seq >= ?1 AND seq < ?2 "
       "ORDER BY seq"},
      {&reader->leaves_, "SELECT seq, leaf FROM records WHERE seq >= ?1 AND seq < ?2 ORDER BY seq"},
      {&reader->leaf_pages_,
       "SELECT page, leaves FROM leaf_pages WHERE page >= ?1 AND page < ?2 ORDER BY page"},
      {&reader->object_, object_by_id_sql},
      {&reader->open_,
       "SELECT id, opened, last, closed, pending FROM objects WHERE live = 1 ORDER BY opened"},
      {&reader->sealed_,
       "SELECT object, seq, kind, sealed FROM sealed WHERE object = ?1 ORDER BY seq"},
      {&reader->reply_, reply_sql},
      {&reader->document_, "SELECT text FROM documents WHERE name = ?1"},
      {&reader->catalogue_, "SELECT text FROM catalogues WHERE digest = ?1"},
      {&reader->group_end_, "SELECT min(end) FROM groups WHERE end > ?1"},
      {&reader->group_ends_, "SELECT end FROM groups ORDER BY end"},
  };
  for (const Row& row : rows) {
    TALLA_TRY(*row.statement, Statement::prepare(reader->database_.get(), row.sql));
  }
  TALLA_TRY(reader->keys_, SqliteKeyReader::create(reader->database_.get(), std::move(young)));
  return reader;
}

Result<LedgerRecord> SqliteReader::record_row(const Statement& statement) const {
  TALLA_TRY(const Digest leaf, digest_column(statement, 1));
  LedgerRecord record{.seq = statement.integer(0),
                      .kind = kind_from_name(statement.text(3)),
                      .object = statement.text(4),
                      .prev = {},
                      .bytes = statement.text(5),
                      .leaf = leaf};
  if (!statement.is_null(2)) record.prev = statement.integer(2);
  if (leaf_hash(hashes_, as_bytes(record.bytes)) != leaf) {
    return fail(Errc::ledger_damaged,
                fmt::format("record {} does not have its leaf hash", record.seq));
  }
  return record;
}

Result<LedgerRecord> SqliteReader::record_locked(std::uint64_t seq) {
  const ResetAtEnd reset(record_);
  TALLA_TRY(const bool row, record_.bind(1, seq).step());
  if (!row) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return record_row(record_);
}

Result<LedgerRecord> SqliteReader::record(std::uint64_t seq) {
  const std::scoped_lock lock(mutex_);
  return record_locked(seq);
}

Result<std::vector<LedgerRecord>> SqliteReader::records(std::uint64_t from, std::uint64_t to) {
  const std::scoped_lock lock(mutex_);
  const ResetAtEnd reset(range_);
  range_.bind(1, from).bind(2, std::min(to, from + records_per_call_max));
  std::vector<LedgerRecord> out;
  for (;;) {
    TALLA_TRY(const bool row, range_.step());
    if (!row) return out;
    TALLA_TRY(LedgerRecord record, record_row(range_));
    if (record.seq != from + out.size()) {
      return fail(Errc::ledger_damaged, fmt::format("record {} is missing", from + out.size()));
    }
    out.push_back(std::move(record));
  }
}

Status SqliteReader::leaves(std::uint64_t from, std::uint64_t to,
                            const std::function<void(const Digest&)>& sink) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t first = (from + leaves_of_page - 1) / leaves_of_page;
  const std::uint64_t end = to / leaves_of_page;
  if (first >= end) return leaf_rows(from, to, sink);
  TALLA_TRY_STATUS(leaf_rows(from, first * leaves_of_page, sink));
  TALLA_TRY_STATUS(leaf_pages(first, end, sink));
  return leaf_rows(end * leaves_of_page, to, sink);
}

Status SqliteReader::leaf_rows(std::uint64_t from, std::uint64_t to,
                               const std::function<void(const Digest&)>& sink) {
  const ResetAtEnd reset(leaves_);
  leaves_.bind(1, from).bind(2, to);
  for (std::uint64_t seq = from; seq < to; ++seq) {
    TALLA_TRY(const bool row, leaves_.step());
    if (!row || leaves_.integer(0) != seq) {
      return fail(Errc::ledger_damaged, fmt::format("record {} is missing", seq));
    }
    TALLA_TRY(const Digest leaf, digest_column(leaves_, 1));
    sink(leaf);
  }
  return {};
}

Status SqliteReader::leaf_pages(std::uint64_t from, std::uint64_t to,
                                const std::function<void(const Digest&)>& sink) {
  const ResetAtEnd reset(leaf_pages_);
  leaf_pages_.bind(1, from).bind(2, to);
  for (std::uint64_t page = from; page < to; ++page) {
    TALLA_TRY(const bool row, leaf_pages_.step());
    const ByteView leaves = row ? leaf_pages_.bytes(1) : ByteView();
    if (!row || leaf_pages_.integer(0) != page ||
        leaves.size() != leaves_of_page * sizeof(Digest)) {
      return fail(Errc::ledger_damaged,
                  fmt::format("the leaves from record {} on are missing", page * leaves_of_page));
    }
    Digest leaf{};
    for (std::size_t at = 0; at < leaves.size(); at += leaf.size()) {
      std::copy_n(leaves.begin() + static_cast<std::ptrdiff_t>(at), leaf.size(), leaf.begin());
      sink(leaf);
    }
  }
  return {};
}

Status SqliteReader::group_ends(const std::function<void(std::uint64_t)>& sink) {
  const std::scoped_lock lock(mutex_);
  const ResetAtEnd reset(group_ends_);
  for (;;) {
    TALLA_TRY(const bool row, group_ends_.step());
    if (!row) return {};
    sink(group_ends_.integer(0));
  }
}

Result<std::vector<LedgerRecord>> SqliteReader::chain(std::string_view object) {
  const std::scoped_lock lock(mutex_);
  TALLA_TRY(const auto state, read_object(object_, object));
  std::vector<LedgerRecord> out;
  if (!state) return out;
  for (std::uint64_t at = state->last;;) {
    TALLA_TRY(LedgerRecord record, record_locked(at));
    const bool ordered = out.empty() || record.seq < out.back().seq;
    if (!ordered || record.object != object) {
      return fail(Errc::ledger_damaged,
                  fmt::format("the chain of {} breaks at record {}", object, at));
    }
    const std::optional<std::uint64_t> prev = record.prev;
    out.push_back(std::move(record));
    if (!prev) break;
    at = *prev;
  }
  if (out.back().seq != state->opened) {
    return fail(Errc::ledger_damaged,
                fmt::format("the chain of {} ends at record {}", object, out.back().seq));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

Result<std::optional<ObjectState>> SqliteReader::object(std::string_view id) {
  const std::scoped_lock lock(mutex_);
  return read_object(object_, id);
}

Result<std::vector<ObjectState>> SqliteReader::open_objects() {
  const std::scoped_lock lock(mutex_);
  const ResetAtEnd reset(open_);
  std::vector<ObjectState> out;
  for (;;) {
    TALLA_TRY(const bool row, open_.step());
    if (!row) return out;
    out.push_back(object_row(open_));
  }
}

Result<std::vector<SealedSecret>> SqliteReader::sealed(std::string_view object) {
  const std::scoped_lock lock(mutex_);
  const ResetAtEnd reset(sealed_);
  sealed_.bind(1, object);
  std::vector<SealedSecret> out;
  for (;;) {
    TALLA_TRY(const bool row, sealed_.step());
    if (!row) return out;
    const ByteView bytes = sealed_.bytes(3);
    out.push_back({.object = sealed_.text(0),
                   .seq = sealed_.integer(1),
                   .kind = sealed_.text(2),
                   .sealed = Bytes(bytes.begin(), bytes.end())});
  }
}

Result<std::optional<StoredReply>> SqliteReader::reply(const ReplyKey& id) {
  const std::scoped_lock lock(mutex_);
  TALLA_TRY(const auto row, keys_.find(reply_digest(hashes_, id)));
  if (!row) return std::optional<StoredReply>();
  TALLA_TRY(StoredReply reply, read_reply(reply_, *row));
  if (reply.id != id)
    return fail(Errc::ledger_damaged, "the reply to key " + id.key + " has another id");
  return std::optional<StoredReply>(std::move(reply));
}

Result<std::vector<StoredReply>> SqliteReader::replies(std::string_view client,
                                                       std::string_view key) {
  const std::scoped_lock lock(mutex_);
  TALLA_TRY(const auto rows, keys_.between(reply_range(hashes_, client, key)));
  std::vector<StoredReply> out;
  for (const std::uint64_t row : rows) {
    TALLA_TRY(StoredReply reply, read_reply(reply_, row));
    if (reply.id.client == client && reply.id.key == key) out.push_back(std::move(reply));
  }
  return out;
}

Status SqliteReader::seen(const std::function<void(ByteView)>& sink) {
  const std::scoped_lock lock(mutex_);
  return keys_.seen(sink);
}

Result<std::optional<std::string>> SqliteReader::text_of(Statement& bound) {
  const ResetAtEnd reset(bound);
  TALLA_TRY(const bool row, bound.step());
  if (!row) return std::optional<std::string>();
  return std::optional<std::string>(bound.text(0));
}

Result<std::optional<std::string>> SqliteReader::document(std::string_view name) {
  const std::scoped_lock lock(mutex_);
  return text_of(document_.bind(1, name));
}

Result<std::optional<std::string>> SqliteReader::catalogue(const Digest& digest) {
  const std::scoped_lock lock(mutex_);
  TALLA_TRY(auto text, text_of(catalogue_.bind(1, ByteView(digest))));
  if (text && hashes_.sha256({as_bytes(*text)}) != digest) {
    return fail(Errc::ledger_damaged, "catalogue " + to_hex(digest) + " does not have its digest");
  }
  return std::optional<std::string>(std::move(text));
}

Result<std::uint64_t> SqliteReader::group_end(std::uint64_t seq) {
  const std::scoped_lock lock(mutex_);
  const ResetAtEnd reset(group_end_);
  TALLA_TRY(const bool row, group_end_.bind(1, seq).step());
  if (!row || group_end_.is_null(0)) return fail(Errc::not_found, fmt::format("no record {}", seq));
  return group_end_.integer(0);
}

}  // namespace talla::certs

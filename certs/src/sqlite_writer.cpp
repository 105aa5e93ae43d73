#include "sqlite_writer.hpp"

namespace talla::certs {

namespace {

/// The WAL grows by steps, ahead of the groups: a sync of a file that keeps its length writes no
/// inode.
constexpr sqlite3_int64 wal_step_bytes = sqlite3_int64{1} << 20;
constexpr sqlite3_int64 wal_ahead_bytes = wal_step_bytes / 2;
constexpr sqlite3_int64 wal_frame_bytes = 8192 + 24;
constexpr int wal_write_bytes = 65536;  // SQLite's files take no more at once

bool is_constraint(int code) {
  return code == SQLITE_CONSTRAINT_PRIMARYKEY || code == SQLITE_CONSTRAINT_UNIQUE ||
         code == SQLITE_CONSTRAINT_ROWID;
}

}  // namespace

Result<SqliteWriter> SqliteWriter::create(DatabaseHandle database, std::unique_ptr<WalCopy> copy,
                                          std::shared_ptr<YoungKeys> young, std::uint64_t size) {
  SqliteWriter writer;
  writer.database_ = std::move(database);
  writer.copy_ = std::move(copy);
  struct Row {
    Statement* statement;
    const char* sql;
  };
  const std::initializer_list<Row> rows = {
      {&writer.begin_, "BEGIN IMMEDIATE"},
      {&writer.commit_, "COMMIT"},
      {&writer.rollback_, "ROLLBACK"},
      {&writer.record_,
       "INSERT INTO records(seq, leaf, prev, kind, object, bytes) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"},
      {&writer.leaf_page_, "INSERT INTO leaf_pages VALUES(?1, ?2)"},
      {&writer.group_end_, "INSERT INTO groups VALUES(?1)"},
      {&writer.object_new_,
       "INSERT INTO objects(opened, last, closed, pending, id, live) VALUES(?1, ?2, ?3, ?4, ?5, "
       "?6)"},
      {&writer.object_,
       "UPDATE objects SET last = ?2, closed = ?3, pending = ?4 WHERE opened = ?1"},
      {&writer.object_over_,
       "UPDATE objects SET last = ?2, closed = ?3, pending = ?4, live = 0 WHERE opened = ?1"},
      {&writer.sealed_, "INSERT INTO sealed VALUES(?1, ?2, ?3, ?4)"},
      {&writer.spent_, "DELETE FROM sealed WHERE object = ?1 AND kind <> 'SHOE_CLOSE'"},
      {&writer.reply_,
       "INSERT INTO replies(row, id, client, key, method, path, request, status, head, seqs)"
       " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"},
      {&writer.document_, "INSERT OR REPLACE INTO documents VALUES(?1, ?2)"},
      {&writer.document_remove_, "DELETE FROM documents WHERE name = ?1"},
      {&writer.catalogue_, "INSERT OR IGNORE INTO catalogues VALUES(?1, ?2)"},
  };
  for (const Row& row : rows) {
    TALLA_TRY(*row.statement, Statement::prepare(writer.database_.get(), row.sql));
  }
  const auto note_pages = [](void* wal_copy, sqlite3* /*database*/, const char* /*name*/,
                             int count) {
    static_cast<WalCopy*>(wal_copy)->pages = count;
    return SQLITE_OK;
  };
  static_cast<void>(sqlite3_wal_hook(writer.database_.get(), note_pages, writer.copy_.get()));
  TALLA_TRY_STATUS(writer.done(writer.begin_.run(), "write-ahead log"));
  TALLA_TRY_STATUS(writer.done(writer.rollback_.run(), "write-ahead log"));
  TALLA_TRY(writer.wal_, WalSync::open(writer.database_.get()));
  TALLA_TRY_STATUS(execute(writer.database_.get(),
                           "PRAGMA synchronous=NORMAL"));  // COMMIT leaves the sync to `sync`
  TALLA_TRY_STATUS(writer.load_page(size));
  TALLA_TRY(writer.keys_, SqliteKeyWriter::create(writer.database_.get(), std::move(young)));
  TALLA_TRY(Statement replies, Statement::prepare(writer.database_.get(),
                                                  "SELECT ifnull(max(row), 0) + 1 FROM replies"));
  TALLA_TRY([[maybe_unused]] const bool row, replies.step());
  writer.next_reply_ = replies.integer(0);
  writer.lengthen_wal();
  return writer;
}

Status SqliteWriter::done(int code, const char* where) {
  if (code == SQLITE_OK) return {};
  return sqlite_fail(database_.get(), code, where);
}

Status SqliteWriter::write(const Group& group, const GroupDigests& digests, std::uint64_t size,
                           const ObjectStates& objects) {
  if (copy_->rest_due()) {
    copy_->begin_rest();
    TALLA_TRY_STATUS(copy_wal(database_.get(), nullptr));
  }
  TALLA_TRY_STATUS(done(begin_.run(), "begin"));
  Status status = insert_all(group, digests, size, objects);
  if (status) status = done(commit_.run(), "commit");
  if (status) status = keys_.committed();
  if (status) {
    lengthen_wal();
  } else {
    static_cast<void>(rollback_.run());
  }
  return status;
}

Status SqliteWriter::insert_all(const Group& group, const GroupDigests& digests, std::uint64_t size,
                                const ObjectStates& objects) {
  TALLA_TRY_STATUS(insert_records(group, size + group.records.size()));
  TALLA_TRY_STATUS(insert_objects(objects, size));
  TALLA_TRY_STATUS(insert_sealed(group));
  TALLA_TRY_STATUS(insert_replies(group, digests));
  TALLA_TRY_STATUS(insert_keys(digests));
  return insert_rest(group);
}

Status SqliteWriter::insert_records(const Group& group, std::uint64_t end) {
  for (const LedgerRecord& record : group.records) {
    record_.bind(1, record.seq).bind(2, ByteView(record.leaf));
    if (record.prev) {
      record_.bind(3, *record.prev);
    } else {
      record_.bind_null(3);
    }
    record_.bind(4, kind_name(record.kind)).bind(5, record.object).bind(6, as_bytes(record.bytes));
    const int code = record_.run();
    if (is_constraint(code)) return fail(Errc::group_refused, "a record has this number already");
    TALLA_TRY_STATUS(done(code, "record"));
    TALLA_TRY_STATUS(add_leaf(record.seq, record.leaf));
  }
  if (group.records.empty()) return {};
  return done(group_end_.bind(1, end).run(), "group end");
}

Status SqliteWriter::load_page(std::uint64_t size) {
  TALLA_TRY(
      Statement rows,
      Statement::prepare(database_.get(), "SELECT leaf FROM records WHERE seq >= ?1 ORDER BY seq"));
  rows.bind(1, size - size % leaves_of_page);
  for (;;) {
    TALLA_TRY(const bool row, rows.step());
    if (!row) return {};
    TALLA_TRY(const Digest leaf, digest_column(rows, 0));
    page_.insert(page_.end(), leaf.begin(), leaf.end());
  }
}

Status SqliteWriter::add_leaf(std::uint64_t seq, const Digest& leaf) {
  page_.insert(page_.end(), leaf.begin(), leaf.end());
  if (seq % leaves_of_page != leaves_of_page - 1) return {};
  const int code = leaf_page_.bind(1, seq / leaves_of_page).bind(2, ByteView(page_)).run();
  page_.clear();
  return done(code, "leaves");
}

/// The index of live objects is touched only when one begins or ends.
Status SqliteWriter::insert_objects(const ObjectStates& objects, std::uint64_t size) {
  for (const auto& [id, state] : objects) {
    const bool fresh = state.opened >= size;
    const std::uint64_t live = object_live(state) ? 1 : 0;
    Statement& statement = fresh ? object_new_ : live != 0 ? object_ : object_over_;
    statement.bind(1, state.opened).bind(2, state.last);
    statement.bind(3, std::uint64_t{state.closed ? 1U : 0U}).bind(4, std::uint64_t{state.pending});
    if (fresh) statement.bind(5, id).bind(6, live);
    TALLA_TRY_STATUS(done(statement.run(), "object"));
  }
  return {};
}

Status SqliteWriter::insert_sealed(const Group& group) {
  for (const SealedSecret& secret : group.sealed) {
    sealed_.bind(1, secret.object)
        .bind(2, secret.seq)
        .bind(3, secret.kind)
        .bind(4, ByteView(secret.sealed));
    const int code = sealed_.run();
    if (is_constraint(code))
      return fail(Errc::group_refused, secret.object + ": sealed twice by one record");
    TALLA_TRY_STATUS(done(code, "sealed"));
  }
  for (const std::string& object : group.spent) {
    TALLA_TRY_STATUS(done(spent_.bind(1, object).run(), "spent"));
  }
  return {};
}

Status SqliteWriter::insert_replies(const Group& group, const GroupDigests& digests) {
  for (std::size_t i = 0; i < group.replies.size(); ++i) {
    const StoredReply& reply = group.replies[i];
    const Bytes seqs = encode_seqs(reply.seqs);
    reply_.bind(1, next_reply_ + i).bind(2, ByteView(digests[i]));
    reply_.bind(3, reply.id.client)
        .bind(4, reply.id.key)
        .bind(5, reply.id.method)
        .bind(6, reply.id.path);
    reply_.bind(7, ByteView(reply.request)).bind(8, static_cast<std::uint64_t>(reply.status));
    TALLA_TRY_STATUS(done(reply_.bind(9, reply.head).bind(10, ByteView(seqs)).run(), "reply"));
  }
  return {};
}

Status SqliteWriter::insert_keys(const GroupDigests& digests) {
  std::vector<KnownKey> keys;
  keys.reserve(digests.size());
  for (const ReplyDigest& reply : digests) keys.push_back({reply, next_reply_++});
  return keys_.insert(std::move(keys));
}

Status SqliteWriter::insert_rest(const Group& group) {
  for (const Document& document : group.documents) {
    Statement& statement = document.text.empty() ? document_remove_ : document_;
    statement.bind(1, document.name.text());
    if (!document.text.empty()) statement.bind(2, document.text);
    TALLA_TRY_STATUS(done(statement.run(), "document"));
  }
  for (const CatalogueFile& file : group.catalogues) {
    TALLA_TRY_STATUS(
        done(catalogue_.bind(1, ByteView(file.digest)).bind(2, file.text).run(), "catalogue"));
  }
  return {};
}

void SqliteWriter::lengthen_wal() {
  const sqlite3_int64 wanted = copy_->pages * wal_frame_bytes + wal_ahead_bytes;
  if (wanted <= wal_bytes_) return;
  sqlite3_file* file = nullptr;
  int code = sqlite3_file_control(database_.get(), "main", SQLITE_FCNTL_JOURNAL_POINTER,
                                  static_cast<void*>(&file));
  if (code != SQLITE_OK || file == nullptr || file->pMethods == nullptr) return;
  code = file->pMethods->xFileSize(file, &wal_bytes_);
  const std::vector<std::uint8_t> zeros(wal_write_bytes);
  for (const sqlite3_int64 end = wanted + wal_step_bytes; code == SQLITE_OK && wal_bytes_ < end;) {
    code = file->pMethods->xWrite(file, zeros.data(), wal_write_bytes, wal_bytes_);
    if (code == SQLITE_OK) wal_bytes_ += wal_write_bytes;
  }
}

}  // namespace talla::certs

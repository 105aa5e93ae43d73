/// \file
/// The writing side of the SQLite ledger: one group, one transaction. Private to certs.
///
/// Threads: one thread, but for `sync` and `tidy`. Durability: COMMIT writes the WAL, `sync` syncs
/// it; the WAL is copied into the file by WalCopy and not by SQLite's own hook, whose failed syncs
/// would go unseen.
#pragma once

#include <memory>

#include "object_chains.hpp"
#include "sqlite_keys.hpp"
#include "sqlite_rows.hpp"
#include "wal_copy.hpp"
#include "wal_sync.hpp"

namespace talla::certs {

class SqliteWriter {
 public:
  /// `young`: empty; of the reader too.
  [[nodiscard]] static Result<SqliteWriter> create(DatabaseHandle database,
                                                   std::unique_ptr<WalCopy> copy,
                                                   std::shared_ptr<YoungKeys> young,
                                                   std::uint64_t size);
  /// Any error is the last thing it says (WriteQueue latches). `digests`: of this group. Durable
  /// when a `sync` that began afterwards returned ok.
  [[nodiscard]] Status write(const Group& group, const GroupDigests& digests, std::uint64_t size,
                             const ObjectStates& objects);
  /// Any thread, beside `write` and itself.
  [[nodiscard]] Status sync() { return wal_->sync(); }
  /// The same: copies the WAL when it is long.
  [[nodiscard]] Status tidy() { return copy_->ahead(); }

 private:
  SqliteWriter() = default;
  [[nodiscard]] Status insert_all(const Group& group, const GroupDigests& digests,
                                  std::uint64_t size, const ObjectStates& objects);
  [[nodiscard]] Status insert_records(const Group& group, std::uint64_t end);
  [[nodiscard]] Status insert_objects(const ObjectStates& objects, std::uint64_t size);
  [[nodiscard]] Status insert_sealed(const Group& group);
  [[nodiscard]] Status insert_replies(const Group& group, const GroupDigests& digests);
  /// Of the replies just inserted.
  [[nodiscard]] Status insert_keys(const GroupDigests& digests);
  [[nodiscard]] Status insert_rest(const Group& group);
  [[nodiscard]] Status done(int code, const char* where);
  /// Room in the write-ahead log for the groups to come. Nothing rests on it: where it fails, a
  /// group that needs the room asks for it itself and fails if it must.
  void lengthen_wal();
  /// The leaves behind the last whole page, of a ledger of that size.
  [[nodiscard]] Status load_page(std::uint64_t size);
  [[nodiscard]] Status add_leaf(std::uint64_t seq, const Digest& leaf);

  DatabaseHandle database_;
  std::unique_ptr<WalCopy> copy_;  // SQLite's hook writes its `pages`
  std::unique_ptr<WalSync> wal_;
  Statement begin_, commit_, rollback_;
  Bytes page_;  // leaves of the page that is not whole yet
  SqliteKeyWriter keys_;
  std::uint64_t next_reply_ = 1;  // row
  Statement leaf_page_;
  Statement record_, group_end_, object_new_, object_, object_over_, sealed_, spent_, reply_,
      document_, document_remove_, catalogue_;
  sqlite3_int64 wal_bytes_ = 0;  // length of the WAL's file
};

}  // namespace talla::certs

/// \file The SQLite ledger's index of idempotency keys: table `known`, sorted by digest, and before
/// it the blocks of `young` (young_keys.hpp). Private to certs.
///
/// A key is in a block of `young` from its group on, and in `known` some time later; only then its
/// block goes. So whoever asks `young` first and `known` behind it finds every key, also between
/// two groups of a writer in another process.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sqlite_handles.hpp"
#include "young_keys.hpp"

namespace talla::certs {

/// Keys of groups, inside their transactions. Threads: the writer's.
class SqliteKeyWriter {
 public:
  /// Reads the blocks there are into `young`. Errors: ledger_damaged (of a block that is cut, or
  /// has a key that its reply does not have), ledger_io.
  [[nodiscard]] static Result<SqliteKeyWriter> create(sqlite3* database,
                                                      std::shared_ptr<YoungKeys> young);
  /// The keys of a group as one block; and twice as many older ones go into the index, if so many
  /// are due.
  /// Errors: ledger_damaged (the index has another key under a digest), ledger_io.
  [[nodiscard]] Status insert(std::vector<KnownKey> keys);
  /// The transaction of the last `insert` is committed. Errors: ledger_damaged (a key was given
  /// twice).
  [[nodiscard]] Status committed();

 private:
  [[nodiscard]] Status insert_known(const KnownKey& key);

  sqlite3* database_ = nullptr;
  std::shared_ptr<YoungKeys> young_;
  Statement block_, known_, at_, trim_;
  std::uint64_t next_block_ = 1;
  std::uint64_t trimmed_to_ = 0;
  // Of the last insert:
  std::vector<KnownKey> keys_;
  std::size_t merged_ = 0;
  std::uint64_t trim_to_ = 0;
};

/// Threads: one at a time.
class SqliteKeyReader {
 public:
  /// `young`: of the writer in this process; null: there is none, and the blocks are read each
  /// time.
  [[nodiscard]] static Result<SqliteKeyReader> create(sqlite3* database,
                                                      std::shared_ptr<const YoungKeys> young);
  /// `at` of the key.
  [[nodiscard]] Result<std::optional<std::uint64_t>> find(const ReplyDigest& id);
  /// `at` of all replies between these two, ends included, ascending.
  [[nodiscard]] Result<std::vector<std::uint64_t>> between(const ReplyRange& range);
  /// All digests, some of them twice.
  [[nodiscard]] Status seen(const std::function<void(ByteView)>& sink);

 private:
  [[nodiscard]] Status each_young(const std::function<void(const KnownKey&)>& sink);

  std::shared_ptr<const YoungKeys> young_;
  Statement find_, between_, known_, blocks_;
};

}  // namespace talla::certs

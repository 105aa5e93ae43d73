/// \file
/// The reading side of the SQLite ledger, on its own connection. Private to certs.
///
/// Threads: any; one lock around every use of the connection.
#pragma once

#include <mutex>

#include "certs/ledger.hpp"
#include "certs/openssl_hashes.hpp"
#include "sqlite_keys.hpp"

namespace talla::certs {

class SqliteReader {
 public:
  /// `young`: as SqliteKeyReader has it.
  [[nodiscard]] static Result<std::unique_ptr<SqliteReader>> create(
      DatabaseHandle database, std::shared_ptr<const YoungKeys> young);

  [[nodiscard]] Result<LedgerRecord> record(std::uint64_t seq);
  [[nodiscard]] Result<std::vector<LedgerRecord>> records(std::uint64_t from, std::uint64_t to);
  [[nodiscard]] Status leaves(std::uint64_t from, std::uint64_t to,
                              const std::function<void(const Digest&)>& sink);
  [[nodiscard]] Status group_ends(const std::function<void(std::uint64_t)>& sink);
  [[nodiscard]] Result<std::vector<LedgerRecord>> chain(std::string_view object);
  [[nodiscard]] Result<std::optional<ObjectState>> object(std::string_view id);
  [[nodiscard]] Result<std::vector<ObjectState>> open_objects();
  [[nodiscard]] Result<std::vector<SealedSecret>> sealed(std::string_view object);
  [[nodiscard]] Result<std::optional<StoredReply>> reply(const ReplyKey& id);
  [[nodiscard]] Result<std::vector<StoredReply>> replies(std::string_view client,
                                                         std::string_view key);
  /// The digests of all replies, some of them twice, one call of `sink` each.
  [[nodiscard]] Status seen(const std::function<void(ByteView)>& sink);
  [[nodiscard]] Result<std::optional<std::string>> document(std::string_view name);
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest);
  [[nodiscard]] Result<std::uint64_t> group_end(std::uint64_t seq);

 private:
  /// Leaf by leaf out of the records, and 256 at a time out of the pages that hold leaves alone.
  /// Callers hold mutex_.
  [[nodiscard]] Status leaf_rows(std::uint64_t from, std::uint64_t to,
                                 const std::function<void(const Digest&)>& sink);
  [[nodiscard]] Status leaf_pages(std::uint64_t from, std::uint64_t to,
                                  const std::function<void(const Digest&)>& sink);
  SqliteReader() = default;
  [[nodiscard]] Result<LedgerRecord> record_row(const Statement& statement) const;
  [[nodiscard]] Result<LedgerRecord> record_locked(std::uint64_t seq);
  [[nodiscard]] static Result<std::optional<std::string>> text_of(Statement& bound);

  OpensslHashes hashes_;
  std::mutex mutex_;         // owns the connection and its statements
  DatabaseHandle database_;  // mutex_
  SqliteKeyReader keys_;     // mutex_
  Statement record_, range_, leaves_, leaf_pages_, object_, open_, sealed_, reply_, document_,
      catalogue_, group_end_, group_ends_;
};

}  // namespace talla::certs

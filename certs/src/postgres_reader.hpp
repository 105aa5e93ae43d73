/// \file
/// The reading side of the PostgreSQL ledger, on its own connection, which it makes again when it
/// is lost. Private to certs.
///
/// Threads: any; one lock around every use of the connection.
#pragma once

#include <atomic>
#include <mutex>

#include "certs/openssl_hashes.hpp"
#include "postgres_open.hpp"

namespace talla::certs {

class PostgresReader {
 public:
  /// `epoch` of the writer beside it, 0: none. A server that a lost connection is made again to
  /// must have this epoch.
  PostgresReader(PostgresLedgerOptions options, PgConnection connection, std::uint64_t epoch)
      : options_(std::move(options)), epoch_(epoch), connection_(std::move(connection)) {}

  /// The ledger has so many records: no server with fewer is read from.
  void has_records(std::uint64_t count) { size_.store(count); }
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
  /// The digests of all replies, one call of `sink` each.
  [[nodiscard]] Status seen(const std::function<void(ByteView)>& sink);
  [[nodiscard]] Result<std::optional<std::string>> document(std::string_view name);
  [[nodiscard]] Result<std::optional<std::string>> catalogue(const Digest& digest);
  [[nodiscard]] Result<std::uint64_t> group_end(std::uint64_t seq);

 private:
  /// One statement; a lost connection is made again once.
  [[nodiscard]] Result<PgRows> ask(const PgQuery& query, const PgValues& values);
  [[nodiscard]] Status connect_again();
  [[nodiscard]] Result<LedgerRecord> record_row(const PgRows& rows, int row) const;
  [[nodiscard]] Status leaf_rows(std::uint64_t from, std::uint64_t to,
                                 const std::function<void(const Digest&)>& sink);
  [[nodiscard]] Status leaf_pages(std::uint64_t from, std::uint64_t to,
                                  const std::function<void(const Digest&)>& sink);

  PostgresLedgerOptions options_;
  std::uint64_t epoch_;
  std::atomic<std::uint64_t> size_{0};
  OpensslHashes hashes_;
  std::mutex mutex_;         // owns the connection
  PgConnection connection_;  // mutex_
};

}  // namespace talla::certs

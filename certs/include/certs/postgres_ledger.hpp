/// \file
/// The ledger in a PostgreSQL database, for fleets: one schema for each log origin, one writing and
/// one reading connection.
///
/// Way:        `connection` is libpq's (keywords or URI) without a password in it (passfile or
///             client certificate instead). Over a network only TLS with sslmode=verify-full or
///             verify-ca is taken; a UNIX socket is taken as it is.
/// Server:     PostgreSQL 14 or later, not a standby, not read-only, fsync and full_page_writes on,
///             no page errors passed over, no unlogged table; the session sets synchronous_commit
///             to `on` unless it is remote_apply. Looked at when the ledger is opened, and the
///             settings again inside every commit.
/// Fencing:    a row holds the epoch and the size of the log. An open raises the epoch; a commit
///             names its epoch and the size it builds on in the same transaction. Whoever opens the
///             ledger later fences the one before: its next commit fails and latches. On one
///             machine a second daemon is kept out by a lock on `<folder>/ledger.lock` already.
/// Durability: a group is one pipeline, so one round trip, and one transaction; done when the
///             server's COMMIT is here. Lost on the way (or no answer within `commit_limit`) its
///             outcome is unknown: the ledger latches, a restart reads what is. Readers connect
///             again by themselves, if the server they find has this log at least as long.
/// Errors:     ledger_unreachable (ask again later), ledger_unsafe, ledger_fenced, ledger_io,
///             ledger_foreign, ledger_damaged, ledger_locked; then those of ledger.hpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "certs/ledger.hpp"

namespace talla::certs {

struct PostgresLedgerOptions {
  std::string connection;
  std::string origin;
  /// Of this machine: the lock; its free space is what `disk_free_bytes` says. Empty: no lock.
  std::string folder{};
  bool create = true;      ///< make schema and tables where none are
  bool read_only = false;  ///< for `talla log`: no lock, no epoch, no commit
  std::chrono::milliseconds commit_limit{20'000};
};

/// A ledger on a PostgreSQL server: one daemon writes, and knows when another took over.
class PostgresLedger : public Ledger {
 public:
  /// Of this opening; 0 when it is open for reading only.
  [[nodiscard]] virtual std::uint64_t epoch() const = 0;
  /// True after a commit that found another epoch: another daemon has taken the log over.
  [[nodiscard]] virtual bool fenced() const = 0;
};
[[nodiscard]] Result<std::unique_ptr<PostgresLedger>> open_postgres_ledger(
    const PostgresLedgerOptions& options);

/// Has the server read every row and compare every record with its leaf hash and its leaf page, on
/// a connection of its own; any thread, also while the ledger is in use. Ends early, and well, once
/// `stop` is set. Errors: ledger_damaged, ledger_foreign, ledger_unreachable, ledger_io.
[[nodiscard]] Status check_postgres_ledger(const PostgresLedgerOptions& options,
                                           const std::atomic<bool>* stop = nullptr);

/// Whether this is a connection string at all, and without a password. Never repeats any of it.
/// Errors: ledger_unsafe.
[[nodiscard]] Status check_postgres_connection(const std::string& connection);

/// The schema that holds a log: `talla_`, what the origin reads like, 16 hex digits of its SHA-256.
[[nodiscard]] std::string postgres_schema(std::string_view origin);

}  // namespace talla::certs

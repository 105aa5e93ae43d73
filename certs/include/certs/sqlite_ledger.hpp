/// \file
/// The ledger in one SQLite file: WAL, synchronous=FULL, one writing and one reading connection.
///
/// At open: the file must be ours (application id, schema version, origin), pass SQLite's quick
/// check, be contiguous from 0 to its end and end where its last group ended. A file longer than
/// `checked_bytes_max` is opened without the quick check, which reads all of it:
/// `check_sqlite_ledger` does it beside the work. Another process is kept out by an exclusive lock
/// on `<path>.lock`. A torn tail of the WAL is dropped by SQLite: what was not acknowledged.
/// Errors:  ledger_io, ledger_foreign, ledger_damaged, ledger_locked; then those of ledger.hpp.
/// Durability: every commit ends in one fdatasync of the WAL; a failed one latches the ledger for
///             good.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "certs/ledger.hpp"

namespace talla::certs {

struct SqliteLedgerOptions {
  std::string path;
  std::string origin;
  /// Name of a registered SQLite VFS; empty: the system's (tests inject faults).
  std::string vfs{};
  bool create = true;      ///< make a new ledger where none is
  bool read_only = false;  ///< for `talla log`: no lock, no commit
  /// The write-ahead log is copied into the file from so many pages on (32 MiB), 1 to 65,536.
  int wal_pages_max = 4096;
  /// So many keys wait in memory until they go into the index, sorted.
  std::size_t young_keys_max = 32'768;
  std::uint64_t checked_bytes_max = std::uint64_t{256}
                                    << 20;  ///< longest file that an open looks at page by page
  /// SQLite's full check of all pages and indices instead of the quick one.
  bool integrity_check = false;
};
/// Opens a ledger file, or makes it.
[[nodiscard]] Result<std::unique_ptr<Ledger>> open_sqlite_ledger(
    const SqliteLedgerOptions& options);

/// The check of every page, with a connection of its own; any thread, also while the ledger is in
/// use. Takes about a second for each gigabyte. Errors: ledger_damaged, ledger_foreign, ledger_io.
[[nodiscard]] Status check_sqlite_ledger(const SqliteLedgerOptions& options);

}  // namespace talla::certs

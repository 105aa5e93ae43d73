/// \file
/// The ledger in one SQLite file: WAL, synchronous=FULL, one writing and one reading connection.
///
/// At open: the file must be ours (application id, schema version, origin), pass SQLite's quick check, be
/// contiguous from 0 to its end and end where its last group ended. Another process is kept out by an
/// exclusive lock on `<path>.lock`. A torn tail of the WAL is dropped by SQLite: what was not acknowledged.
/// Errors:  ledger_io, ledger_foreign, ledger_damaged, ledger_locked; then those of ledger.hpp.
/// Durability: every commit ends in one fdatasync of the WAL; a failed one latches the ledger for good.
#pragma once

#include <memory>
#include <string>

#include "certs/ledger.hpp"

namespace talla::certs {

struct SqliteLedgerOptions {
  std::string path;
  std::string origin;
  std::string vfs{};       ///< name of a registered SQLite VFS; empty: the system's (tests inject faults)
  bool create = true;      ///< make a new ledger where none is
  bool read_only = false;  ///< for `talla log`: no lock, no commit
  bool integrity_check = false;  ///< SQLite's full check of all pages and indices instead of the quick one
};
[[nodiscard]] Result<std::unique_ptr<Ledger>> open_sqlite_ledger(const SqliteLedgerOptions& options);

}  // namespace talla::certs

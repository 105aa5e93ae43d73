/// \file
/// Opening a ledger file: schema, identity and integrity. Private to certs.
#pragma once

#include "certs/sqlite_ledger.hpp"
#include "sqlite_handles.hpp"

namespace talla::certs {

/// A connection with our settings; the writer makes or checks the schema, identity and pages.
[[nodiscard]] Result<DatabaseHandle> open_writer(const SqliteLedgerOptions& options);
/// A connection that copies the write-ahead log of a ledger that `open_writer` has opened.
[[nodiscard]] Result<DatabaseHandle> open_copier(const SqliteLedgerOptions& options);
/// A connection that cannot write; `checked` says that a writer of this process has checked the
/// file.
[[nodiscard]] Result<DatabaseHandle> open_reader(const SqliteLedgerOptions& options, bool checked);
/// Count of records; refuses an end that is not the end of a group and a gap in the last 1,000.
[[nodiscard]] Result<std::uint64_t> checked_size(sqlite3* database);

/// A new file with all that the ledger holds at one moment, marked as a backup; the ledger may be
/// in use. Synced.
/// Errors: those of an open; ledger_io.
[[nodiscard]] Status copy_sqlite_ledger(const SqliteLedgerOptions& source, const std::string& path);
/// A new, empty file of the ledger's tables, to be filled by somebody else; `seal_copy` ends that.
[[nodiscard]] Result<DatabaseHandle> create_copy(const std::string& path,
                                                 const std::string& origin);
/// Marks it as a backup, closes and syncs it.
[[nodiscard]] Status seal_copy(DatabaseHandle database, const std::string& path);

}  // namespace talla::certs

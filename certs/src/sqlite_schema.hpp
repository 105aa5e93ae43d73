/// \file
/// The SQLite ledger's tables, their version, and how an older one is brought to it. Private to
/// certs.
///
/// Threads: those of the connection.
#pragma once

#include <string>

#include "sqlite_handles.hpp"

namespace talla::certs {

/// One row, one number; 0 where there is none.
[[nodiscard]] Result<std::uint64_t> number_of(sqlite3* database, std::string_view sql);

/// Tables in a new file, for the log of this origin.
[[nodiscard]] Status create_schema(sqlite3* database, const std::string& origin);
/// That the file is the ledger of `origin`, with tables of this program's version or of the one
/// before. `path`: for errors.
/// Errors: ledger_foreign, ledger_damaged, ledger_io.
[[nodiscard]] Status check_identity(sqlite3* database, const std::string& path,
                                    const std::string& origin);
/// Makes this program's tables of the version before, in one transaction; older programs refuse the
/// file from then on. False where there was nothing to do.
[[nodiscard]] Result<bool> renew_tables(sqlite3* database);
/// The same for a connection that only reads: it sees them so, the file stays as it is.
[[nodiscard]] Status view_tables(sqlite3* database);

}  // namespace talla::certs

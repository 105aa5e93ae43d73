/// \file
/// The SQLite ledger's tables and their version. Private to certs.
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
/// That the file is the ledger of `origin`, with tables of this program's version. `path`: for
/// errors.
/// Errors: ledger_foreign, ledger_damaged, ledger_io.
[[nodiscard]] Status check_identity(sqlite3* database, const std::string& path,
                                    const std::string& origin);

}  // namespace talla::certs

/// \file
/// A ledger on a PostgreSQL server as one SQLite file. Private to certs.
#pragma once

#include <string>

#include "certs/postgres_ledger.hpp"

namespace talla::certs {

/// Everything as one snapshot has it (REPEATABLE READ), marked as a backup; the ledger may be in
/// use. Synced.
/// Errors: those of an open for reading; ledger_io.
[[nodiscard]] Status copy_postgres_ledger(const PostgresLedgerOptions& source,
                                          const std::string& path);

}  // namespace talla::certs

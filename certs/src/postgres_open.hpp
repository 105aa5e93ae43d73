/// \file
/// Opening a ledger in PostgreSQL: session, schema, identity, durability, fence. Private to certs.
#pragma once

#include "certs/postgres_ledger.hpp"
#include "postgres_handles.hpp"

namespace talla::certs {

/// Reads and statements of an open. A statement that takes longer is ended by the server.
inline constexpr std::chrono::milliseconds postgres_read_limit{60'000};

/// Who holds the log and how long it is.
struct FenceRow {
  std::uint64_t epoch = 0;
  std::uint64_t size = 0;
  std::string holder;  ///< host and process of the last open, and when
};

/// Connected, with our settings, in the schema of the origin; the schema itself may not be there.
[[nodiscard]] Result<PgConnection> open_session(const PostgresLedgerOptions& options);
/// The tables are there, of this program's version and of this origin. Errors: ledger_io (none
/// there), ledger_foreign, ledger_damaged.
[[nodiscard]] Status check_postgres_identity(PgConnection& connection,
                                             const PostgresLedgerOptions& options);
/// Makes the tables where there are none, looks at the server's durability and at the identity.
[[nodiscard]] Status prepare_to_write(PgConnection& connection,
                                      const PostgresLedgerOptions& options);
[[nodiscard]] Result<FenceRow> read_fence(PgConnection& connection);
/// Raises the epoch: whoever wrote before is fenced when this returns.
[[nodiscard]] Result<FenceRow> raise_epoch(PgConnection& connection);
/// Settings under which a COMMIT is durable. Errors: ledger_unsafe.
[[nodiscard]] Status check_durability(PgConnection& connection);
/// Count of records; refuses an end that is not the end of a group or not the fence's, and a gap in
/// the last 1,000.
[[nodiscard]] Result<std::uint64_t> checked_postgres_size(PgConnection& connection);

}  // namespace talla::certs

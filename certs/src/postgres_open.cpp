#include "postgres_open.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "certs/openssl_hashes.hpp"
#include "ledger_rows.hpp"
#include "postgres_schema.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t server_version_min = 140000;
constexpr auto limit = postgres_read_limit;

/// Statements of ours find their rows by an index: a plan made while a table was small must not
/// stay. (A plan that is held to be dear would be compiled, hence no jit.)
constexpr const char* session_sql =
    "SET statement_timeout = '60s'; SET lock_timeout = '15s'; SET "
    "idle_in_transaction_session_timeout = "
    "'60s';"
    "SET enable_seqscan = off; SET jit = off; SET client_min_messages = error; SET "
    "default_transaction_isolation ="
    " 'read committed';"
    "SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN "
    "'remote_apply' "
    "THEN"
    " 'remote_apply' ELSE 'on' END, false);";

std::string program_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return fmt::format("{}, process {}", host.data(), ::getpid());
}

Result<bool> has_table(PgConnection& connection, const std::string& schema, const char* table) {
  TALLA_TRY(
      const PgRows rows,
      connection.ask(fmt::format("SELECT to_regclass('{}.{}') IS NOT NULL", schema, table), limit));
  return rows.boolean(0, 0);
}

Status create_tables(PgConnection& connection, const PostgresLedgerOptions& options) {
  const std::string schema = postgres_schema(options.origin);
  // Two first starts at once: the second one waits, and finds the tables.
  TALLA_TRY_STATUS(connection.execute(
      fmt::format("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('{}', 7))", schema),
      limit));
  TALLA_TRY(const bool there, has_table(connection, schema, "meta"));
  if (there) return connection.execute("ROLLBACK", limit);
  TALLA_TRY(
      const PgRows found,
      connection.ask(
          fmt::format(
              "SELECT to_regnamespace('{0}') IS NOT NULL, (SELECT count(*) FROM pg_class WHERE"
              " relnamespace = to_regnamespace('{0}'))",
              schema),
          limit));
  if (found.integer(0, 1) != 0)
    return fail(Errc::ledger_foreign,
                "ledger server: schema " + schema + " holds tables, but no ledger of Talla");
  if (!found.boolean(0, 0)) TALLA_TRY_STATUS(connection.execute("CREATE SCHEMA " + schema, limit));
  TALLA_TRY_STATUS(connection.execute(postgres_tables_sql, limit));
  TALLA_TRY_STATUS(connection.run(
      {"create_meta", "INSERT INTO meta VALUES('version', $1), ('origin', $2)", "tt"},
      PgValues().text(std::to_string(postgres_schema_version)).text(options.origin), limit));
  return connection.execute("COMMIT", limit);
}

Status check_server(PgConnection& connection) {
  TALLA_TRY(
      const PgRows rows,
      connection.ask(
          "SELECT current_setting('server_version_num')::int8, pg_is_in_recovery(),"
          " current_setting('transaction_read_only') = 'on', current_setting('server_version')",
          limit));
  if (rows.integer(0, 0) < server_version_min)
    return fail(Errc::ledger_unsafe,
                "ledger server: PostgreSQL " + rows.text(0, 3) + ", 14 or later is needed");
  if (rows.boolean(0, 1))
    return fail(Errc::ledger_unsafe,
                "ledger server: it is a standby (in recovery), the ledger needs the primary");
  if (rows.boolean(0, 2))
    return fail(Errc::ledger_unsafe, "ledger server: it is read-only for this user or database");
  return {};
}

/// An unlogged table is emptied when the server crashes.
Status check_tables(PgConnection& connection, const std::string& schema) {
  TALLA_TRY(const PgRows rows,
            connection.ask(
                fmt::format(
                    "SELECT relname::text FROM pg_class WHERE relnamespace = to_regnamespace('{}')"
                    " AND relkind IN ('r', 'i') AND relpersistence <> 'p' ORDER BY relname LIMIT 1",
                    schema),
                limit));
  if (rows.count() == 0) return {};
  return fail(Errc::ledger_unsafe, "ledger server: " + schema + "." + rows.text(0, 0) +
                                       " is unlogged or temporary: a crash would empty it");
}

}  // namespace

std::string postgres_schema(std::string_view origin) {
  constexpr std::size_t readable_max = 38;  // a name has at most 63 bytes
  std::string readable(origin.substr(0, readable_max));
  for (char& c : readable) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain) c = '_';
  }
  const Digest digest = OpensslHashes().sha256({as_bytes(origin)});
  return "talla_" + readable + "_" + to_hex(ByteView(digest).first(8));
}

Status check_postgres_connection(const std::string& connection) {
  if (connection.empty()) return fail(Errc::ledger_unsafe, "connection: it is empty");
  PQconninfoOption* const options = PQconninfoParse(connection.c_str(), nullptr);
  // libpq's own words may repeat a part of the string, and that part may be a password.
  if (options == nullptr)
    return fail(Errc::ledger_unsafe, "connection: this is no connection string of libpq");
  bool secret = false;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string_view name = option->keyword;
    secret = secret || ((name == "password" || name == "sslpassword") && option->val != nullptr);
  }
  PQconninfoFree(options);
  if (!secret) return {};
  return fail(
      Errc::ledger_unsafe,
      "connection: a password does not belong here; name a passfile, or a client certificate");
}

Result<PgConnection> open_session(const PostgresLedgerOptions& options) {
  TALLA_TRY(PgConnection connection, PgConnection::open(options.connection));
  TALLA_TRY_STATUS(connection.execute(
      fmt::format("SET search_path = {}; ", postgres_schema(options.origin)) + session_sql, limit));
  return connection;
}

Status check_postgres_identity(PgConnection& connection, const PostgresLedgerOptions& options) {
  const std::string schema = postgres_schema(options.origin);
  TALLA_TRY(const bool there, has_table(connection, schema, "meta"));
  if (!there) return fail(Errc::ledger_io, "ledger server: no ledger in schema " + schema);
  TALLA_TRY(const PgRows rows,
            connection.ask("SELECT (SELECT value FROM meta WHERE name = 'version'),"
                           " (SELECT value FROM meta WHERE name = 'origin')",
                           limit));
  if (rows.is_null(0, 0) || rows.is_null(0, 1))
    return fail(Errc::ledger_damaged,
                "ledger server: the ledger in " + schema + " names no version or no origin");
  if (rows.text(0, 0) != std::to_string(postgres_schema_version)) {
    return fail(Errc::ledger_foreign,
                fmt::format("ledger server: {} has schema version {}, this program knows {}",
                            schema, rows.text(0, 0), postgres_schema_version));
  }
  if (rows.text(0, 1) != options.origin) {
    return fail(Errc::ledger_foreign,
                fmt::format("ledger server: {} is the ledger of '{}', configured is '{}'", schema,
                            rows.text(0, 1), options.origin));
  }
  return {};
}

Status prepare_to_write(PgConnection& connection, const PostgresLedgerOptions& options) {
  const std::string schema = postgres_schema(options.origin);
  TALLA_TRY_STATUS(check_server(connection));
  TALLA_TRY_STATUS(check_durability(connection));
  TALLA_TRY(const bool there, has_table(connection, schema, "meta"));
  if (!there && options.create) TALLA_TRY_STATUS(create_tables(connection, options));
  TALLA_TRY_STATUS(check_postgres_identity(connection, options));
  return check_tables(connection, schema);
}

Status check_durability(PgConnection& connection) {
  TALLA_TRY(
      const PgRows rows,
      connection.ask(
          "SELECT name || ' is ' || setting FROM pg_settings WHERE (name = 'fsync' AND setting <> "
          "'on')"
          " OR (name = 'full_page_writes' AND setting <> 'on')"
          " OR (name IN ('zero_damaged_pages', 'ignore_checksum_failure') AND setting <> 'off')"
          " OR (name = 'synchronous_commit' AND setting NOT IN ('on', 'remote_apply'))"
          " ORDER BY name",
          limit));
  if (rows.count() == 0) return {};
  return fail(Errc::ledger_unsafe, "ledger server: " + rows.text(0, 0) +
                                       ": it would lose what it has acknowledged, or hide damage");
}

Result<FenceRow> read_fence(PgConnection& connection) {
  TALLA_TRY(
      const PgRows rows,
      connection.ask("SELECT epoch, size, holder || ' at ' || to_char(taken AT TIME ZONE 'UTC',"
                     " 'YYYY-MM-DD HH24:MI:SS\"Z\"') FROM fence",
                     limit));
  if (rows.count() != 1)
    return fail(Errc::ledger_damaged, "ledger server: the fence has not one row");
  return FenceRow{
      .epoch = rows.integer(0, 0), .size = rows.integer(0, 1), .holder = rows.text(0, 2)};
}

Result<FenceRow> raise_epoch(PgConnection& connection) {
  TALLA_TRY(
      const PgRows rows,
      connection.run(
          {"raise_epoch",
           "UPDATE fence SET epoch = epoch + 1, holder = $1, taken = now() RETURNING epoch, size",
           "t"},
          PgValues().text(program_name()), limit));
  if (rows.count() != 1)
    return fail(Errc::ledger_damaged, "ledger server: the fence has not one row");
  return FenceRow{
      .epoch = rows.integer(0, 0), .size = rows.integer(0, 1), .holder = program_name()};
}

Result<std::uint64_t> checked_postgres_size(PgConnection& connection) {
  // One statement, one moment: a log that is being written has these three equal at any time.
  TALLA_TRY(const PgRows sizes, connection.ask("SELECT (SELECT coalesce(max(seq) + 1, 0) FROM "
                                               "records), (SELECT coalesce(max(size), 0) FROM"
                                               " ends), (SELECT size FROM fence)",
                                               limit));
  if (sizes.is_null(0, 2)) return fail(Errc::ledger_damaged, "ledger server: the fence is empty");
  const std::uint64_t size = sizes.integer(0, 0);
  if (size != sizes.integer(0, 1) || size != sizes.integer(0, 2)) {
    return fail(Errc::ledger_damaged,
                fmt::format("{} records, but the last group ended at {} and the fence says {}",
                            size, sizes.integer(0, 1), sizes.integer(0, 2)));
  }
  const std::uint64_t from = size > tail_records ? size - tail_records : 0;
  TALLA_TRY(const PgRows tail,
            connection.ask(fmt::format("SELECT count(*) FROM records WHERE seq >= {} AND seq < {}",
                                       from, size),
                           limit));
  if (tail.integer(0, 0) != size - from)
    return fail(Errc::ledger_damaged,
                fmt::format("records are missing between {} and {}", from, size));
  return size;
}

}  // namespace talla::certs

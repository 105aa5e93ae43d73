#include "sqlite_schema.hpp"

#include <fmt/format.h>

namespace talla::certs {

namespace {

/// "tall" and the version of the tables; SQLite keeps both in the file's header.
constexpr std::uint64_t application_id = 0x74616c6c;
constexpr std::uint64_t schema_version = 5;

constexpr const char* schema = R"sql(
CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE records(seq INTEGER PRIMARY KEY, leaf BLOB NOT NULL, prev INTEGER, kind TEXT NOT NULL,
  object TEXT NOT NULL, bytes BLOB NOT NULL);
CREATE TABLE leaf_pages(page INTEGER PRIMARY KEY, leaves BLOB NOT NULL);
CREATE TABLE groups(end INTEGER PRIMARY KEY);
CREATE TABLE objects(opened INTEGER PRIMARY KEY, id TEXT NOT NULL, last INTEGER NOT NULL, closed INTEGER NOT NULL,
  pending INTEGER NOT NULL, live INTEGER NOT NULL);
CREATE INDEX objects_live ON objects(opened) WHERE live = 1;
CREATE TABLE sealed(object TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, sealed BLOB NOT NULL,
  PRIMARY KEY(object, seq)) WITHOUT ROWID;
CREATE TABLE replies(row INTEGER PRIMARY KEY, id BLOB NOT NULL, client TEXT NOT NULL, key TEXT NOT NULL,
  method TEXT NOT NULL, path TEXT NOT NULL, request BLOB NOT NULL, status INTEGER NOT NULL, head TEXT NOT NULL,
  seqs BLOB NOT NULL);
CREATE TABLE documents(name TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE catalogues(digest BLOB PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
)sql";

/// Digests of replies' keys, and where each belongs (sqlite_keys.hpp).
constexpr const char* key_tables = R"sql(
CREATE TABLE known(id BLOB PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE young(block INTEGER PRIMARY KEY, keys BLOB NOT NULL);
)sql";

}  // namespace

Result<std::uint64_t> number_of(sqlite3* database, std::string_view sql) {
  TALLA_TRY(Statement statement, Statement::prepare(database, sql));
  TALLA_TRY(const bool row, statement.step());
  return row ? statement.integer(0) : 0;
}

Status create_schema(sqlite3* database, const std::string& origin) {
  TALLA_TRY_STATUS(execute(database, "BEGIN IMMEDIATE"));
  const std::string head = fmt::format("PRAGMA application_id={}; PRAGMA user_version={};",
                                       application_id, schema_version);
  TALLA_TRY_STATUS(execute(database, (head + schema + key_tables).c_str()));
  TALLA_TRY(Statement insert,
            Statement::prepare(database, "INSERT INTO meta VALUES('origin', ?1)"));
  if (const int code = insert.bind(1, origin).run(); code != SQLITE_OK) {
    return sqlite_fail(database, code, "schema");
  }
  return execute(database, "COMMIT");
}

Status check_identity(sqlite3* database, const std::string& path, const std::string& origin) {
  TALLA_TRY(const std::uint64_t id, number_of(database, "PRAGMA application_id"));
  if (id != application_id)
    return fail(Errc::ledger_foreign, path + ": a database, but no ledger of Talla");
  TALLA_TRY(const std::uint64_t version, number_of(database, "PRAGMA user_version"));
  if (version != schema_version) {
    return fail(Errc::ledger_foreign, fmt::format("{}: schema version {}, this program knows {}",
                                                  path, version, schema_version));
  }
  TALLA_TRY(Statement select,
            Statement::prepare(database, "SELECT value FROM meta WHERE name='origin'"));
  TALLA_TRY(const bool row, select.step());
  if (!row) return fail(Errc::ledger_damaged, path + ": the ledger names no origin");
  if (const std::string named = select.text(0); named != origin) {
    return fail(Errc::ledger_foreign,
                fmt::format("{}: ledger of '{}', configured is '{}'", path, named, origin));
  }
  return {};
}

}  // namespace talla::certs

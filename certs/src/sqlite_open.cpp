#include "sqlite_open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "ledger_rows.hpp"
#include "sqlite_schema.hpp"
#include "whole_files.hpp"

namespace talla::certs {

namespace {

/// A log that went on from a backup would give numbers twice (PROTOCOL section 2).
Status refuse_backup(sqlite3* database, const SqliteLedgerOptions& options) {
  TALLA_TRY(Statement select,
            Statement::prepare(database, "SELECT value FROM meta WHERE name='backup'"));
  TALLA_TRY(const bool row, select.step());
  if (!row) return {};
  return fail(
      Errc::ledger_foreign,
      options.path + ": a backup is read-only; service goes on as a new log (talla restore)");
}

Status check_pages(sqlite3* database, const SqliteLedgerOptions& options) {
  const char* sql = options.integrity_check ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)";
  TALLA_TRY(Statement check, Statement::prepare(database, sql));
  TALLA_TRY(const bool row, check.step());
  if (!row || check.text(0) != "ok") {
    return fail(Errc::ledger_damaged, options.path + ": " + (row ? check.text(0) : "no verdict"));
  }
  return {};
}

Result<DatabaseHandle> connect(const SqliteLedgerOptions& options, int flags) {
  sqlite3* raw = nullptr;
  const char* vfs = options.vfs.empty() ? nullptr : options.vfs.c_str();
  const int code = sqlite3_open_v2(options.path.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX, vfs);
  DatabaseHandle database(raw);
  if (code != SQLITE_OK) return sqlite_fail(raw, code, options.path);
  static_cast<void>(sqlite3_extended_result_codes(raw, 1));
  static_cast<void>(sqlite3_busy_timeout(raw, 5000));
  TALLA_TRY_STATUS(execute(
      raw, "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA temp_store=MEMORY;"));
  return database;
}

/// What the write-ahead log holds is written and synced anew. After a sync that failed the system's
/// memory may show groups that no disk has, and no later sync brings them there: without this a
/// restart would build on them.
Status settle_log(sqlite3* database, const SqliteLedgerOptions& options) {
  TALLA_TRY(Statement settle, Statement::prepare(database, "PRAGMA wal_checkpoint(TRUNCATE)"));
  TALLA_TRY(const bool row, settle.step());
  if (!row || settle.integer(0) != 0) {
    return fail(Errc::ledger_io,
                options.path + ": its write-ahead log cannot be brought into the file");
  }
  return {};
}

Status sync_folder(const std::string& path) {
  const auto parent = std::filesystem::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool done = fd >= 0 && ::fsync(fd) == 0;
  if (fd >= 0) static_cast<void>(::close(fd));
  if (!done) return fail(Errc::ledger_io, folder + ": cannot sync the folder");
  return {};
}

/// Too long for a start to wait until every page was looked at.
bool is_long(const SqliteLedgerOptions& options) {
  struct stat state {};
  return !options.integrity_check && ::stat(options.path.c_str(), &state) == 0 &&
         static_cast<std::uint64_t>(state.st_size) > options.checked_bytes_max;
}

/// SQLite takes a file shorter than its header for an empty database; a ledger never is.
bool new_file(const std::string& path) {
  struct stat state {};
  return ::stat(path.c_str(), &state) != 0 || state.st_size == 0;
}

}  // namespace

Result<DatabaseHandle> open_writer(const SqliteLedgerOptions& options) {
  const bool fresh = new_file(options.path);
  if (fresh && !options.create) return fail(Errc::ledger_io, options.path + ": no ledger there");
  TALLA_TRY(DatabaseHandle database,
            connect(options, SQLITE_OPEN_READWRITE | (fresh ? SQLITE_OPEN_CREATE : 0)));
  if (!fresh) {
    TALLA_TRY_STATUS(check_identity(database.get(), options.path, options.origin));
    TALLA_TRY_STATUS(refuse_backup(database.get(), options));
    if (!is_long(options)) TALLA_TRY_STATUS(check_pages(database.get(), options));
  }
  TALLA_TRY_STATUS(
      execute(database.get(),
              "PRAGMA page_size=8192; PRAGMA cache_size=-16384; PRAGMA journal_mode=WAL;"
              "PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA wal_autocheckpoint=0;"
              "PRAGMA locking_mode=NORMAL;"));
  TALLA_TRY_STATUS(settle_log(database.get(), options));
  if (fresh) {
    TALLA_TRY_STATUS(create_schema(database.get(), options.origin));
    TALLA_TRY_STATUS(sync_folder(options.path));
  }
  return database;
}

Result<DatabaseHandle> open_copier(const SqliteLedgerOptions& options) {
  TALLA_TRY(DatabaseHandle database, connect(options, SQLITE_OPEN_READWRITE));
  TALLA_TRY_STATUS(
      execute(database.get(), "PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0;"));
  TALLA_TRY_STATUS(check_identity(database.get(), options.path,
                                  options.origin));  // a first read: from here on it knows the log
  return database;
}

Result<DatabaseHandle> open_reader(const SqliteLedgerOptions& options, bool checked) {
  TALLA_TRY(DatabaseHandle database, connect(options, SQLITE_OPEN_READONLY));
  if (!checked) {
    TALLA_TRY_STATUS(check_identity(database.get(), options.path, options.origin));
    if (!is_long(options)) TALLA_TRY_STATUS(check_pages(database.get(), options));
  }
  return database;
}

Result<DatabaseHandle> create_copy(const std::string& path, const std::string& origin) {
  SqliteLedgerOptions options;
  options.path = path;
  options.origin = origin;
  TALLA_TRY(DatabaseHandle database, connect(options, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
  TALLA_TRY_STATUS(execute(database.get(), "PRAGMA page_size=8192; PRAGMA journal_mode=DELETE;"));
  TALLA_TRY_STATUS(create_schema(database.get(), origin));
  return database;
}

Status seal_copy(DatabaseHandle database, const std::string& path) {
  TALLA_TRY_STATUS(
      execute(database.get(), "PRAGMA synchronous=FULL; INSERT INTO meta VALUES('backup', '1');"));
  database.reset();
  return sync_path(path);
}

/// VACUUM INTO reads one snapshot and writes live rows alone: nothing of deleted ones is left in
/// free pages.
Status copy_sqlite_ledger(const SqliteLedgerOptions& source, const std::string& path) {
  {
    TALLA_TRY(DatabaseHandle database, connect(source, SQLITE_OPEN_READONLY));
    TALLA_TRY_STATUS(check_identity(database.get(), source.path, source.origin));
    TALLA_TRY(Statement copy, Statement::prepare(database.get(), "VACUUM INTO ?1"));
    if (const int code = copy.bind(1, std::string_view(path)).run(); code != SQLITE_OK)
      return sqlite_fail(database.get(), code, path);
  }
  SqliteLedgerOptions options;
  options.path = path;
  TALLA_TRY(DatabaseHandle fresh, connect(options, SQLITE_OPEN_READWRITE));
  return seal_copy(std::move(fresh), path);
}

Status check_sqlite_ledger(const SqliteLedgerOptions& options) {
  TALLA_TRY(DatabaseHandle database, connect(options, SQLITE_OPEN_READONLY));
  TALLA_TRY_STATUS(check_identity(database.get(), options.path, options.origin));
  return check_pages(database.get(), options);
}

namespace {

Result<std::uint64_t> size_of_snapshot(sqlite3* database) {
  TALLA_TRY(const std::uint64_t size,
            number_of(database, "SELECT ifnull(max(seq) + 1, 0) FROM records"));
  TALLA_TRY(const std::uint64_t end, number_of(database, "SELECT ifnull(max(end), 0) FROM groups"));
  if (size != end) {
    return fail(Errc::ledger_damaged,
                fmt::format("{} records, but the last group ended at {}", size, end));
  }
  const std::uint64_t from = size > tail_records ? size - tail_records : 0;
  TALLA_TRY(const std::uint64_t count,
            number_of(database, fmt::format("SELECT count(*) FROM records WHERE seq >= {}", from)));
  if (count != size - from) {
    return fail(Errc::ledger_damaged,
                fmt::format("records are missing between {} and {}", from, size));
  }
  return size;
}

}  // namespace

/// One transaction: a reader opens beside a writer that adds records between two questions.
Result<std::uint64_t> checked_size(sqlite3* database) {
  TALLA_TRY_STATUS(execute(database, "BEGIN"));
  auto size = size_of_snapshot(database);
  TALLA_TRY_STATUS(execute(database, "ROLLBACK"));
  return size;
}

}  // namespace talla::certs

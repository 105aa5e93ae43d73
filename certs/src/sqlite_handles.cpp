#include "sqlite_handles.hpp"

namespace talla::certs {

tl::unexpected<Error> sqlite_fail(sqlite3* database, int code, std::string_view where) {
  const int primary = code & 0xff;
  std::string detail = std::string(where) + ": ";
  detail += database != nullptr ? sqlite3_errmsg(database) : sqlite3_errstr(code);
  if (primary == SQLITE_CORRUPT) return fail(Errc::ledger_damaged, std::move(detail));
  if (primary == SQLITE_NOTADB) return fail(Errc::ledger_foreign, std::move(detail));
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
    return fail(Errc::ledger_locked, std::move(detail));
  return fail(Errc::ledger_io, std::move(detail));
}

Status execute(sqlite3* database, const char* sql) {
  const int code = sqlite3_exec(database, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return sqlite_fail(database, code, "ledger");
  return {};
}

Result<Statement> Statement::prepare(sqlite3* database, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const int code = sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  if (code != SQLITE_OK) return sqlite_fail(database, code, "prepare");
  Statement statement;
  statement.statement_.reset(raw);
  return statement;
}

Statement& Statement::bind(int index, std::uint64_t value) {
  static_cast<void>(sqlite3_bind_int64(statement_.get(), index, static_cast<sqlite3_int64>(value)));
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  const char* data = text.empty() ? "" : text.data();
  static_cast<void>(
      sqlite3_bind_text64(statement_.get(), index, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  return *this;
}

Statement& Statement::bind(int index, ByteView bytes) {
  const void* data = bytes.empty() ? "" : static_cast<const void*>(bytes.data());
  static_cast<void>(
      sqlite3_bind_blob64(statement_.get(), index, data, bytes.size(), SQLITE_STATIC));
  return *this;
}

Statement& Statement::bind_null(int index) {
  static_cast<void>(sqlite3_bind_null(statement_.get(), index));
  return *this;
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return sqlite_fail(sqlite3_db_handle(statement_.get()), code, "read");
}

int Statement::run() {
  const int code = sqlite3_step(statement_.get());
  reset();
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

void Statement::reset() {
  static_cast<void>(sqlite3_reset(statement_.get()));
}

std::uint64_t Statement::integer(int column) const {
  return static_cast<std::uint64_t>(sqlite3_column_int64(statement_.get(), column));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

ByteView Statement::bytes(int column) const {
  const auto* data =
      static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string Statement::text(int column) const {
  return std::string(as_text(bytes(column)));
}

}  // namespace talla::certs

/// \file
/// SQLite's handles as owners, and its results as ours. Private to certs.
///
/// Threads: a connection and its statements belong to one thread at a time.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

struct CloseDatabase {
  void operator()(sqlite3* database) const noexcept {
    static_cast<void>(sqlite3_close_v2(database));
  }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const noexcept {
    static_cast<void>(sqlite3_finalize(statement));
  }
};
using DatabaseHandle = std::unique_ptr<sqlite3, CloseDatabase>;

/// What a failed call means: SQLITE_CORRUPT and the like are ledger_damaged, SQLITE_NOTADB
/// ledger_foreign, all else ledger_io.
[[nodiscard]] tl::unexpected<Error> sqlite_fail(sqlite3* database, int code,
                                                std::string_view where);

/// Runs statements without results.
[[nodiscard]] Status execute(sqlite3* database, const char* sql);

/// One prepared statement, used again and again. Bind, step until false, read columns; `reset`
/// before the next use.
class Statement {
 public:
  [[nodiscard]] static Result<Statement> prepare(sqlite3* database, std::string_view sql);
  Statement() = default;

  /// Parameters from 1. Bound bytes and texts must live until the next reset.
  Statement& bind(int index, std::uint64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind(int index, ByteView bytes);
  Statement& bind_null(int index);
  /// True: a row is there; false: done.
  [[nodiscard]] Result<bool> step();
  /// Steps a statement without rows and resets it; the raw result of SQLite, for constraint
  /// handling.
  [[nodiscard]] int run();
  void reset();

  [[nodiscard]] std::uint64_t integer(int column) const;
  [[nodiscard]] bool is_null(int column) const;
  /// Valid until the next step or reset.
  [[nodiscard]] ByteView bytes(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement_;
};

/// Resets a statement at the end of a block.
class ResetAtEnd {
 public:
  explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
  ~ResetAtEnd() { statement_.reset(); }
  ResetAtEnd(const ResetAtEnd&) = delete;
  ResetAtEnd& operator=(const ResetAtEnd&) = delete;

 private:
  Statement& statement_;
};

}  // namespace talla::certs

#include "postgres_copy.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "postgres_open.hpp"
#include "sqlite_open.hpp"

namespace talla::certs {

namespace {

constexpr std::chrono::milliseconds copy_limit{600'000};

/// One table. `types` has a letter a column: i integer, n integer or none, o boolean, b bytes, t
/// text (bytes on the server, where it is a client's).
struct CopiedTable {
  const char* select;
  const char* insert;
  std::string_view types;
};
constexpr std::array tables{
    CopiedTable{"SELECT seq, leaf, prev, kind, object, bytes FROM records ORDER BY seq",
                "INSERT INTO records VALUES(?1, ?2, ?3, ?4, ?5, ?6)", "ibnttb"},
    CopiedTable{"SELECT page, leaves FROM leaf_pages ORDER BY page",
                "INSERT INTO leaf_pages VALUES(?1, ?2)", "ib"},
    CopiedTable{"SELECT size FROM ends ORDER BY size", "INSERT INTO groups VALUES(?1)", "i"},
    CopiedTable{"SELECT opened, id, last, closed, pending, live FROM objects ORDER BY opened",
                "INSERT INTO objects VALUES(?1, ?2, ?3, ?4, ?5, ?6)", "itioio"},
    CopiedTable{"SELECT object, seq, kind, sealed FROM sealed ORDER BY object, seq",
                "INSERT INTO sealed VALUES(?1, ?2, ?3, ?4)", "titb"},
    CopiedTable{"SELECT place, id, client, key, method, path, request, status, head, seqs FROM "
                "replies ORDER "
                "BY place",
                "INSERT INTO replies VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
                "ibttttbitb"},
    CopiedTable{"SELECT name, text FROM documents ORDER BY name",
                "INSERT INTO documents VALUES(?1, ?2)", "tt"},
    CopiedTable{"SELECT digest, text FROM catalogues ORDER BY digest",
                "INSERT INTO catalogues VALUES(?1, ?2)", "bt"},
};

void bind_row(Statement& insert, const PgRows& rows, int row, std::string_view types) {
  for (int column = 0; column < static_cast<int>(types.size()); ++column) {
    const char type = types[static_cast<std::size_t>(column)];
    const int place = column + 1;
    if (type == 'n' && rows.is_null(row, column)) {
      insert.bind_null(place);
    } else if (type == 'i' || type == 'n') {
      insert.bind(place, rows.integer(row, column));
    } else if (type == 'o') {
      insert.bind(place, std::uint64_t{rows.boolean(row, column) ? 1U : 0U});
    } else if (type == 'b') {
      insert.bind(place, rows.bytes(row, column));
    } else {
      insert.bind(place, as_text(rows.bytes(row, column)));
    }
  }
}

Status copy_table(PgConnection& server, sqlite3* file, const CopiedTable& table) {
  TALLA_TRY_STATUS(server.execute(
      fmt::format("DECLARE talla_copy NO SCROLL CURSOR FOR {}", table.select), copy_limit));
  TALLA_TRY(Statement insert, Statement::prepare(file, table.insert));
  for (;;) {
    TALLA_TRY(const PgRows rows, server.ask("FETCH 2000 FROM talla_copy", copy_limit));
    if (rows.count() == 0) break;
    for (int row = 0; row < rows.count(); ++row) {
      bind_row(insert, rows, row, table.types);
      if (const int code = insert.run(); code != SQLITE_OK) return sqlite_fail(file, code, "copy");
    }
  }
  return server.execute("CLOSE talla_copy", copy_limit);
}

}  // namespace

Status copy_postgres_ledger(const PostgresLedgerOptions& source, const std::string& path) {
  TALLA_TRY(PgConnection server, open_session(source));
  TALLA_TRY_STATUS(check_postgres_identity(server, source));
  TALLA_TRY_STATUS(server.execute(
      "SET statement_timeout = '600s'; BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
      copy_limit));
  TALLA_TRY(DatabaseHandle file, create_copy(path, source.origin));
  TALLA_TRY_STATUS(execute(file.get(), "BEGIN"));
  for (const CopiedTable& table : tables) TALLA_TRY_STATUS(copy_table(server, file.get(), table));
  TALLA_TRY_STATUS(
      execute(file.get(), "INSERT INTO known SELECT id, row FROM replies ORDER BY id; COMMIT"));
  TALLA_TRY_STATUS(server.execute("COMMIT", copy_limit));
  return seal_copy(std::move(file), path);
}

}  // namespace talla::certs

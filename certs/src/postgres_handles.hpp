/// \file
/// A connection to PostgreSQL as an owner, its results as ours, every wait with an end. Private to
/// certs.
///
/// All parameters and results are binary. Threads: a connection belongs to one thread at a time.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// What the server or the way to it said of a failed call.
struct PgFault {
  std::string state{};       ///< SQLSTATE; empty: no answer of the server
  std::string constraint{};  ///< of a violated constraint
  std::string detail{};
  std::string message{};
};
/// Server shutting down or starting, lost or no connection, a lock that was not given:
/// ledger_unreachable; damaged pages, tables or columns that are gone: ledger_damaged; all else:
/// ledger_io.
[[nodiscard]] tl::unexpected<Error> postgres_fail(const PgFault& fault, std::string_view where);

/// An array of one type, as a binary parameter. Elements may be null.
class PgArray {
 public:
  enum class Type : std::uint32_t { boolean = 16, bytes = 17, integer = 20, text = 25 };
  explicit PgArray(Type type) : type_(type) {}
  PgArray& integer(std::uint64_t value);
  PgArray& boolean(bool value);
  PgArray& bytes(ByteView value);
  PgArray& text(std::string_view value);
  PgArray& null();
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Bytes encoded() const;

 private:
  Type type_;
  std::uint32_t count_ = 0;
  bool nulls_ = false;
  ByteWriter elements_;
};

/// The parameters of one execution, copied.
class PgValues {
 public:
  PgValues& integer(std::uint64_t value);
  PgValues& bytes(ByteView value);
  PgValues& text(std::string_view value) { return bytes(as_bytes(value)); }
  PgValues& array(const PgArray& value);
  [[nodiscard]] std::size_t count() const { return buffers_.size(); }
  [[nodiscard]] const Bytes& at(std::size_t index) const { return buffers_[index]; }

 private:
  std::vector<Bytes> buffers_;
};

/// A statement that is prepared once on each connection. `types` has a letter for each parameter: i
/// int8, b bytea, t text; capital: an array of them (O: of boolean).
struct PgQuery {
  const char* name;
  const char* sql;
  const char* types;
};

struct ClearPgResult {
  void operator()(PGresult* result) const noexcept { PQclear(result); }
};
class PgRows {
 public:
  PgRows() = default;
  explicit PgRows(PGresult* result) : result_(result) {}
  [[nodiscard]] int count() const { return result_ ? PQntuples(result_.get()) : 0; }
  [[nodiscard]] bool is_null(int row, int column) const {
    return PQgetisnull(result_.get(), row, column) != 0;
  }
  /// Of an int8 column. A value of another length ends the process: the statements ask for int8.
  [[nodiscard]] std::uint64_t integer(int row, int column) const;
  [[nodiscard]] bool boolean(int row, int column) const;
  /// Valid as long as the rows.
  [[nodiscard]] ByteView bytes(int row, int column) const;
  [[nodiscard]] std::string text(int row, int column) const {
    return std::string(as_text(bytes(row, column)));
  }
  /// What the server calls what it did: `COMMIT`.
  [[nodiscard]] std::string_view tag() const;
  [[nodiscard]] PGresult* raw() const { return result_.get(); }

 private:
  std::unique_ptr<PGresult, ClearPgResult> result_;
};

class PgConnection {
 public:
  using Limit = std::chrono::milliseconds;
  /// Connects and looks at the way: a UNIX socket, or TLS with a verified server. Errors:
  /// ledger_unreachable, ledger_unsafe.
  [[nodiscard]] static Result<PgConnection> open(const std::string& connection);
  PgConnection() = default;

  /// False: lost; nothing more comes over it.
  [[nodiscard]] bool alive() const {
    return connection_ && PQstatus(connection_.get()) == CONNECTION_OK;
  }
  /// Statements without parameters, one after the other.
  [[nodiscard]] Status execute(const std::string& sql, Limit limit);
  /// One statement with text in it and no parameters, not prepared.
  [[nodiscard]] Result<PgRows> ask(const std::string& sql, Limit limit);
  [[nodiscard]] Status prepare(const PgQuery& query, Limit limit);
  /// Prepares it first where this connection has not.
  [[nodiscard]] Result<PgRows> run(const PgQuery& query, const PgValues& values, Limit limit);

  /// Many prepared statements in one round trip: `begin_pipeline`, `queue` each, `end_pipeline`.
  /// The first fault, if any; behind it nothing was executed. `tag` takes what the server said of
  /// the last statement.
  void begin_pipeline();
  void queue(const PgQuery& query, const PgValues& values);
  [[nodiscard]] std::optional<PgFault> end_pipeline(Limit limit, std::string& tag);

 private:
  using Deadline = std::chrono::steady_clock::time_point;
  [[nodiscard]] bool ready(Deadline deadline);
  /// The connection is of no use any more.
  [[nodiscard]] PgFault lost();
  [[nodiscard]] std::optional<PgFault> finish(Limit limit, PgRows& rows);
  [[nodiscard]] bool send(const PgQuery& query, const PgValues& values);

  struct Finish {
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
  };
  std::unique_ptr<PGconn, Finish> connection_;
  std::set<std::string_view> prepared_;
  int queued_ = 0;
  bool sent_ = true;        // of the pipeline being built
  bool timed_out_ = false;  // the last wait
};

}  // namespace talla::certs

// Need: groups of 64 records on a PostgreSQL server at 50 % or more of the rate at which libpq
// alone inserts rows of the same size and number (one prepared statement over an array, one
// transaction, the same server), single records at 40 % or more. The server's files are in memory
// where there is room: what is compared is work and round trips, not a disk.
#include <libpq-fe.h>

#include <array>
#include <cstdlib>
#include <memory>

#include "certs/openssl_hashes.hpp"
#include "certs/postgres_ledger.hpp"
#include "commit_bench.hpp"
#include "postgres_server.hpp"
#include "ratio.hpp"

namespace {

using namespace talla;
using namespace talla::certs;
using talla::certs::testing::PostgresServer;
using talla_bench::must;

PostgresServer& server() {
  static PostgresServer one;
  static const bool started = (one.start(), true);
  static_cast<void>(started);
  return one;
}

/// Groups of records, hashed and numbered as a log does it, on the ledger.
class Records {
 public:
  Records(int group, const std::string& origin)
      : ledger_(
            must(open_postgres_ledger({.connection = server().connection(), .origin = origin}))),
        bytes_(450, 'x') {
    group_.records.resize(static_cast<std::size_t>(group));
    for (LedgerRecord& record : group_.records)
      record = {.kind = Kind::access, .object = {}, .prev = {}, .bytes = bytes_};
  }
  void group() {
    std::uint64_t seq = ledger_->size();
    for (LedgerRecord& record : group_.records) {
      record.seq = seq++;
      record.leaf = leaf_hash(hashes_, as_bytes(record.bytes));
    }
    must(ledger_->commit(group_));
  }

 private:
  OpensslHashes hashes_;
  std::unique_ptr<Ledger> ledger_;
  std::string bytes_;
  Group group_;
};

/// libpq alone: one table, one prepared statement over an array of rows, each execution a
/// transaction.
class PlainRows {
 public:
  PlainRows(int rows, const std::string& row)
      : link_(PQconnectdb(server().connection().c_str()), &PQfinish) {
    run("SET client_min_messages = error; DROP TABLE IF EXISTS plain; CREATE TABLE plain(seq int8 "
        "GENERATED "
        "ALWAYS AS IDENTITY PRIMARY KEY, "
        "bytes bytea)");
    run("SET synchronous_commit = on");
    const Oid type = 1001;  // bytea[]
    PQclear(PQprepare(link_.get(), "insert", "INSERT INTO plain(bytes) SELECT * FROM unnest($1)", 1,
                      &type));
    ByteWriter array;
    array.u32(1).u32(0).u32(17).u32(static_cast<std::uint32_t>(rows)).u32(1);
    for (int i = 0; i < rows; ++i) array.field(row);
    rows_ = array.take();
  }
  void group() {
    const char* const data = as_text(rows_).data();
    const int length = static_cast<int>(rows_.size());
    const int binary = 1;
    PGresult* const done = PQexecPrepared(link_.get(), "insert", 1, &data, &length, &binary, 1);
    if (PQresultStatus(done) != PGRES_COMMAND_OK) std::abort();
    PQclear(done);
  }

 private:
  void run(const char* sql) { PQclear(PQexec(link_.get(), sql)); }
  std::unique_ptr<PGconn, decltype(&PQfinish)> link_;
  Bytes rows_;
};

void compare_groups(benchmark::State& state, int group, const char* what, double goal) {
  if (const std::string why = PostgresServer::absent(); !why.empty()) {
    for ([[maybe_unused]] auto run : state) {
    }
    state.SkipWithError(why.c_str());
    return;
  }
  Records records(group, "log.example/bench-" + std::to_string(group));
  PlainRows plain(group, std::string(450 + 32, 'x'));
  talla_bench::compare(
      state,
      {.what = what,
       .ratio_min = goal,
       .ours_items = static_cast<double>(group),
       .peer_items = static_cast<double>(group),
       .round_ms = 60},
      [&] { records.group(); }, [&] { plain.group(); });
}

void groups_against_libpq(benchmark::State& state) {
  compare_groups(state, 64, "groups of 64 records on PostgreSQL against plain rows by libpq", 0.5);
}
TALLA_GOAL(groups_against_libpq);

void single_records_against_libpq(benchmark::State& state) {
  compare_groups(state, 1, "single records on PostgreSQL against single plain rows by libpq", 0.4);
}
TALLA_GOAL(single_records_against_libpq);

}  // namespace

BENCHMARK_MAIN();

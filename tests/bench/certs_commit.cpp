// Need: without a delay, records of the log in groups of 64 at 60 % or more of SQLite's own group
// insert rate at the same group and row size. (Waiting clients: core_commit.cpp.)
#include <sqlite3.h>

#include <array>
#include <memory>

#include "certs/log.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "commit_bench.hpp"
#include "ratio.hpp"

namespace {

using namespace talla;
using namespace talla::certs;
using talla_bench::Folder;
using talla_bench::must;

constexpr const char* origin = "log.example/bench";

struct Appliance {
  explicit Appliance(const Folder& folder) {
    std::array<std::uint8_t, 32> key{};
    signer = must(make_log_signer(key));
    ledger = must(open_sqlite_ledger({.path = folder.path + "/ledger.db", .origin = origin}));
    log = must(Log::open({.hashes = hashes, .ledger = *ledger, .signer = *signer, .clock = clock},
                         {.origin = origin}));
  }
  OpensslHashes hashes;
  SystemClock clock;
  std::unique_ptr<Ed25519Signer> signer;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Log> log;
};

RecordDraft access_draft(std::size_t filler) {
  RecordDraft draft;
  draft.kind = Kind::access;
  draft.body["what"] = std::string(filler, 'x');
  draft.body["result"] = "allowed";
  return draft;
}

Status append_only(Log& log, const RecordDraft& draft) {
  auto appended = log.append(draft);
  if (!appended) return pass(std::move(appended));
  return {};
}

/// SQLite alone: one table, WAL, synchronous=FULL, prepared, so many rows a transaction.
class PlainSqlite {
 public:
  explicit PlainSqlite(const std::string& path) {
    sqlite3* raw = nullptr;
    if (sqlite3_open(path.c_str(), &raw) != SQLITE_OK) std::abort();
    database_.reset(raw);
    run("PRAGMA journal_mode=WAL");
    run("PRAGMA synchronous=FULL");
    run("CREATE TABLE rows(seq INTEGER PRIMARY KEY, bytes BLOB)");
    sqlite3_stmt* insert = nullptr;
    if (sqlite3_prepare_v2(raw, "INSERT INTO rows(bytes) VALUES(?1)", -1, &insert, nullptr) !=
        SQLITE_OK)
      std::abort();
    insert_.reset(insert);
  }
  void group(int rows, const std::string& row) {
    run("BEGIN");
    for (int i = 0; i < rows; ++i) {
      sqlite3_bind_blob(insert_.get(), 1, row.data(), static_cast<int>(row.size()), SQLITE_STATIC);
      if (sqlite3_step(insert_.get()) != SQLITE_DONE) std::abort();
      sqlite3_reset(insert_.get());
    }
    run("COMMIT");
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) std::abort();
  }
  std::unique_ptr<sqlite3, decltype(&sqlite3_close_v2)> database_{nullptr, &sqlite3_close_v2};
  std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)> insert_{nullptr, &sqlite3_finalize};
};

void groups_against_sqlite(benchmark::State& state) {
  constexpr int group = 64;
  const Folder folder;
  Appliance appliance(folder);
  PlainSqlite plain(folder.path + "/plain.db");
  const RecordDraft draft = access_draft(200);
  static_cast<void>(must(appliance.log->append(draft)));
  const std::string row(appliance.log->group().records.back().bytes.size() + 32, 'x');
  talla_bench::compare(
      state,
      {.what = "records of a log in groups of 64 against plain SQLite rows",
       .ratio_min = 0.6,
       .ours_items = group,
       .peer_items = group},
      [&] {
        for (int i = 0; i < group; ++i) {
          if (!append_only(*appliance.log, draft)) std::abort();
        }
        must(appliance.log->commit());
      },
      [&] { plain.group(group, row); });
}
TALLA_GOAL(groups_against_sqlite);

}  // namespace

BENCHMARK_MAIN();

// Need: with 3 ms added to fdatasync in both programs, durable single-record appends at 40 times the bare fdatasync
// rate or more with 64 waiting clients, whole draws (INTENT, then DRAW) at 20 times with 64 and 60 times with 256;
// without the delay at 60 % or more of SQLite's own group insert rate at the same group and row size.
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>

#include "certs/batch.hpp"
#include "certs/committer.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "fault_vfs.hpp"
#include "format/body_table.hpp"
#include "ratio.hpp"

namespace {

using namespace talla;
using namespace talla::certs;
using Seconds = std::chrono::duration<double>;
using SteadyClock = std::chrono::steady_clock;

constexpr const char* origin = "log.example/bench";
constexpr long delay_us = 3000;
constexpr auto measured = std::chrono::milliseconds(1200);

template <class T>
T must(Result<T> result) {
  if (!result) {
    std::fprintf(stderr, "%s\n", result.error().text().c_str());
    std::abort();
  }
  return std::move(*result);
}

/// A folder on the disk of the working directory, not on a memory file system.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::current_path() / "talla-bench-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    path = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path;
};

struct Appliance {
  explicit Appliance(const Folder& folder) {
    std::array<std::uint8_t, 32> key{};
    signer = must(make_log_signer(key));
    ledger = must(open_sqlite_ledger(
        {.path = folder.path + "/ledger.db", .origin = origin, .vfs = certs::testing::fault_vfs_name}));
    log = must(Log::open({.hashes = hashes, .ledger = *ledger, .signer = *signer, .clock = clock},
                         {.origin = origin}));
  }
  OpensslHashes hashes;
  SystemClock clock;
  std::unique_ptr<Ed25519Signer> signer;
  std::unique_ptr<Ledger> ledger;
  std::unique_ptr<Log> log;
};

/// 512 bytes appended and synced, with the same delay before each sync.
double bare_fdatasync_per_second(const Folder& folder) {
  const int fd = ::open((folder.path + "/bare").c_str(), O_WRONLY | O_CREAT, 0600);
  const std::array<char, 512> row{};
  const auto begin = SteadyClock::now();
  int count = 0;
  while (SteadyClock::now() - begin < measured) {
    if (::write(fd, row.data(), row.size()) != 512) std::abort();
    std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
    if (::fdatasync(fd) != 0) std::abort();
    ++count;
  }
  const double rate = count / Seconds(SteadyClock::now() - begin).count();
  ::close(fd);
  return rate;
}

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

/// One waiting client: gives its next item when the last one is answered, until told to stop.
struct Client {
  GroupCommitter* committer = nullptr;
  Log* log = nullptr;
  std::atomic<bool>* running = nullptr;
  std::atomic<long>* done = nullptr;
  RecordDraft draft = access_draft(200);
  // Draws only.
  std::optional<SecretBatch> batch;
  BatchCommitBody commit;
  BatchProgress progress;
  IntentBody intent;
  std::uint64_t seq = 0;

  void answered(const Result<Committed>& committed) {
    if (!committed) std::abort();
    // The client gets its receipt.
    benchmark::DoNotOptimize(must(log->receipt(seq)).proof.data());
    done->fetch_add(1);
    if (running->load()) next();
  }
  void next() {
    if (batch) {
      if (progress.next < batch->count()) next_draw();
      return;
    }
    committer->submit({.first = [this](Log& target) -> Status {
                         TALLA_TRY(const Appended appended, target.append(draft));
                         seq = appended.seq;
                         return {};
                       },
                       .second = {},
                       .done = [this](const Result<Committed>& committed) { answered(committed); }});
  }
  void next_draw() {
    committer->submit({.first = [this](Log& target) -> Status { return intent_step(target); },
                       .second = [this](Log& target) -> Status { return draw_step(target); },
                       .done = [this](const Result<Committed>& committed) { answered(committed); }});
  }
  Status intent_step(Log& target) {
    Bytes nonce(16, 1);
    nonce[0] = static_cast<std::uint8_t>(progress.next);
    TALLA_TRY(intent, batch->intent(progress, commit,
                                    {.origin = origin,
                                     .client = "mesa-1",
                                     .round = "0",
                                     .index = progress.next,
                                     .nonce = nonce,
                                     .root = batch->root(),
                                     .specification = WheelDraw{37},
                                     .bets = {}}));
    RecordDraft record;
    record.kind = Kind::intent;
    record.object = batch->id();
    TALLA_TRY(record.composed, compose(intent));
    TALLA_TRY(const Appended appended, target.append(std::move(record)));
    progress.intents_open[intent.index] = appended.seq;
    target.group().nonces.push_back({.client = batch->id(), .nonce = std::move(nonce)});
    return {};
  }
  Status draw_step(Log& target) {
    TALLA_TRY(const DrawBody body, batch->draw(progress, progress.intents_open.at(intent.index), intent));
    RecordDraft record;
    record.kind = Kind::draw;
    record.object = batch->id();
    TALLA_TRY(record.composed, compose(body));
    TALLA_TRY(const Appended appended, target.append(std::move(record)));
    seq = appended.seq;
    target.group().replies.push_back(
        {.id = {.client = "mesa-1", .method = "POST", .path = "/v1/draws", .key = std::to_string(seq)},
         .request = {},
         .status = 201,
         .head = "{}",
         .seqs = {seq}});
    return {};
  }
};

void give_batch(Appliance& appliance, Client& client, const std::string& table) {
  const auto bits = [](std::size_t bytes) -> Result<SecretBytes> { return SecretBytes(bytes, 5); };
  client.batch =
      must(SecretBatch::make(appliance.hashes, object_id("batch", appliance.log->next_seq()), 256, bits));
  Context context;
  context.construction = "rbg3-xor";
  context.uncertified = false;
  context.game = "french-roulette";
  context.sources = {
      {.model = "chaoskey", .source_class = "raw_physical", .millibits = 900, .verdict = "healthy"}};
  client.commit = client.batch->commit_body(table, 1, context);
  RecordDraft record;
  record.kind = Kind::batch_commit;
  record.body = client.commit.to_json();
  must(appliance.log->append(record));
}

std::string open_table(Appliance& appliance) {
  TableOpenBody body;
  body.parameters["range"] = specification_json(WheelDraw{37});
  body.settled_by_client = true;
  RecordDraft draft;
  draft.kind = Kind::table_open;
  draft.body = body.to_json();
  return must(appliance.log->append(draft)).object;
}

double process_cpu_us() {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) * 1e6 + static_cast<double>(used.tv_nsec) / 1e3;
}

struct Rate {
  double per_second;
  double cpu_us;  ///< Of the whole process, for each answer.
};

/// Answers of so many waiting clients.
Rate clients_rate(const Folder& folder, int count, bool draws) {
  Appliance appliance(folder);
  std::atomic<bool> running{true};
  std::atomic<long> done{0};
  std::vector<std::unique_ptr<Client>> clients;
  const std::string table = open_table(appliance);
  for (int i = 0; i < count; ++i) {
    auto client = std::make_unique<Client>();
    if (draws) give_batch(appliance, *client, table);
    clients.push_back(std::move(client));
  }
  must(appliance.log->commit());
  GroupCommitter committer(*appliance.log, {});
  for (auto& client : clients) {
    client->committer = &committer;
    client->log = appliance.log.get();
    client->running = &running;
    client->done = &done;
  }
  const auto begin = SteadyClock::now();
  const double cpu_begin = process_cpu_us();
  for (auto& client : clients) client->next();
  std::this_thread::sleep_for(measured);
  const auto answers = static_cast<double>(done.load());
  const Rate rate{answers / Seconds(SteadyClock::now() - begin).count(),
                  (process_cpu_us() - cpu_begin) / answers};
  running = false;
  committer.stop();
  return rate;
}

void against_bare_fdatasync(benchmark::State& state, const talla_bench::Goal& goal, int count, bool draws) {
  certs::testing::register_fault_vfs();
  certs::testing::fault_plan().clear();
  certs::testing::fault_plan().sync_delay_us = delay_us;
  std::vector<double> ours, peers, ratios, cpu;
  for ([[maybe_unused]] auto run : state) {
    for (int round = 0; round < 3; ++round) {
      const Folder folder;
      peers.push_back(bare_fdatasync_per_second(folder));
      const Rate rate = clients_rate(folder, count, draws);
      ours.push_back(rate.per_second);
      cpu.push_back(rate.cpu_us);
      ratios.push_back(ours.back() / peers.back());
    }
  }
  certs::testing::fault_plan().clear();
  state.counters["cpu_us"] = talla_bench::median(cpu);
  talla_bench::report(state, goal, talla_bench::median(ours), talla_bench::median(peers),
                      talla_bench::median(ratios));
}

void appends_64_clients(benchmark::State& state) {
  against_bare_fdatasync(state, {.what = "durable appends, 64 clients, fdatasync + 3 ms", .ratio_min = 40},
                         64, false);
}
TALLA_GOAL(appends_64_clients);

void draws_64_clients(benchmark::State& state) {
  against_bare_fdatasync(state, {.what = "whole draws, 64 clients, fdatasync + 3 ms", .ratio_min = 20}, 64,
                         true);
}
TALLA_GOAL(draws_64_clients);

void draws_256_clients(benchmark::State& state) {
  against_bare_fdatasync(state, {.what = "whole draws, 256 clients, fdatasync + 3 ms", .ratio_min = 60}, 256,
                         true);
}
TALLA_GOAL(draws_256_clients);

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
    if (sqlite3_prepare_v2(raw, "INSERT INTO rows(bytes) VALUES(?1)", -1, &insert, nullptr) != SQLITE_OK)
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
  certs::testing::register_fault_vfs();
  certs::testing::fault_plan().clear();
  const Folder folder;
  Appliance appliance(folder);
  PlainSqlite plain(folder.path + "/plain.db");
  const RecordDraft draft = access_draft(200);
  const std::string row(must(appliance.log->append(draft)).bytes.size() + 32, 'x');
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

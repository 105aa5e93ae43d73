// Need: from kill to ready in under 2 s with a log of 10^6 records, 64 tables in use: the ledger opened, the log's tree built again, the
// tables brought back. Reported: starts a second against one in 2 s. `replayed`: records that were folded in again.
#include <memory>
#include <vector>

#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/seal.hpp"
#include "certs/signer.hpp"
#include "certs/sqlite_ledger.hpp"
#include "commit_bench.hpp"
#include "core/effects.hpp"
#include "core/service.hpp"
#include "ratio.hpp"
#include "rig.hpp"

namespace {

using namespace talla;
using talla_bench::Folder;
using talla_bench::must;

constexpr const char* origin = "log.example/bench";
constexpr std::uint64_t records = 1'000'000;
constexpr int tables = 64;
constexpr int batch_secrets = 100;

class Appliance {
 public:
  explicit Appliance(const Folder& folder) : folder_(folder.path) {
    must(certs::init_development_keys(
        {.folder = keys(), .origin = origin, .server_names = {}, .now_us = clock_.utc_us()}));
    signer_ = must(certs::load_log_signer(keys() + "/log.key"));
    sealer_ = std::make_unique<certs::Sealer>(must(certs::Sealer::load(keys() + "/sealing.key")));
  }
  void start() {
    const auto statement = must(json::parse(must(certs::read_file(keys() + "/log-key.json"))));
    ledger_ = must(certs::open_sqlite_ledger({.path = folder_ + "/ledger.db", .origin = origin}));
    log_ = must(certs::Log::open({.hashes = hashes_, .ledger = *ledger_, .signer = *signer_, .clock = clock_},
                                 {.origin = origin}));
    core::Settings settings;
    settings.version = "bench";
    settings.disk_reserve_bytes = 0;
    settings.client_rate_per_s = 0;
    settings.tables_per_client_max = 1024;
    service = must(core::Service::create(
        settings, {clock_, hashes_, *log_, *sealer_, supply_, must(certs::LogKey::from_json(statement))}));
  }
  /// No clean stop.
  void kill() {
    service.reset();
    log_.reset();
    ledger_.reset();
  }
  [[nodiscard]] std::uint64_t size() const { return log_->size(); }

 private:
  [[nodiscard]] std::string keys() const { return folder_ + "/keys"; }
  std::string folder_;
  certs::OpensslHashes hashes_;
  SystemClock clock_;
  core::test::FakeSupply supply_{clock_};
  std::unique_ptr<certs::Ed25519Signer> signer_;
  std::unique_ptr<certs::Sealer> sealer_;
  std::unique_ptr<certs::Ledger> ledger_;
  std::unique_ptr<certs::Log> log_;

 public:
  std::unique_ptr<core::Service> service;
};

/// A table whose client draws and takes a new batch when one is used up.
class Player {
 public:
  Player(Appliance& appliance, int number) : appliance_(appliance), name_(std::to_string(number)) {
    table_ = ask(post("/v1/tables", core::test::wheel_table)).find("table")->find("id")->string();
  }
  void next() {
    if (left_ == 0) {
      return appliance_.service->submit(post("/v1/tables/" + table_ + "/batches", R"({"count":100})"),
                                        [this](const core::Reply& reply) { take_batch(reply); });
    }
    --left_;
    appliance_.service->submit(
        post("/v1/draws", R"({"table":")" + table_ + R"(","batch":")" + batch_ + R"(","root":")" + root_ +
                              R"(","index":)" + std::to_string(batch_secrets - left_ - 1) + R"(,"nonce":")" +
                              nonce() + R"("})"),
        [](const core::Reply& reply) {
          if (reply.status != 200) std::abort();
        });
  }

 private:
  void take_batch(const core::Reply& reply) {
    if (reply.status != 201) std::abort();
    const auto made = must(json::parse(reply.body));
    batch_ = made.find("batch")->find("id")->string();
    root_ = made.find("batch")->find("root")->string();
    left_ = batch_secrets;
  }
  json::Value ask(core::Request request) {
    json::Value body;
    appliance_.service->submit(std::move(request), [&](const core::Reply& reply) {
      if (reply.status >= 300) std::abort();
      body = must(json::parse(reply.body));
    });
    appliance_.service->run_until_idle();
    return body;
  }
  core::Request post(std::string path, std::string body) {
    return {"POST", std::move(path), std::move(body), client_, "k-" + name_ + "-" + std::to_string(++keys_)};
  }
  std::string nonce() {
    auto text = std::to_string(++nonces_);
    return std::string(32 - text.size(), '0') + text;
  }

  Appliance& appliance_;
  std::string name_;
  core::Client client_{"talla:table-" + name_, std::string(64, 'a'), {core::Role::table}};
  std::string table_, batch_, root_;
  int left_ = 0;
  std::uint64_t keys_ = 0, nonces_ = 0;
};

void restart_after_kill(benchmark::State& state) {
  const Folder folder;
  Appliance appliance(folder);
  appliance.start();
  std::vector<std::unique_ptr<Player>> players;
  for (int i = 0; i < tables; ++i) players.push_back(std::make_unique<Player>(appliance, i));
  while (appliance.size() < records) {
    for (auto& player : players) player->next();
    appliance.service->run_until_idle();
  }
  std::vector<double> seconds;
  double replayed = 0;
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) {
      appliance.kill();
      const auto begin = std::chrono::steady_clock::now();
      appliance.start();
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      if (!appliance.service->ready().ready) std::abort();
      seconds.push_back(passed.count());
      replayed = appliance.service->metrics().counters["talla_replayed_records_total"];
    }
  }
  std::ranges::sort(seconds);
  const double median = seconds.at(seconds.size() / 2);
  talla_bench::report(state, {.what = "from kill to ready with 10^6 records, against 2 s", .ratio_min = 1},
                      1 / median, 0.5, 2 / median);
  state.counters["seconds"] = median;
  state.counters["replayed"] = replayed;
}
TALLA_GOAL(restart_after_kill);

}  // namespace

BENCHMARK_MAIN();

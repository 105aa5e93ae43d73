// Need: with 3 ms added to fdatasync in both programs, the appliance's own sequencer gives durable
// single-record appends at 40 times the bare fdatasync rate or more with 64 waiting clients, whole
// draws (CALL, then DRAW) at 20 times with 64 and 60 times with 256. Clients wait inside the
// process: no network; two threads of their own make the calls, since an appliance judges a request
// on the thread that brings it. `cpu_us` is processor time for each answer. The ledger knows so
// many keys before that it brings older ones into its index while it is measured, as it does ever
// after.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "appliance_bench.hpp"
#include "bench_caller.hpp"
#include "bench_run.hpp"
#include "fault_vfs.hpp"
#include "ratio.hpp"

namespace {

using namespace talla;
using talla_bench::Appliance;
using talla_bench::Folder;
using talla_bench::must;
using talla_bench::Run;
using SteadyClock = std::chrono::steady_clock;

constexpr auto delay = std::chrono::microseconds(3000);
constexpr auto measured = std::chrono::milliseconds(1200);
constexpr std::size_t keys_before = 40'000;

/// One waiting client with a table of its own: asks again when it is answered, until told to stop.
class Client {
 public:
  Client(Appliance& appliance, Run& run, int number, bool draws)
      : service_(*appliance.service), run_(run), name_(std::to_string(number)), draws_(draws) {
    take(appliance.ask(
        post("/v1/tables", draws ? core::test::wheel_table : core::test::shoe_table)));
    if (draws_) {
      take(appliance.ask(batch_request()));
      return;
    }
    take(appliance.ask(post("/v1/tables/" + caller_.table() + "/shoes", "{}")));
    appliance.ask(post("/v1/shoes/" + caller_.shoe() + "/mix", caller_.mix()));
  }

  void next() {
    if (draws_ && caller_.left() == 0)
      return service_.submit(batch_request(), [this](const core::Reply& reply) {
        expect(reply, 201);
        answered(reply);
      });
    service_.submit(draws_ ? post("/v1/draws", caller_.draw()) : deal_request(),
                    [this](const core::Reply& reply) {
                      expect(reply, 200);
                      run_.done.fetch_add(1);
                      ++dealt_;
                      answered(reply);
                    });
  }

 private:
  /// Once the run is over the appliance stops, and says so to who still asks.
  void expect(const core::Reply& reply, int status) const {
    if (reply.status == status || !run_.running) return;
    static_cast<void>(std::fprintf(stderr, "%d: %s\n", reply.status, reply.body.c_str()));
    std::abort();
  }
  void take(const json::Value& reply) { caller_.take(json::canonical(reply)); }
  /// The next request is made on a thread of the clients. A shoe has 416 cards.
  void answered(const core::Reply& reply) {
    if (!run_.running || (!draws_ && dealt_ == 416)) return;
    run_.later([this, body = draws_ ? reply.body : std::string()] {
      if (!body.empty()) caller_.take(body);
      next();
    });
  }
  core::Request post(std::string path, std::string body) {
    return {"POST", std::move(path), std::move(body), client_,
            "k-" + name_ + "-" + std::to_string(++keys_)};
  }
  core::Request batch_request() {
    return post("/v1/tables/" + caller_.table() + "/batches", R"({"count":100})");
  }
  core::Request deal_request() {
    return post(
        "/v1/shoes/" + caller_.shoe() + "/deal",
        R"({"expected":)" + std::to_string(dealt_) + R"(,"until":1,"place":"hand","face":"open"})");
  }

  core::Service& service_;
  Run& run_;
  std::string name_;
  bool draws_;
  core::Client client_ = core::test::table_client("talla:table-1");
  talla_bench::BenchCaller caller_{core::test::table_key_pem(client_.id)};
  int dealt_ = 0;
  std::uint64_t keys_ = 0;
};

struct Rate {
  double per_second;
  double cpu_us;
};

Rate clients_rate(const Folder& folder, int count, bool draws) {
  Appliance appliance(folder, certs::testing::fault_vfs_name);
  appliance.use_keys(keys_before);
  Run run;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < count; ++i)
    clients.push_back(std::make_unique<Client>(appliance, run, i, draws));
  certs::testing::fault_plan().sync_delay_us = delay.count();
  appliance.service->start();
  const auto begin = SteadyClock::now();
  const double cpu_begin = talla_bench::process_cpu_us();
  for (auto& client : clients) client->next();
  std::this_thread::sleep_for(measured);
  const auto answers = static_cast<double>(run.done.load());
  const std::chrono::duration<double> passed = SteadyClock::now() - begin;
  const Rate rate{answers / passed.count(), (talla_bench::process_cpu_us() - cpu_begin) / answers};
  run.running = false;
  appliance.service->stop();
  run.stop();
  certs::testing::fault_plan().clear();
  return rate;
}

void against_bare_fdatasync(benchmark::State& state, const talla_bench::Goal& goal, int count,
                            bool draws) {
  certs::testing::register_fault_vfs();
  certs::testing::fault_plan().clear();
  std::vector<double> ours, peers, ratios, cpu;
  for ([[maybe_unused]] auto run : state) {
    for (int round = 0; round < 3; ++round) {
      const Folder folder;
      peers.push_back(talla_bench::bare_fdatasync_per_second(folder, delay, measured));
      const Rate rate = clients_rate(folder, count, draws);
      ours.push_back(rate.per_second);
      cpu.push_back(rate.cpu_us);
      ratios.push_back(ours.back() / peers.back());
    }
  }
  state.counters["cpu_us"] = talla_bench::median(cpu);
  talla_bench::report(state, goal, talla_bench::median(ours), talla_bench::median(peers),
                      talla_bench::median(ratios));
}

void appends_64_clients(benchmark::State& state) {
  against_bare_fdatasync(
      state, {.what = "single records (CARD_DEAL), 64 clients, fdatasync + 3 ms", .ratio_min = 40},
      64, false);
}
TALLA_GOAL(appends_64_clients);

void draws_64_clients(benchmark::State& state) {
  against_bare_fdatasync(
      state, {.what = "whole draws, 64 clients, fdatasync + 3 ms", .ratio_min = 20}, 64, true);
}
TALLA_GOAL(draws_64_clients);

void draws_256_clients(benchmark::State& state) {
  against_bare_fdatasync(
      state, {.what = "whole draws, 256 clients, fdatasync + 3 ms", .ratio_min = 60}, 256, true);
}
TALLA_GOAL(draws_256_clients);

}  // namespace

BENCHMARK_MAIN();

// Need: whoever contributes to a table's calls is waited for, and no more: with 3 ms added to
// fdatasync in both programs, whole draws with one contributor are as many times the bare fdatasync
// rate as those of the table alone must be (20 with 64 tables, 60 with 256), with eight seats half
// of that; settled rounds of French roulette, each with its draw, 2,000 a second with 256 tables
// and one contributor, half of that with eight. Tables and seats wait inside the process: no
// network; two threads of their own make the calls. Every seat hands in its commitments, 16 ahead,
// and opens each number by a request of its own, all of a call at once; its table waits for the end
// of the call in one request, which has the receipt (of a round it asks for its view behind it), as
// clients do. `cpu_us` is processor time for each draw or round, `clients_us` what the clients took
// of it for themselves, `apart` the ratio that the processors would reach with the clients on a
// machine of their own; `bound` is the ratio if nothing were done but to check the signatures, the
// table's and each contributor's (ECDSA on P-256, timed in the same run).
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "appliance_bench.hpp"
#include "bench_caller.hpp"
#include "bench_run.hpp"
#include "bench_seats.hpp"
#include "certs/call_key.hpp"
#include "fault_vfs.hpp"
#include "ratio.hpp"

namespace {

using namespace talla;
using talla_bench::Appliance;
using talla_bench::BenchSeat;
using talla_bench::Folder;
using talla_bench::Run;
using SteadyClock = std::chrono::steady_clock;

constexpr auto delay = std::chrono::microseconds(3000);
constexpr auto measured = std::chrono::milliseconds(1500);

enum class Game : std::uint8_t { draws, rounds };
struct Plan {
  int tables = 64;
  int seats = 0;
  Game game = Game::draws;
};

/// A table with its seats, which plays until it is told to stop.
class Table {
 public:
  Table(Appliance& appliance, Run& run, int number, const Plan& plan)
      : service_(*appliance.service), run_(run), name_(std::to_string(number)), game_(plan.game) {
    const std::string body =
        game_ == Game::draws ? core::test::wheel_table : core::test::roulette_table;
    take(appliance.ask(post("/v1/tables", body)));
    if (game_ == Game::rounds) caller_.draws(certs::WheelDraw{37});
    for (int seat = 1; seat <= plan.seats; ++seat) {
      auto& one = seats_.emplace_back(caller_.table(), seat, caller_.opening());
      appliance.ask(post("/v1/tables/" + caller_.table() + "/invitations", one.invitation()));
      guests_.push_back(*service_.invited(one.token()));
      appliance.ask(commitments(seats_.size() - 1));
    }
    take(appliance.ask(batch()));
  }

  /// The next draw or round, behind what it needs first.
  void next() {
    if (caller_.left() == 0)
      return ask(batch(), [this](const std::string& reply) {
        caller_.take(reply);
        next();
      });
    if (!seats_.empty() && seats_.front().left() == 0)
      return of_all_seats([this](std::size_t i) { return commitments(i); }, [this] { next(); });
    if (game_ == Game::draws) return draw();
    ask(post("/v1/tables/" + caller_.table() + "/rounds", "{}"), [this](const std::string& opened) {
      caller_.take(opened);
      const auto round = must_find(opened, "round").find("id")->string();
      ask(post("/v1/rounds/" + round + "/close-bets", bets_body()),
          [this, round](const std::string& closed) {
            caller_.take(closed);
            caller_.play(round, bets_);
            draw();
          });
    });
  }

 private:
  static std::vector<certs::Bet> bets() {
    return {{"a", 1, "pleno", 25, {"7"}, {}}, {"b", 2, "pleno", 25, {"17"}, {}}};
  }
  static std::string bets_body() {
    return json::canonical(json::Value(json::Object{{"bets", certs::bets_json(bets())}}));
  }
  static json::Value must_find(const std::string& reply, const char* name) {
    const auto value = json::parse(reply);
    if (!value || value->find(name) == nullptr) give_up(reply);
    return *value->find(name);
  }
  [[noreturn]] static void give_up(const std::string& reply) {
    static_cast<void>(std::fprintf(stderr, "%s\n", reply.c_str()));
    std::abort();
  }

  void draw() {
    std::vector<certs::Contributor> others;
    for (BenchSeat& seat : seats_) others.push_back(seat.next());
    caller_.name(std::move(others));
    ask(post("/v1/draws", caller_.draw()), [this](const std::string& reply) {
      if (!seats_.empty()) return open(must_find(reply, "call").find("seq")->integer());
      caller_.take(reply);
      ended();
    });
  }
  /// Every seat at once, and then what the call ended in.
  void open(std::int64_t call) {
    const Digest named = certs::call_digest(hashes_, caller_.core().bytes());
    const std::string path = "/v1/calls/" + std::to_string(call);
    of_all_seats(
        [this, named, path](std::size_t i) {
          return core::Request{"POST", path + "/openings", seats_[i].open(named), guests_[i], {}};
        },
        [this, path] { await(path); });
  }
  void await(const std::string& path) {
    ask(get(path + "?wait=10"), [this, path](const std::string& view) {
      const auto value = json::parse(view);
      const auto* end = value->find("ended");
      if (end == nullptr) return await(path);
      if (game_ == Game::rounds) return look();
      caller_.take_receipts(json::Array{*end->find("receipt")});
      ended();
    });
  }
  /// Behind a result stand its settlement and the end of the round.
  void look() {
    ask(get("/v1/tables/" + caller_.table()), [this](const std::string& table) {
      caller_.take_view(table);
      ended();
    });
  }
  void ended() {
    caller_.play("0", certs::bets_digest(hashes_, json::Array{}));
    run_.done.fetch_add(1);
    next();
  }

  /// A request of each seat, all at once; `then` when all are answered.
  void of_all_seats(const std::function<core::Request(std::size_t)>& request,
                    std::function<void()> then) {
    waiting_ = static_cast<int>(seats_.size());
    then_ = std::move(then);
    for (std::size_t i = 0; i < seats_.size(); ++i) {
      submit(request(i), [this](const core::Reply& reply) {
        expect(reply);
        if (waiting_.fetch_sub(1) == 1 && run_.running) run_.later([this] { then_(); });
      });
    }
  }
  /// The next request is made on a thread of the clients.
  void ask(core::Request request, std::function<void(const std::string&)> then) {
    submit(std::move(request), [this, then = std::move(then)](const core::Reply& reply) {
      expect(reply);
      if (run_.running) run_.later([then, body = reply.body] { then(body); });
    });
  }
  void submit(core::Request request, core::Answer answer) {
    run_.asking([&] { service_.submit(std::move(request), std::move(answer)); });
  }
  /// Once the run is over the appliance stops, and says so to who still asks.
  void expect(const core::Reply& reply) const {
    if (reply.status < 300 || !run_.running) return;
    give_up(reply.body);
  }
  void take(const json::Value& reply) { caller_.take(json::canonical(reply)); }
  core::Request post(std::string path, std::string body) {
    return {"POST", std::move(path), std::move(body), client_,
            "k-" + name_ + "-" + std::to_string(++keys_)};
  }
  [[nodiscard]] core::Request get(std::string path) const {
    return {"GET", std::move(path), {}, client_, {}};
  }
  core::Request batch() {
    return post("/v1/tables/" + caller_.table() + "/batches", R"({"count":100})");
  }
  core::Request commitments(std::size_t i) {
    return {"POST",
            "/v1/tables/" + caller_.table() + "/commitments",
            seats_[i].commitments(),
            guests_[i],
            {}};
  }

  core::Service& service_;
  Run& run_;
  std::string name_;
  Game game_;
  certs::OpensslHashes hashes_;
  core::Client client_ = core::test::table_client("talla:table-1");
  talla_bench::BenchCaller caller_{core::test::table_key_pem(client_.id)};
  std::deque<BenchSeat> seats_;
  std::vector<core::Client> guests_;  // the seats, as they ask
  Digest bets_ = certs::bets_digest(hashes_, certs::bets_json(bets()));
  std::atomic<int> waiting_{0};
  std::function<void()> then_;
  std::uint64_t keys_ = 0;
};

struct Rate {
  double per_second;
  double cpu_us;      ///< of all, for each draw or round
  double clients_us;  ///< of that, the clients' own
};

Rate rate_of(const Folder& folder, const Plan& plan) {
  Appliance appliance(folder, certs::testing::fault_vfs_name);
  Run run;
  std::vector<std::unique_ptr<Table>> tables;
  for (int i = 0; i < plan.tables; ++i)
    tables.push_back(std::make_unique<Table>(appliance, run, i, plan));
  certs::testing::fault_plan().sync_delay_us = delay.count();
  appliance.service->start();
  const auto begin = SteadyClock::now();
  const double cpu_begin = talla_bench::process_cpu_us();
  for (auto& table : tables) run.later([&table] { table->next(); });
  std::this_thread::sleep_for(measured);
  const auto done = static_cast<double>(run.done.load());
  const std::chrono::duration<double> passed = SteadyClock::now() - begin;
  const Rate rate{.per_second = done / passed.count(),
                  .cpu_us = (talla_bench::process_cpu_us() - cpu_begin) / done,
                  .clients_us = static_cast<double>(run.clients_ns.load()) / 1e3 / done};
  run.running = false;
  appliance.service->stop();
  run.stop();
  certs::testing::fault_plan().clear();
  return rate;
}

/// Draws a second that the processors could check the signatures of, and do nothing else.
double checked_per_second(int seats) {
  const auto pair = certs::testing::seat_pair();
  talla_bench::OpenSigner signer(pair.pem);
  const Bytes statement(200, 0x5a);
  const auto signature = signer.sign(statement);
  const auto check = [&] {
    if (!certs::call_signature_holds(pair.spki, statement, signature)) std::abort();
  };
  check();  // reads the key
  const double checks = talla_bench::rate_of(check, 1, 200, true);
  return checks * std::max(1U, std::thread::hardware_concurrency()) / (seats + 1);
}

/// `peer`: a rate; 0: the bare syncs of the disk.
void against(benchmark::State& state, const talla_bench::Goal& goal, const Plan& plan,
             double peer) {
  certs::testing::register_fault_vfs();
  certs::testing::fault_plan().clear();
  std::vector<double> ours;
  std::vector<double> peers;
  std::vector<double> ratios;
  std::vector<double> cpu;
  std::vector<double> clients;
  std::vector<double> apart;
  std::vector<double> bounds;
  for ([[maybe_unused]] auto run : state) {
    for (int round = 0; round < 3; ++round) {
      const Folder folder;
      peers.push_back(peer > 0 ? peer
                               : talla_bench::bare_fdatasync_per_second(folder, delay, measured));
      const Rate rate = rate_of(folder, plan);
      ours.push_back(rate.per_second);
      cpu.push_back(rate.cpu_us);
      clients.push_back(rate.clients_us);
      bounds.push_back(checked_per_second(plan.seats) / peers.back());
      ratios.push_back(ours.back() / peers.back());
      apart.push_back(ratios.back() * rate.cpu_us / (rate.cpu_us - rate.clients_us));
    }
  }
  state.counters["cpu_us"] = talla_bench::median(cpu);
  state.counters["clients_us"] = talla_bench::median(clients);
  state.counters["apart"] = talla_bench::median(apart);
  state.counters["bound"] = talla_bench::median(bounds);
  talla_bench::report(state, goal, talla_bench::median(ours), talla_bench::median(peers),
                      talla_bench::median(ratios));
}

void draws_one_contributor_64_tables(benchmark::State& state) {
  against(state,
          {.what = "whole draws with a contributor, 64 tables, fdatasync + 3 ms", .ratio_min = 20},
          {.tables = 64, .seats = 1}, 0);
}
TALLA_GOAL(draws_one_contributor_64_tables);

void draws_one_contributor_256_tables(benchmark::State& state) {
  against(state,
          {.what = "whole draws with a contributor, 256 tables, fdatasync + 3 ms", .ratio_min = 60},
          {.tables = 256, .seats = 1}, 0);
}
TALLA_GOAL(draws_one_contributor_256_tables);

void draws_eight_seats_64_tables(benchmark::State& state) {
  against(state,
          {.what = "whole draws with eight seats, 64 tables, fdatasync + 3 ms", .ratio_min = 10},
          {.tables = 64, .seats = 8}, 0);
}
TALLA_GOAL(draws_eight_seats_64_tables);

void draws_eight_seats_256_tables(benchmark::State& state) {
  against(state,
          {.what = "whole draws with eight seats, 256 tables, fdatasync + 3 ms", .ratio_min = 30},
          {.tables = 256, .seats = 8}, 0);
}
TALLA_GOAL(draws_eight_seats_256_tables);

constexpr double rounds_per_second = 2000;

void rounds_table_alone(benchmark::State& state) {
  against(state,
          {.what = "settled rounds of roulette in one process, 256 tables / 2,000 per second",
           .ratio_min = 1},
          {.tables = 256, .seats = 0, .game = Game::rounds}, rounds_per_second);
}
TALLA_GOAL(rounds_table_alone);

void rounds_one_contributor(benchmark::State& state) {
  against(state, {.what = "the same with a contributor / 2,000 per second", .ratio_min = 1},
          {.tables = 256, .seats = 1, .game = Game::rounds}, rounds_per_second);
}
TALLA_GOAL(rounds_one_contributor);

void rounds_eight_seats(benchmark::State& state) {
  against(state, {.what = "the same with eight seats / 2,000 per second", .ratio_min = 0.5},
          {.tables = 256, .seats = 8, .game = Game::rounds}, rounds_per_second);
}
TALLA_GOAL(rounds_eight_seats);

}  // namespace

BENCHMARK_MAIN();

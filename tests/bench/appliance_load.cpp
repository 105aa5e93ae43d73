// Need: on 2 cores 1,000 connected tables over mutual TLS, each a draw per second, with p99 under
// 50 ms beyond the sync of the disk; a settled round of punto y banca over the API (round, bets,
// deal and settlement: three requests) 2,000 times a second with 256 tables; the daemon below 200
// MB. The real daemon, watched from outside; the load is one thread of this program, whose own
// processor time is printed: what a quiet machine with more cores would do follows from the
// daemon's alone. TALLA_LOAD_TABLES, TALLA_LOAD_SECONDS: other counts.
#include <deque>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <utility>

#include "bench_caller.hpp"
#include "load_appliance.hpp"
#include "ratio.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using talla_bench::give_up;
using talla_bench::Link;

int setting(const char* name, int usual) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
  return text == nullptr ? usual : std::max(1, std::stoi(text));
}

/// The text behind the first `"name":"` of a reply; its views come before its receipts.
std::string text_of(std::string_view body, const std::string& name) {
  const std::string mark = "\"" + name + "\":\"";
  const auto at = body.find(mark);
  if (at == std::string_view::npos)
    give_up("no " + name + " in " + std::string(body.substr(0, 400)));
  const auto begin = at + mark.size();
  return std::string(body.substr(begin, body.find('"', begin) - begin));
}

class Load {
 public:
  Load(const talla_bench::LoadAppliance& appliance, int tables) : appliance_(appliance) {
    const double before = appliance.cpu();
    for (int i = 0; i < tables; ++i)
      links_.add(appliance.port(), appliance.own(i), appliance.root());
    for (std::size_t i = 0; i < links_.size(); ++i) order_.push_back(i);
    std::cerr << tables << " connections: " << (appliance.cpu() - before) * 1e3 / tables
              << " ms of the daemon's processor time each\n";
  }
  [[nodiscard]] std::size_t size() const { return links_.size(); }
  Link& at(std::size_t i) { return links_.at(i); }
  void turn(int wait_ms) {
    links_.turn(wait_ms);
    while (!later_.empty() && later_.front().first <= Clock::now()) {
      const auto again = std::move(later_.front().second);
      later_.pop_front();
      again();
    }
  }

  /// A request that must succeed; a shoe that is over may be closed already (409), and where the
  /// generator must first make more bits (503) it is asked again.
  void ask(std::size_t i, const std::string& path, const std::string& body,
           const std::function<void(std::string_view)>& then) {
    links_.at(i).post(
        path, random_hex(), body, [this, i, path, body, then](int status, std::string_view reply) {
          if (status == 503 && reply.find("entropy_not_ready") != std::string_view::npos) {
            ++not_ready_;
            later_.emplace_back(Clock::now() + std::chrono::milliseconds(100),
                                [this, i, path, body, then] { ask(i, path, body, then); });
            return;
          }
          const bool over = status == 409 && path.ends_with("/close");
          if (status >= 300 && !over)
            give_up(path + ": " + std::to_string(status) + " " + std::string(reply.substr(0, 400)));
          then(reply);
        });
  }
  /// Turns until nothing waits.
  void finish() {
    while (!later_.empty() || std::any_of(order_.begin(), order_.end(),
                                          [this](std::size_t i) { return at(i).busy(); }))
      turn(20);
  }
  /// The private key of a link's client.
  [[nodiscard]] std::string key_pem(std::size_t i) const {
    std::ifstream file(appliance_.own(static_cast<int>(i)) + ".key");
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// How often the generator had not enough bits yet, since the last time.
  std::uint64_t not_ready() { return std::exchange(not_ready_, 0); }
  std::string random_hex() {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (int word = 0; word < 2; ++word) {
      for (std::uint64_t bits = random_(), i = 0; i < 16; ++i, bits >>= 4)
        text += digits[bits & 15];
    }
    return text;
  }

 private:
  const talla_bench::LoadAppliance& appliance_;
  talla_bench::Links links_;
  std::mt19937_64 random_{std::random_device{}()};
  std::vector<std::size_t> order_;  // 0, 1, 2, ...
  std::deque<std::pair<Clock::time_point, std::function<void()>>> later_;
  std::uint64_t not_ready_ = 0;
};

/// The callers of so many tables, each with the key of its link.
std::vector<std::unique_ptr<talla_bench::BenchCaller>> callers_of(Load& load, std::size_t tables) {
  std::vector<std::unique_ptr<talla_bench::BenchCaller>> callers;
  for (std::size_t i = 0; i < tables; ++i)
    callers.push_back(std::make_unique<talla_bench::BenchCaller>(load.key_pem(i)));
  return callers;
}

class Wheels {
 public:
  Wheels(Load& load, int seconds) : load_(load), wheels_(callers_of(load, load.size())) {
    const std::string count = R"({"count":)" + std::to_string(std::min(256, seconds + 4)) + "}";
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      load_.ask(i, "/v1/tables", R"({"settled_by":"client","range":{"kind":"wheel","pockets":37}})",
                [this, i, count](std::string_view reply) {
                  wheels_[i]->take(reply);
                  load_.ask(i, "/v1/tables/" + wheels_[i]->table() + "/batches", count,
                            [this, i](std::string_view made) { wheels_[i]->take(made); });
                });
    }
    load_.finish();
  }

  /// Every table draws once in each second, at its own moment; milliseconds from that moment to the
  /// reply.
  std::vector<double> spin(int seconds) {
    const auto begin = Clock::now() + std::chrono::milliseconds(100);
    const auto count = static_cast<std::int64_t>(wheels_.size());
    const std::int64_t all = count * seconds;
    std::int64_t due = 0;
    times_.clear();
    while (static_cast<std::int64_t>(times_.size()) < all) {
      const auto now = Clock::now();
      for (; due < all && begin + std::chrono::microseconds(due * 1'000'000 / count) <= now; ++due)
        waiting_.emplace_back(static_cast<std::size_t>(due % count),
                              begin + std::chrono::microseconds(due * 1'000'000 / count));
      // A table that has no answer yet asks later; its time runs from its moment all the same.
      for (std::size_t left = waiting_.size(); left > 0; --left) {
        const auto [table, moment] = waiting_.front();
        waiting_.pop_front();
        if (load_.at(table).busy()) {
          waiting_.emplace_back(table, moment);
        } else {
          draw(table, moment);
        }
      }
      load_.turn(due < all ? 1 : 100);
    }
    std::sort(times_.begin(), times_.end());
    return times_;
  }

 private:
  void draw(std::size_t i, Clock::time_point moment) {
    load_.ask(i, "/v1/draws", wheels_[i]->draw(), [this, i, moment](std::string_view reply) {
      if (reply.find("\"pocket\":") == std::string_view::npos) give_up(std::string(reply));
      times_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - moment).count());
      wheels_[i]->take(reply);
    });
  }

  Load& load_;
  std::vector<std::unique_ptr<talla_bench::BenchCaller>> wheels_;
  std::vector<double> times_;
  std::deque<std::pair<std::size_t, Clock::time_point>> waiting_;
};

/// Tables of punto y banca that play without a pause.
class Rounds {
 public:
  Rounds(Load& load, std::size_t tables)
      : load_(load), tables_(tables), callers_(callers_of(load, tables)) {
    for (std::size_t i = 0; i < tables; ++i) {
      load_.ask(
          i, "/v1/tables",
          R"({"catalogue":"es-1977","game":"punto-banco","table":{"currency":"ESP","unit":1,"min":25,"params":{}}})",
          [this, i](std::string_view reply) {
            tables_[i].id = text_of(reply, "id");
            callers_[i]->take(reply);
            seal(i);
          });
    }
    load_.finish();
  }

  /// Rounds settled in that time.
  std::uint64_t play(std::chrono::milliseconds time) {
    stop_ = false;
    settled_ = 0;
    for (std::size_t i = 0; i < tables_.size(); ++i) round(i);
    const auto end = Clock::now() + time;
    while (Clock::now() < end) load_.turn(10);
    const auto settled = settled_;
    stop_ = true;
    load_.finish();
    return settled;
  }

 private:
  struct Table {
    std::string id;
    std::string shoe;
    std::string position;
  };

  void seal(std::size_t i) {
    load_.ask(i, "/v1/tables/" + tables_[i].id + "/shoes", "{}",
              [this, i](std::string_view sealed) {
                tables_[i].shoe = text_of(sealed, "id");
                callers_[i]->take(sealed);
                load_.ask(i, "/v1/shoes/" + tables_[i].shoe + "/mix", callers_[i]->mix(),
                          [this, i](std::string_view mixed) {
                            callers_[i]->take(mixed);
                            tables_[i].position = "0";
                            deal(i, [this, i] { next(i); });
                          });
              });
  }
  void next(std::size_t i) {
    if (!stop_) round(i);
  }
  void deal(std::size_t i, std::function<void()> then) {
    load_.ask(i, "/v1/shoes/" + tables_[i].shoe + "/deal",
              R"({"expected":)" + tables_[i].position + R"(,"until":"needs"})",
              [this, i, then = std::move(then)](std::string_view dealt) {
                constexpr std::string_view mark = "\"position\":";
                const auto at = dealt.find(mark, dealt.rfind("\"shoe\":{"));
                if (at == std::string_view::npos) give_up(std::string(dealt.substr(0, 400)));
                const auto begin = at + mark.size();
                tables_[i].position = dealt.substr(begin, dealt.find_first_of(",}", begin) - begin);
                over_ = dealt.find(R"("need":"shoe")") != std::string_view::npos;
                then();
              });
  }
  void round(std::size_t i) {
    const auto rounds = "/v1/tables/" + tables_[i].id + "/rounds";
    load_.ask(i, rounds, "{}", [this, i](std::string_view opened) {
      load_.ask(
          i, "/v1/rounds/" + text_of(opened, "id") + "/close-bets",
          R"({"bets":[{"id":"p","seat":1,"kind":"punto","stake":100},{"id":"b","seat":2,"kind":"banca","stake":100}]})",
          [this, i](std::string_view) {
            deal(i, [this, i] {
              ++settled_;
              if (!over_) return next(i);
              // The stop card is out; where it ended the shoe by itself the close is refused.
              load_.ask(i, "/v1/shoes/" + tables_[i].shoe + "/close", "{}",
                        [this, i](std::string_view) { seal(i); });
            });
          });
    });
  }

  Load& load_;
  std::vector<Table> tables_;
  std::vector<std::unique_ptr<talla_bench::BenchCaller>> callers_;
  std::uint64_t settled_ = 0;
  bool stop_ = true;
  bool over_ = false;  // of the table whose reply is taken
};

/// One daemon for all entries, which run in this order.
struct Bench {
  int tables = setting("TALLA_LOAD_TABLES", 1000);
  int seconds = std::min(240, setting("TALLA_LOAD_SECONDS", 20));
  talla_bench::LoadAppliance appliance{tables};
  Load load{appliance, tables};
};
Bench& bench() {
  static Bench one;
  return one;
}

double part(const std::vector<double>& ascending, double share) {
  return ascending[std::min(
      ascending.size() - 1,
      static_cast<std::size_t>(share * static_cast<double>(ascending.size())))];
}

void a_draw_per_second(benchmark::State& state) {
  double beyond = 0;
  double rate = 0;
  for ([[maybe_unused]] auto run : state) {
    Bench& b = bench();
    Wheels wheels(b.load, b.seconds);
    const auto syncs = talla_bench::bare_syncs(b.appliance.folder(), 200);
    wheels.spin(2);
    const double cpu = b.appliance.cpu();
    const double own = talla_bench::cpu_seconds(::getpid());
    const auto times = wheels.spin(b.seconds);
    const double cpu_each = (b.appliance.cpu() - cpu) / static_cast<double>(times.size());
    const double own_each =
        (talla_bench::cpu_seconds(::getpid()) - own) / static_cast<double>(times.size());
    beyond =
        std::max(0.001, part(times, 0.99) - 2 * part(syncs, 0.99));  // a CALL and a DRAW: two syncs
    rate = static_cast<double>(b.tables);
    std::cerr << b.tables << " tables, a draw per second each, " << times.size()
              << " draws: median " << part(times, 0.5) << " ms, p99 " << part(times, 0.99)
              << " ms, p99.9 " << part(times, 0.999) << " ms; bare sync median " << part(syncs, 0.5)
              << " ms, p99 " << part(syncs, 0.99) << " ms; processor time of a draw "
              << cpu_each * 1e6 << " us of the daemon, " << own_each * 1e6
              << " us of the load; p99 beyond two syncs " << beyond << " ms\n";
  }
  talla_bench::report(
      state,
      {.what = "p99 of a draw beyond two syncs, tables at one draw per second / 50 ms",
       .ratio_min = 1},
      rate, beyond, 50 / beyond);
}
TALLA_GOAL(a_draw_per_second);

void settled_rounds(benchmark::State& state) {
  double rate = 0;
  for ([[maybe_unused]] auto run : state) {
    Bench& b = bench();
    Rounds rounds(b.load, std::min<std::size_t>(256, b.load.size()));
    rounds.play(std::chrono::seconds(2));
    const double cpu = b.appliance.cpu();
    const double own = talla_bench::cpu_seconds(::getpid());
    const auto begin = Clock::now();
    const auto settled = static_cast<double>(rounds.play(std::chrono::seconds(b.seconds)));
    const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
    const double cpu_each = (b.appliance.cpu() - cpu) / settled;
    const double own_each = (talla_bench::cpu_seconds(::getpid()) - own) / settled;
    rate = settled / passed;
    const auto syncs = talla_bench::bare_syncs(b.appliance.folder(), 200);
    std::cerr << "punto y banca, " << std::min(256, b.tables) << " tables: " << rate
              << " settled rounds/s; processor time of a round " << cpu_each * 1e6
              << " us of the daemon, " << own_each * 1e6
              << " us of the load; commitments that waited for bits " << b.load.not_ready()
              << "; bare syncs/s " << 1e3 / part(syncs, 0.5) << ", rounds for each "
              << rate * part(syncs, 0.5) / 1e3 << "\n";
  }
  talla_bench::report(
      state,
      {.what = "settled rounds of punto y banca over the API, 256 tables / 2,000 per second",
       .ratio_min = 1},
      rate, 2000, rate / 2000);
}
TALLA_GOAL(settled_rounds);

void memory(benchmark::State& state) {
  double most = 0;
  for ([[maybe_unused]] auto run : state) most = bench().appliance.memory_max();
  std::cerr << "the daemon's memory at most: " << most << " MB\n";
  talla_bench::report(
      state, {.what = "200 MB / most memory of the daemon after the two above", .ratio_min = 1},
      200, most, 200 / most);
}
TALLA_GOAL(memory);

}  // namespace

BENCHMARK_MAIN();

// Need: monitors never limit a source or a table: at most 1 ns per raw byte, at most 100 ns per
// outcome, all processes and detectors of the stream together, with a look after every step.
// Method: whole groups on their board, fed from prepared data; processor time of the process, best
// of the rounds, so that other work on the machine does not count; ns_per_item is 1e9 / ours.
#include <ctime>
#include <random>
#include <vector>

#include "ratio.hpp"
#include "stats/monitor/board.hpp"
#include "stats/monitor/streams.hpp"

namespace {

using namespace talla::stats::monitor;  // NOLINT: a program of its own

constexpr double byte_limit = 1e9;     // 1 ns
constexpr double outcome_limit = 1e7;  // 100 ns

template <class Made>
Board board_of(Made made) {
  Board::Options options;
  options.make = [made](const std::string&) -> std::unique_ptr<Group> { return made(); };
  return Board(std::move(options));
}

std::vector<std::uint8_t> noise(std::size_t size) {
  std::mt19937_64 words(1);
  std::vector<std::uint8_t> bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(words() >> 56U);
  return bytes;
}

double cpu_seconds() {
  timespec now{};
  static_cast<void>(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now));
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Items per processor second against a stated figure.
template <class Call>
void against(benchmark::State& state, const talla_bench::Goal& goal, double figure_per_second,
             Call call) {
  double best = 0;
  for ([[maybe_unused]] auto run : state) {
    call();
    for (int round = 0; round < goal.rounds; ++round) {
      const double begin = cpu_seconds();
      call();
      best = std::max(best, goal.ours_items / (cpu_seconds() - begin));
    }
  }
  talla_bench::report(state, goal, best, figure_per_second, best / figure_per_second);
}

void finish(benchmark::State& state, const std::vector<Finding>& found) {
  if (!found.empty()) state.SkipWithError("good data raised an alarm");
  state.counters["ns_per_item"] = 1e9 / static_cast<double>(state.counters["ours"]);
}

void raw_noise(benchmark::State& state) {
  const auto samples = noise(std::size_t{1} << 22U);
  Board board = board_of([] { return std::make_unique<RawNoise>(7900); });
  auto* group = dynamic_cast<RawNoise*>(board.group("noise", 0));
  std::vector<Finding> found;
  against(state,
          {.what = "raw noise: all predictors / 1 ns a byte",
           .ours_items = static_cast<double>(samples.size())},
          byte_limit, [&] {
            for (std::size_t at = 0; at < samples.size(); at += 4096) {
              if (group->observe({samples.data() + at, 4096})) board.look(*group, found);
            }
          });
  finish(state, found);
}
TALLA_GOAL(raw_noise);

void alphabet(benchmark::State& state, std::size_t size, const char* what) {
  std::mt19937_64 words(2);
  std::uniform_int_distribution<std::size_t> symbol(0, size - 1);
  std::vector<std::size_t> symbols(100'000);
  Board board = board_of([size] { return std::make_unique<Alphabet>(size, "numbers"); });
  auto* group = dynamic_cast<Alphabet*>(board.group("alphabet", 0));
  std::vector<Finding> found;
  const auto refill = [&] {
    for (auto& one : symbols) one = symbol(words);
  };
  refill();
  against(state, {.what = what, .ours_items = static_cast<double>(symbols.size()), .rounds = 5},
          outcome_limit, [&] {
            // The same data again and again would be a bias of its own: each turn starts a new
            // epoch.
            for (Process* process : group->processes()) {
              process->begin_epoch();
              process->restart_detector();
            }
            for (const std::size_t one : symbols) {
              group->observe(one);
              board.look(*group, found);
            }
          });
  finish(state, found);
}

void wheel(benchmark::State& state) {
  alphabet(state, 37, "wheel numbers: frequency and pairs / 100 ns");
}
TALLA_GOAL(wheel);

void dice(benchmark::State& state) {
  alphabet(state, 36, "throws of two dice: frequency and pairs / 100 ns");
}
TALLA_GOAL(dice);

void shoe(benchmark::State& state) {
  std::mt19937_64 words(3);
  std::vector<std::uint16_t> kinds(416);
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint16_t>(i % 52);
  std::vector<std::vector<std::uint16_t>> shoes(500, kinds);
  for (auto& one : shoes) std::shuffle(one.begin(), one.end(), words);
  Board board = board_of([] { return std::make_unique<Shoe>(std::vector<std::uint32_t>(52, 8)); });
  auto* group = dynamic_cast<Shoe*>(board.group("shoe", 0));
  std::vector<Finding> found;
  against(state,
          {.what = "cards of 8-deck shoes: position and neighbour / 100 ns",
           .ours_items = static_cast<double>(shoes.size() * kinds.size()),
           .rounds = 5},
          outcome_limit, [&] {
            for (Process* process : group->processes()) {
              process->begin_epoch();
              process->restart_detector();
            }
            for (const auto& one : shoes) {
              if (!group->observe(one)) state.SkipWithError("no such shoe");
              board.look(*group, found);
            }
          });
  finish(state, found);
}
TALLA_GOAL(shoe);

void conditioned(benchmark::State& state) {
  const auto bytes = noise(std::size_t{1} << 18U);
  Board board = board_of([] { return std::make_unique<ConditionedBits>(); });
  auto* group = dynamic_cast<ConditionedBits*>(board.group("bits", 0));
  std::vector<Finding> found;
  against(state,
          {.what = "conditioned bytes: ones, bytes, nibbles / 100 ns",
           .ours_items = static_cast<double>(bytes.size()),
           .rounds = 5},
          outcome_limit, [&] {
            for (Process* process : group->processes()) {
              process->begin_epoch();
              process->restart_detector();
            }
            for (std::size_t at = 0; at < bytes.size(); at += 512) {
              group->observe({bytes.data() + at, 512});
              board.look(*group, found);
            }
          });
  finish(state, found);
}
TALLA_GOAL(conditioned);

}  // namespace

BENCHMARK_MAIN();

// Need: 100,000 shoes of eight decks and 10,000,000 spins judged while one waits. Peer: one plain
// table of the same results (place x card of each shoe, frequencies and neighbouring pairs of the
// spins): what the simplest test costs.
#include <algorithm>
#include <random>
#include <vector>

#include "ratio.hpp"
#include "stats/outcome/shoes.hpp"
#include "stats/outcome/stream.hpp"

namespace {

using namespace talla::stats::outcome;

void outcome_shoes(benchmark::State& state) {
  ShoeSpec spec;
  Grouping rank{"rank", {}, {}}, suit{"suit", {"C", "D", "H", "S"}, {}};
  for (int r = 0; r < 13; ++r) rank.names.push_back(std::to_string(r));
  for (std::size_t face = 0; face < 52; ++face) {
    spec.faces.push_back(std::to_string(face));
    rank.of.push_back(static_cast<std::uint8_t>(face % 13));
    suit.of.push_back(static_cast<std::uint8_t>(face / 13));
  }
  spec.copies.assign(52, 8);
  spec.groupings = {rank, suit};
  std::mt19937_64 random(1);
  std::vector<std::vector<std::uint8_t>> shoes(512);
  for (auto& shoe : shoes) {
    for (int i = 0; i < 416; ++i) shoe.push_back(static_cast<std::uint8_t>(i % 52));
    std::shuffle(shoe.begin(), shoe.end(), random);
  }
  auto tests = *ShoeTests::create(spec);
  std::vector<std::uint32_t> table(416 * 52);
  talla_bench::Goal goal;
  goal.what = "all tests of a shoe of 416 cards, against counting it into one table";
  goal.ratio_min = 0.015;
  goal.ours_items = goal.peer_items = static_cast<double>(shoes.size());
  talla_bench::compare(
      state, goal,
      [&] {
        for (const auto& shoe : shoes) {
          if (!tests.add(shoe)) std::abort();
        }
      },
      [&] {
        for (const auto& shoe : shoes) {
          for (std::size_t i = 0; i < shoe.size(); ++i) ++table[i * 52 + shoe[i]];
        }
        benchmark::DoNotOptimize(table.data());
      });
}
TALLA_GOAL(outcome_shoes);

void outcome_spins(benchmark::State& state) {
  std::mt19937_64 random(2);
  std::vector<std::uint16_t> spins(1 << 16);
  for (auto& spin : spins) spin = static_cast<std::uint16_t>(random() % 37);
  auto tests = *StreamTests::create(Alphabet::uniform(37));
  std::vector<std::uint64_t> single(37), pairs(37 * 37);
  talla_bench::Goal goal;
  goal.what = "all tests of a wheel's number, against counting numbers and pairs";
  goal.ratio_min = 0.015;
  goal.ours_items = goal.peer_items = static_cast<double>(spins.size());
  talla_bench::compare(
      state, goal, [&] { tests.add(spins); },
      [&] {
        std::size_t before = 0;
        for (const std::uint16_t spin : spins) {
          ++single[spin];
          ++pairs[before * 37 + spin];
          before = spin;
        }
        benchmark::DoNotOptimize(pairs.data());
      });
}
TALLA_GOAL(outcome_spins);

}  // namespace

BENCHMARK_MAIN();

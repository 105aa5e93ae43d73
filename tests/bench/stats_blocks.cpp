// Need: FIPS blocks at 400 MB/s and the figures of ent at 1 GB/s on one core, in CPU time of the
// process (the machine's load does not count). Peers beside these figures: the tests bit by bit, as
// the standards read and rngtest works, and one plain histogram of bytes.
#include <ctime>
#include <random>
#include <vector>

#include "ratio.hpp"
#include "stats/blocks/block_series.hpp"
#include "stats/stream/figures.hpp"

namespace {

using namespace talla::stats;

constexpr std::size_t bytes_count = 2'500 * 400 + 4;

std::vector<std::uint8_t> random_bytes() {
  std::mt19937_64 random(1);
  std::vector<std::uint8_t> bytes(bytes_count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 56U);
  return bytes;
}

double cpu_seconds() {
  timespec now{};
  static_cast<void>(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Median of the bytes a CPU second over some rounds.
template <class Call>
double rate_in_cpu_time(Call call) {
  std::vector<double> rates;
  for (int round = 0; round < 15; ++round) {
    const double begin = cpu_seconds();
    for (int i = 0; i < 10; ++i) call();
    rates.push_back(10.0 * bytes_count / (cpu_seconds() - begin));
  }
  return talla_bench::median(rates);
}

void judge_series(const std::vector<std::uint8_t>& bytes) {
  blocks::BlockSeries series(blocks::Set::fips_140_2);
  series.add(bytes);
  benchmark::DoNotOptimize(series.tally().failed_blocks);
}

std::uint32_t plain_block(const std::uint8_t* block) {
  std::array<std::uint32_t, 16> nibbles{};
  std::array<std::array<std::uint32_t, 6>, 2> runs{};
  std::uint32_t ones = 0, length = 0, longest = 0;
  unsigned last = 2;
  for (std::size_t i = 0; i < blocks::block_bytes; ++i) {
    ++nibbles[block[i] >> 4U];
    ++nibbles[block[i] & 15U];
    for (int k = 7; k >= 0; --k) {
      const unsigned bit = unsigned{block[i]} >> k & 1U;
      ones += bit;
      if (bit == last) {
        ++length;
        continue;
      }
      if (last < 2) ++runs[last][std::min(length, 6U) - 1];
      longest = std::max(longest, length);
      last = bit;
      length = 1;
    }
  }
  std::uint32_t mix = ones + longest;
  for (const auto count : nibbles) mix += count * count;
  for (const auto& kind : runs) mix += kind[0] + kind[5];
  return mix;
}

void fips_blocks(benchmark::State& state) {
  const auto bytes = random_bytes();
  talla_bench::Goal goal;
  goal.what = "FIPS 140-2 blocks, bytes a CPU second, against 400 MB/s";
  for ([[maybe_unused]] auto run : state) {
    const double rate = rate_in_cpu_time([&] { judge_series(bytes); });
    talla_bench::report(state, goal, rate, 400e6, rate / 400e6);
  }
}
TALLA_GOAL(fips_blocks);

void fips_blocks_against_bits(benchmark::State& state) {
  const auto bytes = random_bytes();
  talla_bench::Goal goal;
  goal.what = "FIPS 140-2 blocks against counting bit by bit";
  goal.ratio_min = 10;
  goal.ours_items = goal.peer_items = static_cast<double>(bytes_count);
  talla_bench::compare(
      state, goal, [&] { judge_series(bytes); },
      [&] {
        for (std::size_t at = 0; at + blocks::block_bytes <= bytes_count; at += blocks::block_bytes)
          benchmark::DoNotOptimize(plain_block(bytes.data() + at));
      });
}
TALLA_GOAL(fips_blocks_against_bits);

void stream_figures(benchmark::State& state) {
  const auto bytes = random_bytes();
  talla_bench::Goal goal;
  goal.what = "figures of ent, bytes a CPU second, against 1 GB/s";
  for ([[maybe_unused]] auto run : state) {
    const double rate = rate_in_cpu_time([&] {
      Stream stream;
      stream.add(bytes);
      benchmark::DoNotOptimize(stream.bytes_count());
    });
    talla_bench::report(state, goal, rate, 1e9, rate / 1e9);
  }
}
TALLA_GOAL(stream_figures);

void stream_figures_against_histogram(benchmark::State& state) {
  const auto bytes = random_bytes();
  talla_bench::Goal goal;
  goal.what = "figures of ent against one plain histogram of bytes";
  goal.ratio_min = 0.5;
  goal.ours_items = goal.peer_items = static_cast<double>(bytes_count);
  talla_bench::compare(
      state, goal,
      [&] {
        Stream stream;
        stream.add(bytes);
        benchmark::DoNotOptimize(stream.bytes_count());
      },
      [&] {
        std::array<std::uint64_t, 256> counts{};
        for (const std::uint8_t byte : bytes) ++counts[byte];
        benchmark::DoNotOptimize(counts);
      });
}
TALLA_GOAL(stream_figures_against_histogram);

}  // namespace

BENCHMARK_MAIN();

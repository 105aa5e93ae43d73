/// \file
/// A goal as a benchmark: ours and its peer, measured in turns inside one run, so that the ratio is
/// of the same minute.
///
/// Each entry reports the counters `ours` and `peer` (items per second), `ratio` (ours / peer),
/// `goal`, and what it is about as its label; tests/bench/run reads them. Register with
/// TALLA_GOAL(function).
/// Method: rounds alternate between the two; each side runs for at least `round_ms` of wall time
/// (or of the thread's processor time) in a round; rates and ratio are the medians over the rounds.
#pragma once

#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace talla_bench {

struct Goal {
  /// What is measured and against whom, in a few words.
  std::string what;
  /// The least ratio of rates, ours / peer.
  double ratio_min = 1;
  /// How many items one call of each function does.
  double ours_items = 1;
  double peer_items = 1;
  int rounds = 15;
  int round_ms = 20;
  /// Both sides compute in this thread and wait for nothing: its processor time is measured, which
  /// other work on the machine lengthens far less than the wall's.
  bool computes_only = false;
};

/// Writes the counters of an entry whose rates were measured elsewhere (threads, other processes).
inline void report(benchmark::State& state, const Goal& goal, double ours_per_second,
                   double peer_per_second, double ratio) {
  state.SetLabel(goal.what);
  state.counters["ours"] = ours_per_second;
  state.counters["peer"] = peer_per_second;
  state.counters["ratio"] = ratio;
  state.counters["goal"] = goal.ratio_min;
}

/// Since some moment in the past.
inline std::chrono::nanoseconds time_now(bool of_this_thread) {
  if (!of_this_thread) return std::chrono::steady_clock::now().time_since_epoch();
  timespec used{};
  static_cast<void>(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used));
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

/// Items per second of `call`, over at least `round_ms`.
template <class Call>
double rate_of(Call& call, double items_per_call, int round_ms, bool of_this_thread = false) {
  const auto begin = time_now(of_this_thread);
  const auto enough = begin + std::chrono::milliseconds(round_ms);
  std::uint64_t calls = 0;
  std::uint64_t step = 1;
  auto now = begin;
  while (now < enough) {
    for (std::uint64_t i = 0; i < step; ++i) call();
    calls += step;
    step = std::min<std::uint64_t>(2 * step, 256);
    now = time_now(of_this_thread);
  }
  return static_cast<double>(calls) * items_per_call /
         std::chrono::duration<double>(now - begin).count();
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Ours against a peer: both callable without arguments.
template <class Ours, class Peer>
void compare(benchmark::State& state, const Goal& goal, Ours ours, Peer peer) {
  std::vector<double> ours_rates;
  std::vector<double> peer_rates;
  std::vector<double> ratios;
  for ([[maybe_unused]] auto run : state) {
    rate_of(ours, goal.ours_items, 1);
    rate_of(peer, goal.peer_items, 1);
    for (int round = 0; round < goal.rounds; ++round) {
      ours_rates.push_back(rate_of(ours, goal.ours_items, goal.round_ms, goal.computes_only));
      peer_rates.push_back(rate_of(peer, goal.peer_items, goal.round_ms, goal.computes_only));
      ratios.push_back(ours_rates.back() / peer_rates.back());
    }
  }
  report(state, goal, median(ours_rates), median(peer_rates), median(ratios));
}

/// Ours against a stated figure, in items per second; the ratio is ours / figure.
template <class Ours>
void compare_figure(benchmark::State& state, const Goal& goal, double figure_per_second,
                    Ours ours) {
  std::vector<double> rates;
  for ([[maybe_unused]] auto run : state) {
    rate_of(ours, goal.ours_items, 1);
    for (int round = 0; round < goal.rounds; ++round) {
      rates.push_back(rate_of(ours, goal.ours_items, goal.round_ms));
    }
  }
  report(state, goal, median(rates), figure_per_second, median(rates) / figure_per_second);
}

}  // namespace talla_bench

/// Registers a function that calls compare, compare_figure or report once.
#define TALLA_GOAL(function) BENCHMARK(function)->Iterations(1)->Unit(benchmark::kMillisecond)

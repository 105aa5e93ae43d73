// From pulling out the last generator to the latch: goal within 100 ms of the bus' notice (ratio
// 100 ms / ours at least 1).
// Method: the built rngd-source under the real libusb over an emulated usbfs, the core's side and a
// running generator; the device is pulled out in mid-stream, long after the pool is full, and the
// latch looked for every 0.2 ms. Median of the rounds; `max_ms` is the longest.
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/clock.hpp"
#include "entropy/generator.hpp"
#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "ratio.hpp"
#include "umockdev_bus.hpp"
#include "usb/source_process.hpp"

namespace {

using namespace talla;  // NOLINT: a program of its own
using Clock = std::chrono::steady_clock;

constexpr int rounds = 15;
constexpr double goal_s = 0.1;

/// Seconds from the notice to the latch; negative when the generator did not start or did not
/// latch.
double latch_after(emulator::UmockdevBus& bus) {
  auto& device = bus.plug(emulator::chaoskey({.rate = 200'000}));
  auto process = usb::SourceProcess::start(
      {.program = RNGD_SOURCE_PROGRAM,
       .device = "chaoskey",
       .environment = {"LD_PRELOAD=libumockdev-preload.so.0", "UMOCKDEV_DIR=" + bus.root_dir(),
                       "TALLA_EMULATED_BUS=" + bus.root_dir()}});
  if (!process) {
    static_cast<void>(std::fprintf(stderr, "rngd-source: %s\n", process.error().text().c_str()));
    return -1;
  }
  SystemClock clock;
  entropy::SystemOsRandom os;
  entropy::CpuRdSeed rdseed;
  std::vector<entropy::SourceSlot> slots;
  slots.push_back({.source = std::move(*process), .independent = true, .required = true});
  entropy::GeneratorOptions options;
  options.appliance_id = "bench";
  auto generator = entropy::Generator::create(options, std::move(slots), {clock, os, rdseed});
  if (!generator) return -1;
  if (const auto started = (*generator)->start(); !started) {
    static_cast<void>(std::fprintf(stderr, "generator: %s\n", started.error().text().c_str()));
    return -1;
  }
  (*generator)->run();
  // Not before the pool is full: an appliance that nobody asks for anything must notice as quickly.
  const auto full = [&] {
    const auto metrics = (*generator)->metrics();
    return metrics.pool_blocks == metrics.pool_blocks_max;
  };
  for (int k = 0; k < 1000 && !full(); ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto notice = Clock::now();
  bus.unplug(device);
  while (!(*generator)->latched() && Clock::now() - notice < std::chrono::seconds(20)) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  const double passed = std::chrono::duration<double>(Clock::now() - notice).count();
  return (*generator)->latched() == entropy::LatchReason::source_failed ? passed : -1;
}

void unplug_to_latch(benchmark::State& state) {
  std::vector<double> seconds;
  for ([[maybe_unused]] auto run : state) {
    for (int round = 0; round < rounds; ++round) {
      emulator::UmockdevBus bus;
      const double passed = latch_after(bus);
      if (passed < 0) {
        state.SkipWithError("the generator did not start, or did not latch");
        return;
      }
      seconds.push_back(passed);
    }
  }
  const double median = talla_bench::median(seconds);
  talla_bench::report(state, {.what = "unplug to latch, within 100 ms", .ratio_min = 1}, 1 / median,
                      1 / goal_s, goal_s / median);
  state.counters["median_ms"] = median * 1e3;
  state.counters["max_ms"] = *std::max_element(seconds.begin(), seconds.end()) * 1e3;
}
TALLA_GOAL(unplug_to_latch);

}  // namespace

BENCHMARK_MAIN();

// Need: the continuous quality of raw noise costs at most a few nanoseconds a raw byte, no more
// than three times the health gate's tests it stands beside.
// Method: tracker against repetition count, adaptive proportion and battery over the same samples,
// in turns; 8-bit and binary.
#include <vector>

#include "entropy/health.hpp"
#include "entropy_lab/model_source.hpp"
#include "ratio.hpp"
#include "stats/monitor/quality.hpp"

namespace {

using namespace talla;  // NOLINT: a program of its own
using stats::monitor::Quality;

constexpr std::size_t stream_samples = 4 * Quality::short_samples;

entropy::SourceDescription described(unsigned bits, std::uint32_t millibits) {
  entropy::SourceDescription source;
  source.bits_per_sample = bits;
  source.assessed_millibits_per_sample = millibits;
  return source;
}

void measure(benchmark::State& state, const char* what, unsigned bits, std::uint32_t millibits) {
  entropy::ModelOptions model;
  model.description = described(bits, millibits);
  entropy::ModelSource source(model);
  std::vector<std::uint8_t> samples(stream_samples);
  static_cast<void>(source.read(samples, 1));
  const auto settings = entropy::health_settings(model.description, 1000).value();
  entropy::ContinuousTests continuous(settings);
  entropy::Battery battery(settings);
  Quality quality({.bits = bits, .millibits = millibits});
  std::vector<Quality::Event> events;
  std::uint32_t level = 0;
  talla_bench::compare(
      state,
      {.what = what,
       .ratio_min = 0.33,
       .ours_items = static_cast<double>(stream_samples),
       .peer_items = static_cast<double>(stream_samples)},
      [&] {
        for (std::size_t at = 0; at < samples.size(); at += entropy::gate_window_samples)
          quality.observe({samples.data() + at, entropy::gate_window_samples}, events);
      },
      [&] {
        for (std::size_t at = 0; at < samples.size(); at += entropy::gate_window_samples) {
          const entropy::WindowView window(samples.data() + at, entropy::gate_window_samples);
          level |= continuous.feed(window).level | battery.judge(window, 0).alarm.level;
        }
      });
  if (level != 0) state.SkipWithError("a healthy stream raised an alarm");
  state.counters["ns_per_byte"] = 1e9 / static_cast<double>(state.counters["ours"]);
  state.counters["gate_ns_per_byte"] = 1e9 / static_cast<double>(state.counters["peer"]);
}

void bytes(benchmark::State& state) {
  measure(state, "quality tracker / RCT + APT + battery, 8-bit samples", 8, 7000);
}
TALLA_GOAL(bytes);

void bits(benchmark::State& state) {
  measure(state, "quality tracker / RCT + APT + battery, binary samples", 1, 880);
}
TALLA_GOAL(bits);

}  // namespace

BENCHMARK_MAIN();

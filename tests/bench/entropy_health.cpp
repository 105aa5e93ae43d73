// Need: the health tests never limit a source: at most 2 ns per raw byte (500 million bytes a
// second on one core).
// Method: the continuous tests alone, and with the battery over windows, on 8-bit and binary
// samples; and against the sample-by-sample loop of SP 800-90B 4.4 as it stands in the text.
#include <vector>

#include "entropy/gate.hpp"
#include "entropy_lab/model_source.hpp"
#include "ratio.hpp"

namespace {

using namespace talla::entropy;  // NOLINT: a program of its own

constexpr std::size_t stream_samples = 256 * gate_window_samples;
constexpr double limit_per_second = 1e9 / 2.0;  // 2 ns a sample

SourceDescription described(unsigned bits, std::uint32_t millibits) {
  SourceDescription source;
  source.bits_per_sample = bits;
  source.assessed_millibits_per_sample = millibits;
  source.nominal_rate_hz = 1'000'000;
  return source;
}

std::vector<std::uint8_t> stream(const SourceDescription& description) {
  ModelOptions model;
  model.description = description;
  ModelSource source(model);
  std::vector<std::uint8_t> samples(stream_samples);
  static_cast<void>(source.read(samples, 1));
  return samples;
}

void measure(benchmark::State& state, const char* what, const SourceDescription& description,
             bool battery_too) {
  const std::vector<std::uint8_t> samples = stream(description);
  const HealthSettings settings = health_settings(description, 1000).value();
  ContinuousTests continuous(settings);
  Battery battery(settings);
  DuplicateWords duplicates(settings);
  std::uint32_t level = 0;
  talla_bench::compare_figure(
      state, {.what = what, .ratio_min = 1, .ours_items = static_cast<double>(stream_samples)},
      limit_per_second, [&] {
        for (std::size_t at = 0; at < samples.size(); at += gate_window_samples) {
          const WindowView window(samples.data() + at, gate_window_samples);
          level |= continuous.feed(window).level;
          if (battery_too) {
            level |= battery.judge(window, 0).alarm.level;
            // The same samples come round again and again: only what is new to the test is its
            // daily work.
            if (at == 0) duplicates.restart();
            level |= duplicates.judge(window, 0).alarm.level;
          }
        }
      });
  if (level != 0) state.SkipWithError("a healthy stream raised an alarm");
  state.counters["ns_per_byte"] = 1e9 / static_cast<double>(state.counters["ours"]);
}

void continuous_8bit(benchmark::State& state) {
  measure(state, "RCT + APT, 8-bit samples / 2 ns a byte", described(8, 7000), false);
}
TALLA_GOAL(continuous_8bit);

void continuous_binary(benchmark::State& state) {
  measure(state, "RCT + APT, binary samples / 2 ns a byte", described(1, 880), false);
}
TALLA_GOAL(continuous_binary);

void whole_8bit(benchmark::State& state) {
  measure(state, "RCT + APT + battery + duplicates, 8-bit samples / 2 ns a byte",
          described(8, 7000), true);
}
TALLA_GOAL(whole_8bit);

void whole_binary(benchmark::State& state) {
  measure(state, "RCT + APT + battery + duplicates, binary samples / 2 ns a byte",
          described(1, 880), true);
}
TALLA_GOAL(whole_binary);

/// SP 800-90B 4.4.1 and 4.4.2 as written, one sample at a time.
class AsWritten {
 public:
  explicit AsWritten(const HealthSettings& settings) : settings_(settings) {}
  bool sample(std::uint8_t x) {
    run_ = x == last_ ? run_ + 1 : 1;
    last_ = x;
    if (place_ == 0) {
      first_ = x;
      count_ = 0;
    }
    if (x == first_) ++count_;
    if (++place_ == settings_.proportion_window) place_ = 0;
    return run_ >= settings_.level1.repetition || count_ >= settings_.level1.proportion;
  }

 private:
  HealthSettings settings_;
  std::uint8_t last_ = 0;
  std::uint8_t first_ = 0;
  std::uint32_t run_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t place_ = 0;
};

void against_the_text(benchmark::State& state) {
  const SourceDescription description = described(8, 7000);
  const std::vector<std::uint8_t> samples = stream(description);
  const HealthSettings settings = health_settings(description, 1000).value();
  ContinuousTests ours(settings);
  AsWritten peer(settings);
  bool alarm = false;
  talla_bench::compare(
      state,
      {.what = "RCT + APT / sample-by-sample loop",
       .ratio_min = 3,
       .ours_items = static_cast<double>(stream_samples),
       .peer_items = static_cast<double>(stream_samples)},
      [&] { alarm = alarm || ours.feed(samples).level > 0; },
      [&] {
        for (const std::uint8_t x : samples) alarm |= peer.sample(x);
      });
  if (alarm) state.SkipWithError("a healthy stream raised an alarm");
}
TALLA_GOAL(against_the_text);

/// All tests of the gate against that loop alone, which does two of them: measured in the same
/// minute, so that it says the same on a busy machine. The loop takes about 2 ns a byte where it
/// has a core for itself: no slower than it is what the need above asks for.
void whole_against_the_text(benchmark::State& state) {
  const SourceDescription description = described(8, 7000);
  const std::vector<std::uint8_t> samples = stream(description);
  const HealthSettings settings = health_settings(description, 1000).value();
  ContinuousTests continuous(settings);
  Battery battery(settings);
  DuplicateWords duplicates(settings);
  AsWritten peer(settings);
  std::uint32_t level = 0;
  bool alarm = false;
  talla_bench::compare(
      state,
      {.what = "RCT + APT + battery + duplicates / sample-by-sample loop",
       .ratio_min = 1,
       .ours_items = static_cast<double>(stream_samples),
       .peer_items = static_cast<double>(stream_samples)},
      [&] {
        for (std::size_t at = 0; at < samples.size(); at += gate_window_samples) {
          const WindowView window(samples.data() + at, gate_window_samples);
          level |= continuous.feed(window).level;
          level |= battery.judge(window, 0).alarm.level;
          if (at == 0) duplicates.restart();  // the samples come round again
          level |= duplicates.judge(window, 0).alarm.level;
        }
      },
      [&] {
        for (const std::uint8_t x : samples) alarm |= peer.sample(x);
      });
  if (level != 0 || alarm) state.SkipWithError("a healthy stream raised an alarm");
}
TALLA_GOAL(whole_against_the_text);

}  // namespace

BENCHMARK_MAIN();

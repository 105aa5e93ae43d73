// Goal: healthy noise of exactly the claimed min-entropy raises each health test no more often than
//   its false-alarm probability says, and no gate of production at all.
// Method: samples of 1, 4 and 8 bits, all values alike, so that every bound is met and not only
//   kept; alarms are counted test by test at alpha 2^-20, the largest that SP 800-90B 4.3 allows,
//   and at the gate's own. TALLA_LONG=1: 10^9 samples; what was counted goes to the laboratory's
//   report (TALLA_FIGURES).
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

#include "entropy/gate.hpp"
#include "entropy_lab/model_source.hpp"
#include "support/figures.hpp"

namespace talla::entropy {
namespace {

constexpr unsigned loosest = alpha_log2_min;
constexpr std::size_t chunk_samples = 256 * gate_window_samples;
constexpr std::array widths{1U, 4U, 8U};

SourceDescription exactly(unsigned bits) {
  SourceDescription source;
  source.bits_per_sample = bits;
  source.assessed_millibits_per_sample = 1000 * bits;
  source.nominal_rate_hz = 100'000;
  return source;
}

/// Every cutoff at that alpha, as health_cutoffs.hpp says what each is.
LevelCutoffs cutoffs_at(unsigned bits, unsigned alpha_log2) {
  constexpr std::uint32_t half = gate_window_samples / 2;
  constexpr std::uint32_t long_samples = 4 * gate_window_samples;
  const std::uint32_t millibits = 1000 * bits;
  const unsigned window = bits == 1 ? window_binary : window_non_binary;
  return {.alpha_log2 = alpha_log2,
          .repetition = repetition_count_cutoff(millibits, alpha_log2).value(),
          .proportion = adaptive_proportion_cutoff(window, millibits, alpha_log2).value(),
          .half_window = binomial_cutoff(half, millibits, alpha_log2).value(),
          .startup_lags = binomial_cutoff(half, millibits, alpha_log2 + 11).value(),
          .long_count = binomial_cutoff(long_samples, millibits, alpha_log2 + bits).value(),
          .duplicate_word = repetition_count_cutoff(millibits, alpha_log2 + 14).value() - 1};
}

HealthSettings loosest_settings(unsigned bits) {
  return {.bits_per_sample = bits,
          .proportion_window = bits == 1 ? window_binary : window_non_binary,
          .level1 = cutoffs_at(bits, loosest),
          .level2 = cutoffs_at(bits, 2 * loosest)};
}

/// How many decisions a test takes in that many samples, at most.
double decisions(HealthTest test, unsigned bits, double samples) {
  const double windows = samples / double{gate_window_samples};
  switch (test) {
    case HealthTest::repetition_count:
      return samples;
    case HealthTest::adaptive_proportion:
      return samples / (bits == 1 ? window_binary : window_non_binary);
    case HealthTest::lag:
      return 32 * windows;
    case HealthTest::duplicate_word:
      return samples / 64;
    default:
      return windows;
  }
}

struct AlarmCounts {
  std::map<HealthTest, std::uint64_t> loose;  ///< at alpha 2^-20
  std::uint64_t gate = 0;                     ///< of a gate of production
  std::uint64_t samples = 0;
};

AlarmCounts counted_alarms(unsigned bits, std::size_t chunks) {
  const HealthSettings settings = loosest_settings(bits);
  ContinuousTests continuous(settings);
  Battery battery(settings);
  DuplicateWords duplicates(settings);
  Gate gate(health_settings(exactly(bits), 1000).value(), 0);
  ModelOptions model;
  model.seed = 20261128 + bits;
  model.description = exactly(bits);
  ModelSource source(model);
  std::vector<std::uint8_t> samples(chunk_samples);
  AlarmCounts counts;
  std::int64_t now_ns = 1;
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    EXPECT_EQ(source.read(samples, 1).value(), samples.size());
    for (std::size_t at = 0; at < samples.size(); at += gate_window_samples, ++now_ns) {
      const WindowView window(samples.data() + at, gate_window_samples);
      for (const Alarm& alarm : {continuous.feed(window), battery.judge(window, now_ns).alarm,
                                 duplicates.judge(window, now_ns).alarm})
        if (alarm.level > 0) ++counts.loose[alarm.test];
      battery.keep_clean();
      counts.gate += gate.feed(window, {now_ns, now_ns}).alarm.level > 0 ? 1U : 0U;
    }
    counts.samples += samples.size();
  }
  return counts;
}

TEST(FalseAlarms, are_as_rare_as_stated_and_a_gate_of_production_has_none) {
  const bool all = std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  constexpr std::size_t samples_of_a_long_run = 1'000'000'000;
  const std::size_t chunks = all ? samples_of_a_long_run / chunk_samples / widths.size() + 1 : 12;
  json::Object figures;
  std::uint64_t samples = 0;
  std::uint64_t gate = 0;
  std::map<HealthTest, std::uint64_t> loose;
  for (const unsigned bits : widths) {
    const AlarmCounts found = counted_alarms(bits, chunks);
    samples += found.samples;
    gate += found.gate;
    EXPECT_EQ(found.gate, 0U) << bits;
    for (const auto& [test, count] : found.loose) {
      const double expected =
          std::ldexp(decisions(test, bits, static_cast<double>(found.samples)), -int{loosest});
      EXPECT_LE(static_cast<double>(count), expected + 5 * std::sqrt(expected) + 3)
          << health_test_name(test) << " on " << bits << " bits";
      loose[test] += count;
    }
    // A run of 21 equal bits begins in one of 2^21 places, of 6 values of 4 bits in one of 2^20.
    if (bits <= 4) {
      const double expected = static_cast<double>(found.samples) / (bits == 1 ? 0x1p21 : 0x1p20);
      const auto runs = static_cast<double>(loose[HealthTest::repetition_count]);
      EXPECT_GT(runs, expected - 5 * std::sqrt(expected)) << bits;
      EXPECT_GT(runs, 0) << bits;
    }
  }
  figures.emplace("gate_alarms", gate);
  figures.emplace("samples", samples);
  for (const auto& [test, count] : loose)
    figures.emplace("at_alpha_20_" + std::string(health_test_name(test)), count);
  if (!HasFailure()) test::keep_figures("false-alarms", std::move(figures));
}

}  // namespace
}  // namespace talla::entropy

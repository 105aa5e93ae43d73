// Goal: no sample leaves quarantine before its window is green, and a red window takes everything
// younger with it.
// Method: marked samples are followed through the gate; properties over arbitrary block sizes.
#include "entropy/gate.hpp"

#include <gtest/gtest.h>
// GoogleTest must come first.
#include <rapidcheck/gtest.h>

#include "base/bytes.hpp"
#include "entropy_lab/model_source.hpp"

namespace talla::entropy {
namespace {

constexpr std::size_t window = gate_window_samples;

Gate make_gate() {
  SourceDescription source;
  source.assessed_millibits_per_sample = 7000;
  source.nominal_rate_hz = 100'000;
  return {health_settings(source, 1000).value(), 0};
}

Bytes model_samples(std::size_t size, std::uint64_t seed = 1) {
  ModelOptions model;
  model.seed = seed;
  ModelSource source(model);
  Bytes samples(size);
  EXPECT_EQ(source.read(samples, 1).value(), size);
  return samples;
}

/// A gate that has passed its start-up test on samples of its own, that came before the time 0.
Gate open_gate() {
  Gate gate = make_gate();
  EXPECT_TRUE(gate.feed(model_samples(startup_samples, 77), {-2, -1}).startup_passed);
  return gate;
}

TEST(Gate, sp800_90b_4_3_startup_samples_are_tested_and_not_used) {
  Gate gate = make_gate();
  const Bytes samples = model_samples(startup_samples + window);
  const std::span<const std::uint8_t> view(samples);
  EXPECT_FALSE(gate.feed(view.first(startup_samples - 1), {1, 2}).startup_passed);
  EXPECT_EQ(gate.state(), GateState::startup);
  EXPECT_EQ(gate.green_samples(), 0U);
  EXPECT_TRUE(gate.feed(view.subspan(startup_samples - 1, 1), {3, 4}).startup_passed);
  EXPECT_EQ(gate.state(), GateState::open);
  EXPECT_EQ(gate.green_samples(), 0U);
  EXPECT_EQ(gate.feed(view.subspan(startup_samples, window), {5, 6}).alarm.level, 0U);
  ASSERT_EQ(gate.green_samples(), window);
  SecretBytes out;
  const TimeRange range = gate.take(window, out);
  EXPECT_TRUE(std::equal(out.begin(), out.end(),
                         samples.begin() + static_cast<std::ptrdiff_t>(startup_samples)));
  EXPECT_EQ(range.from_ns, 5);
  EXPECT_EQ(range.to_ns, 6);
  EXPECT_EQ(gate.green_samples(), 0U);
}

RC_GTEST_PROP(Gate, whatever_the_block_sizes_only_whole_green_windows_come_out_in_order, ()) {
  Gate gate = open_gate();
  const Bytes samples = model_samples(6 * window, *rc::gen::inRange<std::uint64_t>(1, 1000));
  std::span<const std::uint8_t> rest(samples);
  std::int64_t now = 0;
  std::size_t fed = 0;
  SecretBytes out;
  while (!rest.empty()) {
    const auto part = std::min<std::size_t>(rest.size(), *rc::gen::inRange<std::size_t>(1, 9000));
    RC_ASSERT(gate.feed(rest.first(part), {now, now + 1}).alarm.level == 0U);
    now += 2;
    fed += part;
    rest = rest.subspan(part);
    const std::size_t whole = fed / window;
    RC_ASSERT(out.size() + gate.green_samples() == whole * window);
    const std::size_t some =
        gate.green_samples() == 0 ? 0 : *rc::gen::inRange<std::size_t>(0, gate.green_samples());
    if (some > 0) static_cast<void>(gate.take(some, out));
  }
  RC_ASSERT(std::equal(out.begin(), out.end(), samples.begin()));
}

TEST(Gate, a_red_window_and_everything_younger_are_wiped) {
  Gate gate = open_gate();
  Bytes samples = model_samples(6 * window);
  std::fill_n(samples.begin() + 3 * window + 100, 10,
              std::uint8_t{7});  // level 1 in the fourth window
  const GateReport report = gate.feed(samples, {1, 2});
  EXPECT_EQ(report.alarm.level, 1U);
  EXPECT_EQ(report.alarm.test, HealthTest::repetition_count);
  EXPECT_EQ(gate.state(), GateState::startup);
  // All came in one read whose time is the suspect window's: none of it can be told apart, none is
  // kept.
  EXPECT_EQ(gate.green_samples(), 0U);
  EXPECT_EQ(report.dropped_samples, 6 * window);
}

TEST(Gate, green_windows_from_before_the_suspect_window_stay) {
  Gate gate = open_gate();
  Bytes samples = model_samples((5 + startup_windows) * window);
  std::fill_n(samples.begin() + 3 * window + 100, 10, std::uint8_t{7});
  const std::span<const std::uint8_t> view(samples);
  for (std::size_t i = 0; i < 5 + startup_windows; ++i) {
    const auto at = static_cast<std::int64_t>(10 * i);
    const GateReport report = gate.feed(view.subspan(i * window, window), {at, at + 5});
    EXPECT_EQ(report.alarm.level, i == 3 ? 1U : 0U);
    if (i == 3) {
      EXPECT_EQ(report.suspect_from_ns, 30);
      EXPECT_EQ(report.dropped_samples, window);
    }
  }
  // Windows 0 to 2 green, 3 red, 32 of start-up again, the last one green.
  EXPECT_EQ(gate.green_samples(), 4 * window);
  EXPECT_EQ(gate.counts().dropped_windows, 1U);
}

TEST(Gate, level_2_closes_until_reopened) {
  Gate gate = open_gate();
  static_cast<void>(gate.feed(model_samples(2 * window), {1, 2}));
  ASSERT_EQ(gate.green_samples(), 2 * window);
  const GateReport report = gate.feed(Bytes(window, 9), {3, 4});
  EXPECT_EQ(report.alarm.level, 2U);
  EXPECT_EQ(report.dropped_samples, 3 * window) << "two green windows and the red one";
  EXPECT_EQ(gate.state(), GateState::closed);
  EXPECT_EQ(gate.green_samples(), 0U);
  const Bytes samples = model_samples(startup_samples, 5);
  EXPECT_FALSE(gate.feed(samples, {5, 6}).startup_passed);
  gate.restart();
  EXPECT_EQ(gate.state(), GateState::closed);
  gate.reopen();
  EXPECT_TRUE(gate.feed(samples, {7, 8}).startup_passed);
}

TEST(Gate, surplus_is_bounded_and_the_oldest_goes_first) {
  Gate gate = open_gate();
  const Bytes samples = model_samples(20 * window);
  const std::span<const std::uint8_t> view(samples);
  for (std::size_t i = 0; i < 20; ++i)
    static_cast<void>(gate.feed(view.subspan(i * window, window), {1, 2}));
  EXPECT_EQ(gate.green_samples(), 8 * window);
  EXPECT_EQ(gate.counts().surplus_samples, 12 * window);
  SecretBytes out;
  static_cast<void>(gate.take(8 * window, out));
  EXPECT_TRUE(std::equal(out.begin(), out.end(),
                         samples.begin() + static_cast<std::ptrdiff_t>(12 * window)));
}

TEST(TimeRange, of_two_holds_both) {
  for (const auto& [a, b] : std::vector<std::pair<TimeRange, TimeRange>>{
           {{1, 5}, {3, 9}}, {{3, 9}, {1, 5}}, {{1, 9}, {3, 5}}, {{3, 5}, {1, 9}}}) {
    EXPECT_EQ(a.joined(b).from_ns, 1);
    EXPECT_EQ(a.joined(b).to_ns, 9);
  }
}

TEST(Gate, counts_what_came_what_was_released_and_what_was_dropped) {
  Gate gate = open_gate();
  const Bytes samples = model_samples(12 * window);
  const std::span<const std::uint8_t> view(samples);
  for (std::size_t i = 0; i < 9; ++i) {
    const auto at = static_cast<std::int64_t>(10 * i);
    ASSERT_EQ(gate.feed(view.subspan(i * window, window), {at, at + 5}).alarm.level, 0U);
    EXPECT_EQ(gate.last_good_ns(), at + 5);
    if (i != 7) continue;
    SecretBytes out;
    static_cast<void>(gate.take(10, out));
  }
  // The ninth one pushed the rest of the first one out.
  EXPECT_EQ(gate.counts().surplus_samples, window - 10);
  EXPECT_EQ(gate.counts().raw_samples, startup_samples + 9 * window);
  EXPECT_EQ(gate.counts().green_windows, startup_windows + 9);
  EXPECT_EQ(gate.counts().green_samples, 9 * window);
  EXPECT_EQ(gate.green_samples(), 8 * window);
  static_cast<void>(gate.feed(view.first(7), {90, 95}));
  EXPECT_EQ(gate.stream_over(99).suspect_from_ns, 85) << "when the last window was well";
  EXPECT_EQ(gate.counts().dropped_windows, 2U) << "the open one, and that of the same moment";
  EXPECT_EQ(gate.counts().level1_events, 0U);
  EXPECT_EQ(gate.counts().level2_events, 1U);
  EXPECT_EQ(gate.green_samples(), 0U);
}

TEST(Gate, a_stream_that_ends_between_two_windows_has_no_open_one_to_drop) {
  Gate gate = open_gate();
  ASSERT_EQ(gate.feed(model_samples(window), {1, 2}).alarm.level, 0U);
  const GateReport report = gate.stream_over(9);
  EXPECT_EQ(report.alarm.test, HealthTest::stream);
  EXPECT_EQ(report.dropped_samples, window);
  EXPECT_EQ(gate.counts().dropped_windows, 1U) << "the green one came when it was last well";
  EXPECT_EQ(gate.stream_over(10).alarm.level, 0U) << "it is closed already";
}

TEST(Gate, a_stream_that_was_never_asked_suspects_its_end_alone) {
  EXPECT_EQ(make_gate().stream_over(90).suspect_from_ns, 90);
}

TEST(Gate, what_is_over_holds_what_waits_in_the_open_window_and_what_was_not_looked_at) {
  Gate gate = open_gate();
  Bytes samples = model_samples(2 * window + 5);
  std::fill_n(samples.begin() + 100, 10, std::uint8_t{7});
  EXPECT_EQ(gate.feed(samples, {1, 2}).dropped_samples, 2 * window + 5);
}

TEST(Gate, bits_beyond_the_width_of_a_sample_close_it_and_all_within_do_not) {
  for (const unsigned bits : {1U, 4U, 7U}) {
    SourceDescription source;
    source.bits_per_sample = bits;
    source.assessed_millibits_per_sample = 900 * bits;
    source.nominal_rate_hz = 100'000;
    const HealthSettings settings = health_settings(source, 1000).value();
    ModelOptions model;
    model.description.bits_per_sample = bits;
    ModelSource noise(model);
    Bytes samples(2 * window);
    ASSERT_EQ(noise.read(samples, 1).value(), samples.size());
    Gate gate(settings, 0);
    EXPECT_EQ(gate.feed(std::span(samples).first(window), {1, 2}).alarm.level, 0U) << bits;
    samples[window + 5] = static_cast<std::uint8_t>(1U << bits);
    const GateReport report = gate.feed(std::span(samples).subspan(window), {3, 4});
    EXPECT_EQ(report.alarm.test, HealthTest::sample_range) << bits;
    EXPECT_EQ(report.alarm.level, 2U);
    EXPECT_EQ(report.suspect_from_ns, 3) << "the window before was well";
  }
}

/// A gate whose sources come at 1,000 Hz.
Gate rated_gate() {
  SourceDescription source;
  source.assessed_millibits_per_sample = 7000;
  source.nominal_rate_hz = 1'000;
  return {health_settings(source, 1000).value(), 1'000};
}

TEST(Gate, sp800_90b_4_3_a_test_on_demand_begins_every_test_anew_and_keeps_what_is_green) {
  const Bytes samples = model_samples(startup_samples + 4 * window, 5);
  const std::span<const std::uint8_t> view(samples);
  Gate gate = open_gate();
  ASSERT_EQ(gate.feed(view.first(window), {1, 2}).alarm.level, 0U);
  static_cast<void>(gate.feed(view.subspan(2 * window, 100), {3, 4}));
  gate.restart();
  EXPECT_EQ(gate.state(), GateState::startup);
  EXPECT_EQ(gate.green_samples(), window);
  // The same samples again are no repetition, and the 100 of the open window count no more.
  EXPECT_FALSE(gate.feed(view.first(startup_samples - 1), {5, 6}).startup_passed);
  EXPECT_EQ(gate.state(), GateState::startup);
  EXPECT_TRUE(gate.feed(view.subspan(startup_samples - 1, 1), {7, 8}).startup_passed);
  EXPECT_EQ(gate.green_samples(), window);
}

TEST(Gate, a_run_across_a_test_on_demand_is_two) {
  Bytes samples = model_samples(2 * window);
  std::fill_n(samples.begin() + window - 6, 12, std::uint8_t{7});
  for (const bool restarted : {true, false}) {
    Gate gate = open_gate();
    ASSERT_EQ(gate.feed(std::span(samples).first(window), {1, 2}).alarm.level, 0U);
    if (restarted) gate.restart();
    EXPECT_EQ(gate.feed(std::span(samples).subspan(window), {3, 4}).alarm.level,
              restarted ? 0U : 1U);
  }
}

TEST(Gate, silence_across_a_test_on_demand_counts_anew) {
  for (const bool restarted : {true, false}) {
    Gate gate = rated_gate();
    std::int64_t now_ns = 0;
    const auto silent = [&](int tenths) {
      std::uint32_t level = 0;
      for (int i = 0; i < tenths; ++i, now_ns += 100'000'000)
        level = std::max(level, gate.feed({}, {now_ns, now_ns + 100'000'000}).alarm.level);
      return level;
    };
    EXPECT_EQ(silent(15), 0U);
    if (restarted) gate.restart();
    EXPECT_EQ(silent(15), restarted ? 0U : 1U);
  }
}

TEST(Gate, every_lag_is_tried_in_the_first_window_of_a_start_up_test_and_in_no_other) {
  const auto repeating = [](std::uint64_t seed) {
    Bytes samples = model_samples(window, seed);
    for (std::size_t i = 1500; i < samples.size(); i += 4) samples[i] = samples[i - 1500];
    return samples;
  };
  Gate gate = make_gate();
  EXPECT_EQ(gate.feed(model_samples(window, 1), {1, 2}).alarm.level, 0U);
  EXPECT_EQ(gate.feed(repeating(2), {3, 4}).alarm.level, 0U) << "its turn comes later";
  gate.restart();
  EXPECT_EQ(gate.feed(repeating(3), {5, 6}).alarm.test, HealthTest::lag);
  Gate open = open_gate();
  EXPECT_EQ(open.feed(repeating(4), {1, 2}).alarm.level, 0U);
}

TEST(Gate, that_is_opened_anew_has_forgotten_its_alarms_and_its_samples) {
  Gate gate = open_gate();
  const auto disturbed = [&gate](std::uint64_t seed, std::int64_t at) {
    Bytes samples = model_samples(window, seed);
    std::fill_n(samples.begin() + 100, 10, std::uint8_t{7});
    return gate.feed(samples, {at, at + 1}).alarm.level;
  };
  EXPECT_EQ(disturbed(1, 10), 1U);
  EXPECT_EQ(disturbed(2, 20), 1U);
  EXPECT_EQ(gate.counts().level1_events, 2U);
  EXPECT_EQ(disturbed(3, 30), 2U);
  EXPECT_EQ(gate.counts().level1_events, 3U);
  EXPECT_EQ(gate.counts().level2_events, 1U);
  EXPECT_EQ(gate.state(), GateState::closed);
  gate.reopen();
  EXPECT_EQ(gate.state(), GateState::startup);
  EXPECT_EQ(disturbed(4, 40), 1U);
  EXPECT_EQ(disturbed(5, 50), 1U);
  EXPECT_EQ(disturbed(6, 60), 2U);
}

TEST(Gate, what_is_taken_spans_the_windows_it_came_of) {
  Gate gate = open_gate();
  const Bytes samples = model_samples(3 * window);
  const std::span<const std::uint8_t> view(samples);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto at = static_cast<std::int64_t>(100 * i);
    ASSERT_EQ(gate.feed(view.subspan(i * window, 10), {at, at + 5}).alarm.level, 0U);
    ASSERT_EQ(gate.feed(view.subspan(i * window + 10, window - 10), {at + 6, at + 50}).alarm.level,
              0U);
  }
  const auto taken = [&gate](std::size_t count) {
    SecretBytes out;
    const TimeRange range = gate.take(count, out);
    EXPECT_EQ(out.size(), count);
    return std::pair(range.from_ns, range.to_ns);
  };
  using Times = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(taken(window - 1), Times(0, 50)) << "from when the first sample was asked for";
  EXPECT_EQ(taken(1), Times(0, 50));
  EXPECT_EQ(taken(1), Times(100, 150));
  EXPECT_EQ(taken(window), Times(100, 250));
}

}  // namespace
}  // namespace talla::entropy

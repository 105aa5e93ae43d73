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

}  // namespace
}  // namespace talla::entropy

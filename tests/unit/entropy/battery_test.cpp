// Goal: the battery, which counts many places at once, finds what its tests are defined to find, in
// the windows in which each looks, and suspects since when they were last well.
// Method: the definitions one sample at a time as reference; random streams with illnesses, random
// cutoffs low enough that every test rings; all findings compared.
#include <gtest/gtest.h>
// GoogleTest must come first.
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "entropy/health.hpp"

namespace talla::entropy {
namespace {

constexpr std::size_t middle = gate_window_samples / 2;

/// health.hpp's list of predictors, read word by word.
class PlainBattery {
 public:
  explicit PlainBattery(const HealthSettings& settings) : settings_(settings) {}

  Finding judge(WindowView window, std::int64_t from_ns, bool startup) {
    window_ = window;
    from_ns_ = from_ns;
    if (first_ns_ < 0) first_ns_ = from_ns;
    for (const Key& key : passed_) since_[key] = from_ns;
    passed_.clear();
    looked_.clear();
    worst_ = {};
    for (std::uint32_t lag = 1; lag <= 8; ++lag) try_lag(lag, {HealthTest::none, 0}, false);
    for (int i = 0; i < (startup ? 2039 : 8); ++i, turn_ = turn_ == 2047 ? 9 : turn_ + 1)
      try_lag(turn_, {HealthTest::lag, turn_}, startup);
    most_common();
    if (windows_ % 8 == 0) successor();
    ++windows_;
    return worst_;
  }
  void keep_clean() { passed_ = std::exchange(looked_, {}); }
  void restart() {
    turn_ = 9;
    windows_ = 0;
    long_.clear();
    looked_.clear();
  }

 private:
  /// Tests of every window have one clean time together: key none.
  using Key = std::pair<HealthTest, std::uint32_t>;

  void right(HealthTest test, Key key, std::uint32_t count, std::uint32_t one, std::uint32_t two) {
    looked_.push_back(key);
    const auto since = since_.find(key);
    const std::int64_t since_ns = since == since_.end() ? first_ns_ : since->second;
    if (count >= one) worst_ = worst_.joined({{test, count >= two ? 2U : 1U}, since_ns});
  }
  void try_lag(std::uint32_t lag, Key key, bool startup) {
    std::uint32_t count = 0;
    for (std::size_t i = middle; i < window_.size(); ++i)
      count += window_[i] == window_[i - lag] ? 1U : 0U;
    right(HealthTest::lag, key, count,
          startup && lag > 8 ? settings_.level1.startup_lags : settings_.level1.half_window,
          startup && lag > 8 ? settings_.level2.startup_lags : settings_.level2.half_window);
  }
  void most_common() {
    std::map<unsigned, std::uint32_t> past;
    for (std::size_t i = 0; i < middle; ++i) ++past[window_[i]];
    unsigned guess = past.begin()->first;
    for (const auto& [value, count] : past) {
      if (count > past[guess]) guess = value;
    }
    const auto count = std::count(window_.begin() + middle, window_.end(), guess);
    right(HealthTest::most_common_window, {HealthTest::none, 0}, static_cast<std::uint32_t>(count),
          settings_.level1.half_window, settings_.level2.half_window);
    for (const std::uint8_t x : window_) ++long_[x];
    if (windows_ % 4 != 3) return;
    std::uint32_t most = 0;
    for (const auto& [value, times] : long_) most = std::max(most, times);
    right(HealthTest::most_common_long, {HealthTest::most_common_long, 0}, most,
          settings_.level1.long_count, settings_.level2.long_count);
    long_.clear();
  }
  void successor() {
    std::map<unsigned, unsigned> follows;
    std::uint32_t count = 0;
    for (std::size_t i = 1; i < window_.size(); ++i) {
      // A value that was not followed by any yet counts as followed by 0.
      if (i >= middle) count += follows[window_[i - 1]] == window_[i] ? 1U : 0U;
      follows[window_[i - 1]] = window_[i];
    }
    right(HealthTest::successor, {HealthTest::successor, 0}, count, settings_.level1.half_window,
          settings_.level2.half_window);
  }

  HealthSettings settings_;
  WindowView window_{std::span<const std::uint8_t, gate_window_samples>(nothing)};
  static constexpr std::array<std::uint8_t, gate_window_samples> nothing{};
  std::int64_t from_ns_ = 0;
  std::int64_t first_ns_ = -1;
  std::uint32_t turn_ = 9;
  std::uint32_t windows_ = 0;
  std::map<unsigned, std::uint32_t> long_;
  std::map<Key, std::int64_t> since_;
  std::vector<Key> looked_;
  std::vector<Key> passed_;
  Finding worst_;
};

/// Windows of samples of so many bits, each now and then ill in a way of its own.
Bytes ill_stream(std::uint32_t seed, unsigned bits, std::size_t windows) {
  std::mt19937 random(seed);
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned values = 1U << bits;
  Bytes samples(windows * gate_window_samples);
  for (std::size_t w = 0; w < windows; ++w) {
    const unsigned illness = below(6);
    const std::size_t lag = 1 + below(below(2) == 0 ? 12 : 2047);
    const unsigned share = 1 + below(100);
    for (std::size_t i = w * gate_window_samples; i < (w + 1) * gate_window_samples; ++i) {
      samples[i] = static_cast<std::uint8_t>(below(values));
      if (below(100) >= share) continue;
      if (illness == 1 && i >= lag) samples[i] = samples[i - lag];
      if (illness == 2) samples[i] = static_cast<std::uint8_t>(values - 1);
      if (illness == 3 && i >= 1)
        samples[i] = static_cast<std::uint8_t>((samples[i - 1] * 5U + 3U) % values);
    }
  }
  return samples;
}

RC_GTEST_PROP(BatteryProperty, many_places_at_once_find_what_one_sample_at_a_time_finds, ()) {
  HealthSettings settings;
  settings.bits_per_sample = *rc::gen::inRange(1U, 9U);
  const auto half = *rc::gen::inRange<std::uint32_t>(10, 1500);
  settings.level1.half_window = half;
  settings.level2.half_window = half + *rc::gen::inRange<std::uint32_t>(1, 300);
  settings.level1.startup_lags = half + *rc::gen::inRange<std::uint32_t>(1, 100);
  settings.level2.startup_lags = half + *rc::gen::inRange<std::uint32_t>(100, 400);
  settings.level1.long_count = half * *rc::gen::inRange<std::uint32_t>(2, 8);
  settings.level2.long_count = settings.level1.long_count + 100;
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  constexpr std::size_t windows = 20;
  const Bytes samples = ill_stream(seed, settings.bits_per_sample, windows);
  Battery battery(settings);
  PlainBattery plain(settings);
  bool startup = true;
  for (std::size_t w = 0; w < windows; ++w) {
    const WindowView window(samples.data() + w * gate_window_samples, gate_window_samples);
    const std::int64_t from_ns = 1000 * static_cast<std::int64_t>(w + 1);
    const Finding found =
        startup ? battery.judge_startup(window, from_ns) : battery.judge(window, from_ns);
    const Finding wanted = plain.judge(window, from_ns, startup);
    RC_ASSERT(found.alarm.level == wanted.alarm.level);
    RC_ASSERT(found.alarm.test == wanted.alarm.test);
    if (found.alarm.level > 0) RC_ASSERT(found.suspect_from_ns == wanted.suspect_from_ns);
    // What the gate does with it: a window that another test found red says nothing.
    const bool kept = found.alarm.level == 0 && *rc::gen::inRange(0, 8) > 0;
    if (kept) {
      battery.keep_clean();
      plain.keep_clean();
    }
    startup = false;
    if (found.alarm.level > 0 && *rc::gen::inRange(0, 2) == 0) {
      battery.restart();
      plain.restart();
      startup = true;
    }
  }
}

/// The whole rotation of the lags, so that each group of them and the place where it begins anew is
/// met: 255 windows, and some of the next turn.
TEST(BatteryProperty, a_whole_rotation_finds_the_same_too) {
  HealthSettings settings;
  settings.level1.half_window = 35;
  settings.level2.half_window = 60;
  settings.level1.startup_lags = 40;
  settings.level2.startup_lags = 70;
  settings.level1.long_count = 500;
  settings.level2.long_count = 600;
  std::mt19937 random(11);
  Battery battery(settings);
  PlainBattery plain(settings);
  unsigned alarms = 0;
  for (std::size_t w = 0; w < 520; ++w) {
    std::array<std::uint8_t, gate_window_samples> samples{};
    for (auto& x : samples) x = static_cast<std::uint8_t>(random());
    // One lag of the group whose turn it is, or beside it.
    const std::size_t lag = std::min<std::size_t>(9 + 8 * (w % 255) + random() % 10, 2047);
    for (std::size_t i = middle; i < samples.size(); ++i)
      if (random() % 64 == 0) samples[i] = samples[i - lag];
    const Finding found = battery.judge(WindowView(samples), static_cast<std::int64_t>(w));
    const Finding wanted = plain.judge(WindowView(samples), static_cast<std::int64_t>(w), false);
    ASSERT_EQ(found.alarm.level, wanted.alarm.level) << w;
    ASSERT_EQ(found.alarm.test, wanted.alarm.test) << w;
    if (found.alarm.level > 0) {
      ASSERT_EQ(found.suspect_from_ns, wanted.suspect_from_ns) << w;
      ++alarms;
    } else {
      battery.keep_clean();
      plain.keep_clean();
    }
  }
  EXPECT_GT(alarms, 100U);
  EXPECT_LT(alarms, 500U);
}

}  // namespace
}  // namespace talla::entropy

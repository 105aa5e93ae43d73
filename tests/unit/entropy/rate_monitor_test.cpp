// Goal: rate and silence of a stream are judged to the sample and the nanosecond that are stated:
//   nominal or its own rate, two windows to one side, pauses of the caller, start-up tests.
// Method: reads of known length and yield, so that every window has a stated length and count; the
//   read that rings and what it suspects are compared.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "entropy/health.hpp"

namespace talla::entropy {
namespace {

constexpr std::int64_t tenth_ns = second_ns / 10;

/// A monitor that is read ten times a second, from 1 s on.
struct Heard {
  RateMonitor monitor;
  std::int64_t now_ns = second_ns;

  /// One read of that length.
  Alarm read(std::size_t samples, std::int64_t length_ns = tenth_ns) {
    const std::int64_t asked_ns = std::exchange(now_ns, now_ns + length_ns);
    return monitor.note(asked_ns, now_ns, samples);
  }
  /// A window of 4 s with so many samples in its first read; what its last read says. No read
  /// before it may ring.
  Alarm window(std::size_t samples, int tenths = 40) {
    EXPECT_EQ(read(samples).level, 0U);
    for (int i = 2; i < tenths; ++i) EXPECT_EQ(read(1).level, 0U);
    return read(1);
  }
};

/// Of a window of 4 s, with what the 39 reads behind the first one bring.
constexpr std::size_t in_first(std::size_t all) {
  return all - 39;
}

struct Pair {
  std::size_t first;
  std::size_t second;
  bool rings;
};

TEST(RateMonitor, exactly_ten_percent_off_is_good_and_one_sample_more_for_two_windows_is_not) {
  for (const Pair& pair : std::vector<Pair>{{36'000, 36'000, false},
                                            {35'999, 36'000, false},
                                            {36'000, 35'999, false},
                                            {35'999, 35'999, true},
                                            {44'000, 44'000, false},
                                            {44'001, 44'000, false},
                                            {44'001, 44'001, true},
                                            {44'001, 35'999, false},
                                            {35'999, 44'001, false}}) {
    Heard heard{RateMonitor(10'000)};
    EXPECT_EQ(heard.window(in_first(pair.first)).level, 0U) << "one window is none";
    const Alarm alarm = heard.window(in_first(pair.second));
    EXPECT_EQ(alarm.level, pair.rings ? 1U : 0U) << pair.first << " " << pair.second;
    if (!pair.rings) continue;
    EXPECT_EQ(alarm.test, HealthTest::rate);
    EXPECT_EQ(heard.monitor.evidence_from_ns(), second_ns) << "since the first of the two";
    EXPECT_EQ(heard.window(in_first(pair.second)).level, 1U) << "as long as it lasts";
    EXPECT_EQ(heard.monitor.evidence_from_ns(), second_ns) << "still the first of them";
  }
}

TEST(RateMonitor, a_good_window_between_two_odd_ones_begins_the_evidence_anew) {
  Heard heard{RateMonitor(10'000)};
  for (const std::size_t samples : {30'000U, 40'000U, 30'000U})
    EXPECT_EQ(heard.window(in_first(samples)).level, 0U);
  EXPECT_EQ(heard.window(in_first(30'000)).level, 1U);
  EXPECT_EQ(heard.monitor.evidence_from_ns(), 9 * second_ns);
}

TEST(RateMonitor, a_window_has_a_thousand_samples_time_of_a_slow_source) {
  // 20 Hz: 50 s, of 1,000 samples; 900 are good, 899 are not.
  for (const std::size_t samples : {900U, 899U}) {
    Heard heard{RateMonitor(20)};
    EXPECT_EQ(heard.window(samples - 499, 500).level, 0U);
    EXPECT_EQ(heard.window(samples - 499, 500).level, samples < 900 ? 1U : 0U);
  }
}

/// How many tenths of a second of silence ring; none: 1,000 do not.
std::optional<int> silence_that_rings(RateMonitor monitor, std::size_t before) {
  Heard heard{std::move(monitor)};
  EXPECT_EQ(heard.read(before).level, 0U);
  const std::int64_t last_ns = heard.now_ns;
  for (int tenths = 1; tenths <= 1'000; ++tenths) {
    const Alarm alarm = heard.read(0);
    if (alarm.level == 0) continue;
    EXPECT_EQ(alarm.level, 1U);
    EXPECT_EQ(alarm.test, HealthTest::stall);
    EXPECT_EQ(heard.monitor.evidence_from_ns(), last_ns);
    return tenths;
  }
  return std::nullopt;
}

TEST(RateMonitor, silence_of_two_seconds_or_64_sample_times_or_four_seconds_rings) {
  EXPECT_EQ(silence_that_rings(RateMonitor(1'000), 100), 20);
  EXPECT_EQ(silence_that_rings(RateMonitor(32), 3), 20) << "64 sample times are two seconds";
  EXPECT_EQ(silence_that_rings(RateMonitor(20), 2), 32);
  EXPECT_EQ(silence_that_rings(RateMonitor(1), 1), 640);
  EXPECT_EQ(silence_that_rings(RateMonitor(0, true), 1), 40);
  EXPECT_EQ(silence_that_rings(RateMonitor(0, false), 1), std::nullopt);
}

TEST(RateMonitor, a_pause_of_the_caller_above_half_a_second_begins_anew_and_one_of_it_does_not) {
  for (const std::int64_t more_ns : {0, 1}) {
    Heard heard{RateMonitor(10'000)};
    EXPECT_EQ(heard.window(in_first(30'000)).level, 0U);
    heard.now_ns += second_ns / 2 + more_ns;
    // Without a new beginning the pause belongs to the window, and it is the second odd one.
    for (int tenths = 1; tenths < 35; ++tenths) EXPECT_EQ(heard.read(100).level, 0U);
    EXPECT_EQ(heard.read(100).level, more_ns == 0 ? 1U : 0U);
  }
}

TEST(RateMonitor, silence_before_a_pause_of_the_caller_is_none_of_the_source) {
  Heard heard{RateMonitor(10'000)};
  EXPECT_EQ(heard.read(1'000).level, 0U);
  for (int tenths = 0; tenths < 15; ++tenths) EXPECT_EQ(heard.read(0).level, 0U);
  heard.now_ns += second_ns;
  for (int tenths = 1; tenths < 20; ++tenths) EXPECT_EQ(heard.read(0).level, 0U) << tenths;
  EXPECT_EQ(heard.read(0).test, HealthTest::stall);
}

TEST(RateMonitor, a_start_up_test_begins_anew) {
  Heard heard{RateMonitor(10'000)};
  EXPECT_EQ(heard.window(in_first(30'000)).level, 0U);
  for (int tenths = 0; tenths < 19; ++tenths) EXPECT_EQ(heard.read(0).level, 0U);
  heard.monitor.restart();
  EXPECT_EQ(heard.window(in_first(30'000)).level, 0U) << "the first odd one since";
  EXPECT_EQ(heard.window(in_first(30'000)).level, 1U);
  EXPECT_EQ(heard.monitor.evidence_from_ns(), second_ns + 4 * second_ns + 19 * tenth_ns);
}

TEST(RateMonitor, a_first_read_soon_after_the_clock_began_counts_from_when_it_was_asked) {
  Heard heard{RateMonitor(0, true), tenth_ns};
  for (int tenths = 1; tenths < 40; ++tenths) EXPECT_EQ(heard.read(0).level, 0U);
  EXPECT_EQ(heard.read(0).test, HealthTest::stall);
  EXPECT_EQ(heard.monitor.evidence_from_ns(), tenth_ns);
}

TEST(RateMonitor, the_median_of_three_windows_is_the_own_rate_and_exactly_four_times_is_good) {
  // Windows of 70, 280 and 50 samples: 70, which is 17.5 a second; 4 times it is 280.
  for (const Pair& pair :
       std::vector<Pair>{{280, 280, false}, {281, 281, true}, {281, 280, false}, {70, 70, false}}) {
    Heard heard{RateMonitor(0, true)};
    for (const std::size_t samples : {70U, 280U, 50U})
      EXPECT_EQ(heard.window(in_first(samples)).level, 0U);
    EXPECT_EQ(heard.window(in_first(pair.first)).level, 0U);
    EXPECT_EQ(heard.window(in_first(pair.second)).level, pair.rings ? 1U : 0U) << pair.first;
  }
}

TEST(RateMonitor, exactly_a_quarter_of_the_own_rate_is_good) {
  // 160 in a window; 40 are a quarter, and 39 are below it.
  for (const std::size_t samples : {40U, 39U}) {
    Heard heard{RateMonitor(0, true)};
    for (int i = 0; i < 3; ++i) EXPECT_EQ(heard.window(in_first(160)).level, 0U);
    EXPECT_EQ(heard.window(in_first(samples)).level, 0U);
    EXPECT_EQ(heard.window(in_first(samples)).level, samples == 39 ? 1U : 0U);
  }
}

TEST(RateMonitor, rates_of_a_few_samples_a_second_are_told_apart_in_thousandths) {
  // 7 samples in 4 s are 1.75 a second; 28 are four times that, and good.
  Heard heard{RateMonitor(0, true)};
  const auto sparse = [&heard](int samples) {
    Alarm worst;
    for (int i = 0; i < 40; ++i) worst = worst.worse(heard.read(i < samples ? 1 : 0));
    return worst.level;
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sparse(7), 0U);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(sparse(28), 0U);
  EXPECT_EQ(sparse(29) + sparse(29), 1U);
}

}  // namespace
}  // namespace talla::entropy

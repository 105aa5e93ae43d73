// Goal: each health test fires exactly at its cutoff, whatever the block size, and stays silent on
// sources that keep their claim.
// Method: a naive sample-by-sample reading of SP 800-90B 4.4.1 and 4.4.2 as reference; hand-made
// streams; seeded models.
#include "entropy/health.hpp"

#include <gtest/gtest.h>
// GoogleTest must come first.
#include <rapidcheck/gtest.h>

#include "base/bytes.hpp"
#include "entropy/duplicate_words.hpp"
#include "entropy_lab/model_source.hpp"

namespace talla::entropy {
namespace {

/// SP 800-90B 4.4.1 and 4.4.2 word by word.
class Naive {
 public:
  explicit Naive(const HealthSettings& settings) : settings_(settings) {}
  void sample(std::uint8_t x) {
    b_ = any_ && x == a_ ? b_ + 1 : 1;
    a_ = x;
    any_ = true;
    run_max = std::max(run_max, b_);
    if (place_ == 0) {
      first_ = x;
      count_ = 0;
    }
    if (x == first_) ++count_;
    count_max = std::max(count_max, count_);
    place_ = (place_ + 1) % settings_.proportion_window;
  }
  std::uint32_t run_max = 0;
  std::uint32_t count_max = 0;

 private:
  HealthSettings settings_;
  bool any_ = false;
  std::uint8_t a_ = 0;
  std::uint8_t first_ = 0;
  std::uint32_t b_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t place_ = 0;
};

HealthSettings settings_of(unsigned bits, std::uint32_t millibits) {
  SourceDescription source;
  source.bits_per_sample = bits;
  source.assessed_millibits_per_sample = millibits;
  source.nominal_rate_hz = 100'000;
  return health_settings(source, 1000).value();
}

Bytes stream(ModelOptions model, std::size_t size) {
  ModelSource source(std::move(model));
  Bytes samples(size);
  EXPECT_EQ(source.read(samples, 1).value(), size);
  return samples;
}

Bytes healthy(std::uint64_t seed, std::size_t size, unsigned bits = 8) {
  ModelOptions model;
  model.seed = seed;
  model.description.bits_per_sample = bits;
  return stream(model, size);
}

RC_GTEST_PROP(ContinuousTests, sp800_90b_4_4_blocks_of_any_size_equal_the_sample_by_sample_reading,
              ()) {
  // Cutoffs are moved below what the stream shows, so that every level is met.
  HealthSettings settings = settings_of(8, 7000);
  settings.level1.repetition = *rc::gen::inRange<std::uint32_t>(2, 80);
  settings.level2.repetition =
      settings.level1.repetition + *rc::gen::inRange<std::uint32_t>(1, 200);
  settings.level1.proportion = *rc::gen::inRange<std::uint32_t>(2, 500);
  settings.level2.proportion = settings.level1.proportion + *rc::gen::inRange<std::uint32_t>(1, 30);
  ContinuousTests tests(settings);
  Naive naive(settings);
  const auto runs = *rc::gen::container<std::vector<std::pair<std::uint8_t, std::uint16_t>>>(
      rc::gen::pair(rc::gen::inRange<std::uint8_t>(0, 4), rc::gen::inRange<std::uint16_t>(1, 300)));
  Bytes samples;
  for (const auto& [value, length] : runs) samples.insert(samples.end(), length, value);
  std::span<const std::uint8_t> rest(samples);
  while (!rest.empty()) {
    const auto part = std::min<std::size_t>(rest.size(), *rc::gen::inRange<std::size_t>(1, 700));
    const Alarm alarm = tests.feed(rest.first(part));
    naive.run_max = 0;
    naive.count_max = 0;
    for (const std::uint8_t x : rest.first(part)) naive.sample(x);
    rest = rest.subspan(part);
    const auto level = [](std::uint32_t value, std::uint32_t one, std::uint32_t two) {
      return value >= two ? 2U : value >= one ? 1U : 0U;
    };
    const std::uint32_t run =
        level(naive.run_max, settings.level1.repetition, settings.level2.repetition);
    const std::uint32_t count =
        level(naive.count_max, settings.level1.proportion, settings.level2.proportion);
    RC_ASSERT(alarm.level == std::max(run, count));
    if (alarm.level == 2 && run == 2) return;  // a permanent failure ends the stream
  }
}

/// Low cutoffs, so that most blocks ring, and ring otherwise when anything is counted otherwise.
HealthSettings low_cutoffs(std::uint32_t repetition, std::uint32_t proportion) {
  HealthSettings settings = settings_of(8, 7000);
  settings.level1.repetition = repetition;
  settings.level2.repetition = repetition + 2;
  settings.level1.proportion = proportion;
  settings.level2.proportion = proportion + 3;
  settings.proportion_window = 512;
  return settings;
}

/// Long and short runs of few values, and stretches without any.
Bytes runs_and_stretches(std::uint64_t seed) {
  const Bytes choice = healthy(seed, 400);
  Bytes samples;
  for (std::size_t i = 0; i + 2 < choice.size(); i += 3) {
    const std::uint8_t value = choice[i] % 3;
    if (choice[i + 1] < 200) {
      samples.insert(samples.end(), 1U + choice[i + 2] % 9U * (choice[i + 1] % 8U == 0 ? 16U : 1U),
                     value);
    } else {
      for (std::uint8_t step = 0; step < choice[i + 2] % 150; ++step)
        samples.push_back(static_cast<std::uint8_t>(10 + step));
    }
  }
  return samples;
}

/// Feeds both block by block; ends at the first permanent run, as a gate does.
void expect_equal(ContinuousTests& tests, const HealthSettings& settings, const Bytes& samples,
                  std::size_t block) {
  Naive naive(settings);
  for (std::size_t at = 0; at < samples.size(); at += block) {
    const std::span<const std::uint8_t> part(samples.data() + at,
                                             std::min(block, samples.size() - at));
    naive.run_max = 0;
    naive.count_max = 0;
    for (const std::uint8_t x : part) naive.sample(x);
    const auto level = [](std::uint32_t value, std::uint32_t one, std::uint32_t two) {
      return value >= two ? 2U : value >= one ? 1U : 0U;
    };
    const std::uint32_t run =
        level(naive.run_max, settings.level1.repetition, settings.level2.repetition);
    const std::uint32_t count =
        level(naive.count_max, settings.level1.proportion, settings.level2.proportion);
    const Alarm alarm = tests.feed(part);
    ASSERT_EQ(alarm.level, std::max(run, count)) << "block of " << block << " at " << at;
    ASSERT_EQ(alarm.test, alarm.level == 0 ? HealthTest::none
                          : run >= count   ? HealthTest::repetition_count
                                           : HealthTest::adaptive_proportion);
    if (run == 2) return;
  }
}

TEST(ContinuousTests, sp800_90b_4_4_runs_and_counts_are_those_of_the_text_in_every_block_size) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Bytes samples = runs_and_stretches(seed);
    for (const std::size_t block : {1U, 2U, 3U, 63U, 64U, 65U, 66U, 128U, 129U, 500U, 4096U}) {
      for (const std::uint32_t repetition : {2U, 3U, 8U, 60U, 112U, 500U}) {
        for (const std::uint32_t proportion : {2U, 40U, 130U, 600U}) {
          const HealthSettings settings = low_cutoffs(repetition, proportion);
          ContinuousTests tests(settings);
          expect_equal(tests, settings, samples, block);
          tests.restart();
          expect_equal(tests, settings, samples, block);  // nothing is left of what was
          ASSERT_FALSE(HasFatalFailure()) << seed;
        }
      }
    }
  }
}

TEST(ContinuousTests, sp800_90b_4_4_1_fires_at_the_cutoff_and_not_before) {
  const HealthSettings settings = settings_of(8, 7000);
  for (const std::uint32_t run : {settings.level1.repetition - 1, settings.level1.repetition,
                                  settings.level2.repetition - 1, settings.level2.repetition}) {
    for (std::size_t at = 0; at < 200; ++at) {
      Bytes samples(400);
      for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<std::uint8_t>(i % 251);
      for (std::size_t i = 0; i < run; ++i) samples[at + i] = 255;
      ContinuousTests tests(settings);
      const std::uint32_t expected = run >= settings.level2.repetition   ? 2
                                     : run >= settings.level1.repetition ? 1
                                                                         : 0;
      ASSERT_EQ(tests.feed(samples).level, expected) << run << " at " << at;
    }
  }
}

TEST(ContinuousTests, sp800_90b_4_4_1_a_run_ends_with_the_first_other_sample) {
  const HealthSettings settings = low_cutoffs(6, 600);
  for (std::size_t first = 0; first < 70; ++first) {
    for (std::size_t second = first + 60; second < first + 140; ++second) {
      Bytes samples(300);
      for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = static_cast<std::uint8_t>(i % 200);
      std::fill_n(samples.begin() + static_cast<std::ptrdiff_t>(first), 5, std::uint8_t{255});
      std::fill_n(samples.begin() + static_cast<std::ptrdiff_t>(second), 3, std::uint8_t{254});
      ContinuousTests tests(settings);
      ASSERT_EQ(tests.feed(samples).level, 0U) << first << " " << second;
    }
  }
}

TEST(ContinuousTests, sp800_90b_4_4_2_fires_at_the_cutoff_and_not_before) {
  const HealthSettings settings = settings_of(8, 7000);
  const auto level_for = [&](std::uint32_t count) {
    // Each 12th sample is the reference: no runs, `count` of them in the window of 512.
    Bytes samples(512);
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples[i] = static_cast<std::uint8_t>(1 + i % 251);
    for (std::uint32_t k = 0; k < count; ++k) samples[std::size_t{k} * 12] = 0;
    ContinuousTests tests(settings);
    return tests.feed(samples);
  };
  EXPECT_EQ(level_for(settings.level1.proportion - 1).level, 0U);
  EXPECT_EQ(level_for(settings.level1.proportion).level, 1U);
  EXPECT_EQ(level_for(settings.level2.proportion - 1).level, 1U);
  EXPECT_EQ(level_for(settings.level2.proportion).level, 2U);
  EXPECT_EQ(level_for(settings.level2.proportion).test, HealthTest::adaptive_proportion);
}

WindowView window_of(const Bytes& samples, std::size_t index = 0) {
  return WindowView(samples.data() + index * gate_window_samples, gate_window_samples);
}

TEST(Battery, every_lag_up_to_2047_is_seen_at_startup_and_within_its_rotation_later) {
  const HealthSettings settings = settings_of(8, 7000);
  for (const std::size_t lag : {1U, 2U, 8U, 9U, 63U, 64U, 511U, 1000U, 2046U, 2047U}) {
    // A quarter of the samples repeat what was `lag` places earlier.
    Bytes samples = healthy(lag, 300 * gate_window_samples);
    for (std::size_t i = lag; i < samples.size(); ++i) {
      if (i % 4 == 0) samples[i] = samples[i - lag];
    }
    Battery at_startup(settings);
    const Alarm alarm = at_startup.judge_startup(window_of(samples), 0).alarm;
    EXPECT_EQ(alarm.level, 2U) << lag;
    Battery later(settings);
    std::uint32_t level = 0;
    for (std::size_t i = 0; i < 256; ++i)
      level = std::max(level, later.judge(window_of(samples, i), 0).alarm.level);
    EXPECT_EQ(level, 2U) << lag;
  }
}

TEST(Battery, a_first_order_dependence_is_seen) {
  Bytes samples = healthy(3, 16 * gate_window_samples);
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i] % 2 == 0) samples[i] = static_cast<std::uint8_t>(samples[i - 1] * 5 + 3);
  }
  Battery battery(settings_of(8, 7000));
  Alarm worst;
  for (std::size_t i = 0; i < 16; ++i)
    worst = worst.worse(battery.judge(window_of(samples, i), 0).alarm);
  EXPECT_EQ(worst.test, HealthTest::successor);
  EXPECT_EQ(worst.level, 2U);
}

TEST(Battery, slow_bias_below_the_short_tests_is_seen_over_16384_samples) {
  const HealthSettings settings = settings_of(8, 7000);
  // 300 of 16,384 spread evenly: 7 in 512 and 37 in 2,048 stay far below the other cutoffs.
  Bytes samples(16384);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<std::uint8_t>(1 + (i * i + i / 7) % 251);
  ASSERT_LT(settings.level2.long_count, 300U);
  for (std::size_t k = 0; k < 300; ++k) samples[k * 54 + k % 13] = 0;
  Battery battery(settings);
  Alarm last;
  for (std::size_t i = 0; i < 4; ++i) {
    Alarm alarm = battery.judge(window_of(samples, i), 0).alarm;
    if (alarm.test == HealthTest::most_common_long) last = alarm;
  }
  EXPECT_EQ(last.test, HealthTest::most_common_long);
}

// With alpha 2^-52 (and 2^-54 for binary samples) an alarm in these 40 million samples has
// probability below 10^-7.
TEST(Health, sources_that_keep_their_claim_raise_no_alarm) {
  struct Claim {
    unsigned bits;
    std::uint32_t millibits;
  };
  for (const Claim claim :
       {Claim{8, 8000}, Claim{8, 7000}, Claim{4, 4000}, Claim{1, 1000}, Claim{1, 880}}) {
    const HealthSettings settings = settings_of(claim.bits, claim.millibits);
    const Bytes samples = healthy(claim.millibits, 500 * gate_window_samples, claim.bits);
    ContinuousTests continuous(settings);
    Battery battery(settings);
    EXPECT_EQ(battery.judge_startup(window_of(samples), 0).alarm.level, 0U);
    DuplicateWords duplicates(settings);
    for (std::size_t i = 0; i < 500; ++i) {
      ASSERT_EQ(continuous.feed(window_of(samples, i)).level, 0U) << claim.bits;
      ASSERT_EQ(battery.judge(window_of(samples, i), 0).alarm.level, 0U) << claim.bits;
      ASSERT_EQ(duplicates.judge(window_of(samples, i), 0).alarm.level, 0U) << claim.bits;
    }
  }
}

TEST(RateMonitor, ten_percent_off_for_two_windows_is_an_alarm_and_less_is_none) {
  const auto alarm_at = [](std::uint32_t permille) {
    RateMonitor monitor(10'000);
    std::int64_t now = 1'000'000'000;
    Alarm worst;
    for (int i = 0; i < 200; ++i) {
      const std::int64_t came = now + 100'000'000;
      worst = worst.worse(monitor.note(now, came, permille));
      now = came;
    }
    return worst;
  };
  for (const std::uint32_t permille : {901U, 950U, 1000U, 1050U, 1099U})
    EXPECT_EQ(alarm_at(permille).level, 0U);
  for (const std::uint32_t permille : {100U, 800U, 899U, 1101U, 1500U}) {
    EXPECT_EQ(alarm_at(permille).test, HealthTest::rate) << permille;
  }
}

TEST(RateMonitor, silence_of_two_seconds_is_a_stall_and_a_pause_of_the_caller_is_not) {
  RateMonitor monitor(10'000);
  EXPECT_EQ(monitor.note(0, 100'000'000, 1000).level, 0U);
  EXPECT_EQ(monitor.note(3'600'000'000'000, 3'600'100'000'000, 1000).level, 0U);
  std::int64_t now = 3'600'100'000'000;
  Alarm alarm;
  int steps = 0;
  for (; alarm.level == 0 && steps < 100; ++steps) {
    alarm = monitor.note(now, now + 100'000'000, 0);
    now += 100'000'000;
  }
  EXPECT_EQ(alarm.test, HealthTest::stall);
  EXPECT_EQ(steps, 20);
  EXPECT_EQ(monitor.evidence_from_ns(), 3'600'100'000'000);
}

TEST(RateMonitor, silence_of_a_stream_whose_rate_nobody_knows_is_a_stall_too) {
  RateMonitor monitor(0, true);
  std::int64_t now = 0;
  EXPECT_EQ(monitor.note(now, now + 100'000'000, 1).level, 0U);
  Alarm alarm;
  int steps = 0;
  for (now = 100'000'000; alarm.level == 0 && steps < 100; ++steps, now += 100'000'000)
    alarm = monitor.note(now, now + 100'000'000, 0);
  EXPECT_EQ(alarm.test, HealthTest::stall);
  EXPECT_EQ(steps, 40);
  for (int i = 0; i < 200; ++i, now += 100'000'000)
    EXPECT_EQ(monitor.note(now, now + 100'000'000, 1U + static_cast<unsigned>(i % 7)).level, 0U);
}

/// Feeds `seconds` of that many samples in each tenth of a second; the worst of it.
Alarm heard(RateMonitor& monitor, std::int64_t& now, unsigned seconds, std::size_t samples) {
  Alarm worst;
  for (unsigned i = 0; i < 10 * seconds; ++i, now += 100'000'000)
    worst = worst.worse(monitor.note(now, now + 100'000'000, samples));
  return worst;
}

TEST(RateMonitor, a_stream_whose_rate_nobody_measured_is_held_to_its_own) {
  for (const auto& [factor, level] : std::vector<std::pair<std::size_t, unsigned>>{
           {10, 1}, {24, 1}, {26, 0}, {100, 0}, {390, 0}, {410, 1}, {10'000, 1}}) {
    RateMonitor monitor(0, true);
    std::int64_t now = 1'000'000'000;
    ASSERT_EQ(heard(monitor, now, 60, 100).level, 0U);
    const std::int64_t changed = now;
    const Alarm alarm = heard(monitor, now, 12, factor);
    EXPECT_EQ(alarm.level, level) << factor;
    if (level == 0) continue;
    EXPECT_EQ(alarm.test, HealthTest::rate);
    EXPECT_GE(monitor.evidence_from_ns(), changed - 4'000'000'000);
    monitor.restart();
    EXPECT_EQ(heard(monitor, now, 12, factor).test, HealthTest::rate)
        << "a start-up test does not make it right";
    monitor.forget();
    EXPECT_EQ(heard(monitor, now, 60, factor).level, 0U) << "another stream has a rate of its own";
  }
}

TEST(RateMonitor, one_odd_window_of_the_first_three_does_not_decide) {
  RateMonitor monitor(0, true);
  std::int64_t now = 1'000'000'000;
  ASSERT_EQ(heard(monitor, now, 4, 10'000).level, 0U) << "what a buffer held at the start";
  EXPECT_EQ(heard(monitor, now, 120, 100).level, 0U);
  EXPECT_EQ(heard(monitor, now, 12, 10'000).test, HealthTest::rate);
}

TEST(RateMonitor, a_source_that_answers_on_request_is_not_judged) {
  RateMonitor monitor(0);
  EXPECT_EQ(monitor.note(0, 3'600'000'000'000, 0).level, 0U);
}

}  // namespace
}  // namespace talla::entropy

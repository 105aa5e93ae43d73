// Goal: an alarm suspects everything since its test last found all well, not the window it fired
//       in.
// Method: faults that one test alone sees, late; times of windows are their numbers in seconds, so
// that what is suspect can be read off.
#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "blocks_by_hand.hpp"
#include "rig.hpp"

namespace talla::entropy {
namespace {

Bytes fresh_noise(std::uint64_t seed, std::size_t size) {
  ModelOptions model;
  model.seed = seed;
  ModelSource source(model);
  Bytes samples(size);
  EXPECT_EQ(source.read(samples, 1).value(), size);
  return samples;
}

/// A gate over windows that come one a second, the n-th asked for at n s and here half a second
/// later.
class Stream {
 public:
  Stream() : gate_(settings(), 0) {}
  GateReport window(const Bytes& samples) {
    const std::int64_t from_ns = count_++ * second_ns;
    return gate_.feed(samples, {from_ns, from_ns + second_ns / 2});
  }
  GateReport healthy() {
    return window(fresh_noise(1'000 + static_cast<std::uint64_t>(count_), gate_window_samples));
  }
  /// Number of the next window.
  [[nodiscard]] std::int64_t count() const { return count_; }
  Gate& gate() { return gate_; }
  static HealthSettings settings() {
    SourceDescription source;
    source.assessed_millibits_per_sample = 7000;
    source.nominal_rate_hz = 100'000;
    return health_settings(source, 1000).value();
  }

 private:
  Gate gate_;
  std::int64_t count_ = 0;
};

/// A quarter of the samples repeat what was `lag` places earlier in the window.
Bytes repeating(std::uint64_t seed, std::size_t lag) {
  Bytes samples = fresh_noise(seed, gate_window_samples);
  for (std::size_t i = lag; i < samples.size(); ++i) {
    if (i % 4 == 0) samples[i] = samples[i - lag];
  }
  return samples;
}

/// One value with a share that only the sum over four windows shows: 90 of 4,096.
Bytes leaning(std::uint64_t seed) {
  Bytes samples = fresh_noise(seed, gate_window_samples);
  for (std::size_t k = 0; k < 90; ++k) samples[k * 45 + k % 13] = 7;
  return samples;
}

TEST(Suspicion, a_lag_in_rotation_suspects_all_since_it_was_tried_last) {
  for (const std::size_t lag :
       {std::size_t{9}, std::size_t{300}, std::size_t{1500}, std::size_t{2047}}) {
    Stream stream;
    for (std::size_t i = 0; i < startup_windows + 10; ++i)
      ASSERT_EQ(stream.healthy().alarm.level, 0U);
    const std::int64_t onset = stream.count();
    GateReport report;
    for (std::uint64_t i = 0; i < 300 && report.alarm.level == 0; ++i)
      report = stream.window(repeating(5'000 + i, lag));
    ASSERT_EQ(report.alarm.test, HealthTest::lag) << lag;
    EXPECT_LE(report.suspect_from_ns, onset * second_ns)
        << lag << " caught in window " << stream.count() - 1;
    EXPECT_GT(report.suspect_from_ns, 0) << "the start-up test had found all well";
    EXPECT_EQ(stream.gate().green_samples(), 0U)
        << "what was held is younger than the last clean try";
  }
}

TEST(Suspicion, what_a_lag_found_well_is_known_over_a_test_on_demand) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows + 20; ++i)
    ASSERT_EQ(stream.healthy().alarm.level, 0U);
  // Lag 1500 was tried in the first window of the start-up test and not since.
  stream.gate().restart();
  const GateReport report = stream.window(repeating(1, 1500));
  ASSERT_EQ(report.alarm.test, HealthTest::lag);
  EXPECT_EQ(report.suspect_from_ns, second_ns);
}

TEST(Suspicion, the_successor_test_suspects_the_eight_windows_it_does_not_look_at) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows + 1; ++i) ASSERT_EQ(stream.healthy().alarm.level, 0U);
  // It looked at window 32 last; a chain begins in window 33 and is seen in window 40.
  GateReport report;
  while (report.alarm.level == 0 && stream.count() < 60) {
    Bytes samples = fresh_noise(static_cast<std::uint64_t>(stream.count()), gate_window_samples);
    for (std::size_t i = 1; i < samples.size(); ++i) {
      if (samples[i] % 2 == 0) samples[i] = static_cast<std::uint8_t>(samples[i - 1] * 5 + 3);
    }
    report = stream.window(samples);
  }
  ASSERT_EQ(report.alarm.test, HealthTest::successor);
  EXPECT_EQ(stream.count() - 1, 40);
  EXPECT_EQ(report.suspect_from_ns, 33 * second_ns);
}

TEST(Suspicion, the_long_most_common_test_suspects_all_four_windows_of_its_sum) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows; ++i) ASSERT_EQ(stream.healthy().alarm.level, 0U);
  GateReport report;
  for (std::uint64_t i = 0; i < 4 && report.alarm.level == 0; ++i)
    report = stream.window(leaning(20 + i));
  ASSERT_EQ(report.alarm.test, HealthTest::most_common_long);
  EXPECT_EQ(stream.count(), static_cast<std::int64_t>(startup_windows) + 4);
  EXPECT_EQ(report.suspect_from_ns, static_cast<std::int64_t>(startup_windows) * second_ns);
}

TEST(Suspicion, a_sum_that_a_restart_cut_short_stays_suspect) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows; ++i) ASSERT_EQ(stream.healthy().alarm.level, 0U);
  ASSERT_EQ(stream.healthy().alarm.level, 0U);  // window 32 opens a sum that nobody ends
  stream.gate().restart();
  GateReport report;
  for (std::uint64_t i = 0; i < 4 && report.alarm.level == 0; ++i)
    report = stream.window(leaning(20 + i));
  ASSERT_EQ(report.alarm.test, HealthTest::most_common_long);
  EXPECT_EQ(report.suspect_from_ns, 32 * second_ns);
}

TEST(Suspicion, a_red_window_is_no_clean_try_for_any_test) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows; ++i) ASSERT_EQ(stream.healthy().alarm.level, 0U);
  Bytes stuck = fresh_noise(3, gate_window_samples);
  std::fill_n(stuck.begin() + 100, 10, std::uint8_t{7});
  const std::int64_t first = stream.count();
  ASSERT_EQ(stream.window(stuck).suspect_from_ns, first * second_ns);
  std::fill_n(stuck.begin() + 200, 10, std::uint8_t{9});
  EXPECT_EQ(stream.window(stuck).suspect_from_ns, first * second_ns)
      << "nothing was well in between";
}

TEST(Suspicion, a_stream_that_ends_suspects_all_since_its_last_window_was_well) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows + 3; ++i) ASSERT_EQ(stream.healthy().alarm.level, 0U);
  const std::int64_t last_ns = (stream.count() - 1) * second_ns + second_ns / 2;
  EXPECT_EQ(stream.gate().stream_over(last_ns + 7).suspect_from_ns, last_ns);
}

TEST(Suspicion, a_stream_that_ends_before_any_window_was_well_suspects_itself_alone) {
  Stream stream;
  static_cast<void>(stream.gate().feed(fresh_noise(1, 100), {77, 78}));
  EXPECT_EQ(stream.gate().stream_over(90).suspect_from_ns, 77);
}

TEST(Suspicion, its_boundary_belongs_to_it) {
  Stream stream;
  for (std::size_t i = 0; i < startup_windows + 2; ++i) static_cast<void>(stream.healthy());
  Bytes stuck = fresh_noise(3, gate_window_samples);
  std::fill_n(stuck.begin() + 100, 10, std::uint8_t{7});
  // The second green window came in the very nanosecond at which the red one was asked for.
  const std::int64_t at_ns = (stream.count() - 1) * second_ns + second_ns / 2;
  const GateReport report = stream.gate().feed(stuck, {at_ns, at_ns + 1});
  ASSERT_EQ(report.suspect_from_ns, at_ns);
  EXPECT_EQ(stream.gate().green_samples(), gate_window_samples)
      << "the first one stays, the second goes";
}

TEST(Suspicion, bits_that_were_given_since_the_last_clean_try_overlap_the_alarm) {
  Rig rig;
  ModelOptions model = Rig::raw();
  model.period = 1500;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->metrics().pool_blocks == 64; }));
  static_cast<void>(rig.generator->take_events());
  const std::int64_t ill_ns = rig.clock.monotonic_ns();
  rig.models[0]->set_illness(Illness::periodic, 300);  // only the lag of 1,500 sees it
  std::vector<FullEntropy> given;
  while (rig.generator->state() == State::operational) {
    if (auto bits = rig.generator->full_entropy(64)) given.push_back(std::move(*bits));
    rig.generator->pump(100);
  }
  EXPECT_EQ(rig.generator->metrics().pool_blocks, 0U) << "all that waited is younger, and went";
  ASSERT_FALSE(given.empty());
  ASSERT_GT(given.back().samples_to_ns, ill_ns)
      << "bad samples did go out: the lag is tried once in 255 windows";
  std::int64_t suspect_ns = 0;
  std::int64_t alarm_ns = 0;
  for (const Event& event : rig.generator->take_events()) {
    if (event.kind != EventKind::health || event.level == 0 || suspect_ns != 0) continue;
    EXPECT_EQ(event.test, HealthTest::lag);
    suspect_ns = event.suspect_from_ns;
    alarm_ns = event.monotonic_ns;
  }
  EXPECT_GT(alarm_ns, ill_ns);
  for (const FullEntropy& bits : given) {
    if (bits.samples_to_ns > ill_ns) {
      EXPECT_GE(bits.samples_to_ns, suspect_ns) << "a commitment made of these is found";
    }
  }
}

TEST(Suspicion, its_boundary_belongs_to_it_in_the_pool_too) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  // Two windows fill the pool, one a read. The next one is asked for as the second one comes.
  rig.generator->pump(100);
  ASSERT_EQ(rig.generator->metrics().pool_blocks, 64U);
  rig.models[0]->set_illness(Illness::stuck, 1000, 10);
  const std::int64_t at_ns = rig.clock.monotonic_ns();
  rig.generator->pump(100);
  std::int64_t suspect_ns = 0;
  for (const Event& event : rig.generator->take_events())
    if (event.kind == EventKind::health && event.level == 1) suspect_ns = event.suspect_from_ns;
  ASSERT_EQ(suspect_ns, at_ns);
  EXPECT_EQ(rig.generator->metrics().pool_blocks, gate_window_samples / per_block - 1)
      << "blocks of the first window stay, but for the seed; those with a sample of the second go";
}

/// Holds three million samples that nobody read: a stuck device, before it was repaired.
class Backlog final : public NoiseSource {
 public:
  explicit Backlog(ManualClock& clock) : inner_(Rig::raw(), &clock) {}
  [[nodiscard]] const SourceDescription& description() const override {
    return inner_.description();
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override {
    if (old_samples < samples.size()) return inner_.read(samples, timeout_ms);
    std::ranges::fill(samples, std::uint8_t{7});
    old_samples -= samples.size();
    return samples.size();
  }
  [[nodiscard]] Status renew() override {
    old_samples = 0;
    ++renewals;
    return {};
  }
  void stop() override {}
  std::size_t old_samples = 0;
  int renewals = 0;

 private:
  ModelSource inner_;
};

TEST(Reset, its_start_up_test_sees_nothing_that_is_older_than_itself) {
  Rig rig;
  auto source = std::make_unique<Backlog>(rig.clock);
  Backlog* backlog = source.get();
  std::vector<SourceSlot> slots;
  slots.push_back({.source = std::move(source), .independent = true, .required = true});
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  rig.generator->latch(LatchReason::operator_request);
  backlog->old_samples = 3'000'000;
  const Status reset = rig.generator->reset_latch();
  EXPECT_TRUE(reset) << reset.error().text();
  EXPECT_EQ(backlog->renewals, 1);
  backlog->old_samples = 3'000'000;
  ASSERT_TRUE(rig.generator->test_on_demand());
  EXPECT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::operational; }));
  EXPECT_EQ(backlog->renewals, 2);
  EXPECT_FALSE(rig.generator->latched().has_value());
}

TEST(Reset, level_1_alarms_before_it_do_not_count_after_it) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  const auto disturb = [&] {
    const auto events = rig.generator->metrics().sources[0].level1_events;
    rig.models[0]->set_illness(Illness::stuck, 1000, 10);
    ASSERT_TRUE(
        rig.pump_until([&] { return rig.generator->metrics().sources[0].level1_events > events; }));
    rig.models[0]->set_illness(Illness::healthy);
    static_cast<void>(rig.pump_until(
        [&] { return rig.generator->latched() || rig.generator->state() == State::operational; }));
  };
  for (int round = 0; round < 2; ++round) disturb();
  ASSERT_FALSE(rig.generator->latched().has_value());
  rig.generator->latch(LatchReason::operator_request);
  ASSERT_TRUE(rig.generator->reset_latch());
  for (int round = 0; round < 2; ++round) disturb();
  EXPECT_FALSE(rig.generator->latched().has_value()) << "two before the reset and two after it";
  disturb();
  EXPECT_EQ(rig.generator->latched(), LatchReason::health_permanent);
}

TEST(Reset, level_1_alarms_count_for_ten_minutes_to_the_nanosecond) {
  for (const bool within : {true, false}) {
    Gate gate(Stream::settings(), 0);
    Bytes stuck = fresh_noise(3, gate_window_samples);
    std::fill_n(stuck.begin() + 100, 10, std::uint8_t{7});
    GateReport report;
    for (const std::int64_t at_ns :
         {std::int64_t{0}, second_ns, 600 * second_ns + (within ? 0 : 1)}) {
      report = gate.feed(stuck, {at_ns, at_ns});
    }
    EXPECT_EQ(report.alarm.level, within ? 2U : 1U);
  }
}

TEST(Reset, a_rate_that_nobody_stated_is_learned_anew_behind_it_and_not_behind_an_alarm) {
  for (const bool reset : {true, false}) {
    Gate gate(Stream::settings(), 0, true);
    std::int64_t now_ns = 0;
    std::uint64_t seed = 1;
    const auto alarms_at = [&](int windows_a_second, int seconds) {
      std::uint32_t level = 0;
      for (int i = 0; i < windows_a_second * seconds; ++i) {
        const std::int64_t from_ns = now_ns;
        now_ns += second_ns / windows_a_second;
        level = std::max(
            level,
            gate.feed(fresh_noise(seed++, gate_window_samples), {from_ns, now_ns}).alarm.level);
      }
      return level;
    };
    ASSERT_EQ(alarms_at(1, 20), 0U);
    reset ? gate.reopen() : gate.restart();
    EXPECT_EQ(alarms_at(10, 12), reset ? 0U : 1U);
  }
}

TEST(Reset, the_drbg_behind_a_latch_is_another_one_and_behind_a_test_on_demand_it_has_a_new_seed) {
  Rig rig;
  ASSERT_TRUE(rig.make(by_output_alone(64), [&] {
    std::vector<SourceSlot> slots;
    slots.push_back(rig.slot(Rig::raw()));
    return slots;
  }()));
  ASSERT_TRUE(rig.generator->start());
  ASSERT_EQ(rig.generator->evidence().reseed_counter, 1U);
  rig.generator->latch(LatchReason::operator_request);
  ASSERT_TRUE(rig.generator->reset_latch());
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 2U);
  ASSERT_TRUE(rig.generator->test_on_demand());
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() == State::operational; }));
  EXPECT_EQ(rig.generator->evidence().reseed_counter, 3U);
}

TEST(Required, a_needed_source_latches_although_a_good_second_one_remains) {
  for (const bool required : {true, false}) {
    Rig rig;
    std::vector<SourceSlot> slots;
    ModelOptions second = Rig::raw(2);
    second.description.nominal_rate_hz = 0;  // the first one moves the clock
    slots.push_back(rig.slot(Rig::raw(1)));
    slots.push_back(rig.slot(second));
    slots[0].required = required;
    slots[1].required = false;
    ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
    ASSERT_TRUE(rig.generator->start());
    rig.models[0]->set_illness(Illness::stuck);
    ASSERT_TRUE(
        rig.pump_until([&] { return rig.generator->metrics().sources[0].level2_events > 0; }));
    for (int i = 0; i < 20; ++i) rig.generator->pump(100);
    EXPECT_EQ(rig.generator->latched().has_value(), required);
  }
}

TEST(Required, a_needed_source_in_its_start_up_test_suspends_although_a_second_one_is_good) {
  for (const bool required : {true, false}) {
    Rig rig;
    std::vector<SourceSlot> slots;
    ModelOptions second = Rig::raw(2);
    second.description.nominal_rate_hz = 0;
    slots.push_back(rig.slot(Rig::raw(1)));
    slots.push_back(rig.slot(second));
    slots[0].required = required;
    slots[1].required = false;
    ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
    ASSERT_TRUE(rig.generator->start());
    rig.models[0]->set_illness(Illness::stuck, 1000, 10);
    ASSERT_TRUE(
        rig.pump_until([&] { return rig.generator->metrics().sources[0].level1_events > 0; }));
    EXPECT_EQ(rig.generator->state(), required ? State::suspended : State::operational);
  }
}

}  // namespace
}  // namespace talla::entropy

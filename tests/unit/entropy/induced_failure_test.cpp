// Goal: every known way for a source to fail ends in the latch and in no bits, and an alarm names
// its suspect window.
// Method: a healthy emulated source falls ill under a running generator; time is simulated, sources
// are seeded.
#include <gtest/gtest.h>

#include "rig.hpp"

namespace talla::entropy {
namespace {

struct Fall {
  const char* name;
  Illness illness;
  std::uint32_t strength_permille;
  std::uint32_t period;
  unsigned bits;
  std::uint32_t millibits;
  std::vector<HealthTest> expected;
};

std::vector<Fall> falls() {
  return {
      {"stuck", Illness::stuck, 1000, 64, 8, 7000, {HealthTest::repetition_count}},
      {"stuck_binary", Illness::stuck, 1000, 64, 1, 880, {HealthTest::repetition_count}},
      {"biased",
       Illness::biased,
       300,
       64,
       8,
       7000,
       {HealthTest::adaptive_proportion, HealthTest::repetition_count}},
      {"biased_binary", Illness::biased, 500, 64, 1, 880, {HealthTest::adaptive_proportion}},
      {"slightly_biased",
       Illness::biased,
       30,
       64,
       8,
       7000,
       {HealthTest::most_common_long, HealthTest::most_common_window,
        HealthTest::adaptive_proportion}},
      {"drift",
       Illness::drift,
       500,
       64,
       8,
       7000,
       {HealthTest::most_common_long, HealthTest::most_common_window,
        HealthTest::adaptive_proportion}},
      {"periodic_short",
       Illness::periodic,
       1000,
       5,
       8,
       7000,
       {HealthTest::lag, HealthTest::adaptive_proportion}},
      {"periodic_medium",
       Illness::periodic,
       1000,
       64,
       8,
       7000,
       {HealthTest::lag, HealthTest::successor, HealthTest::most_common_window,
        HealthTest::duplicate_word}},
      {"periodic_long",
       Illness::periodic,
       1000,
       1500,
       8,
       7000,
       {HealthTest::lag, HealthTest::duplicate_word}},
      {"buffer_again", Illness::periodic, 1000, 7168, 8, 7000, {HealthTest::duplicate_word}},
      {"buffer_again_binary",
       Illness::periodic,
       1000,
       65'536,
       1,
       880,
       {HealthTest::duplicate_word}},
      {"periodic_partly",
       Illness::periodic,
       300,
       7,
       8,
       7000,
       {HealthTest::lag, HealthTest::most_common_window}},
      {"periodic_binary",
       Illness::periodic,
       1000,
       50,
       1,
       880,
       {HealthTest::lag, HealthTest::duplicate_word}},
      {"slow", Illness::slow, 800, 64, 8, 7000, {HealthTest::rate}},
      {"fast", Illness::slow, 1200, 64, 8, 7000, {HealthTest::rate}},
      {"silent", Illness::silent, 1000, 64, 8, 7000, {HealthTest::stall}},
      {"gone", Illness::gone, 1000, 64, 8, 7000, {HealthTest::stream}},
      {"range", Illness::noisy_range, 1000, 64, 4, 3500, {HealthTest::sample_range}},
  };
}

class InducedFailure : public testing::TestWithParam<Fall> {};

void prepare(Rig& rig, const Fall& fall) {
  ModelOptions model = Rig::raw();
  model.period = fall.period;
  model.description.bits_per_sample = fall.bits;
  model.description.assessed_millibits_per_sample = fall.millibits;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  for (int i = 0; i < 50; ++i) rig.generator->pump(100);
  ASSERT_EQ(rig.generator->state(), State::operational);
  static_cast<void>(rig.generator->take_events());
}

TEST_P(InducedFailure, ends_in_the_latch_and_in_no_bits) {
  Rig rig;
  ASSERT_NO_FATAL_FAILURE(prepare(rig, GetParam()));
  const std::int64_t ill_ns = rig.clock.monotonic_ns();
  rig.models[0]->set_illness(GetParam().illness, GetParam().strength_permille);
  ASSERT_TRUE(rig.pump_until([&] {
    if (rig.generator->state() != State::operational) {
      EXPECT_TRUE(gives_nothing(*rig.generator));
    }
    return rig.generator->latched().has_value();
  }));
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_EQ(rig.generator->metrics().pool_blocks, 0U);
  bool named = false;
  bool first_alarm = true;
  std::string seen;
  bool latched = false;
  std::uint32_t level = 0;
  for (const Event& event : rig.generator->take_events()) {
    if (event.kind == EventKind::health && event.level > 0) {
      const auto& expected = GetParam().expected;
      seen += std::string(health_test_name(event.test)) + " ";
      named = named || std::find(expected.begin(), expected.end(), event.test) != expected.end();
      level = std::max(level, event.level);
      EXPECT_LE(event.suspect_from_ns, event.monotonic_ns);
      // A lag is tried once in 255 windows: of 4,096 samples at 100,000 Hz, 10.5 s. No alarm
      // suspects more.
      EXPECT_GE(event.suspect_from_ns, event.monotonic_ns - 10'500'000'000);
      if (first_alarm && GetParam().illness != Illness::slow) {
        EXPECT_LE(event.suspect_from_ns, ill_ns + 2'000'000'000)
            << "the suspect window holds the failure";
      }
      first_alarm = false;
    }
    latched = latched || (event.kind == EventKind::state && event.state == State::latched);
  }
  EXPECT_TRUE(named) << "seen: " << seen;
  EXPECT_TRUE(latched);
  EXPECT_EQ(level, 2U);
  // The latch holds while the source is still ill, and opens once it is well.
  const bool shows_at_startup =
      GetParam().illness != Illness::drift && GetParam().illness != Illness::slow;
  if (shows_at_startup && GetParam().illness != Illness::gone) {
    EXPECT_FALSE(rig.generator->reset_latch(30'000));
    EXPECT_TRUE(gives_nothing(*rig.generator));
  }
  rig.models[0]->set_illness(Illness::healthy);
  EXPECT_TRUE(rig.generator->reset_latch());
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

INSTANTIATE_TEST_SUITE_P(Ways, InducedFailure, testing::ValuesIn(falls()),
                         [](const testing::TestParamInfo<Fall>& way) {
                           return std::string(way.param.name);
                         });

TEST(Alarms, one_short_disturbance_is_worked_off_without_the_latch) {
  Rig rig;
  ModelOptions model = Rig::raw();
  model.illness = Illness::stuck;  // 10 repetitions of the last value: between the cutoffs 9 and 13
  model.onset_samples = 40 * 4096 + 1000;
  model.ill_samples = 10;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  bool suspended = false;
  for (int i = 0; i < 200; ++i) {
    rig.generator->pump(100);
    if (rig.generator->state() == State::suspended) {
      suspended = true;
      EXPECT_TRUE(gives_nothing(*rig.generator));
    }
  }
  EXPECT_TRUE(suspended);
  EXPECT_EQ(rig.generator->state(), State::operational);
  EXPECT_EQ(rig.generator->metrics().sources[0].level1_events, 1U);
  EXPECT_GE(rig.generator->evidence().reseed_counter, 2U) << "a recovery brings a fresh seed";
}

TEST(Alarms, three_disturbances_within_ten_minutes_latch_and_three_in_an_hour_do_not) {
  for (const std::int64_t pause_s : {60, 1200}) {
    Rig rig;
    ASSERT_TRUE(rig.make_raw());
    ASSERT_TRUE(rig.generator->start());
    for (int round = 0; round < 3 && !rig.generator->latched(); ++round) {
      const auto events = rig.generator->metrics().sources[0].level1_events;
      rig.models[0]->set_illness(Illness::stuck, 1000, 10);
      ASSERT_TRUE(rig.pump_until(
          [&] { return rig.generator->metrics().sources[0].level1_events > events; }));
      rig.models[0]->set_illness(Illness::healthy);
      for (int i = 0; i < 20; ++i) rig.generator->pump(100);
      rig.clock.advance_ns(pause_s * 1'000'000'000);
    }
    EXPECT_EQ(rig.generator->latched().has_value(), pause_s == 60);
  }
}

TEST(Alarms, of_two_independent_sources_one_may_fail_when_configured_so) {
  Rig rig;
  std::vector<SourceSlot> slots;
  ModelOptions second = Rig::raw(2);
  second.description.nominal_rate_hz = 0;  // the first one moves the clock
  slots.push_back(rig.slot(Rig::raw(1)));
  slots.push_back(rig.slot(second));
  for (SourceSlot& slot : slots) {
    slot.independent = true;
    slot.required = false;
  }
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  rig.models[0]->set_illness(Illness::gone);
  ASSERT_TRUE(
      rig.pump_until([&] { return rig.generator->metrics().sources[0].level2_events > 0; }));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() > 0; }));
  const auto drawn = rig.generator->full_entropy(64).value();
  EXPECT_EQ(drawn.evidence.sources[0].verdict, Verdict::failed);
  EXPECT_EQ(drawn.evidence.sources[1].verdict, Verdict::good);
  rig.models[1]->set_illness(Illness::gone);
  while (rig.generator->ready_bits() >= 512) static_cast<void>(rig.generator->full_entropy(64));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->latched().has_value(); }, 100));
  EXPECT_TRUE(gives_nothing(*rig.generator));
}

TEST(Alarms, a_device_of_unknown_rate_that_falls_silent_latches) {
  Rig rig;
  ModelOptions model = Rig::raw();
  model.description.nominal_rate_hz = 0;
  std::vector<SourceSlot> slots;
  slots.push_back(rig.slot(model));
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  const std::int64_t silent_ns = rig.clock.monotonic_ns();
  rig.models[0]->set_illness(Illness::silent);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->state() != State::operational; }));
  EXPECT_LE(rig.clock.monotonic_ns() - silent_ns, 4'200'000'000);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->latched().has_value(); }));
}

TEST(Alarms, of_two_devices_one_that_falls_silent_is_noticed_while_the_other_gives) {
  Rig rig;
  std::vector<SourceSlot> slots;
  ModelOptions second = Rig::raw(2);
  second.description.nominal_rate_hz = 0;  // the first one moves the clock
  slots.push_back(rig.slot(Rig::raw(1)));
  slots.push_back(rig.slot(second));
  for (SourceSlot& slot : slots) slot.required = false;
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  const std::int64_t silent_ns = rig.clock.monotonic_ns();
  rig.models[1]->set_illness(Illness::silent);
  const auto events = [&](std::size_t source) {
    return rig.generator->metrics().sources[source].level1_events;
  };
  ASSERT_TRUE(rig.pump_until([&] { return events(1) > 0; }));
  EXPECT_LE(rig.clock.monotonic_ns() - silent_ns, 4'200'000'000);
  EXPECT_EQ(events(0), 0U);
  EXPECT_EQ(rig.generator->state(), State::operational) << "the other one is credited and good";
  ASSERT_TRUE(rig.pump_until(
      [&] { return rig.generator->evidence().sources[1].verdict == Verdict::failed; }));
  EXPECT_FALSE(rig.generator->latched().has_value());
}

TEST(HotPlug,
     a_device_that_is_back_joins_again_after_its_start_up_test_while_the_other_carried_on) {
  Rig rig;
  std::vector<SourceSlot> slots;
  ModelOptions second = Rig::raw(2);
  second.description.nominal_rate_hz = 0;  // the first one moves the clock
  slots.push_back(rig.slot(Rig::raw(1)));
  slots.push_back(rig.slot(second));
  for (SourceSlot& slot : slots) {
    slot.independent = true;
    slot.required = false;
  }
  ASSERT_TRUE(rig.make(Rig::options(), std::move(slots)));
  ASSERT_TRUE(rig.generator->start());
  EXPECT_TRUE(
      rig.generator->replace_source(0, std::make_unique<ModelSource>(Rig::raw(3), &rig.clock))
          .error()
          .is(Errc::wrong_state))
      << "a sound source stays";
  rig.models[0]->set_illness(Illness::gone);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->evidence().sources[0].lost; }));
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->ready_bits() > 0; }));
  const auto before = rig.generator->metrics().sources[0];
  static_cast<void>(rig.generator->take_events());
  ASSERT_TRUE(
      rig.generator->replace_source(0, std::make_unique<ModelSource>(Rig::raw(4), &rig.clock)));
  EXPECT_EQ(rig.generator->evidence().sources[0].verdict, Verdict::testing);
  EXPECT_EQ(rig.generator->state(), State::operational) << "the other one feeds on";
  EXPECT_FALSE(rig.generator->evidence().sources[0].lost);
  ASSERT_TRUE(rig.pump_until(
      [&] { return rig.generator->evidence().sources[0].verdict == Verdict::good; }));
  const auto after = rig.generator->metrics().sources[0];
  EXPECT_GE(after.raw_samples - before.raw_samples, 4096U) << "a whole window is the start-up test";
  EXPECT_FALSE(rig.generator->latched().has_value());
  bool back = false;
  bool tested = false;
  for (const auto& event : rig.generator->take_events()) {
    if (event.kind == EventKind::source) back = event.passed && event.source == 0 && !tested;
    if (event.kind == EventKind::health && event.level == 0 && event.source == 0) tested = true;
  }
  EXPECT_TRUE(back) << "first it is back";
  EXPECT_TRUE(tested) << "then it has passed";
  for (int k = 0; k < 200 && rig.generator->metrics().sources[0].credited_millibits ==
                                 after.credited_millibits;
       ++k) {
    static_cast<void>(rig.generator->full_entropy(64));
    static_cast<void>(rig.generator->pump(0));
  }
  EXPECT_GT(rig.generator->metrics().sources[0].credited_millibits, after.credited_millibits);
}

TEST(HotPlug, the_last_device_back_leaves_the_latch_to_its_reset) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  rig.models[0]->set_illness(Illness::gone);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->latched().has_value(); }));
  ASSERT_TRUE(
      rig.generator->replace_source(0, std::make_unique<ModelSource>(Rig::raw(5), &rig.clock)));
  for (int k = 0; k < 100; ++k) static_cast<void>(rig.generator->pump(0));
  EXPECT_EQ(rig.generator->latched(), LatchReason::source_failed);
  EXPECT_TRUE(gives_nothing(*rig.generator));
  EXPECT_TRUE(rig.generator->reset_latch());
}

TEST(Alarms, a_lost_stream_needs_a_new_source_of_the_same_kind) {
  Rig rig;
  ASSERT_TRUE(rig.make_raw());
  ASSERT_TRUE(rig.generator->start());
  EXPECT_TRUE(rig.generator->replace_source(0, std::make_unique<ModelSource>(Rig::raw()))
                  .error()
                  .is(Errc::wrong_state));
  rig.models[0]->set_illness(Illness::gone);
  ASSERT_TRUE(rig.pump_until([&] { return rig.generator->latched().has_value(); }));
  EXPECT_EQ(rig.generator->latched(), LatchReason::source_failed);
  ModelOptions other = Rig::raw();
  other.description.assessed_millibits_per_sample = 7500;
  EXPECT_TRUE(rig.generator->replace_source(0, std::make_unique<ModelSource>(other))
                  .error()
                  .is(Errc::source_refused));
  EXPECT_FALSE(rig.generator->reset_latch(1000));
  ModelOptions changed = Rig::raw();
  changed.description.serial = "another";
  EXPECT_TRUE(rig.generator->replace_source(0, std::make_unique<ModelSource>(changed))
                  .error()
                  .is(Errc::source_refused))
      << "identity is the serial number";
  ASSERT_TRUE(
      rig.generator->replace_source(0, std::make_unique<ModelSource>(Rig::raw(5), &rig.clock)));
  EXPECT_TRUE(rig.generator->reset_latch());
  EXPECT_TRUE(rig.generator->full_entropy(64));
}

}  // namespace
}  // namespace talla::entropy

// Goal: every test of the gate and every check of a driver can be made to fail on purpose, each by
// its own fault, ends in the latch and in no bits, and the copy of the path works again without the
// fault.
// Method: lab_kit's induced failures on emulated noise of many widths and claims, on a recording,
// and on every device of the bench with spoilt transfers; simulated time.
#include "lab_kit/induce.hpp"

#include <gtest/gtest.h>

#include "conformance.hpp"
#include "entropy_lab/faulty_source.hpp"
#include "entropy_lab/model_source.hpp"
#include "support/wiped.hpp"

using namespace talla;
using namespace talla::lab;

namespace {

InduceEffects quietly(Clock& clock) {
  return {.clock = clock, .cancelled = [] { return false; }, .on_case = [](const InducedCase&) {}};
}

std::string told(const InducedCase& one) {
  std::string text = one.name + " (" + one.fault + "): latch \"" + one.latch + "\", alarms";
  for (const auto& alarm : one.alarms) text += " [" + alarm + "]";
  return text + (one.nothing_after ? "" : ", gave bits") +
         (one.works_again ? "" : ", does not work again");
}

struct Kind {
  unsigned bits;
  std::uint32_t millibits;
};

entropy::SourceDescription described(const Kind& kind) {
  entropy::SourceDescription description;
  description.model = "emulated";
  description.source_class = entropy::SourceClass::lab;
  description.bits_per_sample = kind.bits;
  description.assessed_millibits_per_sample = kind.millibits;
  description.nominal_rate_hz = 100'000;
  return description;
}

class Induced : public ::testing::TestWithParam<Kind> {};
class InducedOnDriver : public ::testing::TestWithParam<emulator::BenchEntry> {};

TEST_P(Induced, each_test_fails_on_purpose_latches_and_gives_nothing) {
  ManualClock clock;
  entropy::ModelOptions model;
  model.description = described(GetParam());
  entropy::ModelSource source(model, &clock);
  const auto cases = induce_behind_driver(source, 100'000, 7, quietly(clock));
  ASSERT_TRUE(cases) << cases.error().text();
  EXPECT_EQ(cases->size(), 13U);
  for (const InducedCase& one : *cases) {
    EXPECT_TRUE(one.passed()) << told(one);
    EXPECT_EQ(!one.left_out.empty(), one.name == "sample_range" && GetParam().bits == 8)
        << one.name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Induced,
    ::testing::Values(Kind{8, 8000}, Kind{8, 7000}, Kind{8, 4000}, Kind{8, 2000}, Kind{8, 1000},
                      Kind{4, 3500}, Kind{2, 1500}, Kind{1, 1000}, Kind{1, 880}, Kind{1, 500}),
    [](const auto& about) {
      return std::to_string(about.param.bits) + "_bits_" + std::to_string(about.param.millibits);
    });

TEST(InducedFailures, without_a_rate_stall_and_rate_are_left_out_and_said_so) {
  ManualClock clock;
  entropy::ModelOptions model;
  model.description = described({8, 7000});
  entropy::ModelSource source(model, &clock);
  const auto cases = induce_behind_driver(source, 0, 7, quietly(clock));
  ASSERT_TRUE(cases) << cases.error().text();
  for (const InducedCase& one : *cases) {
    EXPECT_TRUE(one.passed()) << told(one);
    const bool rate = one.name == "stall" || one.name == "rate";
    EXPECT_EQ(one.left_out.empty(), !rate && one.name != "sample_range") << one.name;
  }
}

TEST(InducedFailures, a_source_that_is_ill_before_any_fault_is_refused_with_its_alarms) {
  ManualClock clock;
  entropy::ModelOptions model;
  model.description = described({8, 7000});
  model.illness = entropy::Illness::biased;
  model.strength_permille = 300;
  entropy::ModelSource source(model, &clock);
  const auto cases = induce_behind_driver(source, 100'000, 7, quietly(clock));
  ASSERT_FALSE(cases);
  EXPECT_TRUE(cases.error().is(LabErrc::wrong_stream)) << cases.error().text();
  EXPECT_NE(cases.error().detail.find("adaptive_proportion"), std::string::npos)
      << cases.error().text();
}

TEST(InducedFailures, a_recording_begins_again_and_is_judged_the_same) {
  ManualClock clock;
  entropy::ModelOptions model;
  model.description = described({8, 7000});
  entropy::ModelSource noise(model, nullptr);
  std::vector<std::uint8_t> samples(150'000);
  ASSERT_EQ(noise.read(samples, 1).value(), samples.size());
  entropy::RecordedSource source(described({8, 7000}), samples, clock);
  const auto cases = induce_behind_driver(source, 100'000, 7, quietly(clock));
  ASSERT_TRUE(cases) << cases.error().text();
  for (const InducedCase& one : *cases) EXPECT_TRUE(one.passed()) << told(one);
  EXPECT_GT(source.rounds(), 0U);
}

TEST(InducedFailures, a_case_without_latch_or_with_bits_behind_it_is_not_passed) {
  InducedCase one;
  one.expected_alarm = one.nothing_after = one.works_again = true;
  EXPECT_FALSE(one.passed()) << "no latch";
  one.latch = "health_permanent";
  EXPECT_TRUE(one.passed());
  for (bool InducedCase::*part :
       {&InducedCase::expected_alarm, &InducedCase::nothing_after, &InducedCase::works_again}) {
    InducedCase worse = one;
    worse.*part = false;
    EXPECT_FALSE(worse.passed());
  }
}

/// A hundred samples every 10 ms, of which it keeps no trace itself.
class SteadySource final : public entropy::NoiseSource {
 public:
  explicit SteadySource(ManualClock& clock) : clock_(clock) {}
  [[nodiscard]] const entropy::SourceDescription& description() const override {
    return description_;
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned /*timeout_ms*/) override {
    clock_.advance_ns(10'000'000);
    std::ranges::fill(samples.first(100), std::uint8_t{7});
    given += 100;
    return 100U;
  }
  void stop() override {}
  std::uint64_t given = 0;

 private:
  ManualClock& clock_;
  entropy::SourceDescription description_ = described({8, 7000});
};

TEST(InducedFailures, measuring_a_rate_wipes_each_sample_that_was_read_for_it) {
  ManualClock clock;
  SteadySource source(clock);
  std::uint32_t rate = 0;
  const std::uint64_t wiped =
      test::wiped_by([&] { rate = measured_rate(source, clock).value_or(0); });
  EXPECT_EQ(rate, 10'000U);
  EXPECT_EQ(source.given, 101U * 100U) << "one read to begin with, and a second's";
  EXPECT_EQ(wiped, source.given);
}

TEST(InducedFailures, the_rate_of_a_device_is_measured) {
  usb::test::EmulatedRig rig(emulator::bench().front());
  rig.plug({.rate = 200'000});  // bytes: words of two
  const auto source = rig.open();
  ASSERT_TRUE(source) << source.error().text();
  const auto rate = measured_rate(**source, rig.bus.clock());
  ASSERT_TRUE(rate) << rate.error().text();
  EXPECT_NEAR(static_cast<double>(*rate), 100'000, 5'000);
}

TEST_P(InducedOnDriver, each_check_fails_on_purpose_latches_and_gives_nothing) {
  usb::test::EmulatedRig rig(GetParam());
  rig.plug();
  const DriverParts parts{
      .transport = rig.transport,
      .registry = usb::builtin_registry(),
      .selector = "auto",
      .options = {},
      .sleep = [&rig](unsigned ms) { rig.bus.clock().advance_ns(std::int64_t{ms} * 1'000'000); }};
  const auto cases = induce_before_driver(parts, GetParam().driver, quietly(rig.bus.clock()));
  ASSERT_TRUE(cases) << cases.error().text();
  const std::string driver = GetParam().driver;
  const std::size_t own = driver == "infnoise"                                        ? 4
                          : driver == "chaoskey" || driver == "truerng-pro"           ? 2
                          : driver.starts_with("swiftrng") || driver == "quantis-usb" ? 1
                                                                                      : 0;
  EXPECT_EQ(cases->size(), 3 + own);
  for (const InducedCase& one : *cases) EXPECT_TRUE(one.passed()) << told(one);
}

INSTANTIATE_TEST_SUITE_P(Devices, InducedOnDriver, ::testing::ValuesIn(emulator::bench()),
                         [](const auto& about) { return std::string(about.param.name); });

}  // namespace

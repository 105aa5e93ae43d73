// Goal: every supported generator is found, described, read and lost as its protocol and the house's policy say.
// Method: ring 1: each emulated device below its driver and the common engine, on simulated time; one fault at a time, then
// random ones. What the device's noise yielded is the truth that the samples are held against.
#include "conformance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "entropy/gate.hpp"
#include "entropy/health_cutoffs.hpp"

using namespace talla;
using namespace talla::usb;
using namespace talla::usb::test;
using talla::emulator::Ailment;
using talla::emulator::BenchEntry;
using talla::emulator::Faults;
using talla::emulator::ModelOptions;

namespace {

class Conformance : public ::testing::TestWithParam<BenchEntry> {
 protected:
  EmulatedRig rig_{GetParam()};
};

/// The devices whose protocol can be broken; the others may send any byte.
class StrictConformance : public Conformance {};
std::vector<BenchEntry> strict_ones() {
  std::vector<BenchEntry> all = emulator::bench();
  std::erase_if(all, [](const BenchEntry& each) { return !each.has_nonsense; });
  return all;
}

/// Reads until an error comes, at most `most` samples.
struct Reading {
  Bytes samples;
  std::optional<Error> error;
};
Reading read_up_to(UsbNoiseSource& source, std::size_t most) {
  Reading reading;
  Bytes piece(1024);
  while (reading.samples.size() < most) {
    const auto got = source.read(piece, 500);
    if (!got) {
      reading.error = got.error();
      break;
    }
    reading.samples.insert(reading.samples.end(), piece.begin(),
                           piece.begin() + static_cast<std::ptrdiff_t>(*got));
  }
  return reading;
}

}  // namespace

TEST_P(Conformance, IsFoundAndSaysWhatItIs) {
  rig_.plug();
  const auto found = discover(rig_.transport, builtin_registry());
  ASSERT_TRUE(found && found->size() == 1);
  const FoundDevice& device = found->at(0);
  ASSERT_TRUE(device.usable()) << device.problem;
  EXPECT_EQ(device.model, GetParam().driver);
  EXPECT_EQ(device.description.source_class,
            GetParam().raw ? entropy::SourceClass::raw_physical : entropy::SourceClass::conditioned_physical);
  EXPECT_EQ(device.description.bits_per_sample, GetParam().bits);
  EXPECT_LE(device.description.assessed_millibits_per_sample, 1000 * GetParam().bits);
  EXPECT_EQ(device.description.serial, "0123");
  EXPECT_EQ(device.assessment_origin.substr(0, 6), GetParam().raw ? "house " : "none: ");
}

TEST_P(Conformance, ACopyOfTheIdUnderAnotherNameIsRefused) {
  emulator::DeviceModel& model = rig_.plug();
  DeviceInfo info = emulator::info_of(model.identity(), 1);
  info.product = "Keyboard";
  const auto driver = builtin_registry().find(info);
  ASSERT_FALSE(driver);
  EXPECT_TRUE(driver.error().is(UsbErrc::impostor));
}

TEST_P(Conformance, AnotherLayoutUnderTheSameNameIsRefused) {
  emulator::DeviceModel& model = rig_.plug();
  DeviceInfo info = emulator::info_of(model.identity(), 1);
  for (InterfaceInfo& each : info.interfaces) {
    std::erase_if(each.endpoints, [](const EndpointInfo& endpoint) { return endpoint.is_in(); });
  }
  EXPECT_TRUE(builtin_registry().find(info).error().is(UsbErrc::impostor));
  info.interfaces.clear();
  EXPECT_TRUE(builtin_registry().find(info).error().is(UsbErrc::impostor));
}

TEST_P(Conformance, TheSelectedSerialIsReadAndNoOther) {
  rig_.plug({.serial = "A1"});
  emulator::DeviceModel& second = rig_.plug({.noise = {.seed = 2}, .serial = "B2"});
  auto source = rig_.open(std::string(GetParam().driver) + ":B2");
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, 5000);
  EXPECT_EQ(segments(reading.samples, second.truth()), 1U);
  EXPECT_EQ((*source)->description().serial, "B2");
  EXPECT_TRUE(rig_.open(std::string(GetParam().driver) + ":C3").error().is(UsbErrc::no_device));
}

TEST_P(Conformance, EverySampleComesOnceAndInOrder) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, 200'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_EQ(segments(reading.samples, model.truth()), 1U);
}

TEST_P(Conformance, ShortPacketsChangeNothing) {
  emulator::DeviceModel& model = rig_.plug();
  model.set_faults({.short_packets = true});
  auto source = rig_.open();
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, 50'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_EQ(segments(reading.samples, model.truth()), 1U);
}

TEST_P(Conformance, AStallIsClearedAndNothingComesTwice) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.stall_after = model.sent() + 40'000});
  const Reading reading = read_up_to(**source, 100'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments(reading.samples, model.truth()), 2U);
  EXPECT_EQ((*source)->counters().stalls, 1U);
}

TEST_P(Conformance, AFailedTransferIsAnsweredLikeAStall) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.error_after = model.sent() + 40'000});
  const Reading reading = read_up_to(**source, 100'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments(reading.samples, model.truth()), 2U);
  EXPECT_EQ((*source)->counters().failures, 1U);
}

TEST_P(Conformance, ASilenceIsOvercomeByARestart) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.silent_after = model.sent() + 20'000, .silent_ms = 1500});
  const Reading reading = read_up_to(**source, 60'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments(reading.samples, model.truth()), 3U);
  EXPECT_GE((*source)->counters().silences + (*source)->counters().failures, 1U);
}

TEST_P(Conformance, SilenceForEverIsTheEndOfTheStream) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.silent_after = model.sent() + 20'000});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::silent) || reading.error->is(UsbErrc::timed_out))
      << reading.error->text();
  EXPECT_LE(rig_.bus.clock().monotonic_ns(), 20'000'000'000);
}

TEST_P(Conformance, UnpluggingEndsTheStreamAtOnceAndForGood) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.gone_after = model.sent() + 20'000});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::gone)) << reading.error->text();
  EXPECT_EQ(segments(reading.samples, model.truth()), 1U);
  Bytes more(16);
  EXPECT_TRUE((*source)->read(more, 100).error().is(UsbErrc::gone));
}

TEST_P(StrictConformance, WhatTheProtocolForbidsEndsTheStream) {
  emulator::DeviceModel& model = rig_.plug();
  auto source = rig_.open();
  ASSERT_TRUE(source);
  model.set_faults({.nonsense_after = model.sent() + 20'000});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::nonsense) || reading.error->is(UsbErrc::unhealthy))
      << reading.error->text();
  EXPECT_EQ(segments(reading.samples, model.truth()), 1U);
}

TEST_P(Conformance, ADeviceThatRefusesItsSetUpIsNoSource) {
  emulator::DeviceModel& model = rig_.plug();
  model.set_faults({.mute_setup = true});
  const auto source = rig_.open();
  const std::string driver = GetParam().driver;
  const bool streams_by_itself = driver == "chaoskey" || driver == "alea";
  EXPECT_EQ(source.has_value(), streams_by_itself);
  if (!source) {
    EXPECT_TRUE(source.error().is(UsbErrc::stalled)) << source.error().text();
  }
}

TEST_P(Conformance, ASettingTheModelDoesNotHaveIsRefused) {
  rig_.plug();
  for (const char* text : {"colour=red", "mode=none", "noise=3", "mask=0", "mask=16", "rate=1", "fold=5"}) {
    const auto source = rig_.open("auto", {.settings = *parse_settings(text)});
    ASSERT_FALSE(source) << text;
    EXPECT_TRUE(source.error().is(UsbErrc::bad_option)) << text;
  }
}

TEST_P(Conformance, AtLeast95PercentOfTheNoiseArrives) {
  constexpr std::uint64_t rate = 480'000;
  emulator::DeviceModel& model = rig_.plug({.rate = rate});
  auto source = rig_.open();
  ASSERT_TRUE(source) << source.error().text();
  static_cast<void>(read_up_to(**source, 20'000));
  const std::int64_t begin_ns = rig_.bus.clock().monotonic_ns();
  const std::size_t truth_before = model.truth().size();
  const std::uint64_t sent_before = model.sent();
  const Reading reading = read_up_to(**source, 200'000);
  const double seconds = static_cast<double>(rig_.bus.clock().monotonic_ns() - begin_ns) * 1e-9;
  // Samples a byte of the noise's own rate, without what the bridge adds to a packet.
  const double samples_per_byte = std::string(GetParam().driver) == "chaoskey"      ? 0.5
                                  : std::string(GetParam().driver) == "truerng-pro" ? 0.5
                                                                                    : 1.0;
  EXPECT_GE(static_cast<double>(reading.samples.size()),
            0.95 * seconds * static_cast<double>(rate) * samples_per_byte)
      << truth_before << " " << sent_before;
}

TEST_P(Conformance, RandomFaultsNeverRepeatOrReorderASample) {
  const BenchEntry entry = GetParam();
  rc::check([&entry] {
    EmulatedRig rig(entry);
    emulator::DeviceModel& model = rig.plug({.noise = {.seed = *rc::gen::inRange<std::uint64_t>(1, 1000)}});
    auto source = rig.open();
    RC_ASSERT(source.has_value());
    Bytes all;
    std::optional<Error> error;
    for (unsigned round = 0; round < 4 && !error; ++round) {
      const auto at = [&](const char* /*what*/) {
        return *rc::gen::inRange(0, 3) == 0 ? model.sent() + *rc::gen::inRange<std::uint64_t>(1, 20'000) : 0;
      };
      Faults faults;
      faults.stall_after = at("stall");
      faults.error_after = at("error");
      faults.silent_after = at("silence");
      faults.silent_ms = *rc::gen::inRange<std::uint64_t>(1, 3000);
      faults.short_packets = *rc::gen::arbitrary<bool>();
      faults.gone_after = *rc::gen::inRange(0, 10) == 0 ? model.sent() + 5'000 : 0;
      model.set_faults(faults);
      Reading reading = read_up_to(**source, 15'000);
      all.insert(all.end(), reading.samples.begin(), reading.samples.end());
      error = reading.error;
    }
    RC_ASSERT(segments(all, model.truth()) <= 1U + 3U * 4U);
    if (error) {
      Bytes more(64);
      const auto again = (*source)->read(more, 1000);
      RC_ASSERT(!again.has_value());
      RC_ASSERT(again.error().number == error->number);
    }
  });
}

namespace {

/// How the source ends under an illness: an alarm of the gate, an error of the driver, or neither within `most` samples.
std::string end_of(const BenchEntry& entry, const ModelOptions& options, std::size_t most) {
  EmulatedRig rig(entry);
  rig.plug(options);
  auto source = rig.open();
  if (!source) return source.error().text();
  auto settings = entropy::health_settings((*source)->description(), 1000);
  if (!settings) return settings.error().text();
  entropy::Gate gate(*settings, 0);
  Bytes samples(4096);
  for (std::size_t total = 0; total < most;) {
    const std::int64_t asked_ns = rig.bus.clock().monotonic_ns();
    const auto got = (*source)->read(samples, 500);
    if (!got) return std::string(got.error().code);
    total += *got;
    const auto report = gate.feed(std::span(samples).first(*got),
                                  {.asked_ns = asked_ns, .came_ns = rig.bus.clock().monotonic_ns()});
    if (report.alarm.level > 0) return "gate";
  }
  return "healthy";
}

}  // namespace

TEST_P(Conformance, HealthyNoiseRaisesNoAlarm) {
  EXPECT_EQ(end_of(GetParam(), {}, 1'500'000), "healthy");
}

TEST_P(Conformance, EveryIllnessEndsWhereItShould) {
  struct Case {
    const char* name;
    Ailment ailment;
  };
  constexpr std::size_t most = 1'500'000;
  for (const Case& each : {Case{"stuck", Ailment::stuck}, Case{"bias", Ailment::bias},
                           Case{"drift", Ailment::drift}, Case{"periodic", Ailment::periodic},
                           Case{"correlated", Ailment::correlated}, Case{"burst", Ailment::burst}}) {
    const std::string end =
        end_of(GetParam(), {.noise = {.ailment = each.ailment, .onset = 100'000, .permille = 900}}, most);
    EXPECT_TRUE(end == "gate" || end == "usb_unhealthy" || end == "usb_silent")
        << each.name << " ended " << end;
  }
  const std::string dead =
      end_of(GetParam(), {.noise = {.ailment = Ailment::silent, .onset = 100'000}}, most);
  EXPECT_TRUE(dead == "usb_silent" || dead == "usb_timed_out") << dead;
}

namespace {

std::string name_of(const ::testing::TestParamInfo<BenchEntry>& about) {
  return about.param.name;
}

}  // namespace

INSTANTIATE_TEST_SUITE_P(Bench, Conformance, ::testing::ValuesIn(emulator::bench()), name_of);
INSTANTIATE_TEST_SUITE_P(Bench, StrictConformance, ::testing::ValuesIn(strict_ones()), name_of);

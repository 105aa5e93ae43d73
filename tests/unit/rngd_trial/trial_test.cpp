// Goal: `talla devices try` tells a device that works from one that is ill, slow, deaf, foreign or
// pulled out, and shows the bytes wherever one answers otherwise than the emulation; its reference
// is what the emulation says.
// Method: ring 1: every emulated device of the bench on simulated time, healthy and with each
//         fault.
#include "trial/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "../usb/conformance.hpp"
#include "base/secret.hpp"

namespace talla::trial {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using usb::test::EmulatedRig;

/// Bytes a second on the wire, of every device: the bus of the ring would else be infinitely fast.
constexpr std::uint64_t wire_rate = 480'000;

Options quick() {
  Options options;
  options.stage_ms = 1000;  // the start-up test takes 131,072 samples
  options.samples_max = 20'000;
  options.machine = "ring 1";
  return options;
}

const emulator::BenchEntry& entry(std::string_view name) {
  for (const emulator::BenchEntry& each : emulator::bench()) {
    if (name == each.name) return each;
  }
  std::abort();
}

Report tried(
    EmulatedRig& rig, const Options& options, const Tell& tell = [](const std::string&) {}) {
  return try_device(rig.transport, usb::builtin_registry(), rig.bus.clock(), options, tell);
}

const Stage& stage(const Report& report, std::string_view name) {
  for (const Stage& each : report.stages) {
    if (each.name == name) return each;
  }
  std::abort();
}

std::string all_words(const Report& report) {
  std::string text;
  for (const std::string& line : report.words()) text += line + "\n";
  return text;
}

/// Where TALLA_WRITE_REFERENCE names a file, the entries of reference.cpp are added to it.
void write_reference(const emulator::BenchEntry& about, const Report& report) {
  const char* path = std::getenv("TALLA_WRITE_REFERENCE");  // NOLINT(concurrency-mt-unsafe)
  if (path == nullptr) return;
  std::ofstream file(path, std::ios::app);
  file << "    {.name = \"" << about.name << "\",\n     .model = \"" << about.driver
       << "\",\n     .text = R\"(";
  for (const std::string& line : reference_lines(report.device, report.transcript))
    file << line << "\n";
  file << ")\"},\n";
}

class Trials : public ::testing::TestWithParam<emulator::BenchEntry> {};

TEST_P(Trials, an_emulated_device_works_in_every_stage_and_is_as_the_reference_says) {
  EmulatedRig rig(GetParam());
  emulator::DeviceModel& model = rig.plug({.rate = wire_rate});
  const Report report = tried(rig, quick(), [&](const std::string& what) {
    if (what.starts_with("pull")) model.set_faults({.gone_after = model.sent() + 20'000});
  });
  write_reference(GetParam(), report);
  EXPECT_EQ(report.verdict(), Verdict::good) << all_words(report);
  EXPECT_TRUE(report.differences.empty()) << all_words(report);
  ASSERT_EQ(report.stages.size(), 8U);
  for (const Stage& each : report.stages)
    EXPECT_EQ(each.verdict, Verdict::good) << each.name << all_words(report);
  EXPECT_EQ(report.model, GetParam().driver);
  EXPECT_GE(stage(report, "stall").figures.at("stalls").integer(), 1);
  EXPECT_EQ(stage(report, "unplug").figures.at("error").string(), "usb_gone");
  const json::Value file = report.to_json();
  EXPECT_TRUE(json::is_ascii(file));
  EXPECT_EQ(*json::parse(json::canonical(file)), file);
  EXPECT_EQ(file.find("type")->string(), "talla-device-trial");
  EXPECT_FALSE(file.find("stream")->array().empty());
}

std::string entry_name(const ::testing::TestParamInfo<emulator::BenchEntry>& about) {
  return about.param.name;
}
INSTANTIATE_TEST_SUITE_P(Bench, Trials, ::testing::ValuesIn(emulator::bench()), entry_name);

TEST(Trial, answers_that_differ_are_shown_with_their_bytes) {
  EmulatedRig rig(entry("OneRng"));
  rig.bus.plug(emulator::onerng(
      {.rate = wire_rate, .firmware_version = 0}));  // it says nothing of its version
  const Report report = tried(rig, quick());
  EXPECT_EQ(report.verdict(), Verdict::failed) << all_words(report);
  EXPECT_THAT(all_words(report), HasSubstr("version=none")) << "and what to do about it";
  const auto asked = std::ranges::find(report.differences, "bulk in 85 [64]", &Difference::what);
  ASSERT_NE(asked, report.differences.end()) << all_words(report);
  EXPECT_THAT(asked->here, HasSubstr("usb_timed_out"));
  EXPECT_THAT(asked->emulation, HasSubstr("Version #"));
  EXPECT_THAT(all_words(report), HasSubstr("otherwise than the emulation"));
}

TEST(Trial, an_error_is_the_same_one_whatever_words_a_bus_has_for_it) {
  EXPECT_EQ(normal("usb_timed_out: bulk read from 1d50:6086 at 1-4: LIBUSB_ERROR_TIMEOUT"),
            normal("usb_timed_out: nothing came"));
  EXPECT_NE(normal("usb_stalled: nothing came"), normal("usb_timed_out: nothing came"));
}

TEST(Trial, another_version_is_no_difference) {
  EmulatedRig rig(entry("OneRng"));
  rig.bus.plug(emulator::onerng({.rate = wire_rate, .firmware_version = 3}));
  const Report report = tried(rig, quick());
  EXPECT_TRUE(report.differences.empty()) << all_words(report);
  EXPECT_EQ(stage(report, "raw read").figures.at("firmware_version").integer(), 3);
}

TEST(Trial, another_name_or_layout_is_a_difference_and_an_impostor_is_told_what_to_do) {
  EmulatedRig rig(entry("InfiniteNoise"));
  rig.bus.plug(emulator::infnoise({.rate = wire_rate, .product = "FT240X USB FIFO"}));
  const Report refused = tried(rig, quick());
  EXPECT_EQ(refused.verdict(), Verdict::failed);
  EXPECT_EQ(stage(refused, "enumerate").verdict, Verdict::failed);
  EXPECT_EQ(stage(refused, "detach").verdict, Verdict::not_tried);
  EXPECT_THAT(all_words(refused), HasSubstr("product=any"));
  ASSERT_EQ(refused.differences.size(), 1U);
  EXPECT_EQ(refused.differences[0].here, "product: FT240X USB FIFO");
  EXPECT_EQ(refused.differences[0].emulation, "product: Infinite Noise TRNG");

  Options options = quick();
  options.device = "infnoise:0123";
  options.settings = "product=any";
  options.driver.settings = *usb::parse_settings(options.settings);
  const Report taken = tried(rig, options);
  EXPECT_EQ(stage(taken, "raw read").verdict, Verdict::good) << all_words(taken);
  EXPECT_EQ(taken.verdict(), Verdict::differs);
}

TEST(Trial, a_device_that_does_not_answer_shows_the_last_that_was_said) {
  EmulatedRig rig(entry("BitBabblerWhite"));
  emulator::DeviceModel& model = rig.plug({.rate = wire_rate});
  model.set_faults({.deaf_setups = 1000});
  const Report report = tried(rig, quick());
  EXPECT_EQ(report.verdict(), Verdict::failed);
  EXPECT_EQ(stage(report, "detach").verdict, Verdict::failed);
  const std::string words = all_words(report);
  EXPECT_THAT(words, HasSubstr("does not work here yet"));
  EXPECT_THAT(words, HasSubstr("the last that was said"));
  EXPECT_THAT(words, HasSubstr("bulk out 02 aa87"));
  EXPECT_THAT(words, HasSubstr("send the report in"));
}

TEST(Trial, noise_that_is_less_than_its_claim_fails_the_estimate_and_a_stuck_source_the_gate) {
  using emulator::Ailment;
  EmulatedRig biased(entry("ChaosKey"));
  biased.plug(
      {.noise = {.ailment = Ailment::bias, .onset = 1, .permille = 600}, .rate = wire_rate});
  Options options = quick();
  options.driver.assessed_millibits_per_sample = 7900;
  const Report less = tried(biased, options);
  EXPECT_EQ(stage(less, "estimate").verdict, Verdict::failed) << all_words(less);
  EXPECT_THAT(all_words(less), HasSubstr("CONTRADICT"));
  EXPECT_LT(stage(less, "estimate").figures.at("millibits").integer(), 7900);

  EmulatedRig stuck(entry("SwiftRng"));
  stuck.plug({.noise = {.ailment = Ailment::stuck, .onset = 1}, .rate = wire_rate});
  const Report dead = tried(stuck, quick());
  EXPECT_EQ(stage(dead, "health").verdict, Verdict::failed) << all_words(dead);
  EXPECT_THAT(all_words(dead), HasSubstr("repetition"));
  EXPECT_EQ(dead.verdict(), Verdict::failed);
}

TEST(Trial, a_rate_that_is_not_the_stated_one_differs_and_pulling_out_in_the_middle_ends_it) {
  EmulatedRig rig(entry("ChaosKey"));
  rig.plug({.rate = wire_rate});
  Options options = quick();
  options.driver.nominal_rate_hz = 1'000'000;
  const Report slow = tried(rig, options);
  EXPECT_EQ(stage(slow, "rate").verdict, Verdict::differs) << all_words(slow);

  EmulatedRig pulled(entry("ChaosKey"));
  emulator::DeviceModel& model = pulled.plug({.rate = wire_rate});
  model.set_faults({.gone_after = 100'000});
  const Report gone = tried(pulled, quick());
  EXPECT_EQ(stage(gone, "raw read").verdict, Verdict::failed);
  EXPECT_EQ(stage(gone, "rate").verdict, Verdict::not_tried);
  EXPECT_THAT(all_words(gone), HasSubstr("look at the cable"));
}

TEST(Trial, a_rate_that_nobody_stated_is_held_to_itself_as_in_the_appliance) {
  EmulatedRig rig(entry("ChaosKey"));
  // 24,000 samples a second, until a tenth of it from the 75th second on.
  rig.plug({.noise = {.ailment = emulator::Ailment::slow, .onset = 1'800'000, .permille = 100},
            .rate = 48'000});
  Options options = quick();
  options.stage_ms = 30'000;
  const Report report = tried(rig, options);
  EXPECT_EQ(stage(report, "rate").verdict, Verdict::good) << all_words(report);
  // The driver's figure is assumed: the report says so, and holds nothing against the unit.
  EXPECT_THAT(all_words(report), HasSubstr(" % of the 480000/s that its driver states (assumed"));
  EXPECT_EQ(stage(report, "health").verdict, Verdict::failed) << all_words(report);
  EXPECT_THAT(all_words(report), HasSubstr("alarm: rate"));
}

TEST(Trial, nothing_attached_is_said_and_nothing_else_tried) {
  EmulatedRig rig(entry("ChaosKey"));
  const Report report = tried(rig, quick());
  EXPECT_EQ(report.verdict(), Verdict::failed);
  for (std::size_t k = 1; k < report.stages.size(); ++k)
    EXPECT_EQ(report.stages[k].verdict, Verdict::not_tried);
  EXPECT_TRUE(report.differences.empty());
}

TEST(Trial, who_does_not_pull_it_out_has_one_stage_less) {
  EmulatedRig rig(entry("ChaosKey"));
  rig.plug({.rate = wire_rate});
  Options options = quick();
  options.unplug = false;
  const Report report = tried(rig, options);
  EXPECT_EQ(report.verdict(), Verdict::good) << all_words(report);
  EXPECT_EQ(stage(report, "unplug").verdict, Verdict::not_tried);
}

/// A trial whose slices of the rate are too short for a read; `wiped` counts from there to its end.
struct ShortTrial {
  explicit ShortTrial(std::size_t samples_max) {
    EmulatedRig rig(entry("ChaosKey"));
    rig.plug({.rate = wire_rate});
    Options options = quick();
    options.stage_ms = 9;
    options.samples_max = samples_max;
    std::uint64_t before = 0;
    const Report report = tried(rig, options, [&](const std::string& what) {
      if (what.starts_with("rate")) before = wiped_bytes();
    });
    wiped = wiped_bytes() - before;
    samples = static_cast<std::uint64_t>(stage(report, "raw read").figures.at("samples").integer());
    EXPECT_EQ(stage(report, "rate").verdict, Verdict::failed);
    EXPECT_EQ(stage(report, "health").verdict, Verdict::not_tried);
  }
  std::uint64_t wiped = 0;
  std::uint64_t samples = 0;
};

TEST(Trial, what_was_read_and_what_was_kept_of_it_is_wiped) {
  constexpr std::uint64_t piece = 4096;
  const ShortTrial none(0);
  const ShortTrial all(250'000);
  ASSERT_GT(all.samples, 0U);
  ASSERT_EQ(all.samples, none.samples);
  EXPECT_EQ(all.wiped - none.wiped, all.samples) << "what was kept for the estimate";
  EXPECT_GE(none.wiped, 10 * piece) << "the buffer of each slice";
}

}  // namespace
}  // namespace talla::trial

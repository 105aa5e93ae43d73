// Goal: what the drivers say to their devices is what the data sheets ask for, and their own checks
//       see what they are for.
// Method: the dialogue an emulated device has heard, word for word; circuits with a wrong gain, a
//         low supply, a dead source.
#include "usb/drivers.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "conformance.hpp"
#include "support/source_tree.hpp"
#include "support/wiped.hpp"

using namespace talla;
using namespace talla::usb;
using namespace talla::usb::test;
using emulator::BenchEntry;

namespace {

const BenchEntry& entry(std::string_view name) {
  for (const BenchEntry& each : emulator::bench()) {
    if (name == each.name) return each;
  }
  std::abort();
}

/// A device opened with settings, or the error.
class Drivers : public ::testing::Test {
 protected:
  Result<std::unique_ptr<UsbNoiseSource>> open(std::string_view settings = {}) {
    return rig_->open("auto", {.settings = *parse_settings(settings)});
  }
  emulator::DeviceModel& plug(std::string_view name) {
    rig_ = std::make_unique<EmulatedRig>(entry(name));
    return rig_->plug();
  }
  emulator::DeviceModel& plug(std::string_view name, emulator::Model model) {
    rig_ = std::make_unique<EmulatedRig>(entry(name));
    return rig_->bus.plug(std::move(model));
  }
  /// Reads until an error or so many samples.
  static Result<std::size_t> read(UsbNoiseSource& source, std::size_t most) {
    Bytes piece(4096);
    std::size_t total = 0;
    while (total < most) {
      TALLA_TRY(const std::size_t got, source.read(piece, 500));
      total += got;
    }
    return total;
  }
  std::unique_ptr<EmulatedRig> rig_;
};

using Lines = std::vector<std::string>;
Lines first(const Lines& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

TEST_F(Drivers, infinite_noise_is_set_up_in_the_order_of_its_library) {
  const emulator::DeviceModel& model = plug("InfiniteNoise");
  const auto source = open();
  ASSERT_TRUE(source);
  ASSERT_TRUE(read(**source, 512));
  EXPECT_EQ(first(model.dialogue(), 7),
            (Lines{"40 00 0000 0001", "40 09 0001 0001", "40 03 0064 0001", "40 0b 04ed 0001",
                   "40 00 0001 0001", "40 00 0002 0001",
                   "> 0401040104010401040104010401040104010401040104010401040104010401"}));
}

TEST_F(Drivers, bit_babbler_is_synchronised_and_its_pins_set) {
  const emulator::DeviceModel& model = plug("BitBabblerWhite");
  ASSERT_TRUE(open());
  EXPECT_EQ(model.dialogue(),
            (Lines{"40 00 0000 0001", "40 06 0000 0001", "40 07 0000 0001",
                   // 512 x 8000 / 2500000 + 2 = 3 ms
                   "40 09 0003 0001", "40 02 0000 0101", "40 0b 0000 0001", "40 0b 0200 0001",
                   "c0 05 0000 0001", "40 00 0001 0001", "> aa87", "> ab87",
                   // 30 MHz / 2.5 MHz - 1 = 11; all four generators on: direction 0b00001011
                   "> 8a978d80000b820000860b0085"}));
}

TEST_F(Drivers, what_a_set_up_reads_and_drops_is_wiped) {
  const auto dropped = [this](std::string_view name) {
    plug(name);
    return talla::test::wiped_by([&] { EXPECT_TRUE(open()) << name; });
  };
  EXPECT_EQ(dropped("Quantis"), 4096U);
  EXPECT_GT(dropped("BitBabblerWhite"), 0U);
}

TEST_F(Drivers, infinite_noise_wipes_each_block_behind_its_samples) {
  plug("InfiniteNoise");
  auto source = std::move(*open());
  ASSERT_TRUE(read(*source, 100'000));
  Bytes block(512);
  ASSERT_EQ(source->read(block, 500).value(), 512U);
  // The transfer with its status bytes, the block, what was handed out.
  EXPECT_EQ(talla::test::wiped_by([&] { EXPECT_EQ(source->read(block, 500).value(), 512U); }),
            512U + 9 * 2 + 512U + 512U);
}

TEST_F(Drivers, bit_babbler_wipes_what_it_has_folded_and_what_it_had_not_yet) {
  plug("BitBabblerWhite");
  auto unfolded = std::move(*open());
  Bytes piece(65'536);
  std::size_t got = 0;
  ASSERT_TRUE(read(*unfolded, 100'000));
  const std::uint64_t of_one =
      talla::test::wiped_by([&] { got = unfolded->read(piece, 500).value(); });
  const std::uint64_t transfer = of_one - got;  // as it was handed out, and as it came
  ASSERT_GT(transfer, got);

  constexpr std::size_t request = 16'384;
  plug("BitBabblerWhite");
  auto source = std::move(*open("fold=1"));
  const auto read_one = [&] {
    for (std::size_t total = 0; total < request / 2;)
      total += source->read(std::span(piece).first(request / 2 - total), 500).value();
  };
  for (int k = 0; k < 20; ++k) read_one();  // what grows has grown
  const std::uint64_t transfers = source->counters().transfers;
  const std::uint64_t wiped = talla::test::wiped_by(read_one);
  EXPECT_EQ(wiped, (source->counters().transfers - transfers) * transfer + request + request / 2);
  // Part of the next request waits unfolded, and no sample.
  const std::uint64_t once = talla::test::wiped_by([&] { ASSERT_TRUE(source->renew()); });
  const std::uint64_t again = talla::test::wiped_by([&] { ASSERT_TRUE(source->renew()); });
  EXPECT_GT(once, again);
}

TEST_F(Drivers, bit_babblers_mask_and_rate_reach_the_pins) {
  struct Case {
    const char* name;
    const char* settings;
    const char* commands;
  };
  for (const Case& each : {Case{"BitBabblerWhite", "mask=1", "> 8a978d8000eb820000860b0085"},
                           Case{"BitBabblerWhite", "mask=8", "> 8a978d80007b820000860b0085"},
                           Case{"BitBabblerWhite", "rate=458", "> 8a978d80000b82000086ddff85"},
                           Case{"BitBabblerWhite", "rate=30000000", "> 8a978d80000b82000086000085"},
                           // as the maker's program, which drives no enable pin of either model
                           Case{"BitBabblerBlack", "", "> 8a978d80000b820000860b0085"}}) {
    const emulator::DeviceModel& model = plug(each.name);
    ASSERT_TRUE(open(each.settings)) << each.settings;
    EXPECT_EQ(model.dialogue().back(), each.commands) << each.settings;
  }
  plug("BitBabblerBlack");
  EXPECT_TRUE(open("mask=2").error().is(UsbErrc::bad_option));
  EXPECT_TRUE(open("mask=1").error().is(UsbErrc::bad_option))
      << "it has one generator, and no mask";
  EXPECT_EQ((*open())->description().assessed_millibits_per_sample, 1000U) << "one generator";
}

TEST_F(Drivers, bit_babbler_is_set_up_anew_where_the_chip_gives_no_first_answer) {
  for (const unsigned deaf : {1U, 19U}) {
    emulator::DeviceModel& model = plug("BitBabblerWhite");
    model.set_faults({.deaf_setups = deaf});
    auto source = open();
    ASSERT_TRUE(source) << deaf << ": " << source.error().text();
    EXPECT_EQ(std::ranges::count(model.dialogue(), "40 0b 0200 0001"), deaf + 1);
    EXPECT_TRUE(read(**source, 20'000));
  }
  emulator::DeviceModel& model = plug("BitBabblerWhite");
  model.set_faults({.deaf_setups = 20});
  const auto refused = open();
  ASSERT_FALSE(refused) << "the maker's program gives up after twenty";
  EXPECT_TRUE(refused.error().is(UsbErrc::nonsense)) << refused.error().text();
  EXPECT_NE(refused.error().detail.find("after 20 set-ups"), std::string::npos);
}

TEST_F(Drivers, bit_babbler_folds_the_second_half_onto_the_first_and_is_then_not_credited) {
  for (const unsigned fold : {1U, 3U}) {
    const emulator::DeviceModel& model = plug("BitBabblerWhite");
    auto source = open("fold=" + std::to_string(fold));
    ASSERT_TRUE(source);
    EXPECT_EQ((*source)->description().source_class, entropy::SourceClass::conditioned_physical);
    Bytes folded(16384U >> fold);
    std::size_t filled = 0;
    while (filled < folded.size()) {
      const auto got = (*source)->read(std::span(folded).subspan(filled), 500);
      ASSERT_TRUE(got);
      filled += *got;
    }
    Bytes expected(model.truth().begin(), model.truth().begin() + 16384);
    for (unsigned k = 0; k < fold; ++k) {
      const std::size_t half = expected.size() / 2;
      for (std::size_t at = 0; at < half; ++at) expected[at] ^= expected[half + at];
      expected.resize(half);
    }
    EXPECT_EQ(folded, expected);
  }
}

TEST_F(Drivers, one_rng_is_paused_emptied_switched_and_started) {
  const emulator::DeviceModel& model = plug("OneRng");
  ASSERT_TRUE(open());
  EXPECT_EQ(model.dialogue(),
            (Lines{"21 22 0003 0000", "> 636d646f0a",
                   // sources off, pool emptied, version, run; paused again
                   "> 636d64340a", "> 636d64770a", "> 636d64760a", "> 636d644f0a", "> 636d646f0a",
                   "> 636d64310a", "> 636d64770a", "> 636d644f0a"}));
  plug("OneRng");
  EXPECT_EQ((*open("mode=avalanche"))->description().source_class,
            entropy::SourceClass::conditioned_physical);
}

TEST_F(Drivers, one_rng_says_its_firmware_and_another_than_the_assessed_one_is_refused) {
  plug("OneRng", emulator::onerng({.firmware_version = 3}));
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->counters().figures, (DeviceFigures{.firmware_version = 3}));
  ASSERT_TRUE(read(**source, 10'000)) << "the question leaves nothing in the stream";
  EXPECT_TRUE(open("version=3"));
  const auto other = open("version=2");
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().is(UsbErrc::impostor));
  EXPECT_NE(other.error().detail.find("version 3, its settings say 2"), std::string::npos);
  plug("OneRng", emulator::onerng({.firmware_version = 0}));
  const auto mute = open();
  ASSERT_FALSE(mute) << "an answer that came later would be taken for noise";
  EXPECT_TRUE(mute.error().is(UsbErrc::timed_out));
  EXPECT_NE(mute.error().detail.find("version=none"), std::string::npos);
  EXPECT_FALSE(open("version=2"));
  EXPECT_TRUE(open("version=none"));
  for (const char* wrong : {"version=0", "version=two", "version=65536", "version=2x"})
    EXPECT_TRUE(open(wrong).error().is(UsbErrc::bad_option)) << wrong;
}

TEST_F(Drivers, infinite_noise_gives_nothing_of_its_first_80000_bits) {
  const emulator::DeviceModel& model = plug("InfiniteNoise");
  auto source = open();
  ASSERT_TRUE(source);
  Bytes got(512);
  std::size_t filled = 0;
  while (filled == 0) filled = (*source)->read(got, 500).value_or(1);
  got.resize(filled);
  constexpr std::ptrdiff_t warm_up = 157 * 512;
  ASSERT_GE(model.truth().size(), static_cast<std::size_t>(warm_up) + filled);
  EXPECT_TRUE(std::equal(got.begin(), got.end(), model.truth().begin() + warm_up));
}

TEST_F(Drivers, infinite_noise_that_is_ill_at_its_start_is_waited_for_within_a_bound) {
  using emulator::Ailment;
  plug("InfiniteNoise", emulator::infnoise({.noise = {.ailment = Ailment::stuck, .onset = 1}}));
  auto source = open();
  ASSERT_TRUE(source);
  const auto dead = read(**source, 1);
  ASSERT_FALSE(dead);
  EXPECT_TRUE(dead.error().is(UsbErrc::unhealthy)) << dead.error().text();
  EXPECT_NE(dead.error().detail.find("within 2000 blocks"), std::string::npos)
      << dead.error().text();
  EXPECT_EQ((*source)->counters().samples, 0U);
}

TEST_F(Drivers, infinite_noise_without_its_name_is_taken_by_setting_and_serial_alone) {
  const emulator::ModelOptions bare{.product = "FT240X USB FIFO"};
  plug("InfiniteNoise", emulator::infnoise(bare));
  const DriverOptions any{.settings = *parse_settings("product=any")};
  const auto plain = rig_->open("infnoise:0123");
  ASSERT_FALSE(plain);
  EXPECT_NE(plain.error().detail.find("product=any"), std::string::npos)
      << "says how: " << plain.error().text();
  EXPECT_TRUE(rig_->open("auto", any).error().is(UsbErrc::bad_option))
      << "an FT240X may be anything";
  EXPECT_TRUE(rig_->open("infnoise", any).error().is(UsbErrc::bad_option));
  EXPECT_TRUE(rig_->open("infnoise:9999", any).error().is(UsbErrc::no_device));
  for (const char* selector : {"infnoise:0123", "infnoise@1-1"}) {
    auto source = rig_->open(selector, any);
    ASSERT_TRUE(source) << selector << ": " << source.error().text();
    EXPECT_TRUE(read(**source, 1000));
  }
  plug("InfiniteNoise");
  EXPECT_TRUE(open("product=none").error().is(UsbErrc::bad_option));
  plug("ChaosKey");
  EXPECT_TRUE(rig_->open("chaoskey:0123", any).error().is(UsbErrc::bad_option))
      << "of no other model";
}

TEST_F(Drivers, quantis_is_given_its_second_behind_enable) {
  const emulator::DeviceModel& model = plug("Quantis", emulator::quantis_asleep({}));
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_GE(rig_->bus.clock().monotonic_ns(), 1'000'000'000);
  EXPECT_EQ(std::ranges::count(model.dialogue(), "41 12 0000 0000"), 1);
  EXPECT_TRUE(read(**source, 5000));
}

TEST_F(Drivers, one_rng_without_a_source_is_silent_and_its_stuck_source_too) {
  plug("OneRng");
  auto source = open("mode=silent");
  ASSERT_TRUE(source);
  EXPECT_TRUE(read(**source, 1).error().is(UsbErrc::silent));
  plug("OneRng", emulator::onerng({.noise = {.ailment = emulator::Ailment::stuck, .onset = 5000}}));
  source = open();
  ASSERT_TRUE(source);
  EXPECT_TRUE(read(**source, 100'000).error().is(UsbErrc::silent));
}

TEST_F(Drivers, true_rng_flows_while_dtr_is_set_and_what_was_buffered_is_dropped) {
  const emulator::DeviceModel& model = plug("TrueRng");
  ASSERT_TRUE(open());
  EXPECT_EQ(model.dialogue(), (Lines{"21 22 0000 0000", "21 22 0001 0000"}));
}

TEST_F(Drivers, true_rng_pro_knocks_for_the_voltage_and_then_for_its_mode) {
  const emulator::DeviceModel& model = plug("TrueRngPro");
  ASSERT_TRUE(open());
  const Lines knock{"21 20 0000 0000 6e000000000008", "21 22 0001 0000", "21 22 0000 0000",
                    "21 20 0000 0000 2c010000000008", "21 22 0001 0000", "21 22 0000 0000",
                    "21 20 0000 0000 6e000000000008", "21 22 0001 0000", "21 22 0000 0000"};
  Lines expected = knock;
  expected.insert(expected.end(),
                  {"21 20 0000 0000 b0040000000008", "21 22 0001 0000", "21 22 0000 0000"});
  expected.insert(expected.end(), knock.begin(), knock.end());
  expected.insert(expected.end(), {"21 20 0000 0000 004b0000000008", "21 22 0001 0000"});
  EXPECT_EQ(model.dialogue(), expected);
}

TEST_F(Drivers, true_rng_pro_with_a_wrong_supply_is_unhealthy) {
  for (const unsigned millivolts : {0U, 999U, 100'001U}) {
    plug("TrueRngPro", emulator::truerng_pro_at({}, millivolts));
    const auto source = open();
    ASSERT_FALSE(source) << millivolts;
    EXPECT_TRUE(source.error().is(UsbErrc::unhealthy)) << source.error().text();
  }
  plug("TrueRngPro", emulator::truerng_pro_at({}, 4700));
  EXPECT_TRUE(open("millivolts-min=4750,millivolts-max=5250").error().is(UsbErrc::unhealthy));
  plug("TrueRngPro", emulator::truerng_pro_at({}, 5100));
  const auto powered = open("millivolts-min=4750,millivolts-max=5250");
  ASSERT_TRUE(powered);
  EXPECT_EQ((*powered)->counters().figures, (DeviceFigures{.supply_millivolts = 5100}));
}

TEST_F(Drivers, true_rng_pros_modes_are_raw_or_not) {
  plug("TrueRngPro");
  EXPECT_TRUE(open("mode=unwhitened").error().is(UsbErrc::bad_option)) << "V2 only";
  plug("TrueRngProV2");
  EXPECT_EQ((*open("mode=unwhitened"))->description().source_class,
            entropy::SourceClass::raw_physical);
  for (const char* mode : {"mode=normal", "mode=generator-1", "mode=generator-2"}) {
    plug("TrueRngPro");
    EXPECT_EQ((*open(mode))->description().source_class, entropy::SourceClass::conditioned_physical)
        << mode;
  }
}

TEST_F(Drivers, swift_rng_asks_for_the_chosen_source) {
  struct Case {
    const char* settings;
    const char* command;
  };
  for (const Case& each :
       {Case{"", "> 3c"}, Case{"noise=2", "> 3e"}, Case{"noise=processed", "> 78"}}) {
    const emulator::DeviceModel& model = plug("SwiftRng");
    auto source = open(each.settings);
    ASSERT_TRUE(source);
    ASSERT_TRUE(read(**source, 100));
    EXPECT_EQ(model.dialogue(), (Lines{"> 76", each.command}));
    EXPECT_EQ((*source)->description().source_class == entropy::SourceClass::raw_physical,
              std::string(each.settings) != "noise=processed");
  }
}

TEST_F(Drivers, quantis_is_asked_for_its_status_before_each_packet) {
  const emulator::DeviceModel& model = plug("Quantis");
  auto source = open();
  ASSERT_TRUE(source);
  const auto asked = [&] { return std::ranges::count(model.dialogue(), "c1 13 0000 0000"); };
  const auto before = asked();
  ASSERT_TRUE(read(**source, 512UL * 20));
  EXPECT_GE(asked() - before, 20);
  EXPECT_GE(model.sent(), 4096U + 512U * 20U) << "4,096 bytes are dropped first";
}

TEST_F(Drivers, a_wrong_gain_ends_infinite_noise) {
  struct Case {
    unsigned gain_permille;
    bool good;
  };
  constexpr std::size_t samples = 3'000'000;
  for (const Case& each : {Case{1840, true}, Case{1820, true}, Case{1860, true}, Case{1750, false},
                           Case{1940, false}, Case{1500, false}}) {
    plug("InfiniteNoise", emulator::infnoise_with_gain({}, each.gain_permille));
    auto source = open();
    ASSERT_TRUE(source);
    const auto got = read(**source, samples);
    EXPECT_EQ(got.has_value(), each.good)
        << each.gain_permille << " " << (got ? "" : got.error().text());
    // The emulated multiplier is the model the estimator assumes: its figure is right within 1 %.
    if (got) {
      EXPECT_NEAR(static_cast<double>((*source)->counters().figures.gain_permille),
                  each.gain_permille, 18);
    }
    if (!got) {
      EXPECT_TRUE(got.error().is(UsbErrc::unhealthy));
    }
  }
}

TEST_F(Drivers, a_slow_block_of_infinite_noise_is_thrown_away) {
  // 512 samples at 90,000 a second take 5.7 ms: every block is too slow, and no sample comes.
  plug("InfiniteNoise", emulator::infnoise({.rate = 90'000}));
  auto source = open();
  ASSERT_TRUE(source);
  EXPECT_TRUE(read(**source, 1).error().is(UsbErrc::silent));
  EXPECT_GT((*source)->counters().dropped_blocks, 100U);
  EXPECT_EQ((*source)->counters().samples, 0U);
  plug("InfiniteNoise", emulator::infnoise({.rate = 480'000}));
  source = open();
  ASSERT_TRUE(source);
  EXPECT_TRUE(read(**source, 100'000));
  EXPECT_EQ((*source)->counters().dropped_blocks, 0U);
}

TEST_F(Drivers, the_variance_of_chaos_keys_words_is_told_in_squared_steps) {
  plug("ChaosKey");
  auto source = open();
  ASSERT_TRUE(source);
  EXPECT_EQ((*source)->counters().figures, DeviceFigures{});
  ASSERT_TRUE(read(**source, 10'000));
  // The emulated words are sums of four uniform parts of 10 bits: 4 x (1024^2 - 1) / 12 = 349,525;
  // six deviations of an estimate from 4,096 words, sqrt(2 / 4096) each, are 13 %.
  EXPECT_NEAR(static_cast<double>((*source)->counters().figures.sample_variance), 349'525, 46'000);
}

TEST_F(Drivers, a_flat_converter_ends_the_chaos_key) {
  auto driver = builtin_registry().makers().front()();
  ASSERT_EQ(driver->model(), "chaoskey");
  SecretBytes samples;
  Bytes flat;
  for (unsigned k = 0; k < 4096;
       ++k) {  // 2048 +- 64: a deviation of 64, half of what the firmware asks for
    const unsigned word = 2048U + (k % 2 == 0 ? 64U : 0U) - (k % 2 == 0 ? 0U : 64U);
    flat.insert(flat.end(),
                {static_cast<std::uint8_t>(word & 0xFFU), static_cast<std::uint8_t>(word >> 8U)});
  }
  EXPECT_TRUE(driver->decode(ByteView(flat).first(8190), 0, samples));
  const auto ended = driver->decode(ByteView(flat).subspan(8190), 0, samples);
  ASSERT_FALSE(ended);
  EXPECT_TRUE(ended.error().is(UsbErrc::unhealthy));
}

TEST(DriverSettings, are_keys_and_values) {
  EXPECT_TRUE(parse_settings("")->empty());
  EXPECT_EQ(*parse_settings("mode=raw,mask=3"), (Settings{{"mask", "3"}, {"mode", "raw"}}));
  for (const char* bad : {"mode", "mode=", "=raw", "mode=raw,", ",mode=raw", "mode=raw,,mask=1",
                          "mode=raw,mode=raw", "Mode=raw", "mode=a b", "mode=\n"}) {
    EXPECT_TRUE(parse_settings(bad).error().is(UsbErrc::bad_option)) << bad;
  }
}

TEST(DriverList, the_shipped_udev_rules_are_those_of_the_list) {
  std::ifstream file(talla::test::source_tree() / "rngd/packaging/60-talla.rules");
  const std::string shipped((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(shipped, udev_rules(builtin_registry(), "talla-source"));
  EXPECT_NE(shipped.find("ATTR{idVendor}==\"1d50\", ATTR{idProduct}==\"60c6\""), std::string::npos);
}

TEST(DriverList, every_model_has_its_own_name_and_says_what_it_is) {
  std::vector<std::string> names;
  for (const Registry::Maker maker : builtin_registry().makers()) {
    const auto driver = maker();
    names.emplace_back(driver->model());
    EXPECT_FALSE(driver->quirks().empty()) << names.back();
    EXPECT_FALSE(driver->claim().origin.empty()) << names.back();
    for (const Match& match : driver->matches())
      EXPECT_FALSE(match.product_prefix.empty()) << names.back();
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::unique(names).size(), 0U);
  EXPECT_EQ(names.size(), 11U);
}

}  // namespace

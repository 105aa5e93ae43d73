// Goal: every supported generator is found, described, read and lost as its protocol and the
//       house's policy say.
// Method: each emulated device below its driver and the common engine; one fault at a time, then
// random ones. What the device's noise yielded is the truth that the samples are held against.
// Which ring it is stands behind ring.hpp: ring_1.cpp, on simulated time.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "entropy/gate.hpp"
#include "entropy/health_cutoffs.hpp"
#include "ring.hpp"

using namespace talla;
using namespace talla::usb;
using namespace talla::usb::test;
using talla::emulator::Ailment;
using talla::emulator::BenchEntry;
using talla::emulator::Faults;
using talla::emulator::ModelOptions;

namespace {

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

class Conformance : public ::testing::TestWithParam<BenchEntry> {
 protected:
  void SetUp() override { ring_ = make_ring(GetParam()); }
  emulator::DeviceModel& plug(const ModelOptions& options = {}) { return ring_->plug(options); }
  /// In so many unbroken pieces, blocks that a driver dropped by its rule aside.
  std::size_t pieces(const Reading& reading, emulator::DeviceModel& model,
                     const UsbNoiseSource& source) {
    const std::uint64_t dropped = source.counters().dropped_blocks;
    const std::size_t found = ring_->pieces(reading.samples, model);
    if (found == 0) return dropped > 0 ? 1 : 0;  // all of it was too slow to be good
    return found - std::min<std::size_t>(found - 1, dropped);
  }
  /// From now on, or from the end of a driver's warm-up, `at` counted in bytes on the wire.
  void strike(emulator::DeviceModel& model, Faults faults) {
    const std::uint64_t warm_up = std::string(GetParam().driver) == "infnoise" ? 85'000 : 0;
    const std::uint64_t sent = ring_->sent(model);
    for (std::uint64_t* at : {&faults.stall_after, &faults.error_after, &faults.silent_after,
                              &faults.nonsense_after, &faults.gone_after}) {
      if (*at != 0) *at += sent + warm_up;
    }
    ring_->set_faults(model, faults);
  }
  const RingFigures& figures_ = ring_figures();
  std::unique_ptr<Ring> ring_;
};

/// The devices whose protocol can be broken; the others may send any byte.
class StrictConformance : public Conformance {};
std::vector<BenchEntry> strict_ones() {
  std::vector<BenchEntry> all = emulator::bench();
  std::erase_if(all, [](const BenchEntry& each) { return !each.has_nonsense; });
  return all;
}

TEST_P(Conformance, is_found_and_says_what_it_is) {
  plug();
  const auto transport = ring_->transport();
  ASSERT_TRUE(transport) << transport.error().text();
  const auto found = discover(transport->get(), builtin_registry());
  ASSERT_TRUE(found && found->size() == 1);
  const FoundDevice& device = found->at(0);
  ASSERT_TRUE(device.usable()) << device.problem;
  EXPECT_EQ(device.model, GetParam().driver);
  EXPECT_EQ(device.description.source_class, GetParam().raw
                                                 ? entropy::SourceClass::raw_physical
                                                 : entropy::SourceClass::conditioned_physical);
  EXPECT_EQ(device.description.bits_per_sample, GetParam().bits);
  EXPECT_LE(device.description.assessed_millibits_per_sample, 1000 * GetParam().bits);
  EXPECT_EQ(device.description.serial, "0123");
  EXPECT_EQ(device.assessment_origin.substr(0, 6), GetParam().raw ? "assume" : "none: ");
}

TEST_P(Conformance, a_copy_of_the_id_under_another_name_is_refused) {
  emulator::DeviceModel& model = plug();
  DeviceInfo info = emulator::info_of(model.identity(), 1);
  info.product = "Keyboard";
  const auto driver = builtin_registry().find(info);
  ASSERT_FALSE(driver);
  EXPECT_TRUE(driver.error().is(UsbErrc::impostor));
}

TEST_P(Conformance, another_layout_under_the_same_name_is_refused) {
  emulator::DeviceModel& model = plug();
  DeviceInfo info = emulator::info_of(model.identity(), 1);
  for (InterfaceInfo& each : info.interfaces) {
    std::erase_if(each.endpoints, [](const EndpointInfo& endpoint) { return endpoint.is_in(); });
  }
  EXPECT_TRUE(builtin_registry().find(info).error().is(UsbErrc::impostor));
  info.interfaces.clear();
  EXPECT_TRUE(builtin_registry().find(info).error().is(UsbErrc::impostor));
}

TEST_P(Conformance, the_selected_serial_is_read_and_no_other) {
  plug({.serial = "A1"});
  emulator::DeviceModel& second = plug({.noise = {.seed = 2}, .serial = "B2"});
  auto source = ring_->open(std::string(GetParam().driver) + ":B2");
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, 5000);
  EXPECT_EQ(pieces(reading, second, **source), 1U);
  EXPECT_EQ((*source)->description().serial, "B2");
  EXPECT_TRUE(ring_->open(std::string(GetParam().driver) + ":C3").error().is(UsbErrc::no_device));
}

TEST_P(Conformance, every_sample_comes_once_and_in_order) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, figures_.many);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_EQ(pieces(reading, model, **source), 1U);
}

TEST_P(Conformance, short_packets_change_nothing) {
  emulator::DeviceModel& model = plug();
  ring_->set_faults(model, {.short_packets = true});
  auto source = ring_->open();
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, figures_.many);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_EQ(pieces(reading, model, **source), 1U);
}

TEST_P(Conformance, a_stall_is_cleared_and_nothing_comes_twice) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.stall_after = figures_.fault_at});
  const Reading reading = read_up_to(**source, figures_.behind);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(pieces(reading, model, **source), 2U);
  EXPECT_EQ((*source)->counters().stalls, 1U);
}

TEST_P(Conformance, a_failed_transfer_is_answered_like_a_stall) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.error_after = figures_.fault_at});
  const Reading reading = read_up_to(**source, figures_.behind);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(pieces(reading, model, **source), 2U);
  EXPECT_EQ((*source)->counters().failures, 1U);
}

TEST_P(Conformance, a_silence_is_overcome_by_a_restart) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.silent_after = figures_.fault_at, .silent_ms = 1500});
  const Reading reading = read_up_to(**source, figures_.behind);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(pieces(reading, model, **source), 3U);
  EXPECT_GE((*source)->counters().silences + (*source)->counters().failures, 1U);
}

TEST_P(Conformance, silence_for_ever_is_the_end_of_the_stream) {
  const std::int64_t begin_ns = ring_->clock().monotonic_ns();
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.silent_after = figures_.fault_at});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::silent) || reading.error->is(UsbErrc::timed_out))
      << reading.error->text();
  EXPECT_LE(ring_->clock().monotonic_ns() - begin_ns, 20'000'000'000);
}

TEST_P(Conformance, unplugging_ends_the_stream_at_once_and_for_good) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.gone_after = figures_.fault_at});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::gone)) << reading.error->text();
  EXPECT_EQ(pieces(reading, model, **source), 1U);
  Bytes more(16);
  EXPECT_TRUE((*source)->read(more, 100).error().is(UsbErrc::gone));
}

TEST_P(StrictConformance, what_the_protocol_forbids_ends_the_stream) {
  emulator::DeviceModel& model = plug();
  auto source = ring_->open();
  ASSERT_TRUE(source);
  strike(model, {.nonsense_after = figures_.fault_at});
  const Reading reading = read_up_to(**source, 1'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::nonsense) || reading.error->is(UsbErrc::unhealthy))
      << reading.error->text();
  EXPECT_EQ(pieces(reading, model, **source), 1U);
}

TEST_P(Conformance, a_device_that_refuses_its_set_up_is_no_source) {
  emulator::DeviceModel& model = plug();
  ring_->set_faults(model, {.mute_setup = true});
  const auto source = ring_->open();
  const std::string driver = GetParam().driver;
  const bool streams_by_itself = driver == "chaoskey" || driver == "alea";
  EXPECT_EQ(source.has_value(), streams_by_itself);
  if (!source) {
    EXPECT_TRUE(source.error().is(UsbErrc::stalled)) << source.error().text();
  }
}

TEST_P(Conformance, a_setting_the_model_does_not_have_is_refused) {
  plug();
  for (const char* text :
       {"colour=red", "mode=none", "noise=3", "mask=0", "mask=16", "rate=1", "fold=5"}) {
    const auto source = ring_->open("auto", {.settings = *parse_settings(text)});
    ASSERT_FALSE(source) << text;
    EXPECT_TRUE(source.error().is(UsbErrc::bad_option)) << text;
  }
}

/// These make rings of their own, one after the other.
class OwnRings : public ::testing::TestWithParam<BenchEntry> {
 protected:
  const RingFigures& figures_ = ring_figures();
};

TEST_P(OwnRings, random_faults_never_repeat_or_reorder_a_sample) {
  EXPECT_TRUE(rc::check([entry = GetParam(), &figures = figures_] {
    const auto ring = make_ring(entry);
    emulator::DeviceModel& model =
        ring->plug({.noise = {.seed = *rc::gen::inRange<std::uint64_t>(1, 1000)}});
    auto source = ring->open();
    RC_ASSERT(source.has_value());
    Bytes all;
    std::optional<Error> error;
    for (unsigned round = 0; round < 4 && !error; ++round) {
      const std::uint64_t sent = ring->sent(model);
      const auto at = [&] {
        return *rc::gen::inRange(0, 3) == 0
                   ? sent + *rc::gen::inRange<std::uint64_t>(1, figures.piece)
                   : 0;
      };
      Faults faults;
      faults.stall_after = at();
      faults.error_after = at();
      faults.silent_after = at();
      faults.silent_ms = *rc::gen::inRange<std::uint64_t>(1, figures.silence_max);
      faults.short_packets = *rc::gen::arbitrary<bool>();
      faults.gone_after = *rc::gen::inRange(0, 10) == 0 ? sent + 5'000 : 0;
      ring->set_faults(model, faults);
      Reading reading = read_up_to(**source, figures.round);
      all.insert(all.end(), reading.samples.begin(), reading.samples.end());
      error = reading.error;
    }
    RC_ASSERT(ring->pieces(all, model) <= 1U + 3U * 4U + (*source)->counters().dropped_blocks);
    if (error) {
      Bytes more(64);
      const auto again = (*source)->read(more, 1000);
      RC_ASSERT(!again.has_value());
      RC_ASSERT(again.error().number == error->number);
    }
  }));
}

/// How the source ends under an illness: an alarm of the gate or of the rate, an error of the
/// driver, or neither within `most` samples.
std::string end_of(const BenchEntry& entry, const ModelOptions& options, std::size_t most,
                   const DriverOptions& opened = {}) {
  const auto ring = make_ring(entry);
  ring->plug(options);
  auto source = ring->open("auto", opened);
  if (!source) return source.error().text();
  auto settings = entropy::health_settings((*source)->description(), 1000);
  if (!settings) return settings.error().text();
  entropy::Gate gate(*settings, 0);
  entropy::RateMonitor rate((*source)->description().nominal_rate_hz);
  Bytes samples(4096);
  for (std::size_t total = 0; total < most;) {
    const std::int64_t asked_ns = ring->clock().monotonic_ns();
    const auto got = (*source)->read(samples, 500);
    if (!got) return std::string(got.error().code);
    total += *got;
    const std::int64_t came_ns = ring->clock().monotonic_ns();
    if (rate.note(asked_ns, came_ns, *got).level > 0) return "rate";
    const auto report =
        gate.feed(std::span(samples).first(*got), {.asked_ns = asked_ns, .came_ns = came_ns});
    if (report.alarm.level > 0) return "gate";
  }
  return "healthy";
}

TEST_P(OwnRings, healthy_noise_raises_no_alarm) {
  EXPECT_EQ(end_of(GetParam(), {}, figures_.healthy), "healthy");
}

TEST_P(OwnRings, every_illness_ends_where_it_should) {
  struct Case {
    const char* name;
    Ailment ailment;
  };
  for (const Case& each :
       {Case{"stuck", Ailment::stuck}, Case{"bias", Ailment::bias}, Case{"drift", Ailment::drift},
        Case{"periodic", Ailment::periodic}, Case{"correlated", Ailment::correlated},
        Case{"burst", Ailment::burst}}) {
    const std::string end =
        end_of(GetParam(),
               {.noise = {.ailment = each.ailment, .onset = figures_.ill_from, .permille = 900}},
               figures_.ill_to);
    EXPECT_TRUE(end == "gate" || end == "usb_unhealthy" || end == "usb_silent")
        << each.name << " ended " << end;
  }
  if (GetParam().bits == 1) {  // of a wider sample it leaves more than is claimed: ring_1.cpp
    const std::string end =
        end_of(GetParam(), {.noise = {.ailment = Ailment::stuck_bit, .onset = figures_.ill_from}},
               figures_.ill_to);
    EXPECT_TRUE(end == "gate" || end == "usb_unhealthy") << end;
  }
  const std::string dead =
      end_of(GetParam(), {.noise = {.ailment = Ailment::silent, .onset = figures_.ill_from}},
             figures_.ill_to);
  EXPECT_TRUE(dead == "usb_silent" || dead == "usb_timed_out") << dead;
}

/// A device that drops what comes slowly, and all others.
class DroppingRings : public OwnRings {};
class StreamingRings : public OwnRings {};
std::vector<BenchEntry> those_that_drop(bool drop) {
  std::vector<BenchEntry> all = emulator::bench();
  std::erase_if(all, [drop](const BenchEntry& each) {
    return (std::string(each.driver) == "infnoise") != drop;
  });
  return all;
}

/// A rate that fell is a failure. None of these devices publishes one, so it is judged where it was
/// measured.
TEST_P(StreamingRings, a_slow_one_is_noticed_where_its_rate_is_known) {
  const std::string driver = GetParam().driver;
  constexpr std::uint32_t seconds = 14;  // two windows of four, and what a start takes
  const bool two_bytes = driver == "chaoskey" || driver == "truerng-pro";
  ModelOptions options{.noise = {.ailment = Ailment::slow, .onset = 1000, .permille = 800},
                       .rate = figures_.rate};
  const auto hz = static_cast<std::uint32_t>(options.rate / (two_bytes ? 2 : 1));
  const DriverOptions known{.nominal_rate_hz = hz};
  EXPECT_EQ(end_of(GetParam(), options, std::size_t{hz} * seconds, known), "rate");
  if (!figures_.time_is_cheap) return;
  options.noise.ailment = Ailment::none;
  EXPECT_EQ(end_of(GetParam(), options, std::size_t{hz} * seconds, known), "healthy");
  const DriverOptions too_low{.nominal_rate_hz = hz - hz / 4};
  EXPECT_EQ(end_of(GetParam(), options, std::size_t{hz} * seconds, too_low), "rate") << "too fast";
}

/// A block of 512 clocks that takes 5 ms or more is dropped. 300,000 a second are quick enough, a
/// tenth is not.
TEST_P(DroppingRings, of_a_slow_one_no_block_is_taken) {
  const ModelOptions options{.noise = {.ailment = Ailment::slow, .onset = 5 * 512, .permille = 100},
                             .rate = 300'000};
  const auto ring = make_ring(GetParam());
  ring->plug(options);
  auto source = ring->open();
  ASSERT_TRUE(source) << source.error().text();
  Bytes piece(1024);
  std::size_t samples = 0;
  while ((*source)->counters().dropped_blocks < 20) {
    const auto got = (*source)->read(piece, 20);
    ASSERT_TRUE(got) << got.error().text();
    samples += *got;
  }
  EXPECT_LE(samples, std::size_t{6 * 512});
  if (!figures_.time_is_cheap) return;
  EXPECT_EQ(end_of(GetParam(), options, figures_.ill_to), "usb_silent");
}

INSTANTIATE_TEST_SUITE_P(Bench, Conformance, ::testing::ValuesIn(emulator::bench()), device_name);
INSTANTIATE_TEST_SUITE_P(Bench, OwnRings, ::testing::ValuesIn(emulator::bench()), device_name);
INSTANTIATE_TEST_SUITE_P(Bench, StreamingRings, ::testing::ValuesIn(those_that_drop(false)),
                         device_name);
INSTANTIATE_TEST_SUITE_P(Bench, DroppingRings, ::testing::ValuesIn(those_that_drop(true)),
                         device_name);
INSTANTIATE_TEST_SUITE_P(Bench, StrictConformance, ::testing::ValuesIn(strict_ones()), device_name);

}  // namespace

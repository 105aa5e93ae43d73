// Goal: every supported generator works through the real libusb as it does through the fake transport.
// Method: ring 2: umockdev plays the kernel's usbfs for each device of the bench, in real time.
#include <gtest/gtest.h>

#include <algorithm>

#include "conformance.hpp"
#include "umockdev_bus.hpp"
#include "usb/libusb_transport.hpp"

using namespace talla;
using namespace talla::usb;
using namespace talla::usb::test;
using emulator::BenchEntry;

namespace {

class Bench : public ::testing::TestWithParam<BenchEntry> {
 protected:
  emulator::DeviceModel& plug(const emulator::ModelOptions& options = {}) {
    return bus_.plug(GetParam().make(options));
  }
  Result<std::unique_ptr<UsbNoiseSource>> open(const std::string& selector = "auto") {
    TALLA_TRY(transport_, make_libusb_transport());
    return open_source(*transport_, builtin_registry(), selector, {}, clock_);
  }
  struct Reading {
    Bytes samples;
    std::optional<Error> error;
  };
  static Reading read_up_to(UsbNoiseSource& source, std::size_t most) {
    Reading reading;
    Bytes piece(1024);
    while (reading.samples.size() < most && !reading.error) {
      const auto got = source.read(piece, 500);
      if (!got) {
        reading.error = got.error();
      } else {
        reading.samples.insert(reading.samples.end(), piece.begin(),
                               piece.begin() + static_cast<std::ptrdiff_t>(*got));
      }
    }
    return reading;
  }
  std::size_t segments_of(const Bytes& samples, const emulator::DeviceModel& model) {
    return bus_.with([&] { return segments(samples, model.truth()); });
  }
  void set_faults(emulator::DeviceModel& model, emulator::Faults faults) {
    bus_.with([&] {
      for (std::uint64_t* at :
           {&faults.stall_after, &faults.error_after, &faults.silent_after, &faults.nonsense_after}) {
        if (*at != 0) *at += model.sent();
      }
      model.set_faults(faults);
    });
  }
  /// Slower machines and devices that answer block by block need no more than this many samples a case.
  static constexpr std::size_t some = 20'000;
  emulator::UmockdevBus bus_;
  SystemClock clock_;
  std::unique_ptr<Transport> transport_;
};

std::string name_of(const ::testing::TestParamInfo<BenchEntry>& about) {
  return about.param.name;
}

}  // namespace

TEST_P(Bench, EverySampleComesOnceAndInOrder) {
  const emulator::DeviceModel& model = plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ((*source)->description().model, GetParam().driver);
  EXPECT_EQ((*source)->description().serial, "0123");
  const Reading reading = read_up_to(**source, some);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments_of(reading.samples, model), 1U + (*source)->counters().dropped_blocks);
}

TEST_P(Bench, TheRightOneOfTwoIsRead) {
  plug({.serial = "A1"});
  const emulator::DeviceModel& second = plug({.noise = {.seed = 2}, .serial = "B2"});
  auto source = open(std::string(GetParam().driver) + ":B2");
  ASSERT_TRUE(source) << source.error().text();
  const Reading reading = read_up_to(**source, 3000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments_of(reading.samples, second), 1U + (*source)->counters().dropped_blocks);
}

TEST_P(Bench, StallsAndFailedTransfersAreOvercome) {
  emulator::DeviceModel& model = plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  set_faults(model, {.stall_after = 4000, .error_after = 12'000});
  const Reading reading = read_up_to(**source, some + 10'000);
  ASSERT_FALSE(reading.error) << reading.error->text();
  EXPECT_LE(segments_of(reading.samples, model), 3U + (*source)->counters().dropped_blocks);
  EXPECT_GE((*source)->counters().stalls + (*source)->counters().failures, 2U);
}

TEST_P(Bench, UnpluggingEndsTheStreamAndEveryTransferIsReaped) {
  emulator::DeviceModel& model = plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  ASSERT_FALSE(read_up_to(**source, 2000).error);
  bus_.unplug(model);
  const Reading reading = read_up_to(**source, 100'000'000);
  ASSERT_TRUE(reading.error);
  EXPECT_TRUE(reading.error->is(UsbErrc::gone)) << reading.error->text();
  source->reset();
  EXPECT_EQ(bus_.in_flight(), 0U);
}

TEST_P(Bench, KernelDriversAreDetachedAndComeBack) {
  const emulator::DeviceModel& model = plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  source->reset();
  const bool serial = std::ranges::any_of(
      model.identity().interfaces, [](const emulator::Interface& each) { return each.class_code == 2; });
  EXPECT_EQ(bus_.count("detach and claim"), serial ? 2 : 1);
  EXPECT_EQ(bus_.count("release"), serial ? 2 : 1);
  EXPECT_EQ(bus_.count("attach again"), serial ? 2 : 1);
}

INSTANTIATE_TEST_SUITE_P(Devices, Bench, ::testing::ValuesIn(emulator::bench()), name_of);

// Goal: what only the real libusb can show: kernel drivers detached and back, every transfer
//       reaped.
// Method: ring 2: umockdev plays the kernel's usbfs for each device of the bench. Time is what the
// real libusb polls for, so that neither a slow block nor a silence is the machine's doing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "ring.hpp"
#include "umockdev_bus.hpp"
#include "usb/libusb_transport.hpp"

namespace talla::usb::test {
namespace {

using emulator::BenchEntry;

class UmockdevRing final : public Ring {
 public:
  explicit UmockdevRing(const BenchEntry& entry) : entry_(entry) {}
  UmockdevRing(const UmockdevRing&) = delete;
  UmockdevRing& operator=(const UmockdevRing&) = delete;
  ~UmockdevRing() override { bus_.stop_announcing(); }  // the transports close first
  emulator::DeviceModel& plug(const emulator::ModelOptions& options) override {
    return bus_.plug(entry_.make(options));
  }
  [[nodiscard]] Result<std::reference_wrapper<Transport>> transport() override {
    TALLA_TRY(auto made, make_libusb_transport(clock_));
    return std::reference_wrapper<Transport>(*transports_.emplace_back(std::move(made)));
  }
  [[nodiscard]] Clock& clock() override { return clock_; }
  void alone(const std::function<void()>& use) override { bus_.with(use); }
  void unplug(emulator::DeviceModel& model) override { bus_.unplug(model); }

 private:
  BenchEntry entry_;
  emulator::PolledClock clock_;
  emulator::UmockdevBus bus_{&clock_};
  std::vector<std::unique_ptr<Transport>> transports_;
};

class Bench : public ::testing::TestWithParam<BenchEntry> {
 protected:
  Result<std::unique_ptr<UsbNoiseSource>> open() {
    TALLA_TRY(transport_, make_libusb_transport(clock_));
    return open_source(*transport_, builtin_registry(), "auto", {}, clock_);
  }
  emulator::PolledClock clock_;
  emulator::UmockdevBus bus_{&clock_};
  std::unique_ptr<Transport> transport_;
};

/// Before the first property: two schedules of random faults a device, each of them takes seconds.
// NOLINTNEXTLINE(concurrency-mt-unsafe): no thread yet
[[maybe_unused]] const int few_schedules = setenv("RC_PARAMS", "max_success=2", 0);

}  // namespace

const RingFigures& ring_figures() {
  static constexpr RingFigures figures{.many = 20'000,
                                       .fault_at = 20'000,
                                       .behind = 50'000,
                                       .healthy = 60'000,
                                       .ill_from = 10'000,
                                       .ill_to = 600'000,
                                       .piece = 5'000,
                                       .round = 6'000,
                                       .silence_max = 1200,
                                       .rate = 4'000,
                                       .time_is_cheap = false};
  return figures;
}

std::unique_ptr<Ring> make_ring(const BenchEntry& entry) {
  return std::make_unique<UmockdevRing>(entry);
}

namespace {

TEST_P(Bench, unplugging_ends_the_stream_and_every_transfer_is_reaped) {
  emulator::DeviceModel& model = bus_.plug(GetParam().make({}));
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  Bytes piece(1024);
  ASSERT_TRUE((*source)->read(piece, 2000));
  bus_.unplug(model);
  Result<std::size_t> got = std::size_t{0};
  for (std::size_t total = 0; got && total < 100'000'000; total += got.value_or(0))
    got = (*source)->read(piece, 500);
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(UsbErrc::gone)) << got.error().text();
  source->reset();
  EXPECT_EQ(bus_.in_flight(), 0U);
}

TEST_P(Bench, kernel_drivers_are_detached_and_come_back) {
  const emulator::DeviceModel& model = bus_.plug(GetParam().make({}));
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  source->reset();
  const bool serial =
      std::ranges::any_of(model.identity().interfaces,
                          [](const emulator::Interface& each) { return each.class_code == 2; });
  EXPECT_EQ(bus_.count("detach and claim"), serial ? 2 : 1);
  EXPECT_EQ(bus_.count("release"), serial ? 2 : 1);
  EXPECT_EQ(bus_.count("attach again"), serial ? 2 : 1);
}

INSTANTIATE_TEST_SUITE_P(Devices, Bench, ::testing::ValuesIn(emulator::bench()), device_name);

}  // namespace
}  // namespace talla::usb::test

// Goal: a generator that is pulled out comes back by its serial number, is tested first, and ends
//       no latch by itself.
// Method: the built rngd-source under the real libusb over an emulated usbfs; a running generator;
//         real time.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "entropy/rdseed_source.hpp"
#include "entropy/system_source.hpp"
#include "source_keeper.hpp"
#include "umockdev_bus.hpp"

using namespace talla;
using namespace talla::rngd;
using entropy::Verdict;

namespace {

bool within(int seconds, const std::function<bool()>& condition) {
  for (int k = 0; k < seconds * 20; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return condition();
}

class Keeper : public ::testing::Test {
 protected:
  /// B has a bus of its own: the emulated usbfs serves one process at a time.
  emulator::UmockdevBus& bus_of(const std::string& serial) {
    return serial == "B" ? other_bus_ : bus_;
  }
  emulator::DeviceModel& plug(const std::string& serial) {
    return bus_of(serial).plug(emulator::chaoskey({.rate = 200'000, .serial = serial}));
  }
  /// Generator and keeper over these devices, each attached.
  void start(const std::vector<std::string>& serials, bool required) {
    std::vector<entropy::SourceSlot> slots;
    std::vector<UsbPlace> places;
    for (const std::string& serial : serials) {
      usb::SourceProcessOptions options{.program = RNGD_SOURCE_PROGRAM,
                                        .device = "chaoskey:" + serial};
      options.readings = readings_.emplace_back(std::make_shared<usb::DeviceReadings>());
      options.environment = {"LD_PRELOAD=libumockdev-preload.so.0",
                             "UMOCKDEV_DIR=" + bus_of(serial).root_dir(),
                             "TALLA_EMULATED_BUS=" + bus_of(serial).root_dir(),
                             "ASAN_OPTIONS=verify_asan_link_order=0"};
      auto process = usb::SourceProcess::start(options);
      ASSERT_TRUE(process) << process.error().text();
      places.push_back({.index = slots.size(), .options = options});
      slots.push_back({.source = std::move(*process), .independent = true, .required = required});
    }
    entropy::GeneratorOptions options;
    options.appliance_id = "keeper-test";
    auto generator = entropy::Generator::create(options, std::move(slots), {clock_, os_, rdseed_});
    ASSERT_TRUE(generator) << generator.error().text();
    auto supply = core::GeneratorSupply::create(std::move(*generator));
    ASSERT_TRUE(supply) << supply.error().text();
    keeper_ = std::make_unique<SourceKeeper>(std::move(places));
    supply_ = std::move(*supply);
    keeper_->keep(*supply_, [this](std::unique_ptr<entropy::NoiseSource> source) {
      ++wrapped_;
      return source;
    });
  }
  void TearDown() override {
    if (keeper_) keeper_->release();
    supply_.reset();
    keeper_.reset();
  }
  [[nodiscard]] entropy::SourceEvidence source(std::size_t index) const {
    return supply_->evidence().sources.at(index);
  }
  SystemClock clock_;
  entropy::SystemOsRandom os_;
  entropy::CpuRdSeed rdseed_;
  emulator::UmockdevBus bus_;
  emulator::UmockdevBus other_bus_;
  std::unique_ptr<SourceKeeper> keeper_;
  std::unique_ptr<core::GeneratorSupply> supply_;
  std::atomic<int> wrapped_{0};
  std::vector<std::shared_ptr<usb::DeviceReadings>> readings_;
};

TEST_F(Keeper, the_other_carries_on_and_the_same_device_joins_again_after_its_start_up_test) {
  auto& first = plug("A");
  plug("B");
  ASSERT_NO_FATAL_FAILURE(start({"A", "B"}, false));
  const auto variance = [&] { return readings_[0]->read().figures.sample_variance; };
  EXPECT_TRUE(within(10, [&] { return variance() > 0; })) << "what the driver measures is told";
  bus_.unplug(first);
  ASSERT_TRUE(within(10, [&] { return source(0).lost; }));
  EXPECT_TRUE(within(10, [&] { return supply_->ready_bits() > 0; })) << "B feeds on";
  plug("C");
  EXPECT_FALSE(within(4, [&] { return !source(0).lost; }))
      << "another serial number is another device";
  plug("A");
  ASSERT_TRUE(within(20, [&] { return !source(0).lost && source(0).verdict == Verdict::good; }));
  EXPECT_EQ(wrapped_, 1);
  EXPECT_TRUE(within(10, [&] { return variance() > 0; })) << "by the next process too";
  EXPECT_FALSE(supply_->latched().has_value());
  bool tested = false;
  bool back = false;
  for (const auto& event : supply_->take_events()) {
    back = back || (event.kind == entropy::EventKind::source && event.passed);
    tested = tested || (back && event.kind == entropy::EventKind::health && event.level == 0 &&
                        event.source == 0);
  }
  EXPECT_TRUE(tested) << "back, then tested";
}

TEST_F(Keeper, the_last_device_back_leaves_the_latch_to_people) {
  auto& only = plug("A");
  ASSERT_NO_FATAL_FAILURE(start({"A"}, true));
  bus_.unplug(only);
  ASSERT_TRUE(within(10, [&] { return supply_->latched().has_value(); }));
  supply_->begin_reset();
  std::optional<Status> ended;
  ASSERT_TRUE(within(10, [&] { return (ended = supply_->take_reset()).has_value(); }));
  EXPECT_FALSE(ended->has_value()) << "without the device its cause persists";
  plug("A");
  ASSERT_TRUE(within(20, [&] { return !source(0).lost; }));
  EXPECT_EQ(supply_->latched(), entropy::LatchReason::source_failed)
      << "a latch does not end by itself";
  EXPECT_EQ(supply_->ready_bits(), 0U);
  supply_->begin_reset();
  ASSERT_TRUE(within(20, [&] { return (ended = supply_->take_reset()).has_value(); }));
  EXPECT_TRUE(ended->has_value()) << ended->error().text();
  EXPECT_GT(supply_->ready_bits(), 0U);
}

TEST_F(Keeper, an_end_while_it_waits_for_a_device_is_quick) {
  auto& only = plug("A");
  ASSERT_NO_FATAL_FAILURE(start({"A"}, true));
  bus_.unplug(only);
  ASSERT_TRUE(within(10, [&] { return source(0).lost; }));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  TearDown();
  SUCCEED();
}

}  // namespace

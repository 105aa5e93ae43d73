// Goal: the drivers work on a real kernel: it enumerates the devices, binds its own drivers, which
// are detached and come back, data flow, and devices are pulled out in mid-stream.
// Method: ring 3: runs as root in a virtual machine with vhci-hcd (tests/kernel/run), against
//         emulated devices of the bench.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../unit/usb/conformance.hpp"
#include "usb/libusb_transport.hpp"
#include "vhci_port.hpp"

using namespace talla;
using namespace talla::usb;
using namespace talla::usb::test;
using emulator::BenchEntry;
using emulator::VhciPort;
namespace fs = std::filesystem;

namespace {

constexpr const char* sys_devices = "/sys/bus/usb/devices";

/// Names of the kernel drivers bound to interfaces of virtual devices with that vendor, sorted.
std::vector<std::string> bound_drivers(std::uint16_t vendor_id) {
  std::vector<std::string> drivers;
  for (const auto& entry : fs::directory_iterator(sys_devices)) {
    const std::string name = entry.path().filename();
    const std::size_t colon = name.find(':');
    if (colon == std::string::npos) continue;
    std::ifstream file(fs::path(sys_devices) / name.substr(0, colon) / "idVendor");
    unsigned found = 0;
    file >> std::hex >> found;
    std::error_code error;
    const fs::path driver = fs::read_symlink(entry.path() / "driver", error);
    if (found == vendor_id && !error) drivers.push_back(driver.filename());
  }
  std::ranges::sort(drivers);
  return drivers;
}

template <class Condition>
bool wait_for(Condition condition, int tenths = 100) {
  for (int k = 0; k < tenths; ++k) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return condition();
}

/// What Debian's kernel binds to an interface of that device.
std::vector<std::string> expected_drivers(std::string_view driver) {
  if (driver == "chaoskey" || driver == "alea") return {"chaoskey"};
  if (driver == "infnoise") return {"ftdi_sio"};
  if (driver == "onerng" || driver == "truerng" || driver == "truerng-pro" || driver == "neug" ||
      driver == "swiftrng-cdc") {
    return {"cdc_acm", "cdc_acm"};
  }
  return {};
}

class Kernel : public ::testing::TestWithParam<BenchEntry> {
 protected:
  void SetUp() override {
    auto made = make_libusb_transport();
    ASSERT_TRUE(made) << made.error().text();
    transport_ = std::move(*made);
    ids_ = builtin_registry().ids();
    ASSERT_TRUE(transport_->hotplug(ids_, 0));
  }
  void plug(const emulator::ModelOptions& options = {}) {
    auto attached = VhciPort::attach(0, GetParam().make(options));
    ASSERT_TRUE(attached) << attached.error().text();
    port_ = std::move(*attached);
    vendor_ =
        port_->with([](const emulator::DeviceModel& model) { return model.identity().vendor_id; });
    const auto events = transport_->hotplug(ids_, 10'000);
    ASSERT_TRUE(events && !events->empty()) << "the kernel did not enumerate the device";
    EXPECT_TRUE(events->front().arrived);
    const auto wanted = expected_drivers(GetParam().driver);
    EXPECT_TRUE(wait_for([&] { return bound_drivers(vendor_) == wanted; }))
        << ::testing::PrintToString(bound_drivers(vendor_));
  }
  void pull() {
    port_.reset();
    EXPECT_TRUE(wait_for([&] {
      const auto found = transport_->enumerate(ids_);
      return found && found->empty();
    }));
  }
  /// A device is told of before the kernel has chosen its configuration; until then it shows no
  /// endpoints.
  Result<std::unique_ptr<UsbNoiseSource>> open() {
    auto source = open_source(*transport_, builtin_registry(), "auto", {}, clock_);
    static_cast<void>(wait_for([&] {
      const bool ready = source.has_value() || !source.error().is(UsbErrc::no_device);
      if (!ready) source = open_source(*transport_, builtin_registry(), "auto", {}, clock_);
      return ready;
    }));
    return source;
  }
  static Result<Bytes> read(UsbNoiseSource& source, std::size_t count) {
    Bytes all;
    Bytes piece(4096);
    while (all.size() < count) {
      TALLA_TRY(const std::size_t got, source.read(piece, 2000));
      all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
    }
    return all;
  }
  SystemClock clock_;
  std::unique_ptr<Transport> transport_;
  std::vector<UsbId> ids_;
  std::unique_ptr<VhciPort> port_;
  std::uint16_t vendor_ = 0;
};

std::string name_of(const ::testing::TestParamInfo<BenchEntry>& about) {
  return about.param.name;
}

}  // namespace

TEST_P(Kernel, the_kernels_driver_gives_way_the_noise_comes_and_it_returns) {
  plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  const auto now_bound = bound_drivers(vendor_);
  EXPECT_TRUE(!now_bound.empty() && std::ranges::all_of(now_bound, [](const auto& name) {
    return name == "usbfs";
  })) << ::testing::PrintToString(now_bound);
  const auto samples = read(**source, 20'000);
  ASSERT_TRUE(samples) << samples.error().text();
  const std::size_t pieces = port_->with(
      [&](const emulator::DeviceModel& model) { return segments(*samples, model.truth()); });
  EXPECT_LE(pieces, 1U + (*source)->counters().dropped_blocks);
  source->reset();
  EXPECT_TRUE(wait_for([&] {
    return bound_drivers(vendor_) == expected_drivers(GetParam().driver);
  })) << ::testing::PrintToString(bound_drivers(vendor_));
  pull();
}

TEST_P(Kernel, pulled_out_in_mid_stream_everything_ends) {
  plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  ASSERT_TRUE(read(**source, 2000));
  const std::int64_t pulled_ns = clock_.monotonic_ns();
  port_.reset();
  const auto more = read(**source, 100'000'000);
  ASSERT_FALSE(more);
  EXPECT_TRUE(more.error().is(UsbErrc::gone)) << more.error().text();
  std::printf("pulled out to usb_gone: %lld ms\n",
              static_cast<long long>((clock_.monotonic_ns() - pulled_ns) / 1'000'000));
  source->reset();
  const auto events = transport_->hotplug(ids_, 5000);
  ASSERT_TRUE(events && !events->empty());
  EXPECT_FALSE(events->back().arrived);
}

TEST_P(Kernel, a_stalled_endpoint_is_cleared_by_the_real_request) {
  plug();
  auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  port_->with(
      [](emulator::DeviceModel& model) { model.set_faults({.stall_after = model.sent() + 4000}); });
  const auto samples = read(**source, 30'000);
  ASSERT_TRUE(samples) << samples.error().text();
  EXPECT_GE((*source)->counters().stalls + (*source)->counters().failures, 1U);
  source->reset();
  pull();
}

INSTANTIATE_TEST_SUITE_P(Devices, Kernel, ::testing::ValuesIn(emulator::bench()), name_of);

// Goal: the transport does over the real libusb what its header says, from find to close.
// Method: umockdev plays the kernel's side of usbfs for one device; each case is one thing that
//         device does.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "mock_bus.hpp"
#include "support/wiped.hpp"
#include "usb/chaoskey.hpp"
#include "usb/discover.hpp"
#include "usb/libusb_transport.hpp"

using namespace talla;
using namespace talla::usb;
using talla::usb::test::MockBus;
using talla::usb::test::MockDescription;

namespace {

constexpr StreamOptions small_ring{.endpoint = 0x86, .transfer_bytes = 256, .transfers_count = 4};

Bytes pattern(std::size_t size, std::uint8_t first) {
  Bytes bytes(size);
  for (std::size_t k = 0; k < size; ++k) bytes[k] = static_cast<std::uint8_t>(first + k);
  return bytes;
}

class Libusb : public ::testing::Test {
 protected:
  void plug_and_start(const MockDescription& description = {}) {
    bus_.plug(description);
    start();
  }
  void start() {
    auto made = make_libusb_transport();
    ASSERT_TRUE(made) << made.error().text();
    transport_ = std::move(*made);
  }
  std::unique_ptr<Device> open_streaming() {
    const auto found = transport_->enumerate(builtin_registry().ids());
    EXPECT_TRUE(found && found->size() == 1);
    auto device = transport_->open(found->at(0));
    EXPECT_TRUE(device);
    EXPECT_TRUE((*device)->claim(0));
    EXPECT_TRUE((*device)->start_stream(small_ring));
    return std::move(*device);
  }
  Result<std::unique_ptr<UsbNoiseSource>> open_noise(const std::string& selector = "auto") {
    return open_source(*transport_, builtin_registry(), selector, {}, clock_);
  }
  MockBus bus_;
  SystemClock clock_;
  std::unique_ptr<Transport> transport_;
};

TEST_F(Libusb, enumerates_with_strings_interfaces_and_endpoints) {
  plug_and_start();
  const auto found = transport_->enumerate(builtin_registry().ids());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  const DeviceInfo& info = found->at(0);
  EXPECT_EQ(info.place(), "1d50:60c6 at 1-4");
  EXPECT_EQ(info.manufacturer, "altusmetrum.org");
  EXPECT_EQ(info.product, "ChaosKey-hw-1.0-sw-1.6");
  EXPECT_EQ(info.serial, "0123");
  EXPECT_TRUE(info.accessible());
  ASSERT_EQ(info.interfaces.size(), 1U);
  EXPECT_EQ(info.interfaces[0].endpoints,
            (std::vector<EndpointInfo>{{0x85, TransferType::bulk, 64},
                                       {0x86, TransferType::bulk, 64},
                                       {0x87, TransferType::bulk, 64}}));
}

TEST_F(Libusb, devices_of_other_ids_are_not_even_opened) {
  plug_and_start({.vendor_id = 0x046d, .product_id = 0xc016});
  EXPECT_TRUE(transport_->enumerate(builtin_registry().ids())->empty());
}

TEST_F(Libusb, an_impostor_with_the_same_id_is_refused_by_name_and_by_layout) {
  plug_and_start({.product = "Keyboard"});
  auto by_name = open_noise();
  ASSERT_FALSE(by_name);
  EXPECT_TRUE(by_name.error().is(UsbErrc::no_device));
  EXPECT_NE(by_name.error().detail.find("usb_impostor"), std::string::npos);
  EXPECT_NE(by_name.error().detail.find("Keyboard"), std::string::npos);
  EXPECT_EQ(bus_.count("detach and claim"), 0);
}

TEST_F(Libusb, an_impostor_with_another_layout_is_refused) {
  plug_and_start({.bulk_endpoints = {0x81}});
  const auto found = discover(*transport_, builtin_registry());
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->at(0).problem.substr(0, 12), "usb_impostor");
}

TEST_F(Libusb, a_hostile_product_name_reaches_nobody_raw) {
  plug_and_start({.product = "Chaos\n\x1b[2J"});
  EXPECT_EQ(transport_->enumerate(builtin_registry().ids())->at(0).product, "Chaos??[2J");
}

TEST_F(Libusb, the_kernels_driver_is_detached_at_the_claim_and_comes_back_at_the_close) {
  plug_and_start();
  open_streaming().reset();
  const auto calls = bus_.calls();
  EXPECT_EQ(bus_.count("detach and claim"), 1);
  EXPECT_EQ(bus_.count("release"), 1);
  EXPECT_EQ(bus_.count("attach again"), 1);
  EXPECT_EQ(calls.back(), "attach again");
}

TEST_F(Libusb, a_held_interface_is_busy) {
  plug_and_start();
  bus_.hold_interface();
  const auto source = open_noise();
  ASSERT_FALSE(source);
  EXPECT_TRUE(source.error().is(UsbErrc::busy)) << source.error().text();
}

TEST_F(Libusb, the_whole_ring_is_in_flight_and_data_comes_in_order_short_packets_included) {
  plug_and_start();
  const auto device = open_streaming();
  EXPECT_EQ(bus_.in_flight(), 4U);
  for (unsigned k = 0; k < 10; ++k)
    bus_.reply({.bytes = pattern(k == 3 ? 0 : 256 - k, static_cast<std::uint8_t>(k))});
  for (unsigned k = 0; k < 10; ++k) {
    Bytes bytes;
    ASSERT_EQ(device->next(bytes, 2000), StreamEvent::data);
    EXPECT_EQ(bytes, pattern(k == 3 ? 0 : 256 - k, static_cast<std::uint8_t>(k)));
  }
}

TEST_F(Libusb, silence_is_none_and_takes_the_time_given) {
  plug_and_start();
  const auto device = open_streaming();
  Bytes bytes;
  const std::int64_t before = clock_.monotonic_ns();
  EXPECT_EQ(device->next(bytes, 50), StreamEvent::none);
  EXPECT_GE(clock_.monotonic_ns() - before, 49'000'000);
  EXPECT_EQ(device->next(bytes, 0), StreamEvent::none);
}

TEST_F(Libusb, interrupt_ends_a_wait_from_another_thread) {
  plug_and_start();
  const auto device = open_streaming();
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    device->interrupt();
  });
  Bytes bytes;
  const std::int64_t before = clock_.monotonic_ns();
  EXPECT_EQ(device->next(bytes, 20000), StreamEvent::none);
  EXPECT_LT(clock_.monotonic_ns() - before, 10'000'000'000);
  other.join();
}

TEST_F(Libusb, a_stall_stands_until_the_halt_is_cleared) {
  plug_and_start();
  const auto device = open_streaming();
  bus_.reply({.bytes = pattern(256, 1)});
  bus_.reply({.status = -EPIPE});
  Bytes bytes;
  ASSERT_EQ(device->next(bytes, 2000), StreamEvent::data);
  ASSERT_EQ(device->next(bytes, 2000), StreamEvent::stalled);
  ASSERT_EQ(device->next(bytes, 2000), StreamEvent::stalled);
  ASSERT_TRUE(device->restart_stream(true));
  EXPECT_EQ(bus_.count("clear halt"), 1);
  EXPECT_EQ(bus_.in_flight(), 4U);
  bus_.reply({.bytes = pattern(64, 9)});
  ASSERT_EQ(device->next(bytes, 2000), StreamEvent::data);
  EXPECT_EQ(bytes, pattern(64, 9));
}

TEST_F(Libusb, overflow_and_protocol_errors_are_failures) {
  for (const int status : {-EOVERFLOW, -EPROTO}) {
    MockBus bus;
    bus.plug();
    start();
    const auto device = open_streaming();
    bus.reply({.status = status});
    Bytes bytes;
    EXPECT_EQ(device->next(bytes, 2000), StreamEvent::failed) << status;
    EXPECT_EQ(device->next(bytes, 2000), StreamEvent::failed) << status;
  }
}

TEST_F(Libusb, a_restart_cancels_and_reaps_everything_before_it_submits_again) {
  plug_and_start();
  const auto device = open_streaming();
  ASSERT_TRUE(device->restart_stream(false));
  EXPECT_EQ(bus_.count("discard"), 4);
  EXPECT_EQ(bus_.count("submit 134"), 8);
  EXPECT_EQ(bus_.count("clear halt"), 0);
  EXPECT_EQ(bus_.in_flight(), 4U);
}

TEST_F(Libusb, closing_with_transfers_in_flight_reaps_them_all) {
  plug_and_start();
  auto device = open_streaming();
  EXPECT_EQ(talla::test::wiped_by([&] { device.reset(); }),
            small_ring.transfers_count * small_ring.transfer_bytes);
  EXPECT_EQ(bus_.in_flight(), 0U);
  EXPECT_EQ(bus_.count("release"), 1);
}

TEST_F(Libusb, unplugging_in_the_middle_of_the_stream_is_gone_and_stays_gone) {
  plug_and_start();
  const auto device = open_streaming();
  bus_.reply({.bytes = pattern(256, 0)});
  Bytes bytes;
  ASSERT_EQ(device->next(bytes, 2000), StreamEvent::data);
  bus_.unplug();
  EXPECT_EQ(device->next(bytes, 2000), StreamEvent::gone);
  EXPECT_EQ(device->next(bytes, 2000), StreamEvent::gone);
  const auto restarted = device->restart_stream(true);
  ASSERT_FALSE(restarted);
  EXPECT_TRUE(restarted.error().is(UsbErrc::gone));
  EXPECT_EQ(bus_.in_flight(), 0U);
}

TEST_F(Libusb, hotplug_reports_arrival_and_departure) {
  start();
  const auto ids = builtin_registry().ids();
  EXPECT_TRUE(transport_->hotplug(ids, 0)->empty());
  bus_.plug();
  const auto arrived = transport_->hotplug(ids, 5000);
  ASSERT_TRUE(arrived);
  EXPECT_EQ(*arrived, (std::vector<HotplugEvent>{{true, 1, 4, chaoskey_id}}));
  bus_.unplug();
  const auto left = transport_->hotplug(ids, 5000);
  ASSERT_TRUE(left);
  EXPECT_EQ(*left, (std::vector<HotplugEvent>{{false, 1, 4, chaoskey_id}}));
}

TEST_F(Libusb, a_device_that_left_before_the_open_is_gone) {
  plug_and_start();
  const auto found = transport_->enumerate(builtin_registry().ids());
  ASSERT_TRUE(found);
  bus_.unplug();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto device = transport_->open(found->at(0));
  ASSERT_FALSE(device);
  EXPECT_TRUE(device.error().is(UsbErrc::gone)) << device.error().text();
}

TEST_F(Libusb, a_control_request_that_the_device_refuses_is_a_stall) {
  plug_and_start();
  const auto device = open_streaming();
  const auto answer =
      device->control_in({.request_type = 0xC0, .request = 5, .value = 0, .index = 0}, 2, 500);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().is(UsbErrc::stalled));
}

TEST_F(Libusb, a_bulk_read_that_gets_no_answer_times_out) {
  plug_and_start();
  const auto found = transport_->enumerate(builtin_registry().ids());
  const auto device = transport_->open(found->at(0));
  ASSERT_TRUE((*device)->claim(0));
  const auto answer = (*device)->bulk_in(0x86, 64, 50);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().is(UsbErrc::timed_out)) << answer.error().text();
  bus_.reply({.bytes = pattern(10, 0)});
  EXPECT_EQ(*(*device)->bulk_in(0x86, 64, 2000), pattern(10, 0));
}

TEST_F(Libusb, chaos_key_samples_arrive_decoded_and_complete) {
  plug_and_start();
  auto source = open_noise("chaoskey:0123");
  ASSERT_TRUE(source) << source.error().text();
  // A counter of 12 bits as the converter's output: sample = bits 1..8 of it.
  unsigned counter = 0;
  bus_.set_endless([&counter](std::size_t size) {
    Bytes bytes;
    for (std::size_t k = 0; k < size / 2; ++k, ++counter) {
      bytes.push_back(static_cast<std::uint8_t>(counter & 0xFFU));
      bytes.push_back(static_cast<std::uint8_t>((counter >> 8U) & 0x0FU));
    }
    return bytes;
  });
  unsigned expected = 0;
  while (expected < 50'000) {
    Bytes samples(1000);
    const auto got = (*source)->read(samples, 2000);
    ASSERT_TRUE(got) << got.error().text();
    for (std::size_t k = 0; k < *got; ++k, ++expected)
      ASSERT_EQ(samples[k], (expected >> 1U) & 0xFFU) << expected;
  }
}

TEST_F(Libusb, a_stall_at_the_first_read_is_overcome_and_samples_follow) {
  plug_and_start();
  bus_.reply({.status = -EPIPE});
  auto source = open_noise();
  ASSERT_TRUE(source);
  bus_.set_endless([](std::size_t size) { return Bytes(size, 0x01); });
  Bytes samples(16);
  const auto got = (*source)->read(samples, 5000);
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(*got, 16U);
  EXPECT_EQ((*source)->counters().stalls, 1U);
}

TEST_F(Libusb, unplugging_ends_the_noise_source_with_gone) {
  plug_and_start();
  auto source = open_noise();
  ASSERT_TRUE(source);
  bus_.unplug();
  Bytes samples(16);
  const auto got = (*source)->read(samples, 5000);
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(UsbErrc::gone)) << got.error().text();
}

}  // namespace

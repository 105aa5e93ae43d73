// Goal: stalls, silence, failures, unplugging and nonsense end as the policy says; good samples
//       come once, in order.
// Method: a scripted device on a manual clock; every script is one way a generator misbehaves.
#include "usb/noise_source.hpp"

#include <gtest/gtest.h>

#include "bulk.hpp"
#include "fake_transport.hpp"
#include "support/wiped.hpp"
#include "usb/chaoskey.hpp"

using namespace talla;
using namespace talla::usb;
using talla::test::wiped_by;
using talla::usb::test::chaoskey_info;
using talla::usb::test::FakeBus;
using talla::usb::test::FakeDevice;

namespace {

/// Words whose samples are first, first + 1, ...
Bytes words(std::uint8_t first, std::size_t count) {
  Bytes bytes;
  for (std::size_t k = 0; k < count; ++k) {
    const unsigned word = ((first + static_cast<unsigned>(k)) & 0xFFU) << 1U;
    bytes.push_back(static_cast<std::uint8_t>(word & 0xFFU));
    bytes.push_back(static_cast<std::uint8_t>(word >> 8U));
  }
  return bytes;
}

class UsbNoise : public ::testing::Test {
 protected:
  void SetUp() override {
    auto created =
        UsbNoiseSource::create({.driver = make_chaoskey(),
                                .device = std::make_unique<FakeDevice>(bus_, chaoskey_info()),
                                .clock = &bus_.clock,
                                .options = {}});
    ASSERT_TRUE(created) << created.error().text();
    source_ = std::move(*created);
  }
  Result<Bytes> read(std::size_t count, unsigned timeout_ms) {
    Bytes samples(count);
    TALLA_TRY(const std::size_t got, source_->read(samples, timeout_ms));
    samples.resize(got);
    return samples;
  }
  /// Reads until an error comes; checks that it stays.
  Error read_to_the_end() {
    for (int k = 0; k < 1000; ++k) {
      auto got = read(64, 500);
      if (got) continue;
      const auto again = read(64, 500);
      EXPECT_FALSE(again);
      EXPECT_EQ(again.error().number, got.error().number);
      return got.error();
    }
    return {UsbErrc::stopped, "no error came"};
  }
  FakeBus bus_;
  std::unique_ptr<UsbNoiseSource> source_;
};

TEST_F(UsbNoise, claims_then_streams_from_the_raw_endpoint) {
  EXPECT_EQ(bus_.calls, (std::vector<std::string>{"claim 0", "start 134"}));
}

TEST_F(UsbNoise, samples_come_once_and_in_order_whatever_the_read_sizes) {
  bus_.data(words(0, 32));
  bus_.data(words(32, 5));
  bus_.data({});
  bus_.data(words(37, 3));
  Bytes all;
  for (const std::size_t size : {1U, 7U, 100U, 100U, 100U}) {
    const auto got = read(size, 10);
    ASSERT_TRUE(got);
    all.insert(all.end(), got->begin(), got->end());
  }
  ASSERT_EQ(all.size(), 40U);
  for (std::size_t k = 0; k < all.size(); ++k) EXPECT_EQ(all[k], k);
  EXPECT_EQ(source_->counters().samples, 40U);
  EXPECT_EQ(source_->counters().transfers, 3U);
}

TEST_F(UsbNoise, transfers_and_samples_are_wiped_where_they_waited) {
  bus_.data(words(0, 32));
  ASSERT_TRUE(read(32, 10));  // what waits has grown to its room of 32
  bus_.data(words(0, 32));
  EXPECT_EQ(wiped_by([&] { ASSERT_TRUE(read(10, 10)); }), 64U + 10U)
      << "the transfer, and what was handed out";
  EXPECT_EQ(wiped_by([&] { ASSERT_TRUE(source_->renew()); }), 32U) << "what is older than the wish";
  bus_.data(words(0, 32));
  ASSERT_TRUE(read(10, 10));
  EXPECT_EQ(wiped_by([&] { source_.reset(); }), 32U + 64U + 32U)
      << "what waited at the end and the last transfer; the room once more";
}

TEST(Wipe, what_waits_on_an_endpoint_before_a_dialogue_is_dropped_clean) {
  FakeBus bus;
  bus.answers = {Bytes(100, 1), Bytes(64, 2)};
  FakeDevice device(bus, chaoskey_info());
  EXPECT_EQ(wiped_by([&] {
              EXPECT_TRUE(drain_endpoint(device, 0x86, 1000, 10).error().is(UsbErrc::nonsense))
                  << "it answers for ever, if only with nothing";
            }),
            164U);
}

TEST(Wipe, samples_that_a_driver_takes_back_are_gone_from_their_room) {
  SecretBytes samples{1, 2, 3, 4, 5};
  const std::uint8_t* room = samples.data();
  EXPECT_EQ(wiped_by([&] { take_back(samples, 2); }), 3U);
  EXPECT_EQ(samples, (SecretBytes{1, 2}));
  EXPECT_EQ(samples.data(), room);
}

TEST_F(UsbNoise, nothing_in_time_is_no_error) {
  const auto got = read(10, 100);
  ASSERT_TRUE(got);
  EXPECT_TRUE(got->empty());
}

TEST_F(UsbNoise, a_stall_is_cleared_and_the_stream_goes_on) {
  bus_.event(StreamEvent::stalled);
  bus_.data(words(9, 2));
  EXPECT_EQ(*read(10, 100), (Bytes{9, 10}));
  EXPECT_EQ(bus_.count("restart with clear-halt"), 1);
  EXPECT_EQ(source_->counters().stalls, 1U);
}

TEST_F(UsbNoise, stalls_without_a_byte_in_between_end_after_three_restarts) {
  for (int k = 0; k < 10; ++k) bus_.event(StreamEvent::stalled);
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::stalled));
  EXPECT_EQ(bus_.count("restart with clear-halt"), 3);
}

TEST_F(UsbNoise, a_byte_in_between_renews_the_patience) {
  for (int k = 0; k < 20; ++k) {
    bus_.event(StreamEvent::stalled);
    bus_.event(StreamEvent::stalled);
    bus_.data(words(1, 1));
  }
  for (int k = 0; k < 20; ++k) EXPECT_EQ(*read(1, 100), Bytes{1});
  EXPECT_EQ(source_->counters().stalls, 40U);
}

TEST_F(UsbNoise, old_firmware_that_times_out_at_the_first_read_is_retried) {
  bus_.data(words(5, 1), 4000);  // later than the first patience of three seconds
  Bytes got;
  for (int k = 0; k < 100 && got.empty(); ++k) got = *read(1, 100);
  EXPECT_EQ(got, Bytes{5});
  EXPECT_EQ(bus_.count("restart"), 1);
  EXPECT_EQ(source_->counters().silences, 1U);
}

TEST_F(UsbNoise, short_reads_add_up_to_the_patience) {
  bus_.data(words(5, 1));
  ASSERT_EQ(*read(1, 10), Bytes{5});
  for (int k = 0; k < 99; ++k) EXPECT_TRUE(read(1, 10)->empty());
  EXPECT_EQ(bus_.count("restart"), 0);
  EXPECT_TRUE(read(1, 10)->empty());
  EXPECT_EQ(bus_.count("restart"), 1);
}

TEST_F(UsbNoise, silence_after_three_restarts_is_an_error) {
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::silent));
  EXPECT_EQ(bus_.count("restart"), 3);
  EXPECT_EQ(bus_.count("restart with clear-halt"), 0);
}

TEST_F(UsbNoise, empty_packets_are_silence_too) {
  for (int k = 0; k < 2000; ++k) bus_.data({}, 10);
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::silent));
}

TEST_F(UsbNoise, a_failed_transfer_is_retried_and_then_an_error) {
  for (int k = 0; k < 4; ++k) bus_.event(StreamEvent::failed);
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::transfer_failed));
  EXPECT_EQ(bus_.count("restart with clear-halt"), 3);
  EXPECT_EQ(source_->counters().failures, 4U);
}

TEST_F(UsbNoise, unplugging_ends_at_once_after_the_samples_that_came_before) {
  bus_.data(words(3, 2));
  bus_.event(StreamEvent::gone);
  EXPECT_EQ(*read(10, 100), (Bytes{3, 4}));
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::gone));
  EXPECT_EQ(bus_.count("restart"), 0);
}

TEST_F(UsbNoise, unplugging_during_the_restart_says_gone) {
  bus_.event(StreamEvent::stalled);
  bus_.restart_errors.emplace_back(UsbErrc::gone, "unplugged");
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::gone));
}

TEST_F(UsbNoise, nonsense_ends_the_stream_for_good) {
  bus_.data({0x00, 0x10});
  bus_.data(words(1, 1));
  EXPECT_TRUE(read_to_the_end().is(UsbErrc::nonsense));
}

TEST_F(UsbNoise, stop_makes_reads_return_with_stopped) {
  bus_.on_next = [this] { source_->stop(); };
  const auto got = read(1, 60000);
  ASSERT_FALSE(got);
  EXPECT_TRUE(got.error().is(UsbErrc::stopped));
  EXPECT_EQ(bus_.count("interrupt"), 1);
}

TEST_F(UsbNoise, the_device_is_closed_with_the_source) {
  source_.reset();
  EXPECT_EQ(bus_.calls.back(), "close");
}

TEST(UsbNoiseCreate, a_busy_interface_is_reported) {
  FakeBus bus;
  bus.claim_errors.emplace_back(UsbErrc::busy, "held");
  const auto created =
      UsbNoiseSource::create({.driver = make_chaoskey(),
                              .device = std::make_unique<FakeDevice>(bus, chaoskey_info()),
                              .clock = &bus.clock,
                              .options = {}});
  ASSERT_FALSE(created);
  EXPECT_TRUE(created.error().is(UsbErrc::busy));
  EXPECT_EQ(bus.calls, (std::vector<std::string>{"claim 0", "close"}));
}

TEST(UsbNoiseCreate, an_assessment_above_the_sample_size_is_refused_before_anything_is_touched) {
  FakeBus bus;
  const auto created =
      UsbNoiseSource::create({.driver = make_chaoskey(),
                              .device = std::make_unique<FakeDevice>(bus, chaoskey_info()),
                              .clock = &bus.clock,
                              .options = {.assessed_millibits_per_sample = 8001}});
  ASSERT_FALSE(created);
  EXPECT_TRUE(created.error().is(UsbErrc::bad_option));
  EXPECT_EQ(bus.calls, std::vector<std::string>{"close"});
}

}  // namespace

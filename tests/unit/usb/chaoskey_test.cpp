// Goal: the ChaosKey driver takes its own devices, refuses look-alikes, and makes the documented
//       samples.
// Method: device sheet facts as examples, one wrong fact at a time, and all words against the
//         definition.
#include "usb/chaoskey.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "fake_transport.hpp"

using namespace talla;
using namespace talla::usb;
using talla::usb::test::chaoskey_info;

TEST(ChaosKey, is_found_by_id_product_and_layout) {
  const auto driver = builtin_registry().find(chaoskey_info());
  ASSERT_TRUE(driver);
  EXPECT_EQ((*driver)->model(), "chaoskey");
}

TEST(ChaosKey, another_id_is_no_supported_device) {
  DeviceInfo info = chaoskey_info();
  info.product_id = 0x60c7;
  const auto driver = builtin_registry().find(info);
  ASSERT_FALSE(driver);
  EXPECT_TRUE(driver.error().is(UsbErrc::no_device));
}

TEST(ChaosKey, the_same_id_under_another_name_is_an_impostor) {
  for (const char* product : {"", "Chaos", "chaoskey", "Keyboard", "My ChaosKey"}) {
    DeviceInfo info = chaoskey_info();
    info.product = product;
    const auto driver = builtin_registry().find(info);
    ASSERT_FALSE(driver) << product;
    EXPECT_TRUE(driver.error().is(UsbErrc::impostor)) << product;
  }
}

TEST(ChaosKey, the_same_name_over_another_endpoint_layout_is_an_impostor) {
  const std::vector<std::vector<EndpointInfo>> layouts = {
      {},
      {{0x85, TransferType::bulk, 64}},
      {{0x86, TransferType::interrupt, 64}},
      {{0x86, TransferType::bulk, 512}},
      {{0x06, TransferType::bulk, 64}},
  };
  for (const auto& endpoints : layouts) {
    DeviceInfo info = chaoskey_info();
    info.interfaces[0].endpoints = endpoints;
    const auto driver = builtin_registry().find(info);
    ASSERT_FALSE(driver);
    EXPECT_TRUE(driver.error().is(UsbErrc::impostor));
  }
  DeviceInfo elsewhere = chaoskey_info();
  elsewhere.interfaces[0].number = 1;
  EXPECT_FALSE(builtin_registry().find(elsewhere));
}

TEST(ChaosKey, sample_is_bits_one_to_eight_of_the_little_endian_word) {
  SecretBytes samples;
  // 0x0155: bits 8..1 are 1010_1010. 0x0E01: only bits outside. 0x0FFF: all. 0x0002: bit 1 alone.
  ASSERT_TRUE(
      make_chaoskey()->decode(Bytes{0x55, 0x01, 0x01, 0x0E, 0xFF, 0x0F, 0x02, 0x00}, 0, samples));
  EXPECT_EQ(samples, (SecretBytes{0xAA, 0x00, 0xFF, 0x01}));
}

TEST(ChaosKey, every_twelve_bit_word_decodes_and_every_wider_word_is_nonsense) {
  const auto driver = make_chaoskey();
  for (unsigned word = 0; word <= 0xFFFF; ++word) {
    SecretBytes samples;
    const Bytes bytes{static_cast<std::uint8_t>(word & 0xFFU),
                      static_cast<std::uint8_t>(word >> 8U)};
    const auto status = driver->decode(bytes, 0, samples);
    ASSERT_EQ(status.has_value(), word < 4096) << word;
    if (!status) {
      ASSERT_TRUE(status.error().is(UsbErrc::nonsense));
      ASSERT_TRUE(samples.empty());
      continue;
    }
    ASSERT_EQ(samples, SecretBytes{static_cast<std::uint8_t>((word / 2) % 256)}) << word;
  }
}

TEST(ChaosKey, what_its_samples_grow_out_of_is_wiped) {
  Bytes transfer;
  while (transfer.size() < 8192) transfer.insert(transfer.end(), {0x00, 0x00, 0xFF, 0x0F});
  const std::uint64_t before = wiped_bytes();
  {
    SecretBytes samples;
    ASSERT_TRUE(make_chaoskey()->decode(transfer, 0, samples));
    ASSERT_EQ(samples.size(), 4096U);
    EXPECT_GE(wiped_bytes() - before, 2048U) << "the halves that were copied on";
  }
  EXPECT_GE(wiped_bytes() - before, 2048U + 4096U);
}

TEST(ChaosKey, one_bad_word_spoils_its_whole_transfer_and_nothing_of_it_is_kept) {
  SecretBytes samples{7};
  EXPECT_FALSE(make_chaoskey()->decode(Bytes{0x10, 0x00, 0x00, 0x10}, 0, samples));
  EXPECT_EQ(samples, SecretBytes{7});
}

TEST(ChaosKey, half_a_word_is_nonsense) {
  SecretBytes samples;
  const auto status = make_chaoskey()->decode(Bytes{0x10, 0x00, 0x01}, 0, samples);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().is(UsbErrc::nonsense));
}

TEST(ChaosKey, description_is_raw_physical_and_takes_the_sites_figures) {
  const auto driver = make_chaoskey();
  const auto plain = driver->describe(chaoskey_info("S9"), {});
  EXPECT_EQ(plain.source_class, entropy::SourceClass::raw_physical);
  EXPECT_EQ(plain.serial, "S9");
  EXPECT_EQ(plain.bits_per_sample, 8U);
  EXPECT_EQ(plain.assessed_millibits_per_sample, 4000U);
  EXPECT_EQ(plain.nominal_rate_hz, 0U);
  const auto measured = driver->describe(
      chaoskey_info(), {.assessed_millibits_per_sample = 6500, .nominal_rate_hz = 400000});
  EXPECT_EQ(measured.assessed_millibits_per_sample, 6500U);
  EXPECT_EQ(measured.nominal_rate_hz, 400000U);
}

TEST(StringDescriptor, usb_20_section_967_is_read_as_printable_ascii) {
  const auto text = decode_string_descriptor(Bytes{8, 3, 'a', 0, 'B', 0, '9', 0});
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "aB9");
  EXPECT_EQ(*decode_string_descriptor(Bytes{2, 3}), "");
}

TEST(StringDescriptor, control_characters_and_foreign_letters_become_question_marks) {
  EXPECT_EQ(*decode_string_descriptor(Bytes{10, 3, '\n', 0, 0x1b, 0, 0x41, 0x01, 0x7f, 0}), "????");
}

TEST(StringDescriptor, wrong_lengths_and_types_are_refused) {
  for (const Bytes& bad : {Bytes{}, Bytes{2}, Bytes{4, 2, 'a', 0}, Bytes{3, 3, 'a'},
                           Bytes{6, 3, 'a', 0}, Bytes{0, 3}, Bytes{1, 3}}) {
    EXPECT_FALSE(decode_string_descriptor(bad));
  }
}

TEST(StringDescriptor, what_is_read_is_always_printable) {
  EXPECT_TRUE(rc::check([](Bytes bytes) {
    if (bytes.size() >= 2) {
      bytes[0] = static_cast<std::uint8_t>(std::min<std::size_t>(bytes.size() / 2 * 2, 254));
      bytes[1] = 3;
    }
    const auto text = decode_string_descriptor(bytes);
    if (!text) return;
    for (const char c : *text) RC_ASSERT(c >= 0x20 && c <= 0x7e);
  }));
}

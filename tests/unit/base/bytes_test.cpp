// Goal: every byte spelling is exact and has one form only; secrets are compared and wiped as
//       promised.
// Method: RFC 4648 section 10 vectors, refused spellings, random round trips.
#include "base/bytes.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/secret.hpp"

using namespace talla;  // NOLINT: test file

TEST(Bytes, rfc_4648_section_10_vectors) {
  const auto cases = std::to_array<std::pair<const char*, const char*>>({{"", ""},
                                                                         {"f", "Zg=="},
                                                                         {"fo", "Zm8="},
                                                                         {"foo", "Zm9v"},
                                                                         {"foob", "Zm9vYg=="},
                                                                         {"fooba", "Zm9vYmE="},
                                                                         {"foobar", "Zm9vYmFy"}});
  for (const auto& [plain, coded] : cases) {
    EXPECT_EQ(to_base64(as_bytes(plain)), coded);
    EXPECT_EQ(as_text(*from_base64(coded)), plain);
  }
}

TEST(Bytes, refuses_second_spellings) {
  for (const char* text : {"Zg", "Zh==", "Zm9=", "Zg==\n", "Z===", "Zm9v====", "Zm 9v"})
    EXPECT_FALSE(from_base64(text)) << text;
  for (const char* text : {"Zg==", "Z", "Zh", "a+b/"}) EXPECT_FALSE(from_base64url(text)) << text;
  for (const char* text : {"A0", "0", "zz"}) EXPECT_FALSE(from_hex(text)) << text;
}

TEST(Bytes, every_spelling_survives_a_round_trip) {
  EXPECT_TRUE(rc::check([](const Bytes& bytes) {
    RC_ASSERT(*from_hex(to_hex(bytes)) == bytes);
    RC_ASSERT(*from_base64(to_base64(bytes)) == bytes);
    RC_ASSERT(*from_base64url(to_base64url(bytes)) == bytes);
  }));
}

TEST(Bytes, writer_is_big_endian_and_length_prefixed) {
  EXPECT_EQ(to_hex(ByteWriter().u8(1).u16(2).u32(3).u64(4).field("ab").bytes()),
            "0100020000000300000000000000040000000261"
            "62");
}

TEST(Secret, comparison_sees_every_byte) {
  SecretBytes a(64, 7);
  SecretBytes b = a;
  EXPECT_TRUE(equal_constant_time(a, b));
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] ^= 1U;
    EXPECT_FALSE(equal_constant_time(a, b));
    b[i] ^= 1U;
  }
  EXPECT_FALSE(equal_constant_time(a, std::span(b).first(63)));
}

TEST(Secret, memory_comes_zeroed_also_when_it_was_used_before) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::uint8_t*> pages;
    for (int i = 0; i < 50; ++i) pages.push_back(static_cast<std::uint8_t*>(allocate_secret(4096)));
    for (std::uint8_t* page : pages) {
      EXPECT_EQ(std::count(page, page + 4096, 0), 4096);
      std::fill(page, page + 4096, std::uint8_t{0xaa});
      release_secret(page, 4096);
    }
  }
}

TEST(Secret, memory_is_wiped_before_it_is_given_back) {
  auto* memory = static_cast<std::uint8_t*>(allocate_secret(100));
  memory[99] = 42;
  wipe(memory, 100);
  EXPECT_EQ(memory[99], 0);
  release_secret(memory, 100);
}

// Goal: the low-overhead SHA-256 and HMAC of OpenSSL are FIPS 180-4 and FIPS 198-1 for every length
//       and split.
// Method: published values, wycheproof vectors, and comparison with OpenSSL's high-level EVP
//         interface.
#include "certs/openssl_hashes.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <random>

#include "base/json.hpp"
#include "support/vectors.hpp"

namespace talla::certs {
namespace {

Bytes random_bytes(std::mt19937_64& engine, std::size_t size) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(engine() & 0xffU);
  return bytes;
}

TEST(OpensslHashes, Fips180_4ExampleAbc) {
  EXPECT_EQ(to_hex(OpensslHashes().sha256({as_bytes("abc")})),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(OpensslHashes, EmptyMessageAndNoPartsAreTheSame) {
  const auto empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  EXPECT_EQ(to_hex(OpensslHashes().sha256({})), empty);
  EXPECT_EQ(to_hex(OpensslHashes().sha256({as_bytes(""), as_bytes("")})), empty);
}

TEST(OpensslHashes, Sha256EqualsEvpForEveryLengthUpTo300AndAnySplit) {
  std::mt19937_64 engine(1);
  for (std::size_t size = 0; size <= 300; ++size) {
    const Bytes message = random_bytes(engine, size);
    Digest expected{};
    ASSERT_EQ(EVP_Digest(message.data(), size, expected.data(), nullptr, EVP_sha256(), nullptr), 1);
    const std::size_t split = size == 0 ? 0 : engine() % size;
    const ByteView view(message);
    EXPECT_EQ(OpensslHashes().sha256({view}), expected);
    EXPECT_EQ(OpensslHashes().sha256({view.first(split), view.subspan(split)}), expected) << size;
  }
}

TEST(OpensslHashes, HmacEqualsEvpForKeysOfEveryLengthUpTo200) {
  std::mt19937_64 engine(2);
  for (std::size_t size = 0; size <= 200; ++size) {
    const Bytes key = random_bytes(engine, size);
    const Bytes message = random_bytes(engine, engine() % 200);
    Digest expected{};
    unsigned length = 32;
    ASSERT_NE(
        HMAC(EVP_sha256(), size == 0 ? "" : static_cast<const void*>(key.data()),
             static_cast<int>(size), message.data(), message.size(), expected.data(), &length),
        nullptr);
    const auto hmac = OpensslHashes().hmac_key(key);
    const ByteView view(message);
    const std::size_t split = message.size() / 3;
    EXPECT_EQ(hmac->mac({view.first(split), view.subspan(split)}), expected) << size;
    EXPECT_EQ(hmac->mac({view}), expected) << "a key object is used again";
  }
}

TEST(OpensslHashes, WycheproofHmacSha256) {
  const std::string text = test::vector_text("signatures/wycheproof/hmac_sha256_test.json");
  const auto all = json::parse(text);
  ASSERT_TRUE(all) << all.error().text();
  int cases = 0;
  for (const auto& group : all->find("testGroups")->array()) {
    const auto tag_bytes = static_cast<std::size_t>(group.find("tagSize")->integer()) / 8;
    for (const auto& one : group.find("tests")->array()) {
      const auto key = from_hex(one.find("key")->string());
      const auto message = from_hex(one.find("msg")->string());
      const auto tag = from_hex(one.find("tag")->string());
      ASSERT_TRUE(key && message && tag);
      const Digest mac = OpensslHashes().hmac_key(*key)->mac({*message});
      const bool equal =
          tag->size() == tag_bytes && std::equal(tag->begin(), tag->end(), mac.begin());
      EXPECT_EQ(equal, one.find("result")->string() == "valid") << one.find("tcId")->integer();
      ++cases;
    }
  }
  EXPECT_EQ(cases, 174);
}

}  // namespace
}  // namespace talla::certs

// Goal: the hashes of the page's engines are SHA-256 and HMAC-SHA-256.
// Method: texts and keys of every size around the blocks, in one part and in several, against
//   OpenSSL's.
#include "hashes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/bytes.hpp"
#include "certs/openssl_hashes.hpp"

namespace talla::web {
namespace {

Bytes counted(std::size_t size) {
  Bytes bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

TEST(PlainHashes, give_what_a_library_gives_for_every_size) {
  const PlainHashes mine;
  const certs::OpensslHashes theirs;
  for (std::size_t size = 0; size <= 300; ++size) {
    const Bytes text = counted(size);
    const ByteView whole(text);
    EXPECT_EQ(mine.sha256({whole}), theirs.sha256({whole})) << size;
    const std::size_t cut = size / 3;
    EXPECT_EQ(mine.sha256({whole.first(cut), whole.subspan(cut)}), theirs.sha256({whole})) << size;
    const Bytes key = counted(size % 150);
    const auto mac = mine.hmac_key(key);
    EXPECT_EQ(mac->mac({whole}), theirs.hmac_key(key)->mac({whole})) << size;
    EXPECT_EQ(mac->mac({whole.first(cut), whole.subspan(cut)}), mac->mac({whole})) << size;
  }
}

TEST(PlainHashes, hash_a_text_of_megabytes) {
  const Bytes text = counted(5'000'001);
  EXPECT_EQ(PlainHashes().sha256({text}), certs::OpensslHashes().sha256({text}));
}

}  // namespace
}  // namespace talla::web

// Goal: sealed secrets open under their own key and context only (FORMAT.md section 10), and
//       nothing else tells why.
// Method: round trips, one change at a time, and an independent decryption with OpenSSL's EVP from
//         the text.
#include "certs/seal.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <rapidcheck.h>
#include <sys/stat.h>

#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "fixture.hpp"

namespace talla::certs {
namespace {

using testing::must;

Sealer sealer_of(std::uint8_t fill) {
  return must(Sealer::create(SecretBytes(32, fill)));
}
const SealContext place_of_seal{
    .origin = "log.example/test", .seq = 17, .kind = "SHOE_COMMIT", .object = "shoe-17"};

TEST(Seal, any_secret_comes_back) {
  EXPECT_TRUE(rc::check([](const std::vector<std::uint8_t>& plain) {
    const Sealer sealer = sealer_of(3);
    const Bytes sealed = must(sealer.seal(place_of_seal, plain));
    RC_ASSERT(sealed.size() == plain.size() + 28);
    const SecretBytes opened = must(sealer.unseal(place_of_seal, sealed));
    RC_ASSERT(std::equal(opened.begin(), opened.end(), plain.begin(), plain.end()));
  }));
}

TEST(Seal, sealing_twice_gives_other_bytes) {
  const Sealer sealer = sealer_of(3);
  const SecretBytes plain(100, 1);
  EXPECT_NE(must(sealer.seal(place_of_seal, plain)), must(sealer.seal(place_of_seal, plain)));
}

TEST(Seal, every_changed_byte_is_refused) {
  const Sealer sealer = sealer_of(3);
  const Bytes sealed = must(sealer.seal(place_of_seal, SecretBytes(40, 9)));
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    Bytes changed = sealed;
    changed[i] ^= 1;
    const auto opened = sealer.unseal(place_of_seal, changed);
    ASSERT_FALSE(opened) << i;
    EXPECT_TRUE(opened.error().is(Errc::seal_refused));
  }
  for (std::size_t size = 0; size < sealed.size(); ++size) {
    EXPECT_FALSE(sealer.unseal(place_of_seal, ByteView(sealed).first(size))) << size;
  }
}

TEST(Seal, every_part_of_the_context_counts) {
  const Sealer sealer = sealer_of(3);
  const Bytes sealed = must(sealer.seal(place_of_seal, SecretBytes(40, 9)));
  for (int part = 0; part < 4; ++part) {
    SealContext other = place_of_seal;
    if (part == 0) other.origin = "log.example/other";
    if (part == 1) other.seq = 18;
    if (part == 2) other.kind = "BATCH_COMMIT";
    if (part == 3) other.object = "shoe-18";
    const auto opened = sealer.unseal(other, sealed);
    ASSERT_FALSE(opened) << part;
    EXPECT_TRUE(opened.error().is(Errc::seal_refused));
  }
  EXPECT_TRUE(sealer.unseal(place_of_seal, sealed));
}

TEST(Seal, another_key_is_refused_with_the_same_error) {
  const Bytes sealed = must(sealer_of(3).seal(place_of_seal, SecretBytes(40, 9)));
  const auto opened = sealer_of(4).unseal(place_of_seal, sealed);
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(Errc::seal_refused));
}

/// HKDF (RFC 5869) with one block of output, from HMAC alone.
Digest hkdf(const SecretBytes& key, const Bytes& info) {
  const OpensslHashes hashes;
  const Digest salt{};  // an empty salt is HashLen zero bytes
  const Digest prk = hashes.hmac_key(salt)->mac({key});
  const std::uint8_t one = 1;
  return hashes.hmac_key(prk)->mac({info, ByteView(&one, 1)});
}

TEST(Seal, format_section_10_opens_with_key_derivation_and_gcm_written_from_the_text) {
  const SecretBytes master(32, 3);
  const Bytes sealed = must(sealer_of(3).seal(place_of_seal, SecretBytes(50, 0xab)));
  ByteWriter data;
  data.raw(std::string_view("talla/v2/seal\0", 14))
      .field("log.example/test")
      .u64(17)
      .field("SHOE_COMMIT");
  data.field("shoe-17");
  const Digest key = hkdf(master, data.bytes());
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> gcm(EVP_CIPHER_CTX_new(),
                                                                            &EVP_CIPHER_CTX_free);
  int length = 0;
  Bytes plain(50);
  Bytes tag(sealed.end() - 16, sealed.end());
  ASSERT_EQ(EVP_DecryptInit_ex(gcm.get(), EVP_aes_256_gcm(), nullptr, key.data(), sealed.data()),
            1);
  ASSERT_EQ(EVP_DecryptUpdate(gcm.get(), nullptr, &length, data.bytes().data(),
                              static_cast<int>(data.bytes().size())),
            1);
  ASSERT_EQ(EVP_DecryptUpdate(gcm.get(), plain.data(), &length, sealed.data() + 12, 50), 1);
  ASSERT_EQ(EVP_CIPHER_CTX_ctrl(gcm.get(), EVP_CTRL_GCM_SET_TAG, 16, tag.data()), 1);
  EXPECT_EQ(EVP_DecryptFinal_ex(gcm.get(), plain.data(), &length), 1);
  EXPECT_EQ(plain, Bytes(50, 0xab));
}

TEST(Seal, key_files_that_others_can_read_are_refused) {
  const testing::Folder folder;
  const std::string path = folder / "sealing.key";
  ASSERT_TRUE(create_private_file(path, Bytes(32, 5)));
  EXPECT_TRUE(Sealer::load(path));
  for (const mode_t mode : {0640U, 0604U, 0660U, 0610U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    const auto loaded = Sealer::load(path);
    ASSERT_FALSE(loaded) << mode;
    EXPECT_TRUE(loaded.error().is(Errc::key_file_open));
  }
}

TEST(Seal, keys_have_32_bytes) {
  EXPECT_FALSE(Sealer::create(SecretBytes(31, 1)));
  EXPECT_FALSE(Sealer::create(SecretBytes(33, 1)));
  EXPECT_FALSE(Sealer::create(SecretBytes()));
}

}  // namespace
}  // namespace talla::certs

// Goal: the low-overhead SHA-256 and HMAC of OpenSSL are FIPS 180-4 and FIPS 198-1 for every length
//   and split; they leave nothing of keys and messages behind; another provider's are used where
//   one is configured.
// Method: published values, wycheproof vectors, and comparison with OpenSSL's high-level EVP
//   interface; the count of wiped bytes; a stand-in provider that counts, in a process of its own.
#include "certs/openssl_hashes.hpp"

#include <gtest/gtest.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/sha.h>
#include <unistd.h>

#include <random>

#include "base/json.hpp"
#include "support/vectors.hpp"
#include "support/wiped.hpp"

namespace talla::certs {
namespace {

using test::wiped_by;

Bytes random_bytes(std::mt19937_64& engine, std::size_t size) {
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(engine() & 0xffU);
  return bytes;
}

TEST(OpensslHashes, fips_180_4_example_abc) {
  EXPECT_EQ(to_hex(OpensslHashes().sha256({as_bytes("abc")})),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(OpensslHashes, empty_message_and_no_parts_are_the_same) {
  const auto empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  EXPECT_EQ(to_hex(OpensslHashes().sha256({})), empty);
  EXPECT_EQ(to_hex(OpensslHashes().sha256({as_bytes(""), as_bytes("")})), empty);
}

TEST(OpensslHashes, sha_256_equals_evp_for_every_length_up_to_300_and_any_split) {
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

TEST(OpensslHashes, hmac_equals_evp_for_keys_of_every_length_up_to_200) {
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

TEST(OpensslHashes, leave_nothing_of_a_message_or_a_key_behind) {
  constexpr std::uint64_t state = sizeof(SHA256_CTX);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{60}, std::size_t{183}, std::size_t{184}, std::size_t{1000}}) {
    const Bytes message(size, 7);
    // Of up to three blocks the padded copy, of more the state that the interface buffers in.
    const bool padded_here = size <= 3 * 64 - 9;
    const std::uint64_t taken = padded_here ? (size + 9 + 63) / 64 * 64 : state;
    const std::uint64_t of_hash =
        wiped_by([&] { static_cast<void>(OpensslHashes().sha256({message})); });
    EXPECT_EQ(of_hash, taken + state) << size;
    std::unique_ptr<HmacKey> key;
    EXPECT_EQ(wiped_by([&] { key = OpensslHashes().hmac_key(message); }),
              64U + (size > 64 ? 32U : 0U))
        << size << ": the padded key, and where it was too long its hash";
    EXPECT_EQ(wiped_by([&] { static_cast<void>(key->mac({message})); }), taken + 64 + 32 + state)
        << size << ": and of the outer hash its block, what it hashes, its state";
    EXPECT_EQ(wiped_by([&] { key.reset(); }), 2 * state) << size;
  }
}

/// SHA-256 of OpenSSL under another provider's name, counted.
int digests_asked_for = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of C

void* counting_new(void* /*provider*/) {
  ++digests_asked_for;
  return ::EVP_MD_CTX_new();
}
void counting_free(void* context) {
  ::EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}
void* counting_dup(void* context) {
  EVP_MD_CTX* copy = ::EVP_MD_CTX_new();
  if (::EVP_MD_CTX_copy_ex(copy, static_cast<EVP_MD_CTX*>(context)) == 1) return copy;
  ::EVP_MD_CTX_free(copy);
  return nullptr;
}
int counting_init(void* context, const OSSL_PARAM* /*params*/) {
  EVP_MD* method = ::EVP_MD_fetch(nullptr, "SHA2-256", "provider=default");
  const int good = ::EVP_DigestInit_ex(static_cast<EVP_MD_CTX*>(context), method, nullptr);
  ::EVP_MD_free(method);
  return good;
}
int counting_update(void* context, const unsigned char* in, std::size_t size) {
  return ::EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context), in, size);
}
int counting_final(void* context, unsigned char* out, std::size_t* size, std::size_t /*room*/) {
  unsigned written = 0;
  const int good = ::EVP_DigestFinal_ex(static_cast<EVP_MD_CTX*>(context), out, &written);
  *size = written;
  return good;
}
int counting_params(OSSL_PARAM* params) {
  OSSL_PARAM* block = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_BLOCK_SIZE);
  OSSL_PARAM* size = OSSL_PARAM_locate(params, OSSL_DIGEST_PARAM_SIZE);
  const bool good = (block == nullptr || OSSL_PARAM_set_size_t(block, 64) == 1) &&
                    (size == nullptr || OSSL_PARAM_set_size_t(size, 32) == 1);
  return good ? 1 : 0;
}

template <class Function>
OSSL_DISPATCH counting_entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};  // NOLINT: OpenSSL's way
}

const OSSL_ALGORITHM* counting_query(void* /*provider*/, int operation, int* no_cache) {
  static const std::array<OSSL_DISPATCH, 8> functions{
      {counting_entry(OSSL_FUNC_DIGEST_NEWCTX, counting_new),
       counting_entry(OSSL_FUNC_DIGEST_FREECTX, counting_free),
       counting_entry(OSSL_FUNC_DIGEST_DUPCTX, counting_dup),
       counting_entry(OSSL_FUNC_DIGEST_INIT, counting_init),
       counting_entry(OSSL_FUNC_DIGEST_UPDATE, counting_update),
       counting_entry(OSSL_FUNC_DIGEST_FINAL, counting_final),
       counting_entry(OSSL_FUNC_DIGEST_GET_PARAMS, counting_params),
       {0, nullptr}}};
  static const std::array<OSSL_ALGORITHM, 2> algorithms{
      {{"SHA2-256:SHA-256:SHA256", "provider=counting", functions.data(), nullptr},
       {nullptr, nullptr, nullptr, nullptr}}};
  *no_cache = 0;
  return operation == OSSL_OP_DIGEST ? algorithms.data() : nullptr;
}

int counting_start(const OSSL_CORE_HANDLE* /*handle*/, const OSSL_DISPATCH* /*in*/,
                   const OSSL_DISPATCH** out, void** context) {
  static const std::array<OSSL_DISPATCH, 2> functions{
      {counting_entry(OSSL_FUNC_PROVIDER_QUERY_OPERATION, counting_query), {0, nullptr}}};
  static int present = 1;
  *out = functions.data();
  *context = &present;
  return 1;
}

void demand_hash(bool holds, int line) {
  if (!holds) ::_exit(line % 200 + 1);
}

void another_provider_is_asked() {
  demand_hash(::OSSL_PROVIDER_add_builtin(nullptr, "counting", counting_start) == 1, __LINE__);
  demand_hash(::OSSL_PROVIDER_load(nullptr, "default") != nullptr, __LINE__);
  demand_hash(::OSSL_PROVIDER_load(nullptr, "counting") != nullptr, __LINE__);
  demand_hash(::EVP_set_default_properties(nullptr, "?provider=counting") == 1, __LINE__);
  demand_hash(to_hex(OpensslHashes().sha256({as_bytes("a"), as_bytes("bc")})) ==
                  "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
              __LINE__);
  demand_hash(digests_asked_for == 1, __LINE__);
  // RFC 4231, case 2; and a key of no bytes, asked twice.
  const auto key = OpensslHashes().hmac_key(as_bytes("Jefe"));
  const auto empty = OpensslHashes().hmac_key({});
  for (int i = 0; i < 2; ++i) {
    const int before = digests_asked_for;
    demand_hash(to_hex(key->mac({as_bytes("what do ya want "), as_bytes("for nothing?")})) ==
                    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                __LINE__);
    demand_hash(to_hex(empty->mac({})) ==
                    "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad",
                __LINE__);
    demand_hash(digests_asked_for >= before, __LINE__);
  }
  demand_hash(digests_asked_for > 1, __LINE__);
  ::_exit(0);
}

void without_sha256_nothing_goes_on() {
  demand_hash(::EVP_set_default_properties(nullptr, "fips=yes") == 1, __LINE__);
  static_cast<void>(OpensslHashes().sha256({}));
  ::_exit(0);
}

TEST(OpensslHashes, are_those_of_another_provider_where_one_is_configured) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(another_provider_is_asked(), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(without_sha256_nothing_goes_on(), testing::KilledBySignal(SIGABRT), "");
}

TEST(OpensslHashes, wycheproof_hmac_sha_256) {
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

#include "certs/openssl_hashes.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/sha.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "base/check.hpp"
#include "base/secret.hpp"
#include "openssl_handles.hpp"

// The one-shot interface of OpenSSL 3 fetches and allocates for each message; hashing 60-byte
// leaves would spend most of its time there. The low-level functions are the same code underneath,
// as long as no other provider is configured for SHA-256: then that one is asked.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static_assert(std::endian::native == std::endian::little, "state_bytes swaps");

namespace talla::certs {

namespace {

constexpr std::size_t block_bytes = 64;
/// Messages of up to so many blocks are padded here and go in one step: leaves, nodes and salts are
/// that short, and the streaming interface would take a third of their time.
constexpr std::size_t short_blocks = 3;
constexpr std::size_t short_bytes =
    short_blocks * block_bytes - 9;  // 0x80 and the length are added

std::size_t total_of(std::initializer_list<ByteView> parts) {
  std::size_t total = 0;
  for (const ByteView part : parts) total += part.size();
  return total;
}

Digest digest_of_state(const SHA256_CTX& context) {
  Digest digest;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t word = __builtin_bswap32(context.h[i]);
    std::memcpy(digest.data() + 4 * i, &word, sizeof(word));
  }
  return digest;
}

/// Ends a hash whose state has taken `before` bytes (whole blocks) with a short message.
/// Messages may be secret, and a copied state knows a key: nothing of them stays on the stack.
Digest finish_short(SHA256_CTX& context, std::uint64_t before,
                    std::initializer_list<ByteView> parts) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): every byte hashed is written below
  std::array<std::uint8_t, short_blocks * block_bytes> padded;
  std::size_t size = 0;
  for (const ByteView part : parts) {
    if (!part.empty()) std::memcpy(padded.data() + size, part.data(), part.size());
    size += part.size();
  }
  const std::size_t blocks = (size + 9 + block_bytes - 1) / block_bytes;
  const std::uint64_t bits = __builtin_bswap64((before + size) * 8);
  std::memset(padded.data() + size, 0, blocks * block_bytes - size);
  padded[size] = 0x80;
  std::memcpy(padded.data() + blocks * block_bytes - sizeof(bits), &bits, sizeof(bits));
  SHA256_Update(&context, padded.data(),
                blocks * block_bytes);  // whole blocks: straight to the compression
  wipe(padded.data(), blocks * block_bytes);
  return digest_of_state(context);
}

/// Ends a hash at a block boundary with a message of any length.
Digest finish(SHA256_CTX& context, std::uint64_t before, std::initializer_list<ByteView> parts) {
  if (total_of(parts) <= short_bytes) return finish_short(context, before, parts);
  for (const ByteView part : parts) SHA256_Update(&context, part.data(), part.size());
  Digest digest;
  SHA256_Final(digest.data(), &context);
  wipe(&context, sizeof(context));
  return digest;
}

class OpensslHmacKey final : public HmacKey {
 public:
  explicit OpensslHmacKey(ByteView key) {
    std::array<std::uint8_t, block_bytes> pad{};
    if (key.size() > block_bytes) {
      Digest hashed;
      SHA256(key.data(), key.size(), hashed.data());
      std::copy(hashed.begin(), hashed.end(), pad.begin());
      wipe(hashed.data(), hashed.size());
    } else {
      std::copy(key.begin(), key.end(), pad.begin());
    }
    for (auto& byte : pad) byte ^= 0x36;
    SHA256_Init(&inner_);
    SHA256_Update(&inner_, pad.data(), pad.size());
    for (auto& byte : pad) byte ^= 0x36 ^ 0x5c;
    SHA256_Init(&outer_);
    SHA256_Update(&outer_, pad.data(), pad.size());
    wipe(pad.data(), pad.size());
  }
  ~OpensslHmacKey() override {
    wipe(&inner_, sizeof(inner_));
    wipe(&outer_, sizeof(outer_));
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    SHA256_CTX context = inner_;
    Digest inner = finish(context, block_bytes, parts);
    context = outer_;
    const Digest outer = finish_short(context, block_bytes, {inner});
    wipe(inner.data(), inner.size());
    wipe(&context, sizeof(context));
    return outer;
  }
  OpensslHmacKey(const OpensslHmacKey&) = delete;
  OpensslHmacKey& operator=(const OpensslHmacKey&) = delete;

 private:
  SHA256_CTX inner_{};
  SHA256_CTX outer_{};
};

using DigestMethod = std::unique_ptr<EVP_MD, Freed<EVP_MD_free>>;
using MacMethod = std::unique_ptr<EVP_MAC, Freed<EVP_MAC_free>>;
using MacContext = std::unique_ptr<EVP_MAC_CTX, Freed<EVP_MAC_CTX_free>>;

/// SHA-256 and HMAC of a provider that is not OpenSSL's own; without methods where it is, or where
/// none has them.
struct OtherProvider {
  DigestMethod sha256{::EVP_MD_fetch(nullptr, "SHA2-256", nullptr)};
  MacMethod hmac{::EVP_MAC_fetch(nullptr, "HMAC", nullptr)};
  bool configured = sha256 == nullptr || std::string_view(::OSSL_PROVIDER_get0_name(
                                             ::EVP_MD_get0_provider(sha256.get()))) != "default";
};

const OtherProvider& other_provider() {
  static const OtherProvider other;
  return other;
}

/// A hash has no way to fail but a broken provider, and then nothing may go on.
Digest sha256_of_provider(std::initializer_list<ByteView> parts) {
  const SecretScope secret;
  const DigestContext context(::EVP_MD_CTX_new());
  const EVP_MD* method = other_provider().sha256.get();
  bool good = method != nullptr && context != nullptr &&
              ::EVP_DigestInit_ex(context.get(), method, nullptr) == 1;
  for (const ByteView part : parts)
    good = good && ::EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  Digest digest{};
  unsigned size = 0;
  good = good && ::EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  TALLA_CHECK(good);
  TALLA_CHECK(size == digest.size());
  return digest;
}

class ProviderHmacKey final : public HmacKey {
 public:
  explicit ProviderHmacKey(ByteView key) {
    const SecretScope secret;
    EVP_MAC* method = other_provider().hmac.get();
    keyed_.reset(method == nullptr ? nullptr : ::EVP_MAC_CTX_new(method));
    std::array<char, 9> digest{'S', 'H', 'A', '2', '-', '2', '5', '6', '\0'};
    const std::array<OSSL_PARAM, 2> parameters{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.data(), 0),
        OSSL_PARAM_construct_end()};
    const std::uint8_t none = 0;  // no key at all is none that OpenSSL takes
    TALLA_CHECK(keyed_ != nullptr && ::EVP_MAC_init(keyed_.get(), key.empty() ? &none : key.data(),
                                                    key.size(), parameters.data()) == 1);
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    const SecretScope secret;
    const MacContext context(::EVP_MAC_CTX_dup(keyed_.get()));
    bool good = context != nullptr;
    for (const ByteView part : parts)
      good = good && ::EVP_MAC_update(context.get(), part.data(), part.size()) == 1;
    Digest digest{};
    std::size_t size = 0;
    good = good && ::EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) == 1;
    TALLA_CHECK(good);
    TALLA_CHECK(size == digest.size());
    return digest;
  }

 private:
  MacContext keyed_;
};

}  // namespace

Digest OpensslHashes::sha256(std::initializer_list<ByteView> parts) const {
  if (other_provider().configured) return sha256_of_provider(parts);
  SHA256_CTX context;
  SHA256_Init(&context);
  const Digest digest = finish(context, 0, parts);
  wipe(&context, sizeof(context));
  return digest;
}

std::unique_ptr<HmacKey> OpensslHashes::hmac_key(ByteView key) const {
  if (other_provider().configured) return std::make_unique<ProviderHmacKey>(key);
  return std::make_unique<OpensslHmacKey>(key);
}

}  // namespace talla::certs

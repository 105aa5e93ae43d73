#include "support/openssl_hashes.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <array>

#include "base/check.hpp"

namespace talla::test {
namespace {

using MacContext = std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)>;

class OpenSslHmacKey final : public HmacKey {
 public:
  explicit OpenSslHmacKey(ByteView key) : keyed_(nullptr, &EVP_MAC_CTX_free) {
    const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(
        EVP_MAC_fetch(nullptr, "HMAC", nullptr), &EVP_MAC_free);
    TALLA_CHECK(mac != nullptr);
    keyed_.reset(EVP_MAC_CTX_new(mac.get()));
    std::array<char, 7> name{"SHA256"};
    const std::array<OSSL_PARAM, 2> params{
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
        OSSL_PARAM_construct_end()};
    static const std::uint8_t nothing = 0;
    const std::uint8_t* bytes = key.empty() ? &nothing : key.data();
    TALLA_CHECK(EVP_MAC_init(keyed_.get(), bytes, key.size(), params.data()) == 1);
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    const MacContext context(EVP_MAC_CTX_dup(keyed_.get()), &EVP_MAC_CTX_free);
    TALLA_CHECK(context != nullptr);
    for (const ByteView part : parts)
      TALLA_CHECK(EVP_MAC_update(context.get(), part.data(), part.size()) == 1);
    Digest digest{};
    std::size_t written = 0;
    TALLA_CHECK(EVP_MAC_final(context.get(), digest.data(), &written, digest.size()) == 1);
    TALLA_CHECK(written == digest.size());
    return digest;
  }

 private:
  MacContext keyed_;
};

}  // namespace

Digest OpenSslHashes::sha256(std::initializer_list<ByteView> parts) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  TALLA_CHECK(EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1);
  for (const ByteView part : parts)
    TALLA_CHECK(EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1);
  Digest digest{};
  TALLA_CHECK(EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) == 1);
  return digest;
}

std::unique_ptr<HmacKey> OpenSslHashes::hmac_key(ByteView key) const {
  return std::make_unique<OpenSslHmacKey>(key);
}

}  // namespace talla::test

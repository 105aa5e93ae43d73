// SHA-512 by OpenSSL, and HMAC over it.
#include "entropy/sha512.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "entropy/errc.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t digest_bytes = 64;
constexpr std::size_t pad_bytes = 128;

struct FreeMethod {
  void operator()(EVP_MD* method) const { EVP_MD_free(method); }
};

struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

}  // namespace

Result<SecretBytes> sha512(std::span<const ByteView> parts) {
  static const std::unique_ptr<EVP_MD, FreeMethod> method(
      EVP_MD_fetch(nullptr, "SHA2-512", nullptr));
  const SecretScope secret;
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(EVP_MD_CTX_new());
  SecretBytes out(digest_bytes);
  unsigned size = 0;
  bool good = method != nullptr && context != nullptr &&
              EVP_DigestInit_ex(context.get(), method.get(), nullptr) == 1;
  for (const ByteView part : parts)
    good = good && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  good = good && EVP_DigestFinal_ex(context.get(), out.data(), &size) == 1 && size == out.size();
  if (!good) return fail(Errc::crypto_failed, "SHA-512");
  return out;
}

Result<SecretBytes> hmac_sha512(ByteView key, std::span<const ByteView> parts) {
  SecretBytes hashed;
  if (key.size() > pad_bytes) {
    const std::array<ByteView, 1> whole{key};
    TALLA_TRY(hashed, sha512(whole));
    key = hashed;
  }
  SecretBytes inner(pad_bytes, 0x36);
  SecretBytes outer(pad_bytes, 0x5c);
  for (std::size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<std::uint8_t>(inner[i] ^ key[i]);
    outer[i] = static_cast<std::uint8_t>(outer[i] ^ key[i]);
  }
  std::vector<ByteView> inside{inner};
  inside.insert(inside.end(), parts.begin(), parts.end());
  TALLA_TRY(const SecretBytes middle, sha512(inside));
  const std::array<ByteView, 2> outside{ByteView(outer), ByteView(middle)};
  return sha512(outside);
}

}  // namespace talla::entropy

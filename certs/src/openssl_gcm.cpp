#include "openssl_gcm.hpp"

#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <array>

#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

using KdfHandle = std::unique_ptr<EVP_KDF, Freed<EVP_KDF_free>>;
using KdfContext = std::unique_ptr<EVP_KDF_CTX, Freed<EVP_KDF_CTX_free>>;

}  // namespace

Status hkdf_sha256(const SecretBytes& input, const Bytes& info_bytes, std::span<std::uint8_t> out) {
  const SecretScope secret;
  const KdfHandle kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr));
  const KdfContext context(kdf ? EVP_KDF_CTX_new(kdf.get()) : nullptr);
  if (!context) return crypto_fail("HKDF");
  SecretBytes key = input;
  Bytes info = info_bytes;
  std::array<char, 7> digest = {'S', 'H', 'A', '2', '5', '6', '\0'};
  const std::array<OSSL_PARAM, 4> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, info.data(), info.size()),
      OSSL_PARAM_construct_end()};
  if (EVP_KDF_derive(context.get(), out.data(), out.size(), parameters.data()) != 1)
    return crypto_fail("HKDF");
  return {};
}

Status hkdf_sha256(const SecretBytes& input, const Bytes& info, Secret32& out) {
  return hkdf_sha256(input, info, std::span<std::uint8_t>(out.writable()));
}

bool run_gcm(const Secret32& key, const GcmPass& pass) {
  const SecretScope secret;
  const CipherContext context(EVP_CIPHER_CTX_new());
  int length = 0;
  EVP_CIPHER_CTX* c = context.get();
  const int enc = pass.sealing ? 1 : 0;
  if (c == nullptr || EVP_CipherInit_ex(c, EVP_aes_256_gcm(), nullptr, nullptr, nullptr, enc) != 1)
    return false;
  if (EVP_CipherInit_ex(c, nullptr, nullptr, key.bytes().data(), pass.nonce.data(), enc) != 1)
    return false;
  if (EVP_CipherUpdate(c, nullptr, &length, pass.data.data(), static_cast<int>(pass.data.size())) !=
      1)
    return false;
  if (!pass.input.empty() && EVP_CipherUpdate(c, pass.output, &length, pass.input.data(),
                                              static_cast<int>(pass.input.size())) != 1) {
    return false;
  }
  const auto tag_size = static_cast<int>(gcm_tag_bytes);
  if (!pass.sealing && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_SET_TAG, tag_size, pass.tag) != 1)
    return false;
  std::array<std::uint8_t, gcm_tag_bytes> rest{};
  if (EVP_CipherFinal_ex(c, rest.data(), &length) != 1) return false;
  return !pass.sealing || EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, tag_size, pass.tag) == 1;
}

}  // namespace talla::certs

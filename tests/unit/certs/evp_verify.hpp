// Ed25519 verification with OpenSSL's EVP interface, for tests that judge signatures.
#pragma once

#include <openssl/evp.h>

#include <memory>

#include "format/checkpoint.hpp"

namespace talla::certs::testing {

inline bool ed25519_verifies(const Digest& key, ByteView message, const Signature64& signature) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> handle(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()),
      &EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  return EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, handle.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                          message.size()) == 1;
}

}  // namespace talla::certs::testing

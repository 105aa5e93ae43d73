/// \file
/// A key pair of a seat, made by OpenSSL: for tests of covered cards.
#pragma once

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/pem.h>

#include <string>

#include "certs/openssl_hashes.hpp"

namespace talla::certs::testing {

struct SeatPair {
  std::string pem;  ///< PKCS#8, private
  Bytes spki;       ///< DER, public
  Digest digest{};  ///< SHA-256 of it
};

inline SeatPair seat_pair(const char* group = "P-256") {
  EVP_PKEY* key = EVP_EC_gen(group);
  EXPECT_NE(key, nullptr);
  BIO* out = BIO_new(BIO_s_mem());
  EXPECT_EQ(PEM_write_bio_PKCS8PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr), 1);
  char* text = nullptr;
  const auto size = BIO_get_mem_data(out, &text);
  SeatPair pair;
  pair.pem.assign(text, static_cast<std::size_t>(size));
  unsigned char* der = nullptr;
  const int length = i2d_PUBKEY(key, &der);
  pair.spki.assign(der, der + length);
  pair.digest = OpensslHashes().sha256({pair.spki});
  OPENSSL_free(der);
  BIO_free(out);
  EVP_PKEY_free(key);
  return pair;
}

}  // namespace talla::certs::testing

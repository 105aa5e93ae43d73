/// \file
/// The reader's side of a message to one P-256 key, by Botan: agreement with an ephemeral key, then
/// AES-256-GCM under a derived key. Private to certs_verify.
///
/// Errors: Botan's exceptions; callers catch them. Secrecy: the private key stays with the caller.
#pragma once

#include <botan/ecc_key.h>
#include <botan/secmem.h>

#include <memory>
#include <string_view>

#include "base/bytes.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

class RecipientKey {
 public:
  /// A PKCS#8 PEM key. Errors: wrong_statement (no P-256 private key).
  [[nodiscard]] static Result<RecipientKey> load(std::string_view private_key_pem);
  /// SPKI digest of the public half.
  [[nodiscard]] Digest digest() const;
  /// GCM || tag under the key for this info; throws when the tag does not fit.
  [[nodiscard]] Botan::secure_vector<std::uint8_t> open(ByteView ephemeral, const Bytes& info,
                                                        ByteView sealed) const;

 private:
  explicit RecipientKey(std::unique_ptr<Botan::EC_PrivateKey> key) : key_(std::move(key)) {}
  std::unique_ptr<Botan::EC_PrivateKey> key_;
};

}  // namespace talla::certs

/// \file
/// One message to one P-256 key: an ephemeral key of ours, its agreement with theirs, and texts
/// sealed under keys that are derived from it (SP 800-56A, RFC 5869, SP 800-38D). Private to certs.
///
/// Errors:  key_malformed (no canonical P-256 SubjectPublicKeyInfo), crypto_failed. Secrecy: the
/// ephemeral private key dies with `create`; the agreed secret lives in secret memory.
/// Threads: any; the public keys that came last are kept, checked, for the whole process.
#pragma once

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

/// ECDH (SP 800-56A 5.7.1.2): the x coordinate of the shared point of two P-256 keys. The peer's
/// key is a checked one.
[[nodiscard]] Result<SecretBytes> agree(EVP_PKEY& own, EVP_PKEY& peer);

class Recipient {
 public:
  [[nodiscard]] static Result<Recipient> create(ByteView spki);
  /// Our ephemeral public key: 65 bytes, uncompressed.
  [[nodiscard]] const Bytes& ephemeral() const { return ephemeral_; }
  /// Appends AES-256-GCM (nonce of 12 zero bytes) and its tag to `out`; the key is HKDF-SHA-256 of
  /// the agreed secret for this info, which is the additional data too. One info seals once.
  [[nodiscard]] Status seal(const Bytes& info, std::span<const std::uint8_t> plain,
                            Bytes& out) const;

 private:
  Recipient(Bytes ephemeral, SecretBytes shared)
      : ephemeral_(std::move(ephemeral)), shared_(std::move(shared)) {}
  Bytes ephemeral_;
  SecretBytes shared_;
};

}  // namespace talla::certs

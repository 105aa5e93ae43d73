/// \file
/// The algorithms under sealing, covered cards and signatures, each by itself and with keys given
/// as bytes: for known answers at a start and for a laboratory's published vectors. They are the
/// functions that the appliance uses, of the provider that OpenSSL's configuration names.
///
/// Standards: SP 800-38D, RFC 5869, FIPS 186-5 (ECDSA on P-256 with SHA-256, Ed25519), SP 800-56A
///            5.7.1.2. SHA-256 and HMAC stand in openssl_hashes.hpp, Ed25519 signatures in
///            signer.hpp.
/// Errors:  key_malformed (no key of that kind), crypto_failed. Threads: objects belong to one
///          thread, functions are pure.
/// Secrecy: private keys and agreed secrets live in secret memory; who asks for their bytes says
///          what becomes of them.
#pragma once

#include <memory>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "format/call.hpp"

namespace talla::certs {

/// What one message is sealed under: a nonce of 12 bytes, and data that are only authenticated.
struct GcmContext {
  ByteView nonce;
  ByteView data;
};
/// AES-256-GCM: the ciphertext and behind it the tag of 16 bytes. Errors: key_malformed for a nonce
/// of another length.
[[nodiscard]] Result<Bytes> gcm_encrypt(const Secret32& key, const GcmContext& context,
                                        ByteView plain);
/// Nothing where the tag does not fit. Errors: key_malformed for a nonce of another length, or for
/// fewer bytes than a tag has.
[[nodiscard]] Result<SecretBytes> gcm_decrypt(const Secret32& key, const GcmContext& context,
                                              ByteView sealed);

/// HKDF-SHA-256 with an empty salt: `bytes` (1 to 8,160) of this input for this info.
[[nodiscard]] Result<SecretBytes> hkdf_bytes(const SecretBytes& input, const Bytes& info,
                                             std::size_t bytes);

/// The SubjectPublicKeyInfo (DER) of a point on P-256: coordinates of 32 bytes, most significant
/// first. Whether the point is on the curve is not looked at: `check_seat_key` does. Empty for
/// coordinates of another length.
[[nodiscard]] Bytes p256_spki(ByteView x, ByteView y);

/// A pair of keys on P-256.
class P256Pair {
 public:
  /// A fresh one, as for covered cards and certificates.
  [[nodiscard]] static Result<P256Pair> make();
  /// The pair of a private key of 32 bytes, most significant first.
  [[nodiscard]] static Result<P256Pair> of(ByteView private_key);
  P256Pair(P256Pair&&) noexcept;
  P256Pair& operator=(P256Pair&&) noexcept;
  P256Pair(const P256Pair&) = delete;
  P256Pair& operator=(const P256Pair&) = delete;
  ~P256Pair();

  /// Coordinates of the public point, 32 bytes each.
  [[nodiscard]] Result<Bytes> x() const;
  [[nodiscard]] Result<Bytes> y() const;
  [[nodiscard]] Result<SecretBytes> private_key() const;
  /// ECDSA with SHA-256: r and s, 32 bytes each.
  [[nodiscard]] Result<SignatureP256> sign(ByteView message) const;
  /// The shared x coordinate with a peer's SubjectPublicKeyInfo, which is checked first as a seat's
  /// key is.
  [[nodiscard]] Result<SecretBytes> agreed(ByteView peer_spki) const;

 private:
  struct Key;
  explicit P256Pair(std::unique_ptr<Key> key);
  [[nodiscard]] Result<Bytes> coordinate(const char* name) const;
  std::unique_ptr<Key> key_;
};

/// A fresh Ed25519 private key of 32 bytes (RFC 8032 5.1.5), as the ceremony makes it.
[[nodiscard]] Result<SecretBytes> make_ed25519_private_key();

}  // namespace talla::certs

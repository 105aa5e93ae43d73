/// \file
/// Signatures of P-256 keys named by their SubjectPublicKeyInfo. Private to certs_verify.
///
/// Standard: ECDSA with SHA-256 (FIPS 186-5); r || s, an s of either half is valid.
/// Threads: a key belongs to one.
#pragma once

#include <memory>
#include <optional>

#include "base/bytes.hpp"
#include "format/call.hpp"

namespace talla::certs {

class P256Key {
 public:
  /// Nothing for any text but the one DER encoding of a key on P-256 with an uncompressed point.
  [[nodiscard]] static std::optional<P256Key> parse(ByteView spki);
  P256Key(P256Key&&) noexcept;
  P256Key& operator=(P256Key&&) noexcept;
  P256Key(const P256Key&) = delete;
  P256Key& operator=(const P256Key&) = delete;
  ~P256Key();
  [[nodiscard]] bool has_signed(ByteView statement, const SignatureP256& signature) const;

 private:
  struct Key;
  explicit P256Key(std::unique_ptr<const Key> key);
  std::unique_ptr<const Key> key_;
};

/// Whether that is exactly one DER certificate, of this SubjectPublicKeyInfo.
[[nodiscard]] bool certifies(ByteView certificate, ByteView spki);

}  // namespace talla::certs

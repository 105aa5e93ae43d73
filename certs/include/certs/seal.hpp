/// \file
/// Sealing of secrets at rest: AES-256-GCM with one derived key per object (FORMAT.md section 10).
///
/// Standards: SP 800-38D (GCM, random 96-bit nonce, 128-bit tag), RFC 5869 (HKDF-SHA-256).
/// Errors:    seal_refused (wrong key, wrong context, changed or shortened bytes: not told apart),
///            key_file_open, key_file_missing, key_malformed, crypto_failed.
/// Threads:   const calls from any thread. Secrecy: keys and plain bytes live in secret memory
///            only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// What sealed bytes are bound to.
struct SealContext {
  std::string_view origin;
  std::uint64_t seq;        ///< of the record that committed to the secret
  std::string_view kind;    ///< that record's kind, e.g. "SHOE_COMMIT"
  std::string_view object;  ///< object id
};

/// Seals and unseals with one key.
class Sealer {
 public:
  static constexpr std::size_t key_bytes = 32;
  /// Exactly `key_bytes` (key_malformed otherwise).
  [[nodiscard]] static Result<Sealer> create(SecretBytes key);
  /// A key file of 32 bytes, mode 0600: development, shown as `sealing: "file"`.
  [[nodiscard]] static Result<Sealer> load(const std::string& path);
  /// nonce (12) || ciphertext || tag (16).
  [[nodiscard]] Result<Bytes> seal(const SealContext& context,
                                   std::span<const std::uint8_t> plain) const;
  [[nodiscard]] Result<SecretBytes> unseal(const SealContext& context, ByteView sealed) const;

 private:
  explicit Sealer(SecretBytes key) : key_(std::move(key)) {}
  SecretBytes key_;
};

}  // namespace talla::certs

/// \file
/// HKDF-SHA-256 and AES-256-GCM of OpenSSL, as sealing and covered cards use them. Private to
/// certs.
#pragma once

#include "base/bytes.hpp"
#include "base/secret.hpp"
#include "certs/errc.hpp"

namespace talla::certs {

/// RFC 5869 with an empty salt; fills `out` (1 to 8,160 bytes). Errors: crypto_failed.
[[nodiscard]] Status hkdf_sha256(const SecretBytes& input, const Bytes& info,
                                 std::span<std::uint8_t> out);
/// The same for a key.
[[nodiscard]] Status hkdf_sha256(const SecretBytes& input, const Bytes& info, Secret32& out);

inline constexpr std::size_t gcm_nonce_bytes = 12;
inline constexpr std::size_t gcm_tag_bytes = 16;
/// One GCM pass (SP 800-38D); `tag` (`gcm_tag_bytes`) is written when sealing and checked when
/// opening.
struct GcmPass {
  bool sealing;
  ByteView nonce;  ///< `gcm_nonce_bytes`
  ByteView data;   ///< additional data
  ByteView input;
  std::uint8_t* output;  ///< as long as the input
  std::uint8_t* tag;
};
/// False when the tag does not fit, or OpenSSL fails.
[[nodiscard]] bool run_gcm(const Secret32& key, const GcmPass& pass);

}  // namespace talla::certs

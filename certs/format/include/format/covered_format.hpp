/// \file
/// Openings of covered cards, encrypted for one seat: what is bound to what (FORMAT.md section 7,
/// "Covered cards").
///
/// Ciphertext: ephemeral P-256 public key (65 bytes, uncompressed) || AES-256-GCM of the opening's
/// canonical JSON || tag (16).
/// Key: HKDF-SHA-256(ECDH x coordinate, salt "", info); info is also the additional data; the nonce
/// is 12 zero bytes, because every key seals once. Appliance (OpenSSL) and reader (Botan) share
/// this page and no crypto code.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"
#include "format/body_shoe.hpp"

namespace talla::certs {

/// Parts of the ciphertext of a covered card: ephemeral key, tag of AES-GCM, nonce.
inline constexpr std::size_t ephemeral_bytes = 65;
inline constexpr std::size_t covered_tag_bytes = 16;
inline constexpr std::size_t covered_nonce_bytes = 12;

/// Which card for whom.
struct CoveredContext {
  std::string_view origin;
  std::string_view shoe;       ///< shoe id
  std::uint32_t position = 0;  ///< dealt position
  std::uint32_t seat = 0;
  Digest key{};                 ///< SPKI digest of the recipient
  std::uint32_t recommits = 0;  ///< SHOE_RECOMMITs before the root it was dealt under
};

/// D("covered-card") || field(origin) || field(shoe id) || u32 position || u32 seat || key ||
/// ephemeral; under a later root D("covered-card-again") and u32 recommits before the position.
[[nodiscard]] Bytes covered_info(const CoveredContext& context, ByteView ephemeral);

}  // namespace talla::certs

/// \file
/// Covered cards, the seat's side: decrypts an opening with the seat's own key and checks it
/// against the log (Botan).
///
/// Errors:  VerifyErrc::wrong_opening (does not decrypt, or the card is not the committed one),
///          wrong_statement (the key is no P-256 private key).
/// Threads: pure functions.
/// Secrecy: private keys stay with the caller.
#pragma once

#include "format/covered_format.hpp"
#include "format/mix.hpp"
#include "format/shoe_format.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {

/// SPKI digest of the public half of a PKCS#8 PEM key: the `key` of the copies that are for it.
[[nodiscard]] Result<Digest> seat_key_digest(std::string_view private_key_pem);

/// `context.key` must be that key's digest.
[[nodiscard]] Result<CardOpening> decrypt_opening(std::string_view private_key_pem,
                                                  const CoveredContext& context,
                                                  ByteView ciphertext);

/// The card is the one that the shoe's root commits to at this dealt position. For the seat that
/// decrypted it, before CARD_OPEN.
struct DealtPlace {
  std::string_view shoe;
  const Mix& mix;  ///< of that root
  std::uint32_t position = 0;
  Digest root{};
};
[[nodiscard]] Status check_covered_opening(const DealtPlace& place, const CardOpening& opening);

}  // namespace talla::certs

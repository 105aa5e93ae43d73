/// \file
/// Covered cards, the appliance's side: encrypts an opening to the P-256 key of one seat (PROTOCOL
/// section 4.3).
///
/// Standards: SP 800-56A (ECDH, ephemeral unified is not used: one ephemeral key of ours, the
/// seat's static key), RFC 5869, SP 800-38D. The format stands in format/covered_format.hpp.
/// Errors:  key_malformed (no P-256 public key), crypto_failed. Threads: pure but for OpenSSL's
///          generator.
/// Secrecy: the opening comes from secret memory and leaves only encrypted; the ephemeral key dies
///          with the call.
#pragma once

#include "certs/errc.hpp"
#include "format/covered_format.hpp"

namespace talla::certs {

/// Whether these bytes are the canonical DER SubjectPublicKeyInfo of a P-256 key.
[[nodiscard]] Status check_seat_key(ByteView spki);

/// Each call has its own ephemeral key, so that the same card encrypted twice gives other bytes.
[[nodiscard]] Result<Bytes> encrypt_opening(const CoveredContext& context, ByteView spki,
                                            const CardOpening& opening);

}  // namespace talla::certs

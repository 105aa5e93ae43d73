/// \file
/// The appliance's check of the key of a table and of its signatures (FORMAT.md section 8).
///
/// Standard: ECDSA on P-256 with SHA-256 (FIPS 186-5); a signature is r || s, 32 bytes each, and an
/// s of either half is valid. Nothing that is random follows from a signature.
/// Errors:  key_malformed.
/// Threads: pure functions.
#pragma once

#include "base/bytes.hpp"
#include "certs/errc.hpp"
#include "format/call.hpp"

namespace talla::certs {

/// Whether that is the DER SubjectPublicKeyInfo of a key on P-256. Errors: key_malformed.
[[nodiscard]] Status check_call_key(ByteView spki);
/// Whether the key has signed the statement; false too for what is no key on P-256.
[[nodiscard]] bool call_signature_holds(ByteView spki, ByteView statement,
                                        const SignatureP256& signature);

}  // namespace talla::certs

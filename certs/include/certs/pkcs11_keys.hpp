/// \file
/// The log's key and the sealing key, kept by a PKCS#11 token.
///
/// The log key signs inside the token; each signature is checked before it is used (a faulty one
/// would betray the key, as RFC 8032 signatures are deterministic). The sealing key is derived at
/// start from an AES-256 key of the token that never leaves it: SP 800-108r1 counter mode with
/// AES-CMAC, label "talla/v1/sealing-key", context the log's origin, 256 bits. Why not AES-GCM in
/// the token: each commit seals, and a network HSM takes milliseconds; process memory is trusted
/// anyway (PROTOCOL section 7). Why not a wrapped key: there would be a blob to keep and to lose.
/// Same token key and origin, same sealing key: a token restored from the maker's backup opens
/// every old seal.
/// Errors:  those of pkcs11.hpp; object_refused when a signature does not verify. Threads: as
///          Ed25519Signer.
#pragma once

#include <memory>
#include <string>

#include "certs/pkcs11.hpp"

namespace talla::certs {

/// The pair that the URI's object and id name. Signs a probe before it is given out.
[[nodiscard]] Result<std::unique_ptr<Ed25519Signer>> pkcs11_log_signer(
    std::shared_ptr<Pkcs11Token> token, const Pkcs11Uri& uri);
/// 32 bytes, from the AES key that the URI's object and id name.
[[nodiscard]] Result<SecretBytes> pkcs11_sealing_key(Pkcs11Token& token, const Pkcs11Uri& uri,
                                                     std::string_view origin);

}  // namespace talla::certs

/// \file
/// Signs the texts of certifications (FORMAT.md section 14) with a key in a file or in a PKCS#11
/// token.
///
/// What is written is what a verifier accepts: the certificate is of this key, for signatures
/// alone, and named for issuer and kind; whether it leads to a root is the caller's to check.
/// Errors:  key_file_missing, key_file_open, key_malformed, crypto_failed, those of pkcs11.hpp.
/// Threads: no shared state. Secrecy: the key stays inside OpenSSL or the token.
#pragma once

#include <string>

#include "certs/errc.hpp"
#include "format/certification.hpp"

namespace talla::certs {

/// Whose signature it is to be.
struct CertifierKey {
  std::string key;    ///< PKCS#8 PEM on P-256, or a `pkcs11:` URI of a private key
  std::string chain;  ///< PEM: its certificate, then its issuers without the root
};
/// Precondition (checked): `statement` is the text of a certification.
[[nodiscard]] Result<SignedCertification> sign_certification(const std::string& statement,
                                                             const CertifierKey& key);
/// SHA-256 of the SubjectPublicKeyInfo of the first certificate in a PEM file.
[[nodiscard]] Result<Digest> certificate_spki(const std::string& path);

}  // namespace talla::certs

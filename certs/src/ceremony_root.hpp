/// \file
/// The offline root of a ceremony as it is loaded for one act. Private to certs.
#pragma once

#include <string>

#include "certificates.hpp"
#include "certs/ceremony.hpp"

namespace talla::certs {

using CrlHandle = std::unique_ptr<X509_CRL, Freed<X509_CRL_free>>;

struct CeremonyRoot {
  std::string folder;
  PkeyHandle key;
  CertificateHandle certificate;
};
/// Errors: seal_refused for another passphrase.
[[nodiscard]] Result<CeremonyRoot> load_root(const std::string& folder,
                                             const SecretBytes& passphrase);
/// PKCS#8 PEM under PBES2 with scrypt and AES-256-CBC.
[[nodiscard]] Result<SecretBytes> encrypted_key_pem(EVP_PKEY& key, const SecretBytes& passphrase);

struct CrlTerms {
  std::int64_t now_us;
  int days;
};
/// Writes crl.pem: all entries of `before` (may be null), and `fresh` (may be null), which it
/// takes; number one higher.
[[nodiscard]] Status write_crl(const CeremonyRoot& root, X509_CRL* before, X509_REVOKED* fresh,
                               const CrlTerms& terms);
/// The list of the folder.
[[nodiscard]] Result<CrlHandle> load_crl(const std::string& path);
[[nodiscard]] Result<std::string> file_digest(const std::string& path);
[[nodiscard]] std::string serial_of(X509& certificate);

}  // namespace talla::certs

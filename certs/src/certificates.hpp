/// \file
/// Building X.509 certificates, of the development set and of the ceremony. Private to certs.
///
/// Standard: RFC 5280; serial numbers are 159 random bits (section 4.1.2.2), P-256 keys, ECDSA with
///           SHA-256.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "openssl_handles.hpp"

namespace talla::certs {

inline constexpr std::int64_t day_s = 86'400;

enum class NameForm : std::uint8_t { uri, dns, ip };
struct AlternativeName {
  NameForm form;
  std::string value;
};

struct CertificateTerms {
  std::string common_name;
  std::vector<AlternativeName> names;
  bool authority = false;
  const char* extended_usage = nullptr;  ///< "serverAuth", "clientAuth"; nullptr: none
  std::int64_t now_us = 0;
  int days = 0;
  bool development = true;  ///< OU=development in the subject
};
struct Issuer {
  X509* certificate;  ///< nullptr: self-signed
  EVP_PKEY* key;
};

[[nodiscard]] Result<PkeyHandle> generate_p256();
[[nodiscard]] Result<PkeyHandle> generate_ed25519();
/// Subject: CN, O=Talla, and OU=development where the terms say so. Validity starts a day before
///          `now_us`.
[[nodiscard]] Result<CertificateHandle> make_certificate(EVP_PKEY& subject_key,
                                                         const CertificateTerms& terms,
                                                         const Issuer& issuer);
[[nodiscard]] Result<std::string> certificate_pem(X509& certificate);
[[nodiscard]] Result<Bytes> certificate_der(X509& certificate);
/// The first certificate of a PEM text. Errors: key_malformed.
[[nodiscard]] Result<CertificateHandle> parse_certificate(const std::string& pem,
                                                          const std::string& path);
/// SHA-256 of the SubjectPublicKeyInfo.
[[nodiscard]] Result<Digest> spki_digest(X509& certificate);
/// URI, DNS and IP alternative names as text.
[[nodiscard]] std::vector<std::string> alternative_names(X509& certificate);
[[nodiscard]] bool names_development(X509& certificate);

}  // namespace talla::certs

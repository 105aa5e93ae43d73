/// \file
/// The key ceremony: an offline root in a folder of its own, requests out of appliances and
/// machines, certificates in, revocation, and a transcript of every act at the root.
///
/// Standards: RFC 5280 (certificates and CRL version 2), RFC 2986 (PKCS#10), RFC 5958 with PBES2
/// and scrypt (root.key). The X.509 profile is that of the development set (keys.hpp) without
/// OU=development. Root folder (a machine without network):
///   root.key root.pem   P-256, encrypted under the passphrase; pathlen 0, keyCertSign and cRLSign
///   crl.pem             list of revoked certificates, made anew by each revocation
///   issued/SERIAL.pem   every certificate given
///   transcript.txt      see transcript.hpp
/// Appliance folder: server.key server.csr log-certificate.key log-certificate.csr log.key (unless
/// the log key is elsewhere); after the certificates came back root.pem server.pem
/// log-certificate.pem log-key.json. A request's subject and extensions are ignored: what a
/// certificate says is decided at the root.
/// Errors:  key_exists, key_file_missing, key_file_open, key_malformed, id_malformed, seal_refused
///          (passphrase), not_found, crypto_failed. Threads: one caller at a time for one folder.
///          Secrecy: the passphrase lives in secret memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/secret.hpp"
#include "certs/errc.hpp"
#include "certs/keys.hpp"

namespace talla::certs {

struct RootOptions {
  std::string folder;
  std::string name;        ///< common name, 1 to 64 printable ASCII characters
  SecretBytes passphrase;  ///< at least passphrase_bytes_min
  int days = 7305;
  int crl_days = 400;  ///< until the next list is due
  std::int64_t now_us = 0;
};
/// Root, empty list of revoked certificates, first entry of the transcript.
[[nodiscard]] Status make_root(const RootOptions& options);

/// What a certificate of the root is for.
enum class CertificateUse : std::uint8_t {
  server,  ///< TLS server of an appliance: DNS names and addresses
  log,     ///< signs log key statements: URI talla:log:<origin>
  client,  ///< TLS client: URI is the id
  /// Signs certifications: URI talla:certification:KIND:ISSUER, or that of a withdrawal.
  certification,
};
/// A certificate that the root is to give.
struct IssueTerms {
  std::string folder;
  SecretBytes passphrase;
  std::string request_path;
  std::string certificate_path;  ///< written, never overwritten
  CertificateUse use = CertificateUse::client;
  std::vector<std::string> names;  ///< server: at least one; log: the origin; client: the id;
                                   ///< certification: KIND:ISSUER
  int days = 731;
  std::int64_t now_us = 0;
};
/// Signs a request made elsewhere.
[[nodiscard]] Result<CertificateView> issue_certificate(const IssueTerms& terms);

/// A certificate that the root is to take back.
struct RevokeTerms {
  std::string folder;
  SecretBytes passphrase;
  std::string certificate_path;  ///< one that this root gave
  /// Unspecified, keyCompromise, affiliationChanged, superseded, cessationOfOperation.
  std::string reason = "unspecified";
  int crl_days = 400;
  std::int64_t now_us = 0;
};
/// A new list with everything of the old one, and this certificate. Errors: key_exists when it is
/// revoked already.
[[nodiscard]] Status revoke_certificate(const RevokeTerms& terms);
/// The list made anew, for a later due date.
[[nodiscard]] Status renew_revocation_list(const RootOptions& options);

/// P-256 key (mode 0600) and PKCS#10 request with this common name: for a client's machine.
[[nodiscard]] Status make_request(const std::string& key_path, const std::string& request_path,
                                  const std::string& name);

/// The keys and requests that an appliance makes for the ceremony.
struct ApplianceRequests {
  std::string folder;
  std::string origin;
  bool make_log_key = true;  ///< false: the log key is in a token or elsewhere
};
[[nodiscard]] Status make_appliance_requests(const ApplianceRequests& options);

/// What the ceremony gave, to be put into an appliance's folder.
struct InstallOptions {
  std::string folder;
  std::string origin;
  std::string root_path;
  std::string server_path;
  std::string log_path;
  std::string log_key;  ///< source of the log key as in key_sources.hpp; empty: FOLDER/log.key
  std::int64_t now_us = 0;
};
/// Checks that both certificates are of this root and for the keys of the folder, puts them in
/// place and makes the statement of the log key.
[[nodiscard]] Status install_certificates(const InstallOptions& options);

}  // namespace talla::certs

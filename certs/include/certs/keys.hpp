/// \file
/// The development key set: everything an appliance and its first clients need, made in one folder.
///
/// Standards: RFC 5280 (X.509), P-256 keys, ECDSA with SHA-256, Ed25519 log key. Every subject
/// holds OU=development, so certificate, records and pages show what it is. Files of the folder:
///   ca.key ca.pem                     root: pathlen 0, keyCertSign and cRLSign, 10 years
///   server.key server.pem             TLS server: SAN DNS localhost, IP 127.0.0.1 and ::1, names
///                                     asked for; with ca.pem appended as its issuer
///   log-certificate.key .pem          signs the log key statement: SAN URI talla:log:<origin>
///   log.key log-key.json              Ed25519 key of the checkpoints; its statement (FORMAT.md 5)
///   sealing.key                       32 random bytes
///   clients/<id>.key clients/<id>.pem TLS client: SAN URI is the id
///   clients.toml                      enrolment: [[client]] id, spki, roles
/// Keys have mode 0600 and folders 0700; nothing is ever overwritten.
/// Errors:  key_exists, key_file_missing, key_file_open, key_malformed, id_malformed,
///          crypto_failed.
/// Threads: no shared state; one caller at a time for one folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "certs/errc.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

struct KeySetOptions {
  std::string folder;
  std::string origin;  ///< name of the log, see origin_valid
  /// Further DNS names or IP addresses of the server certificate.
  std::vector<std::string> server_names;
  std::int64_t now_us = 0;  ///< validity starts a day before; UTC microseconds
};
/// Makes the whole set but the clients. Refuses when any of its files exists.
[[nodiscard]] Status init_development_keys(const KeySetOptions& options);

/// A client that joins a development key set.
struct ClientOptions {
  std::string folder;
  std::string id;                  ///< 1-64 of A-Z a-z 0-9 . _ - :
  std::vector<std::string> roles;  ///< of client_roles(), at least one
  std::int64_t now_us = 0;
};
/// Key, certificate (2 years) and an entry in clients.toml.
[[nodiscard]] Status add_development_client(const ClientOptions& options);
/// table, seat, contributor, shuffler, operator, security-officer, inspector, auditor, lab.
[[nodiscard]] const std::vector<std::string_view>& client_roles();

/// A client with a key of its own that joins a development key set.
struct IssueOptions {
  std::string folder;            ///< the set whose ca signs
  std::string request_path;      ///< PKCS#10 PEM of the client's own P-256 key
  std::string certificate_path;  ///< written, never overwritten
  std::string id;
  std::vector<std::string> roles;
  std::int64_t now_us = 0;
};
/// Signs a request made elsewhere: the client's private key never comes here. The request's
/// signature is checked; its subject and extensions are ignored.
[[nodiscard]] Status issue_development_client(const IssueOptions& options);

/// What `talla keys show` prints of one certificate.
struct CertificateView {
  std::string path;
  std::string subject;             ///< RFC 2253 text
  std::vector<std::string> names;  ///< URI, DNS and IP alternative names
  std::int64_t not_before_us = 0;
  std::int64_t not_after_us = 0;
  std::string serial;  ///< hex
  Digest spki{};       ///< SHA-256 of the SubjectPublicKeyInfo
  bool development = false;
  bool authority = false;
};
/// The first certificate of a PEM file.
[[nodiscard]] Result<CertificateView> view_certificate(const std::string& pem_path);
/// Every certificate of a PEM file, at least one.
[[nodiscard]] Result<std::vector<CertificateView>> view_certificates(const std::string& pem_path);
/// Every certificate of the folder, ca first.
[[nodiscard]] Result<std::vector<CertificateView>> show_keys(const std::string& folder);

/// Reads log-key.json; its public key must equal `expected_public` (key_malformed otherwise).
[[nodiscard]] Result<LogKey> load_log_key(const std::string& json_path, std::string_view origin,
                                          const Digest& expected_public);

}  // namespace talla::certs

/// \file
/// Steps that the development set and the ceremony share: names, requests, statements, pairs of
/// files. Private to certs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "certificates.hpp"
#include "format/log_key.hpp"

namespace talla::certs {

[[nodiscard]] bool file_exists(const std::string& path);
/// Letters, digits and `extra` only.
[[nodiscard]] bool ascii_of(std::string_view text, std::string_view extra);
/// A DNS name or an IP address.
[[nodiscard]] AlternativeName server_name(const std::string& name);
/// Errors: id_malformed.
[[nodiscard]] Status check_client_id(const std::string& id);
[[nodiscard]] Status check_server_names(const std::vector<std::string>& names);
[[nodiscard]] Status check_roles(const std::string& id, const std::vector<std::string>& roles);

/// Key and certificate as `<base>.key` and `<base>.pem`, with further PEM text behind the
/// certificate.
struct PairFiles {
  std::string base;
  std::string behind;
};
[[nodiscard]] Status write_pair(const PairFiles& files, EVP_PKEY& key, X509& certificate);

/// The public key of a PKCS#10 request in PEM: on P-256, its signature checked. Errors:
/// key_malformed.
[[nodiscard]] Result<PkeyHandle> request_key(const std::string& path);
/// DER ECDSA with SHA-256.
[[nodiscard]] Result<Bytes> sign_ecdsa(EVP_PKEY& key, ByteView message);
/// The statement, signed by the key of `certificate`.
[[nodiscard]] Result<LogKey> make_log_statement(const LogKeyStatement& statement, EVP_PKEY& key,
                                                X509& certificate);

/// One client of clients.toml.
struct EnrolmentEntry {
  std::string id;
  std::string spki;  ///< hex
  std::vector<std::string> roles;
};
[[nodiscard]] std::string enrolment_start();
/// The file's text (or a fresh one) with the client added. Errors: key_exists.
[[nodiscard]] Result<std::string> enrolment_with(const std::string& path,
                                                 const EnrolmentEntry& entry);

}  // namespace talla::certs

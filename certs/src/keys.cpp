#include "certs/keys.hpp"

#include <openssl/rand.h>

#include <algorithm>

#include "certificates.hpp"
#include "certs/files.hpp"
#include "certs/signer.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

constexpr int root_days = 3653;
constexpr int log_days = 1827;
constexpr int leaf_days = 731;

struct Authority {
  PkeyHandle key;
  CertificateHandle certificate;
  std::string pem;
};
Result<Authority> load_authority(const std::string& folder) {
  Authority authority;
  TALLA_TRY(authority.key, load_private_key(folder + "/ca.key"));
  TALLA_TRY(authority.pem, read_file(folder + "/ca.pem"));
  TALLA_TRY(authority.certificate, parse_certificate(authority.pem, folder + "/ca.pem"));
  if (X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1) {
    return fail(Errc::key_malformed, folder + ": ca.key is not the key of ca.pem");
  }
  return authority;
}

Result<Authority> make_authority(const KeySetOptions& options) {
  Authority authority;
  TALLA_TRY(authority.key, generate_p256());
  TALLA_TRY(authority.certificate,
            make_certificate(*authority.key,
                             {.common_name = "Talla development root",
                              .names = {},
                              .authority = true,
                              .now_us = options.now_us,
                              .days = root_days},
                             {.certificate = nullptr, .key = authority.key.get()}));
  TALLA_TRY(authority.pem, certificate_pem(*authority.certificate));
  TALLA_TRY_STATUS(write_pair({.base = options.folder + "/ca", .behind = {}}, *authority.key,
                              *authority.certificate));
  return authority;
}

Status make_server(const KeySetOptions& options, const Authority& authority) {
  CertificateTerms terms{.common_name = "Talla appliance",
                         .names = {},
                         .extended_usage = "serverAuth",
                         .now_us = options.now_us,
                         .days = leaf_days};
  for (const char* name : {"localhost", "127.0.0.1", "::1"})
    terms.names.push_back(server_name(name));
  for (const std::string& name : options.server_names) terms.names.push_back(server_name(name));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(
      const CertificateHandle certificate,
      make_certificate(*key, terms,
                       {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  return write_pair({.base = options.folder + "/server", .behind = authority.pem}, *key,
                    *certificate);
}

Status make_log_keys(const KeySetOptions& options, const Authority& authority) {
  const std::string log_path = options.folder + "/log.key";
  TALLA_TRY(const PkeyHandle log_key, generate_ed25519());
  TALLA_TRY(const SecretBytes log_pem, private_key_pem(*log_key));
  TALLA_TRY_STATUS(create_private_file(log_path, log_pem));
  TALLA_TRY(const auto signer, load_log_signer(log_path));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(
      const CertificateHandle certificate,
      make_certificate(*key,
                       {.common_name = "Talla log statement",
                        .names = {{.form = NameForm::uri, .value = "talla:log:" + options.origin}},
                        .now_us = options.now_us,
                        .days = log_days},
                       {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY_STATUS(
      write_pair({.base = options.folder + "/log-certificate", .behind = {}}, *key, *certificate));
  TALLA_TRY(const LogKey statement,
            make_log_statement(
                {.origin = options.origin, .public_key = signer->public_key(), .development = true},
                *key, *certificate));
  return create_public_file(options.folder + "/log-key.json", json::canonical(statement.to_json()));
}

Status make_sealing_key(const std::string& folder) {
  SecretBytes key(32);
  if (RAND_priv_bytes(key.data(), static_cast<int>(key.size())) != 1)
    return crypto_fail("sealing key");
  return create_private_file(folder + "/sealing.key", key);
}

CertificateTerms client_terms(const std::string& id, std::int64_t now_us) {
  return {.common_name = id,
          .names = {{.form = NameForm::uri, .value = id}},
          .extended_usage = "clientAuth",
          .now_us = now_us,
          .days = leaf_days};
}

}  // namespace

const std::vector<std::string_view>& client_roles() {
  static const std::vector<std::string_view> roles = {"table",     "seat",     "contributor",
                                                      "shuffler",  "operator", "security-officer",
                                                      "inspector", "auditor",  "lab"};
  return roles;
}

Status init_development_keys(const KeySetOptions& options) {
  if (!origin_valid(options.origin))
    return fail(Errc::id_malformed, "log origin '" + options.origin + "'");
  TALLA_TRY_STATUS(check_server_names(options.server_names));
  TALLA_TRY_STATUS(create_folder(options.folder));
  for (const char* file :
       {"ca.key", "ca.pem", "server.key", "server.pem", "log-certificate.key",
        "log-certificate.pem", "log.key", "log-key.json", "sealing.key", "clients.toml"}) {
    if (const std::string path = options.folder + "/" + file; file_exists(path)) {
      return fail(Errc::key_exists, path + " exists and is never overwritten");
    }
  }
  TALLA_TRY(const Authority authority, make_authority(options));
  TALLA_TRY_STATUS(make_server(options, authority));
  TALLA_TRY_STATUS(make_log_keys(options, authority));
  TALLA_TRY_STATUS(make_sealing_key(options.folder));
  TALLA_TRY_STATUS(create_folder(options.folder + "/clients"));
  return create_public_file(options.folder + "/clients.toml", enrolment_start());
}

Status add_development_client(const ClientOptions& options) {
  TALLA_TRY_STATUS(check_client_id(options.id));
  TALLA_TRY_STATUS(check_roles(options.id, options.roles));
  const std::string base = options.folder + "/clients/" + options.id;
  for (const char* ending : {".key", ".pem"}) {
    if (file_exists(base + ending))
      return fail(Errc::key_exists, base + ending + " exists and is never overwritten");
  }
  TALLA_TRY(const Authority authority, load_authority(options.folder));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(
      const CertificateHandle certificate,
      make_certificate(*key, client_terms(options.id, options.now_us),
                       {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY(const Digest spki, spki_digest(*certificate));
  TALLA_TRY(const std::string enrolment, enrolment_with(options.folder + "/clients.toml",
                                                        {options.id, to_hex(spki), options.roles}));
  TALLA_TRY_STATUS(create_folder(options.folder + "/clients"));
  TALLA_TRY_STATUS(write_pair({.base = base, .behind = {}}, *key, *certificate));
  return replace_file(options.folder + "/clients.toml", enrolment);
}

Status issue_development_client(const IssueOptions& options) {
  TALLA_TRY_STATUS(check_client_id(options.id));
  TALLA_TRY_STATUS(check_roles(options.id, options.roles));
  TALLA_TRY(const PkeyHandle key, request_key(options.request_path));
  TALLA_TRY(const Authority authority, load_authority(options.folder));
  TALLA_TRY(
      const CertificateHandle certificate,
      make_certificate(*key, client_terms(options.id, options.now_us),
                       {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY(const Digest spki, spki_digest(*certificate));
  TALLA_TRY(const std::string enrolment, enrolment_with(options.folder + "/clients.toml",
                                                        {options.id, to_hex(spki), options.roles}));
  TALLA_TRY(const std::string text, certificate_pem(*certificate));
  TALLA_TRY_STATUS(create_public_file(options.certificate_path, text));
  return replace_file(options.folder + "/clients.toml", enrolment);
}

Result<LogKey> load_log_key(const std::string& json_path, std::string_view origin,
                            const Digest& expected_public) {
  TALLA_TRY(const std::string text, read_file(json_path));
  const auto malformed = [&json_path](const std::string& why) {
    return fail(Errc::key_malformed, json_path + ": " + why);
  };
  const auto value = json::parse_canonical(text);
  if (!value) return malformed(value.error().text());
  auto log_key = LogKey::from_json(*value);
  if (!log_key) return malformed(log_key.error().text());
  const auto statement = parse_statement(log_key->statement);
  if (!statement) return malformed(statement.error().text());
  if (statement->origin != origin)
    return malformed("statement for the log '" + statement->origin + "'");
  if (statement->public_key != expected_public) return malformed("statement for another log key");
  return std::move(*log_key);
}

}  // namespace talla::certs

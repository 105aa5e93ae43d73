#include "certs/keys.hpp"

#include <fmt/format.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <algorithm>

#include "certificates.hpp"
#include "certs/files.hpp"
#include "certs/signer.hpp"

namespace talla::certs {

namespace {

constexpr int root_days = 3653;
constexpr int log_days = 1827;
constexpr int leaf_days = 731;

bool exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

bool ascii_of(std::string_view text, std::string_view extra) {
  return std::all_of(text.begin(), text.end(), [extra](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           extra.find(c) != std::string_view::npos;
  });
}

AlternativeName server_name(const std::string& name) {
  const bool address =
      name.find(':') != std::string::npos ||
      (!name.empty() && ascii_of(name, ".") && name.find_first_not_of("0123456789.") == std::string::npos);
  return {.form = address ? NameForm::ip : NameForm::dns, .value = name};
}

/// Key and certificate as `<base>.key` and `<base>.pem`, with further PEM text behind the certificate.
struct Files {
  std::string base;
  std::string behind;
};
Status write_pair(const Files& files, EVP_PKEY& key, X509& certificate) {
  TALLA_TRY(const SecretBytes pem, private_key_pem(key));
  TALLA_TRY_STATUS(create_private_file(files.base + ".key", pem));
  TALLA_TRY(const std::string text, certificate_pem(certificate));
  return create_public_file(files.base + ".pem", text + files.behind);
}

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
  TALLA_TRY(authority.certificate, make_certificate(*authority.key,
                                                    {.common_name = "Talla development root",
                                                     .names = {},
                                                     .authority = true,
                                                     .now_us = options.now_us,
                                                     .days = root_days},
                                                    {.certificate = nullptr, .key = authority.key.get()}));
  TALLA_TRY(authority.pem, certificate_pem(*authority.certificate));
  TALLA_TRY_STATUS(
      write_pair({.base = options.folder + "/ca", .behind = {}}, *authority.key, *authority.certificate));
  return authority;
}

Status make_server(const KeySetOptions& options, const Authority& authority) {
  CertificateTerms terms{.common_name = "Talla appliance",
                         .names = {},
                         .extended_usage = "serverAuth",
                         .now_us = options.now_us,
                         .days = leaf_days};
  for (const char* name : {"localhost", "127.0.0.1", "::1"}) terms.names.push_back(server_name(name));
  for (const std::string& name : options.server_names) terms.names.push_back(server_name(name));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key, terms,
                             {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  return write_pair({.base = options.folder + "/server", .behind = authority.pem}, *key, *certificate);
}

Result<Bytes> sign_ecdsa(EVP_PKEY& key, ByteView message) {
  const DigestContext context(EVP_MD_CTX_new());
  std::size_t size = 0;
  if (!context || EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, &key) != 1 ||
      EVP_DigestSign(context.get(), nullptr, &size, message.data(), message.size()) != 1) {
    return crypto_fail("ECDSA sign");
  }
  Bytes signature(size);
  if (EVP_DigestSign(context.get(), signature.data(), &size, message.data(), message.size()) != 1) {
    return crypto_fail("ECDSA sign");
  }
  signature.resize(size);
  return signature;
}

Status make_log_keys(const KeySetOptions& options, const Authority& authority) {
  const std::string log_path = options.folder + "/log.key";
  TALLA_TRY(const PkeyHandle log_key, generate_ed25519());
  TALLA_TRY(const SecretBytes log_pem, private_key_pem(*log_key));
  TALLA_TRY_STATUS(create_private_file(log_path, log_pem));
  TALLA_TRY(const auto signer, load_log_signer(log_path));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key,
                             {.common_name = "Talla log statement",
                              .names = {{.form = NameForm::uri, .value = "talla:log:" + options.origin}},
                              .now_us = options.now_us,
                              .days = log_days},
                             {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY_STATUS(
      write_pair({.base = options.folder + "/log-certificate", .behind = {}}, *key, *certificate));
  LogKey statement{.statement = format_statement(
                       {.origin = options.origin, .public_key = signer->public_key(), .development = true}),
                   .signature = {},
                   .chain = {}};
  TALLA_TRY(statement.signature, sign_ecdsa(*key, log_key_message(statement.statement)));
  TALLA_TRY(Bytes der, certificate_der(*certificate));
  statement.chain.push_back(std::move(der));
  return create_public_file(options.folder + "/log-key.json", json::canonical(statement.to_json()));
}

Status make_sealing_key(const std::string& folder) {
  SecretBytes key(32);
  if (RAND_priv_bytes(key.data(), static_cast<int>(key.size())) != 1) return crypto_fail("sealing key");
  return create_private_file(folder + "/sealing.key", key);
}

Status check_client(const std::string& id, const std::vector<std::string>& roles) {
  if (id.empty() || id.size() > 64 || !ascii_of(id, "._-:")) {
    return fail(Errc::id_malformed, "client id '" + id + "': 1 to 64 of A-Z a-z 0-9 . _ - :");
  }
  if (roles.empty()) return fail(Errc::id_malformed, "client " + id + " has no role");
  for (const std::string& role : roles) {
    const auto& known = client_roles();
    if (std::find(known.begin(), known.end(), role) == known.end()) {
      return fail(Errc::id_malformed, "no role '" + role + "'");
    }
  }
  return {};
}

CertificateTerms client_terms(const std::string& id, std::int64_t now_us) {
  return {.common_name = id,
          .names = {{.form = NameForm::uri, .value = id}},
          .extended_usage = "clientAuth",
          .now_us = now_us,
          .days = leaf_days};
}

std::string enrolment_start() {
  return "# Enrolled clients, written by `talla keys`; read by rngd at start.\n";
}

Result<std::string> enrolment_with(const std::string& folder, const std::string& id,
                                   const std::vector<std::string>& roles, const Digest& spki) {
  const std::string path = folder + "/clients.toml";
  std::string text = enrolment_start();
  if (exists(path)) {
    TALLA_TRY(text, read_file(path));
  }
  if (text.find("id = \"" + id + "\"\n") != std::string::npos) {
    return fail(Errc::key_exists, "client " + id + " is enrolled already");
  }
  std::string list;
  for (const std::string& role : roles) list += (list.empty() ? "\"" : ", \"") + role + "\"";
  return text +
         fmt::format("\n[[client]]\nid = \"{}\"\nspki = \"{}\"\nroles = [{}]\n", id, to_hex(spki), list);
}

}  // namespace

const std::vector<std::string_view>& client_roles() {
  static const std::vector<std::string_view> roles = {
      "table", "seat", "shuffler", "operator", "security-officer", "inspector", "auditor", "lab"};
  return roles;
}

Status init_development_keys(const KeySetOptions& options) {
  if (!origin_valid(options.origin)) return fail(Errc::id_malformed, "log origin '" + options.origin + "'");
  for (const std::string& name : options.server_names) {
    if (name.empty() || name.size() > 253 || !ascii_of(name, ".-:")) {
      return fail(Errc::id_malformed, "server name '" + name + "'");
    }
  }
  TALLA_TRY_STATUS(create_folder(options.folder));
  for (const char* file : {"ca.key", "ca.pem", "server.key", "server.pem", "log-certificate.key",
                           "log-certificate.pem", "log.key", "log-key.json", "sealing.key", "clients.toml"}) {
    if (const std::string path = options.folder + "/" + file; exists(path)) {
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
  TALLA_TRY_STATUS(check_client(options.id, options.roles));
  const std::string base = options.folder + "/clients/" + options.id;
  for (const char* ending : {".key", ".pem"}) {
    if (exists(base + ending))
      return fail(Errc::key_exists, base + ending + " exists and is never overwritten");
  }
  TALLA_TRY(const Authority authority, load_authority(options.folder));
  TALLA_TRY(const PkeyHandle key, generate_p256());
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key, client_terms(options.id, options.now_us),
                             {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY(const Digest spki, spki_digest(*certificate));
  TALLA_TRY(const std::string enrolment, enrolment_with(options.folder, options.id, options.roles, spki));
  TALLA_TRY_STATUS(create_folder(options.folder + "/clients"));
  TALLA_TRY_STATUS(write_pair({.base = base, .behind = {}}, *key, *certificate));
  return replace_file(options.folder + "/clients.toml", enrolment);
}

Status issue_development_client(const IssueOptions& options) {
  TALLA_TRY_STATUS(check_client(options.id, options.roles));
  TALLA_TRY(const std::string pem, read_file(options.request_path));
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const RequestHandle request(bio ? PEM_read_bio_X509_REQ(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  EVP_PKEY* key = request ? X509_REQ_get0_pubkey(request.get()) : nullptr;
  if (key == nullptr || X509_REQ_verify(request.get(), key) != 1) {
    return fail(Errc::key_malformed,
                options.request_path + ": no certificate request with a valid signature");
  }
  std::array<char, 32> group{};
  if (EVP_PKEY_get_id(key) != EVP_PKEY_EC ||
      EVP_PKEY_get_group_name(key, group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != "prime256v1") {
    return fail(Errc::key_malformed, options.request_path + ": the key is not on P-256");
  }
  TALLA_TRY(const Authority authority, load_authority(options.folder));
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key, client_terms(options.id, options.now_us),
                             {.certificate = authority.certificate.get(), .key = authority.key.get()}));
  TALLA_TRY(const Digest spki, spki_digest(*certificate));
  TALLA_TRY(const std::string enrolment, enrolment_with(options.folder, options.id, options.roles, spki));
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
  if (statement->origin != origin) return malformed("statement for the log '" + statement->origin + "'");
  if (statement->public_key != expected_public) return malformed("statement for another log key");
  return std::move(*log_key);
}

}  // namespace talla::certs

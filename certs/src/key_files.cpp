#include "key_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "certs/files.hpp"
#include "certs/keys.hpp"

namespace talla::certs {

bool file_exists(const std::string& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

bool ascii_of(std::string_view text, std::string_view extra) {
  return std::all_of(text.begin(), text.end(), [extra](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           extra.find(c) != std::string_view::npos;
  });
}

AlternativeName server_name(const std::string& name) {
  const bool address = name.find(':') != std::string::npos ||
                       (!name.empty() && ascii_of(name, ".") &&
                        name.find_first_not_of("0123456789.") == std::string::npos);
  return {.form = address ? NameForm::ip : NameForm::dns, .value = name};
}

Status check_client_id(const std::string& id) {
  // These names make a certificate sign for a log.
  if (id.starts_with("talla:log:") || id.starts_with("talla:log-end:"))
    return fail(Errc::id_malformed, "client id '" + id + "': is the name of a log's certificate");
  if (!id.empty() && id.size() <= 64 && ascii_of(id, "._-:")) return {};
  return fail(Errc::id_malformed, "client id '" + id + "': 1 to 64 of A-Z a-z 0-9 . _ - :");
}

Status check_server_names(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (name.empty() || name.size() > 253 || !ascii_of(name, ".-:")) {
      return fail(Errc::id_malformed, "server name '" + name + "'");
    }
  }
  return {};
}

Status check_roles(const std::string& id, const std::vector<std::string>& roles) {
  if (roles.empty()) return fail(Errc::id_malformed, "client " + id + " has no role");
  for (const std::string& role : roles) {
    const auto& known = client_roles();
    if (std::find(known.begin(), known.end(), role) == known.end()) {
      return fail(Errc::id_malformed, "no role '" + role + "'");
    }
  }
  return {};
}

Status write_pair(const PairFiles& files, EVP_PKEY& key, X509& certificate) {
  TALLA_TRY(const SecretBytes pem, private_key_pem(key));
  TALLA_TRY_STATUS(create_private_file(files.base + ".key", pem));
  TALLA_TRY(const std::string text, certificate_pem(certificate));
  return create_public_file(files.base + ".pem", text + files.behind);
}

Result<PkeyHandle> request_key(const std::string& path) {
  TALLA_TRY(const std::string pem, read_file(path));
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  const RequestHandle request(bio ? PEM_read_bio_X509_REQ(bio.get(), nullptr, nullptr, nullptr)
                                  : nullptr);
  PkeyHandle key(request ? X509_REQ_get_pubkey(request.get()) : nullptr);
  if (!key || X509_REQ_verify(request.get(), key.get()) != 1) {
    return fail(Errc::key_malformed, path + ": no certificate request with a valid signature");
  }
  std::array<char, 32> group{};
  if (EVP_PKEY_get_id(key.get()) != EVP_PKEY_EC ||
      EVP_PKEY_get_group_name(key.get(), group.data(), group.size(), nullptr) != 1 ||
      std::string_view(group.data()) != "prime256v1") {
    return fail(Errc::key_malformed, path + ": the key is not on P-256");
  }
  return key;
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

Result<LogKey> make_log_statement(const LogKeyStatement& statement, EVP_PKEY& key,
                                  X509& certificate) {
  LogKey made{.statement = format_statement(statement), .signature = {}, .chain = {}};
  TALLA_TRY(made.signature, sign_ecdsa(key, log_key_message(made.statement)));
  TALLA_TRY(Bytes der, certificate_der(certificate));
  made.chain.push_back(std::move(der));
  return made;
}

std::string enrolment_start() {
  return "# Enrolled clients, written by `talla keys`; read by rngd at start.\n";
}

Result<std::string> enrolment_with(const std::string& path, const EnrolmentEntry& entry) {
  std::string text = enrolment_start();
  if (file_exists(path)) {
    TALLA_TRY(text, read_file(path));
  }
  if (text.find("id = \"" + entry.id + "\"\n") != std::string::npos) {
    return fail(Errc::key_exists, "client " + entry.id + " is enrolled already");
  }
  std::string list;
  for (const std::string& role : entry.roles) list += (list.empty() ? "\"" : ", \"") + role + "\"";
  return text + fmt::format("\n[[client]]\nid = \"{}\"\nspki = \"{}\"\nroles = [{}]\n", entry.id,
                            entry.spki, list);
}

}  // namespace talla::certs

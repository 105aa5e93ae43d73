#include "certs/ceremony.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include "ceremony_root.hpp"
#include "certs/files.hpp"
#include "certs/passphrase.hpp"
#include "certs/transcript.hpp"
#include "format/certification.hpp"
#include "format/checkpoint.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;
constexpr int days_max = 36'525;

Status check_days(int days) {
  if (days >= 1 && days <= days_max) return {};
  return fail(Errc::count_refused, "days: 1 to " + std::to_string(days_max));
}

Result<Facts> facts_of(const std::string& path) {
  TALLA_TRY(const CertificateView view, view_certificate(path));
  TALLA_TRY(const std::string digest, file_digest(path));
  Facts facts{{"subject", view.subject}, {"serial", view.serial}, {"key", to_hex(view.spki)}};
  for (const std::string& name : view.names) facts.emplace_back("name", name);
  facts.emplace_back("file", digest);
  return facts;
}

Status note(const std::string& folder, std::int64_t now_us, const std::string& act, Facts facts) {
  return add_to_transcript(folder + "/transcript.txt",
                           {.now_us = now_us, .act = act, .facts = std::move(facts)});
}

Status check_root_options(const RootOptions& options) {
  const bool named = !options.name.empty() && options.name.size() <= 64 &&
                     std::all_of(options.name.begin(), options.name.end(),
                                 [](char c) { return c >= ' ' && c <= '~'; });
  if (!named)
    return fail(Errc::id_malformed, "name of the root: 1 to 64 printable ASCII characters");
  if (options.passphrase.size() < passphrase_bytes_min) {
    return fail(Errc::key_malformed, "a passphrase has at least " +
                                         std::to_string(passphrase_bytes_min) + " characters");
  }
  TALLA_TRY_STATUS(check_days(options.crl_days));
  return check_days(options.days);
}

/// KIND:ISSUER as the name that a certificate has: type, installation or withdrawal.
Result<std::string> certifier_uri(const std::string& name) {
  const std::size_t at = name.find(':');
  const std::string word = name.substr(0, at);
  if (at != std::string::npos && issuer_valid(name.substr(at + 1))) {
    for (const auto kind : {CertificationKind::type, CertificationKind::installation,
                            CertificationKind::withdrawal}) {
      if (word == certification_kind_name(kind))
        return certification_uri(kind, name.substr(at + 1));
    }
  }
  return fail(Errc::id_malformed,
              "'" + name +
                  "': type:ISSUER, installation:ISSUER or withdrawal:ISSUER is expected, "
                  "ISSUER of a-z 0-9 . -");
}

/// What the certificate will say.
Result<CertificateTerms> terms_of(const IssueTerms& wanted) {
  TALLA_TRY_STATUS(check_days(wanted.days));
  CertificateTerms terms{.common_name = {},
                         .names = {},
                         .now_us = wanted.now_us,
                         .days = wanted.days,
                         .development = false};
  const std::string first = wanted.names.empty() ? std::string() : wanted.names.front();
  switch (wanted.use) {
    case CertificateUse::server:
      TALLA_TRY_STATUS(check_server_names(wanted.names));
      if (first.empty())
        return fail(Errc::id_malformed, "a server's certificate needs a DNS name or an address");
      for (const std::string& name : wanted.names) terms.names.push_back(server_name(name));
      terms.common_name = "Talla appliance";
      terms.extended_usage = "serverAuth";
      return terms;
    case CertificateUse::log:
      if (wanted.names.size() != 1 || !origin_valid(first))
        return fail(Errc::id_malformed, "log origin '" + first + "'");
      terms.names.push_back({.form = NameForm::uri, .value = "talla:log:" + first});
      terms.common_name = "Talla log statement";
      return terms;
    case CertificateUse::client:
      if (wanted.names.size() != 1) return fail(Errc::id_malformed, "a client has one id");
      TALLA_TRY_STATUS(check_client_id(first));
      terms.names.push_back({.form = NameForm::uri, .value = first});
      terms.common_name = first;
      terms.extended_usage = "clientAuth";
      return terms;
    case CertificateUse::certification: {
      TALLA_TRY(auto uri, certifier_uri(wanted.names.size() == 1 ? first : std::string()));
      terms.names.push_back({.form = NameForm::uri, .value = std::move(uri)});
      terms.common_name = "Talla certification";
      return terms;
    }
  }
  return fail(Errc::id_malformed, "use of the certificate");
}

/// CRLReason of RFC 5280 section 5.3.1.
Result<int> reason_code(const std::string& name) {
  constexpr std::array<std::pair<std::string_view, int>, 5> reasons = {
      {{"unspecified", 0},
       {"keyCompromise", 1},
       {"affiliationChanged", 3},
       {"superseded", 4},
       {"cessationOfOperation", 5}}};
  for (const auto& [known, code] : reasons) {
    if (known == name) return code;
  }
  return fail(
      Errc::id_malformed,
      "reason '" + name +
          "': unspecified, keyCompromise, affiliationChanged, superseded or cessationOfOperation");
}

using RevokedHandle = std::unique_ptr<X509_REVOKED, Freed<X509_REVOKED_free>>;

Result<RevokedHandle> revoked_entry(X509& certificate, int reason, std::int64_t now_us) {
  RevokedHandle entry(X509_REVOKED_new());
  ASN1_TIME* when = ASN1_TIME_set(nullptr, now_us / 1'000'000);
  bool done =
      entry && when != nullptr &&
      X509_REVOKED_set_serialNumber(entry.get(), X509_get_serialNumber(&certificate)) == 1 &&
      X509_REVOKED_set_revocationDate(entry.get(), when) == 1;
  ASN1_TIME_free(when);
  if (done && reason != 0) {
    ASN1_ENUMERATED* code = ASN1_ENUMERATED_new();
    done = code != nullptr && ASN1_ENUMERATED_set(code, reason) == 1 &&
           X509_REVOKED_add1_ext_i2d(entry.get(), NID_crl_reason, code, 0, 0) == 1;
    ASN1_ENUMERATED_free(code);
  }
  if (!done) return crypto_fail("revoked certificate");
  return entry;
}

}  // namespace

Status make_root(const RootOptions& options) {
  TALLA_TRY_STATUS(check_root_options(options));
  TALLA_TRY_STATUS(create_folder(options.folder));
  for (const char* file : {"root.key", "root.pem", "crl.pem", "transcript.txt"}) {
    if (const std::string path = options.folder + "/" + file; file_exists(path)) {
      return fail(Errc::key_exists, path + " exists and is never overwritten");
    }
  }
  CeremonyRoot root;
  root.folder = options.folder;
  TALLA_TRY(root.key, generate_p256());
  const CertificateTerms terms{.common_name = options.name,
                               .names = {},
                               .authority = true,
                               .now_us = options.now_us,
                               .days = options.days,
                               .development = false};
  TALLA_TRY(root.certificate,
            make_certificate(*root.key, terms, {.certificate = nullptr, .key = root.key.get()}));
  TALLA_TRY(const SecretBytes key, encrypted_key_pem(*root.key, options.passphrase));
  TALLA_TRY_STATUS(create_private_file(options.folder + "/root.key", key));
  TALLA_TRY(const std::string pem, certificate_pem(*root.certificate));
  TALLA_TRY_STATUS(create_public_file(options.folder + "/root.pem", pem));
  TALLA_TRY_STATUS(create_folder(options.folder + "/issued"));
  TALLA_TRY_STATUS(
      write_crl(root, nullptr, nullptr, {.now_us = options.now_us, .days = options.crl_days}));
  TALLA_TRY(const Facts facts, facts_of(options.folder + "/root.pem"));
  return note(options.folder, options.now_us, "root made", facts);
}

Result<CertificateView> issue_certificate(const IssueTerms& wanted) {
  TALLA_TRY(const CertificateTerms terms, terms_of(wanted));
  TALLA_TRY(const PkeyHandle key, request_key(wanted.request_path));
  TALLA_TRY(const CeremonyRoot root, load_root(wanted.folder, wanted.passphrase));
  if (file_exists(wanted.certificate_path)) {
    return fail(Errc::key_exists, wanted.certificate_path + " exists and is never overwritten");
  }
  TALLA_TRY(const CertificateHandle certificate,
            make_certificate(*key, terms,
                             {.certificate = root.certificate.get(), .key = root.key.get()}));
  TALLA_TRY(const std::string pem, certificate_pem(*certificate));
  const std::string kept = wanted.folder + "/issued/" + serial_of(*certificate) + ".pem";
  TALLA_TRY_STATUS(create_public_file(kept, pem));
  TALLA_TRY(Facts facts, facts_of(kept));
  TALLA_TRY(const std::string request, file_digest(wanted.request_path));
  facts.emplace_back("request", request);
  TALLA_TRY_STATUS(note(wanted.folder, wanted.now_us, "certificate given", std::move(facts)));
  TALLA_TRY_STATUS(create_public_file(wanted.certificate_path, pem));
  return view_certificate(wanted.certificate_path);
}

Status revoke_certificate(const RevokeTerms& wanted) {
  TALLA_TRY_STATUS(check_days(wanted.crl_days));
  TALLA_TRY(const int reason, reason_code(wanted.reason));
  TALLA_TRY(const std::string pem, read_file(wanted.certificate_path));
  TALLA_TRY(const CertificateHandle certificate, parse_certificate(pem, wanted.certificate_path));
  TALLA_TRY(const CeremonyRoot root, load_root(wanted.folder, wanted.passphrase));
  if (X509_verify(certificate.get(), root.key.get()) != 1) {
    return fail(Errc::key_malformed, wanted.certificate_path + ": was not given by this root");
  }
  TALLA_TRY(const CrlHandle before, load_crl(wanted.folder + "/crl.pem"));
  X509_REVOKED* there = nullptr;
  if (X509_CRL_get0_by_cert(before.get(), &there, certificate.get()) == 1) {
    return fail(Errc::key_exists, wanted.certificate_path + ": is revoked already");
  }
  TALLA_TRY(RevokedHandle entry, revoked_entry(*certificate, reason, wanted.now_us));
  TALLA_TRY(Facts facts, facts_of(wanted.certificate_path));
  facts.emplace_back("reason", wanted.reason);
  TALLA_TRY_STATUS(write_crl(root, before.get(), entry.release(),
                             {.now_us = wanted.now_us, .days = wanted.crl_days}));
  TALLA_TRY(const std::string digest, file_digest(wanted.folder + "/crl.pem"));
  facts.emplace_back("list", digest);
  return note(wanted.folder, wanted.now_us, "certificate revoked", std::move(facts));
}

Status renew_revocation_list(const RootOptions& options) {
  TALLA_TRY_STATUS(check_days(options.crl_days));
  TALLA_TRY(const CeremonyRoot root, load_root(options.folder, options.passphrase));
  TALLA_TRY(const CrlHandle before, load_crl(options.folder + "/crl.pem"));
  TALLA_TRY_STATUS(
      write_crl(root, before.get(), nullptr, {.now_us = options.now_us, .days = options.crl_days}));
  TALLA_TRY(const std::string digest, file_digest(options.folder + "/crl.pem"));
  return note(options.folder, options.now_us, "list of revoked certificates made anew",
              {{"list", digest}});
}

}  // namespace talla::certs

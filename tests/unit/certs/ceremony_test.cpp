// Goal: a ceremony gives the X.509 profile of RFC 5280 that TLS and the verifier ask for, revokes
//   what it gave, and leaves a transcript in which no byte can change unseen; clients.toml keeps
//   who is in.
// Method: root, requests, certificates and lists made in a folder; OpenSSL's own store judges
//         chains and lists.
#include "certs/ceremony.hpp"

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include "ceremony_root.hpp"
#include "certificates.hpp"
#include "certs/ceremony_end.hpp"
#include "certs/enrolment_file.hpp"
#include "certs/files.hpp"
#include "certs/key_sources.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/signer.hpp"
#include "certs/transcript.hpp"
#include "fixture.hpp"
#include "format/errc.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/log_end.hpp"

namespace talla::certs {
namespace {

using testing::must;

using testing::ceremony_us;
using testing::secret_of;
const std::string safe_phrase = "a passphrase for the safe";

class Ceremony : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto made = make_root(root_options());
    ASSERT_TRUE(made) << made.error().text();
  }
  [[nodiscard]] RootOptions root_options() const {
    return {.folder = folder_ / "root",
            .name = "Casino root",
            .passphrase = secret_of(safe_phrase),
            .crl_days = 3650,
            .now_us = ceremony_us};
  }
  /// A client's certificate file.
  [[nodiscard]] std::string client(const std::string& id, const std::string& name) const {
    must(make_request(folder_ / (name + ".key"), folder_ / (name + ".csr"), id));
    const auto view = must(issue_certificate(terms(name, CertificateUse::client, {id})));
    EXPECT_FALSE(view.development);
    return folder_ / (name + ".pem");
  }
  [[nodiscard]] IssueTerms terms(const std::string& name, CertificateUse use,
                                 std::vector<std::string> names) const {
    return {.folder = folder_ / "root",
            .passphrase = secret_of(safe_phrase),
            .request_path = folder_ / (name + ".csr"),
            .certificate_path = folder_ / (name + ".pem"),
            .use = use,
            .names = std::move(names),
            .now_us = ceremony_us};
  }
  /// X509_V_OK or why not, with the list looked at, at this time.
  [[nodiscard]] int judged(const std::string& path, std::int64_t at_us = ceremony_us) const {
    const auto root = must(parse_certificate(must(read_file(folder_ / "root/root.pem")), "root"));
    const auto leaf = must(parse_certificate(must(read_file(path)), path));
    const auto crl = must(load_crl(folder_ / "root/crl.pem"));
    X509_STORE* store = X509_STORE_new();
    X509_STORE_add_cert(store, root.get());
    X509_STORE_add_crl(store, crl.get());
    X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_X509_STRICT);
    X509_STORE_CTX* context = X509_STORE_CTX_new();
    X509_STORE_CTX_init(context, store, leaf.get(), nullptr);
    X509_STORE_CTX_set_time(context, 0, at_us / 1'000'000);
    X509_verify_cert(context);
    const int error = X509_STORE_CTX_get_error(context);
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    return error;
  }
  testing::Folder folder_;
};

TEST_F(Ceremony, rfc_5280_chain_holds_until_its_last_day) {
  const std::string path = client("talla:table-7", "table-7");
  EXPECT_EQ(judged(path), X509_V_OK);
  EXPECT_EQ(judged(path, ceremony_us + 732LL * 86'400'000'000), X509_V_ERR_CERT_HAS_EXPIRED);
  const auto view = must(view_certificate(path));
  EXPECT_EQ(view.names, std::vector<std::string>{"talla:table-7"});
  EXPECT_FALSE(view.authority);
  EXPECT_TRUE(must(view_certificate(folder_ / "root/root.pem")).authority);
}

TEST_F(Ceremony, revoked_certificates_stay_revoked) {
  const std::string first = client("talla:table-1", "table-1");
  const std::string second = client("talla:table-2", "table-2");
  const RevokeTerms revoke{.folder = folder_ / "root",
                           .passphrase = secret_of(safe_phrase),
                           .certificate_path = first,
                           .reason = "keyCompromise",
                           .now_us = ceremony_us};
  ASSERT_TRUE(revoke_certificate(revoke));
  EXPECT_EQ(judged(first), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(judged(second), X509_V_OK);
  EXPECT_TRUE(revoke_certificate(revoke).error().is(Errc::key_exists));
  RevokeTerms next = revoke;
  next.certificate_path = second;
  next.reason = "lost";
  EXPECT_TRUE(revoke_certificate(next).error().is(Errc::id_malformed));
  next.reason = "superseded";
  ASSERT_TRUE(revoke_certificate(next));
  RootOptions later = root_options();
  later.now_us = ceremony_us + 86'400'000'000;
  ASSERT_TRUE(renew_revocation_list(later));
  EXPECT_EQ(judged(first, later.now_us), X509_V_ERR_CERT_REVOKED);
  EXPECT_EQ(judged(second, later.now_us), X509_V_ERR_CERT_REVOKED);
}

TEST_F(Ceremony, the_root_opens_with_its_passphrase_only_and_is_never_overwritten) {
  EXPECT_TRUE(make_root(root_options()).error().is(Errc::key_exists));
  must(make_request(folder_ / "a.key", folder_ / "a.csr", "a"));
  IssueTerms wrong = terms("a", CertificateUse::client, {"a"});
  wrong.passphrase = secret_of("another passphrase for it");
  const auto refused = issue_certificate(wrong);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::seal_refused));
  EXPECT_EQ(refused.error().detail.find("another"), std::string::npos);
  EXPECT_NE(must(read_file(folder_ / "root/root.key")).find("BEGIN ENCRYPTED PRIVATE KEY"),
            std::string::npos);
  RootOptions weak = root_options();
  weak.folder = folder_ / "weak";
  weak.passphrase = secret_of("short");
  EXPECT_TRUE(make_root(weak).error().is(Errc::key_malformed));
}

TEST_F(Ceremony, an_appliance_gets_its_own_certificates_and_no_others) {
  const std::string keys = folder_ / "keys";
  const std::string origin = "casino.example/appliance-1";
  ASSERT_TRUE(make_appliance_requests({.folder = keys, .origin = origin}));
  const auto give = [&](const std::string& name, CertificateUse use, const std::string& said,
                        const std::string& out) {
    IssueTerms wanted = terms(name, use, {said});
    wanted.request_path = keys + "/" + name + ".csr";
    wanted.certificate_path = folder_ / out;
    return issue_certificate(wanted);
  };
  ASSERT_TRUE(give("server", CertificateUse::server, "appliance-1.casino.example", "s.pem"));
  ASSERT_TRUE(give("log-certificate", CertificateUse::log, origin, "l.pem"));
  ASSERT_TRUE(give("log-certificate", CertificateUse::log, "casino.example/other", "other.pem"));
  InstallOptions install{.folder = keys,
                         .origin = origin,
                         .root_path = folder_ / "root/root.pem",
                         .server_path = folder_ / "s.pem",
                         .log_path = folder_ / "other.pem",
                         .log_key = {},
                         .now_us = ceremony_us};
  EXPECT_TRUE(install_certificates(install).error().is(Errc::id_malformed));
  install.log_path = folder_ / "s.pem";
  EXPECT_TRUE(install_certificates(install).error().is(Errc::key_malformed));
  install.log_path = folder_ / "l.pem";
  const auto installed = install_certificates(install);
  ASSERT_TRUE(installed) << installed.error().text();
  const auto value = must(json::parse_canonical(must(read_file(keys + "/log-key.json"))));
  const auto statement = must(parse_statement(must(LogKey::from_json(value)).statement));
  EXPECT_FALSE(statement.development);
  EXPECT_EQ(statement.origin, origin);
  EXPECT_EQ(must(view_certificates(keys + "/server.pem")).size(), 2U);
}

TEST_F(Ceremony, the_transcript_has_every_act_and_shows_every_change) {
  const std::string path = folder_ / "root/transcript.txt";
  static_cast<void>(client("talla:table-1", "table-1"));
  const auto view = must(check_transcript(path));
  EXPECT_EQ(view.entries, 2U);
  EXPECT_NE(view.text.find("name: talla:table-1"), std::string::npos);
  for (std::size_t at = 0; at < view.text.size(); at += 7) {
    std::string changed = view.text;
    changed[at] = changed[at] == 'x' ? 'y' : 'x';
    ASSERT_TRUE(replace_file(path, changed));
    EXPECT_FALSE(check_transcript(path)) << "byte " << at;
  }
  ASSERT_TRUE(replace_file(path, view.text + "3. nothing\n"));
  EXPECT_FALSE(check_transcript(path));
  EXPECT_FALSE(add_to_transcript(path, {.now_us = ceremony_us, .act = "after it", .facts = {}}));
  ASSERT_TRUE(replace_file(path, view.text));
  ASSERT_TRUE(add_to_transcript(
      path, {.now_us = ceremony_us, .act = "a\n   digest: 00", .facts = {{"a", "b\nc"}}}));
  EXPECT_EQ(must(check_transcript(path)).entries, 3U);
}

TEST_F(Ceremony, clients_are_enrolled_renewed_and_removed) {
  const std::string file = folder_ / "clients.toml";
  const std::string first = client("talla:table-1", "one");
  const std::string again = client("talla:table-1", "two");
  const std::string other = client("talla:auditor-1", "three");
  EXPECT_EQ(
      must(enrol_client({.enrolment_path = file, .certificate_path = first, .roles = {"table"}})),
      "talla:table-1");
  EXPECT_TRUE(enrol_client({.enrolment_path = file, .certificate_path = again, .roles = {"table"}})
                  .error()
                  .is(Errc::key_exists));
  EXPECT_TRUE(enrol_client({.enrolment_path = file, .certificate_path = other, .roles = {"king"}})
                  .error()
                  .is(Errc::id_malformed));
  ASSERT_TRUE(enrol_client(
      {.enrolment_path = file, .certificate_path = other, .roles = {"auditor", "lab"}}));
  const auto holds = [&](const std::string& path) {
    return must(read_file(file)).find(to_hex(must(view_certificate(path)).spki)) !=
           std::string::npos;
  };
  EXPECT_TRUE(renew_client(file, first).error().is(Errc::key_exists));
  ASSERT_TRUE(renew_client(file, again));
  EXPECT_TRUE(holds(again));
  EXPECT_FALSE(holds(first));
  EXPECT_TRUE(holds(other));
  EXPECT_NE(must(read_file(file)).find("roles = [\"auditor\", \"lab\"]"), std::string::npos);
  ASSERT_TRUE(remove_client(file, "talla:table-1"));
  EXPECT_FALSE(holds(again));
  EXPECT_TRUE(holds(other));
  EXPECT_TRUE(remove_client(file, "talla:table-1").error().is(Errc::not_found));
  EXPECT_TRUE(renew_client(file, first).error().is(Errc::not_found));
}

/// An appliance of this root with its log key, and a checkpoint signed by it.
class LogEnds : public Ceremony {
 protected:
  void SetUp() override {
    Ceremony::SetUp();
    must(make_appliance_requests({.folder = keys_, .origin = origin_}));
    for (const auto& [name, use, said] :
         {std::tuple{"server", CertificateUse::server, std::string("localhost")},
          std::tuple{"log-certificate", CertificateUse::log, origin_}}) {
      IssueTerms wanted = terms(name, use, {said});
      wanted.request_path = keys_ + "/" + name + ".csr";
      static_cast<void>(must(issue_certificate(wanted)));
    }
    must(install_certificates({.folder = keys_,
                               .origin = origin_,
                               .root_path = folder_ / "root/root.pem",
                               .server_path = folder_ / "server.pem",
                               .log_path = folder_ / "log-certificate.pem",
                               .log_key = {},
                               .now_us = ceremony_us}));
    head_.root.fill(0x42);
    write_checkpoint(keys_ + "/log.key", head_);
  }
  void write_checkpoint(const std::string& key, const Checkpoint& head) const {
    const auto signer = must(open_log_signer(key));
    must(replace_file(folder_ / "checkpoint",
                      must(sign_checkpoint(OpensslHashes(), head, *signer))));
  }
  [[nodiscard]] EndTerms ending(const std::string& out) const {
    return {.folder = folder_ / "root",
            .passphrase = secret_of(safe_phrase),
            .checkpoint_path = folder_ / "checkpoint",
            .key_paths = {keys_ + "/log-key.json"},
            .reason = EndReason::compromised,
            .known_us = ceremony_us - 1,
            .successor_path = {},
            .persons = {"A. Officer", "B. Inspector"},
            .out_path = folder_ / out,
            .now_us = ceremony_us};
  }
  [[nodiscard]] std::vector<EndedLog> judged_end(const std::string& out) const {
    const std::vector<std::string> files{must(read_file(folder_ / out))};
    return must(verify_log_ends(files, must(read_file(folder_ / "root/root.pem"))));
  }

  const std::string origin_ = "casino.example/appliance-1";
  const std::string keys_ = folder_ / "keys";
  Checkpoint head_{.origin = origin_, .size = 12, .root = {}};
};

TEST_F(LogEnds, by_the_root_before_two_persons_with_a_transcript) {
  must(end_log(ending("end.json"), BotanEd25519()));
  const auto ends = judged_end("end.json");
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].last, head_);
  EXPECT_EQ(ends[0].statement.reason, EndReason::compromised);
  EXPECT_EQ(ends[0].statement.made_us, ceremony_us);
  EXPECT_FALSE(ends[0].statement.successor);
  EXPECT_FALSE(ends[0].development);
  const auto transcript = must(check_transcript(folder_ / "root/transcript.txt"));
  for (const char* words : {"log ended", "log: casino.example/appliance-1", "records: 12",
                            "reason: compromised", "present: A. Officer", "present: B. Inspector"})
    EXPECT_NE(transcript.text.find(words), std::string::npos) << words;
  // The key that signed it is nowhere; its certificate is good for nothing else.
  const auto chain = must(parse_log_end(must(read_file(folder_ / "end.json")))).chain;
  EXPECT_EQ(chain.size(), 1U);
  EXPECT_TRUE(end_log(ending("end.json"), BotanEd25519()).error().is(Errc::key_exists));

  EndTerms followed = ending("followed.json");
  must(make_appliance_requests(
      {.folder = folder_ / "next", .origin = "casino.example/appliance-2"}));
  IssueTerms next = terms("next", CertificateUse::log, {"casino.example/appliance-2"});
  next.request_path = folder_ / "next/log-certificate.csr";
  IssueTerms server = terms("next-server", CertificateUse::server, {"localhost"});
  server.request_path = folder_ / "next/server.csr";
  static_cast<void>(must(issue_certificate(next)));
  static_cast<void>(must(issue_certificate(server)));
  must(install_certificates({.folder = folder_ / "next",
                             .origin = "casino.example/appliance-2",
                             .root_path = folder_ / "root/root.pem",
                             .server_path = folder_ / "next-server.pem",
                             .log_path = folder_ / "next.pem",
                             .log_key = {},
                             .now_us = ceremony_us}));
  followed.successor_path = folder_ / "next/log-key.json";
  must(end_log(followed, BotanEd25519()));
  ASSERT_TRUE(judged_end("followed.json")[0].statement.successor);
  EXPECT_EQ(judged_end("followed.json")[0].statement.successor->origin,
            "casino.example/appliance-2");
}

TEST_F(LogEnds, without_the_root_two_persons_and_a_signed_checkpoint_nothing_is_made) {
  const auto before = must(read_file(folder_ / "root/transcript.txt"));
  const auto refused = [&](const EndTerms& wanted) {
    const auto made = end_log(wanted, BotanEd25519());
    EXPECT_FALSE(std::filesystem::exists(wanted.out_path));
    return made ? Error(Errc::not_found, "was made") : made.error();
  };
  EndTerms wrong = ending("end.json");
  wrong.passphrase = secret_of("another passphrase for it");
  EXPECT_TRUE(refused(wrong).is(Errc::seal_refused));
  const std::string officer = "A. Officer";
  using Persons = std::vector<std::string>;
  for (const Persons& persons :
       {Persons{}, Persons{officer}, Persons{officer, officer}, Persons{officer, std::string()}}) {
    wrong = ending("end.json");
    wrong.persons = persons;
    EXPECT_TRUE(refused(wrong).is(Errc::count_refused));
  }
  wrong = ending("end.json");
  wrong.known_us = ceremony_us + 1;
  EXPECT_TRUE(refused(wrong).is(FormatErrc::malformed_statement)) << "known later than made";
  must(create_ed25519_key(folder_ / "thief.key"));
  write_checkpoint(folder_ / "thief.key", head_);
  EXPECT_TRUE(refused(ending("end.json")).is(Errc::key_malformed)) << "signed by another key";
  Checkpoint other = head_;
  other.origin = "casino.example/appliance-2";
  write_checkpoint(keys_ + "/log.key", other);
  EXPECT_TRUE(refused(ending("end.json")).is(Errc::id_malformed)) << "of another log than the key";
  Checkpoint empty = head_;
  empty.size = 0;
  write_checkpoint(keys_ + "/log.key", empty);
  EXPECT_FALSE(refused(ending("end.json")).is(Errc::not_found))
      << "an empty log has no last checkpoint";
  EXPECT_EQ(must(read_file(folder_ / "root/transcript.txt")), before);
}

TEST_F(LogEnds, no_client_has_the_name_of_a_logs_certificate) {
  must(make_request(folder_ / "a.key", folder_ / "a.csr", "a"));
  for (const char* id : {"talla:log:a", "talla:log-end:a"})
    EXPECT_TRUE(
        issue_certificate(terms("a", CertificateUse::client, {id})).error().is(Errc::id_malformed))
        << id;
}

}  // namespace
}  // namespace talla::certs

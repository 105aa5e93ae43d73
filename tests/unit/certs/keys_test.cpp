// Goal: the development set is a valid P-256 X.509 chain, private, marked as development, never
//       overwritten.
// Method: makes sets in temporary folders and judges them with OpenSSL's own path validation and
//         with stat.
#include "certs/keys.hpp"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <set>

#include "certs/files.hpp"
#include "fixture.hpp"

namespace talla::certs {
namespace {

using testing::Folder;
using testing::must;

using testing::ceremony_us;

KeySetOptions options_of(const Folder& folder) {
  return {.folder = folder / "keys",
          .origin = testing::origin,
          .server_names = {"rng.casino.example"},
          .now_us = ceremony_us};
}

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
Certificate read_certificate(const std::string& path) {
  const std::string pem = must(read_file(path));
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  return {PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), &X509_free};
}

/// OpenSSL's verdict over leaf and root for a purpose at a time; 0 is X509_V_OK.
int judge(const Folder& folder, const std::string& leaf_path, int purpose,
          std::int64_t at_us = ceremony_us) {
  const std::unique_ptr<X509_STORE, decltype(&X509_STORE_free)> store(X509_STORE_new(),
                                                                      &X509_STORE_free);
  const Certificate root = read_certificate(folder / "keys/ca.pem");
  const Certificate leaf = read_certificate(leaf_path);
  X509_STORE_add_cert(store.get(), root.get());
  const std::unique_ptr<X509_STORE_CTX, decltype(&X509_STORE_CTX_free)> context(
      X509_STORE_CTX_new(), &X509_STORE_CTX_free);
  X509_STORE_CTX_init(context.get(), store.get(), leaf.get(), nullptr);
  if (purpose != 0) X509_STORE_CTX_set_purpose(context.get(), purpose);
  X509_VERIFY_PARAM_set_flags(X509_STORE_CTX_get0_param(context.get()), X509_V_FLAG_X509_STRICT);
  X509_VERIFY_PARAM_set_time(X509_STORE_CTX_get0_param(context.get()), at_us / 1'000'000);
  X509_verify_cert(context.get());
  return X509_STORE_CTX_get_error(context.get());
}

mode_t mode_of(const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) return 0;
  return state.st_mode & 07777U;
}

TEST(Keys, rfc_5280_chains_are_valid_for_their_purpose_only) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_TRUE(add_development_client(
      {.folder = folder / "keys", .id = "mesa-1", .roles = {"table"}, .now_us = ceremony_us}));
  EXPECT_EQ(judge(folder, folder / "keys/server.pem", X509_PURPOSE_SSL_SERVER), X509_V_OK);
  EXPECT_EQ(judge(folder, folder / "keys/clients/mesa-1.pem", X509_PURPOSE_SSL_CLIENT), X509_V_OK);
  EXPECT_EQ(judge(folder, folder / "keys/log-certificate.pem", 0), X509_V_OK);
  EXPECT_NE(judge(folder, folder / "keys/server.pem", X509_PURPOSE_SSL_CLIENT), X509_V_OK);
  EXPECT_NE(judge(folder, folder / "keys/clients/mesa-1.pem", X509_PURPOSE_SSL_SERVER), X509_V_OK);
}

TEST(Keys, rfc_5280_validity_is_bounded) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  constexpr std::int64_t day_us = 86'400'000'000;
  EXPECT_EQ(judge(folder, folder / "keys/server.pem", 0, ceremony_us - 2 * day_us),
            X509_V_ERR_CERT_NOT_YET_VALID);
  EXPECT_EQ(judge(folder, folder / "keys/server.pem", 0, ceremony_us + 800 * day_us),
            X509_V_ERR_CERT_HAS_EXPIRED);
}

TEST(Keys, certificates_say_who_they_are_and_that_they_are_development) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_TRUE(add_development_client(
      {.folder = folder / "keys", .id = "mesa-1", .roles = {"table"}, .now_us = ceremony_us}));
  const auto views = must(show_keys(folder / "keys"));
  ASSERT_EQ(views.size(), 4U);
  std::set<std::string> serials;
  for (const auto& view : views) {
    EXPECT_TRUE(view.development) << view.path;
    EXPECT_NE(view.subject.find("OU=development"), std::string::npos);
    serials.insert(view.serial);
  }
  EXPECT_EQ(serials.size(), views.size());
  EXPECT_TRUE(views[0].authority);
  EXPECT_FALSE(views[1].authority);
  const std::vector<std::string> log_names = {std::string("talla:log:") + testing::origin};
  EXPECT_EQ(views[2].names, log_names);
  EXPECT_EQ(views[3].names, std::vector<std::string>{"mesa-1"});
  const std::vector<std::string>& server = views[1].names;
  for (const char* name : {"localhost", "127.0.0.1", "rng.casino.example"}) {
    EXPECT_NE(std::find(server.begin(), server.end(), name), server.end()) << name;
  }
}

TEST(Keys, private_files_are_private) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_TRUE(add_development_client(
      {.folder = folder / "keys", .id = "mesa-1", .roles = {"table"}, .now_us = ceremony_us}));
  for (const char* name : {"ca.key", "server.key", "log-certificate.key", "log.key", "sealing.key",
                           "clients/mesa-1.key"}) {
    EXPECT_EQ(mode_of(folder / ("keys/" + std::string(name))), 0600U) << name;
  }
  EXPECT_EQ(mode_of(folder / "keys"), 0700U);
}

TEST(Keys, nothing_is_ever_overwritten) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  const auto before = must(read_private_file(folder / "keys/log.key"));
  const auto again = init_development_keys(options_of(folder));
  ASSERT_FALSE(again);
  EXPECT_TRUE(again.error().is(Errc::key_exists));
  EXPECT_EQ(must(read_private_file(folder / "keys/log.key")), before);
  const ClientOptions client{
      .folder = folder / "keys", .id = "mesa-1", .roles = {"table"}, .now_us = ceremony_us};
  ASSERT_TRUE(add_development_client(client));
  const auto twice = add_development_client(client);
  ASSERT_FALSE(twice);
  EXPECT_TRUE(twice.error().is(Errc::key_exists));
}

TEST(Keys, enrolment_names_id_digest_and_roles) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_TRUE(add_development_client({.folder = folder / "keys",
                                      .id = "mesa-1",
                                      .roles = {"table", "auditor"},
                                      .now_us = ceremony_us}));
  const std::string text = must(read_file(folder / "keys/clients.toml"));
  const auto view = must(view_certificate(folder / "keys/clients/mesa-1.pem"));
  EXPECT_NE(text.find("[[client]]\nid = \"mesa-1\"\nspki = \"" + to_hex(view.spki) +
                      "\"\nroles = [\"table\", \"auditor\"]\n"),
            std::string::npos)
      << text;
}

TEST(Keys, ids_and_roles_outside_their_alphabet_are_refused) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  for (const std::string id : {"", "a b", "a/b", "a\"b", "a\nb", "a,URI:other"}) {
    const auto made = add_development_client(
        {.folder = folder / "keys", .id = id, .roles = {"table"}, .now_us = ceremony_us});
    ASSERT_FALSE(made) << id;
    EXPECT_TRUE(made.error().is(Errc::id_malformed));
  }
  EXPECT_FALSE(add_development_client(
      {.folder = folder / "keys", .id = "x", .roles = {"god"}, .now_us = ceremony_us}));
  EXPECT_FALSE(add_development_client(
      {.folder = folder / "keys", .id = "x", .roles = {}, .now_us = ceremony_us}));
}

TEST(Keys, format_section_5_statement_is_signed_by_the_log_certificate) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  const auto signer = must(load_log_signer(folder / "keys/log.key"));
  const LogKey key =
      must(load_log_key(folder / "keys/log-key.json", testing::origin, signer->public_key()));
  const LogKeyStatement statement = must(parse_statement(key.statement));
  EXPECT_EQ(statement.origin, testing::origin);
  EXPECT_TRUE(statement.development);
  ASSERT_EQ(key.chain.size(), 1U);
  const unsigned char* der = key.chain[0].data();
  const Certificate certificate(d2i_X509(nullptr, &der, static_cast<long>(key.chain[0].size())),
                                &X509_free);
  const std::string message = std::string("talla/v2/log-key\0", 17) + key.statement;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  ASSERT_EQ(EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr,
                                 X509_get0_pubkey(certificate.get())),
            1);
  EXPECT_EQ(EVP_DigestVerify(context.get(), key.signature.data(), key.signature.size(),
                             as_bytes(message).data(), message.size()),
            1);
}

TEST(Keys, statement_of_another_key_or_log_is_refused) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  const auto signer = must(load_log_signer(folder / "keys/log.key"));
  EXPECT_FALSE(
      load_log_key(folder / "keys/log-key.json", "log.example/other", signer->public_key()));
  EXPECT_FALSE(load_log_key(folder / "keys/log-key.json", testing::origin,
                            testing::fixed_signer()->public_key()));
}

TEST(Keys, log_keys_that_others_can_read_are_refused) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_EQ(::chmod((folder / "keys/log.key").c_str(), 0644), 0);
  const auto loaded = load_log_signer(folder / "keys/log.key");
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(loaded.error().is(Errc::key_file_open));
}

TEST(Keys, log_keys_that_belong_to_somebody_else_are_refused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives a file away";
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  ASSERT_EQ(::chown((folder / "keys/log.key").c_str(), 12345, 0), 0);
  const auto loaded = load_log_signer(folder / "keys/log.key");
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(loaded.error().is(Errc::key_file_open));
  EXPECT_NE(loaded.error().detail.find("belongs to user 12345"), std::string::npos);
}

TEST(Keys, a_key_of_another_kind_is_no_log_key) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  const auto loaded = load_log_signer(folder / "keys/ca.key");
  ASSERT_FALSE(loaded);
  EXPECT_TRUE(loaded.error().is(Errc::key_malformed));
}

TEST(Keys, requests_made_elsewhere_are_issued_without_their_private_key) {
  const Folder folder;
  ASSERT_TRUE(init_development_keys(options_of(folder)));
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(EVP_EC_gen("P-256"),
                                                                &EVP_PKEY_free);
  const std::unique_ptr<X509_REQ, decltype(&X509_REQ_free)> request(X509_REQ_new(), &X509_REQ_free);
  X509_REQ_set_pubkey(request.get(), key.get());
  ASSERT_GT(X509_REQ_sign(request.get(), key.get(), EVP_sha256()), 0);
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new_file((folder / "r.pem").c_str(), "w"),
                                                      &BIO_free);
  ASSERT_EQ(PEM_write_bio_X509_REQ(bio.get(), request.get()), 1);
  BIO_flush(bio.get());
  const IssueOptions issue{.folder = folder / "keys",
                           .request_path = folder / "r.pem",
                           .certificate_path = folder / "mesa-2.pem",
                           .id = "mesa-2",
                           .roles = {"table"},
                           .now_us = ceremony_us};
  ASSERT_TRUE(issue_development_client(issue));
  EXPECT_EQ(judge(folder, folder / "mesa-2.pem", X509_PURPOSE_SSL_CLIENT), X509_V_OK);
  const auto twice = issue_development_client(issue);
  ASSERT_FALSE(twice);
  EXPECT_TRUE(twice.error().is(Errc::key_exists));
}

}  // namespace
}  // namespace talla::certs

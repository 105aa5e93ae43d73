// Goal: the daemon's keys open from every place that a configuration may name, the records say
//   which, and a wrong place is named with its setting.
// Method: files, credentials, passphrases and a SoftHSM 2 token; OpenSSL's EVP_PBE_scrypt beside
//         the stored parameters.
#include "certs/key_sources.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <tss2/tss2_tpm2_types.h>
#include <unistd.h>

#include "base/json.hpp"
#include "ceremony_root.hpp"
#include "certs/device_anchor.hpp"
#include "certs/files.hpp"
#include "certs/keys.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/passphrase.hpp"
#include "certs/pkcs11_keys.hpp"
#include "certs/secret_source.hpp"
#include "certs/tpm_key.hpp"
#include "openssl_handles.hpp"
#include "soft_hsm.hpp"
#include "soft_tpm.hpp"
#include "support/wiped.hpp"

namespace talla::certs {
namespace {

using testing::must;
using testing::SoftHsm;

using testing::secret_of;

constexpr std::string_view phrase = "correct horse battery staple";
const SealContext seal_context{.origin = "a", .seq = 1, .kind = "SHOE_COMMIT", .object = "shoe-1"};

class KeySourcesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(init_development_keys({.folder = folder_.path(),
                                       .origin = "a.example/log",
                                       .server_names = {},
                                       .now_us = testing::ceremony_us}));
  }
  [[nodiscard]] KeySources files() const {
    return {.origin = "a.example/log",
            .log_key = folder_ / "log.key",
            .sealing_key = folder_ / "sealing.key",
            .passphrase = {},
            .tpm_tcti = {},
            .encrypted_credential = {}};
  }
  static std::string refusal(const KeySources& sources) {
    const auto opened = open_keys(sources);
    return opened ? std::string("opened") : opened.error().text();
  }
  void write(const std::string& name, std::string_view content) const {
    ASSERT_TRUE(create_private_file(folder_ / name, as_bytes(content)));
  }
  testing::Folder folder_;
};

TEST_F(KeySourcesTest, files_are_files) {
  const auto opened = must(open_keys(files()));
  EXPECT_EQ(opened.sealing, "file");
  const Sealer same = must(Sealer::load(folder_ / "sealing.key"));
  EXPECT_TRUE(same.unseal(seal_context, must(opened.sealer->seal(seal_context, Bytes{1, 2}))));
}

TEST_F(KeySourcesTest, a_passphrase_gives_the_key_that_scrypt_gives) {
  ASSERT_TRUE(make_passphrase_key(folder_ / "phrase.json", secret_of(phrase)));
  write("phrase", std::string(phrase) + "\n");
  KeySources sources = files();
  sources.sealing_key = "passphrase:" + (folder_ / "phrase.json");
  sources.passphrase = folder_ / "phrase";
  const auto opened = must(open_keys(sources));
  EXPECT_EQ(opened.sealing, "passphrase");
  const auto value = must(json::parse(must(read_file(folder_ / "phrase.json"))));
  const Bytes salt = must(from_base64(value.find("salt")->string()));
  SecretBytes key(32);
  ASSERT_EQ(EVP_PBE_scrypt(phrase.data(), phrase.size(), salt.data(), salt.size(),
                           static_cast<std::uint64_t>(value.find("n")->integer()), 8, 1,
                           1ULL << 31U, key.data(), 32),
            1);
  EXPECT_TRUE(must(Sealer::create(key))
                  .unseal(seal_context, must(opened.sealer->seal(seal_context, Bytes{1}))));
}

TEST_F(KeySourcesTest, another_passphrase_is_told_at_once_and_never_shown) {
  ASSERT_TRUE(make_passphrase_key(folder_ / "phrase.json", secret_of(phrase)));
  const auto wrong =
      passphrase_key(folder_ / "phrase.json", secret_of("incorrect horse battery staple"));
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(wrong.error().is(Errc::seal_refused));
  EXPECT_EQ(wrong.error().detail.find("horse"), std::string::npos);
  EXPECT_TRUE(
      make_passphrase_key(folder_ / "phrase.json", secret_of(phrase)).error().is(Errc::key_exists));
  EXPECT_TRUE(make_passphrase_key(folder_ / "short.json", secret_of("fifteen letters"))
                  .error()
                  .is(Errc::key_malformed));
}

TEST_F(KeySourcesTest, weak_or_damaged_parameters_are_refused) {
  ASSERT_TRUE(make_passphrase_key(folder_ / "phrase.json", secret_of(phrase)));
  const std::string good = must(read_file(folder_ / "phrase.json"));
  int number = 0;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"n\":131072", "\"n\":16384"},
                                                        {"\"n\":131072", "\"n\":131073"},
                                                        {"\"n\":131072", "\"n\":1073741824"},
                                                        {"\"r\":8", "\"r\":1"},
                                                        {"scrypt", "pbkdf2"},
                                                        {"\"v\":1", "\"v\":2"},
                                                        {"\"v\":1", "\"v\":1,\"x\":1"},
                                                        {"\"v\":1}", "\"v\":1"}}) {
    std::string bad = good;
    ASSERT_NE(bad.find(from), std::string::npos);
    bad.replace(bad.find(from), from.size(), to);
    const std::string path = folder_ / ("bad" + std::to_string(++number));
    ASSERT_TRUE(create_public_file(path, bad));
    const auto key = passphrase_key(path, secret_of(phrase));
    ASSERT_FALSE(key) << to;
    EXPECT_TRUE(key.error().is(Errc::key_malformed)) << key.error().text();
  }
}

/// Header of a systemd credential: base64 of an id and what follows.
std::string credential_of(std::string_view id) {
  Bytes bytes = must(from_hex(id));
  bytes.resize(100, 7);
  std::string text = to_base64(bytes);
  text.insert(40, "\n");
  return text + "\n";
}

TEST_F(KeySourcesTest, a_credential_is_never_called_a_tpm_by_the_header_of_a_file) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(::setenv("CREDENTIALS_DIRECTORY", folder_.path().c_str(), 1), 0);
  KeySources sources = files();
  sources.log_key = "credential:log.key";
  sources.sealing_key = "credential:sealing.key";
  EXPECT_EQ(must(open_keys(sources)).sealing, "file");
  write("tpm.cred", credential_of("0c7cc07b117645919c4b0bea08bc20fe"));
  write("both.cred", credential_of("93a894094874449090caf2fc93cab553"));
  write("host.cred", credential_of("5a1c6a86df9d4096b1d5a65e0862f19a"));
  write("none.cred", "nothing of the kind");
  for (const char* good : {"tpm.cred", "both.cred"}) {
    sources.encrypted_credential = folder_ / good;
    EXPECT_EQ(must(open_keys(sources)).sealing, "credential") << good;
  }
  sources.encrypted_credential = folder_ / "host.cred";
  EXPECT_NE(refusal(sources).find("not bound to a TPM 2"), std::string::npos);
  sources.encrypted_credential = folder_ / "none.cred";
  EXPECT_NE(refusal(sources).find("systemd-creds"), std::string::npos);
  ASSERT_EQ(::unsetenv("CREDENTIALS_DIRECTORY"), 0);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_NE(refusal(sources).find("keys.log_key: credential:log.key"), std::string::npos);
}

TEST_F(KeySourcesTest, a_tpm_unseals_the_key_itself_and_no_other_tpm_does) {
  if (!testing::SoftTpm::present()) GTEST_SKIP() << "swtpm is not here";
  auto tpm = std::make_unique<testing::SoftTpm>();
  ASSERT_TRUE(make_tpm_key({.path = folder_ / "tpm.json", .tcti = tpm->tcti(), .passphrase = {}}));
  KeySources sources = files();
  sources.sealing_key = "tpm:" + (folder_ / "tpm.json");
  sources.tpm_tcti = tpm->tcti();
  const auto opened = must(open_keys(sources));
  EXPECT_EQ(opened.sealing, "tpm");
  tpm->stop();
  EXPECT_NE(refusal(sources).find("seal_refused"), std::string::npos) << refusal(sources);
  tpm->start();
  const Sealer again = std::move(*must(open_keys(sources)).sealer);
  EXPECT_TRUE(again.unseal(seal_context, must(opened.sealer->seal(seal_context, Bytes{1, 2}))));
  const auto another = std::make_unique<testing::SoftTpm>();
  sources.tpm_tcti = another->tcti();
  EXPECT_NE(refusal(sources).find("another TPM"), std::string::npos) << refusal(sources);
}

TEST_F(KeySourcesTest,
       a_tpms_key_asks_for_its_passphrase_and_a_file_that_is_no_sealed_key_is_none) {
  if (!testing::SoftTpm::present()) GTEST_SKIP() << "swtpm is not here";
  const testing::SoftTpm tpm;
  const TpmKeyPlace place{
      .path = folder_ / "tpm.json", .tcti = tpm.tcti(), .passphrase = secret_of(phrase)};
  ASSERT_TRUE(make_tpm_key(place));
  EXPECT_TRUE(make_tpm_key(place).error().is(Errc::key_exists));
  EXPECT_EQ(must(tpm_key(place)).size(), 32U);
  TpmKeyPlace wrong = place;
  wrong.passphrase = secret_of("incorrect horse battery staple");
  EXPECT_NE(tpm_key(wrong).error().text().find("passphrase"), std::string::npos);
  wrong.passphrase = {};
  EXPECT_FALSE(tpm_key(wrong));
  // One that claims another parent, and one whose private part was changed.
  const auto good = must(json::parse(must(read_file(place.path))));
  int number = 0;
  for (const char* member : {"parent", "private", "public", "type"}) {
    json::Value bad = good;
    std::string text = good.find(member)->string();
    text[text.size() / 2] = text[text.size() / 2] == 'a' ? 'b' : 'a';
    bad[member] = text;
    wrong = place;
    wrong.path = folder_ / ("bad" + std::to_string(++number));
    ASSERT_TRUE(create_public_file(wrong.path, json::canonical(bad)));
    EXPECT_FALSE(tpm_key(wrong)) << member;
  }
}

TEST_F(KeySourcesTest, what_a_tpm_gave_and_what_a_passphrase_became_is_wiped) {
  if (!testing::SoftTpm::present()) GTEST_SKIP() << "swtpm is not here";
  const testing::SoftTpm tpm;
  const TpmKeyPlace open{.path = folder_ / "open.json", .tcti = tpm.tcti(), .passphrase = {}};
  const TpmKeyPlace asking{
      .path = folder_ / "asking.json", .tcti = tpm.tcti(), .passphrase = secret_of(phrase)};
  TpmKeyPlace wrong = asking;
  wrong.passphrase = secret_of("incorrect horse battery staple");
  ASSERT_TRUE(make_tpm_key(open));
  ASSERT_TRUE(make_tpm_key(asking));
  const auto wiped = [](const TpmKeyPlace& place, bool unseals) {
    return test::wiped_by([&] { EXPECT_EQ(tpm_key(place).has_value(), unseals); });
  };
  const std::uint64_t hashing =
      test::wiped_by([&] { EXPECT_NE(OpensslHashes().sha256({asking.passphrase}), Digest{}); });
  const std::uint64_t whole = wiped(asking, true);
  EXPECT_EQ(whole - wiped(open, true), hashing + 32U + 32U)
      << "the hash, and the secret made of it";
  EXPECT_EQ(whole - wiped(wrong, false), sizeof(TPM2B_SENSITIVE_DATA) + 32U)
      << "the TPM's answer, and the key made of it";
}

/// Refused, because it belongs to user 12345.
template <class Opened>
void expect_foreign(const Opened& opened, const std::string& what) {
  ASSERT_FALSE(opened) << what;
  EXPECT_TRUE(opened.error().is(Errc::key_file_open)) << what << ": " << opened.error().text();
  EXPECT_NE(opened.error().text().find("belongs to user 12345"), std::string::npos)
      << what << ": " << opened.error().text();
}

TEST_F(KeySourcesTest, a_private_file_of_somebody_else_is_refused_whatever_it_is_for) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives a file away";
  ASSERT_TRUE(make_passphrase_key(folder_ / "phrase.json", secret_of(phrase)));
  for (const char* name : {"phrase", "pin", "tpm.auth", "root.key"})
    write(name, std::string(phrase) + "\n");
  const KeySources good = files();
  KeySources worded = good;
  worded.sealing_key = "passphrase:" + (folder_ / "phrase.json");
  worded.passphrase = folder_ / "phrase";
  ASSERT_TRUE(open_keys(good));
  ASSERT_TRUE(open_keys(worded));
  for (const char* name :
       {"log.key", "sealing.key", "server.key", "ca.key", "phrase", "pin", "tpm.auth", "root.key"})
    ASSERT_EQ(::chown((folder_ / name).c_str(), 12345, 0), 0) << name;
  expect_foreign(open_keys(good), "log key");
  expect_foreign(open_log_signer(good.log_key), "log key alone");
  ASSERT_EQ(::chown((folder_ / "log.key").c_str(), 0, 0), 0);
  expect_foreign(open_keys(good), "sealing key");
  expect_foreign(Sealer::load(folder_ / "sealing.key"), "sealing key alone");
  expect_foreign(open_keys(worded), "passphrase");
  worded.sealing_key = "tpm:" + (folder_ / "tpm.json");
  expect_foreign(open_keys(worded), "passphrase of a key that a TPM unseals");
  expect_foreign(read_secret_line(folder_ / "pin"), "PIN of a token");
  expect_foreign(load_private_key(folder_ / "server.key"), "key of the TLS server");
  expect_foreign(load_private_key(folder_ / "ca.key"), "key of a development root");
  expect_foreign(load_root(folder_.path(), secret_of(phrase)), "key of the ceremony's root");
  const auto anchor =
      make_tpm_anchor({.origin = "a.example/log", .tcti = {}, .auth_file = folder_ / "tpm.auth"});
  expect_foreign(anchor->read(), "authorisation of a TPM anchor");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(::setenv("CREDENTIALS_DIRECTORY", folder_.path().c_str(), 1), 0);
  KeySources given = good;
  given.sealing_key = "credential:sealing.key";
  expect_foreign(open_keys(given), "sealing key as a credential");
  expect_foreign(read_secret("credential:pin"), "credential");
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(::unsetenv("CREDENTIALS_DIRECTORY"), 0);
}

TEST_F(KeySourcesTest, what_is_wrong_is_named_with_its_setting) {
  const auto with = [this](auto change) {
    KeySources sources = files();
    change(sources);
    return refusal(sources);
  };
  write("short.key", "1234");
  EXPECT_NE(with([&](auto& s) { s.log_key = folder_ / "none"; }).find("keys.log_key: "),
            std::string::npos);
  EXPECT_NE(with([&](auto& s) { s.log_key = "pkcs11:toke=a"; }).find("keys.log_key: pkcs11 URI"),
            std::string::npos);
  EXPECT_NE(with([&](auto& s) { s.log_key = folder_ / "server.key"; }).find("not an Ed25519 key"),
            std::string::npos);
  EXPECT_NE(with([&](auto& s) { s.sealing_key = folder_ / "short.key"; }).find("32 bytes"),
            std::string::npos);
  EXPECT_NE(with([&](auto& s) { s.sealing_key = "passphrase:x"; }).find("keys.passphrase"),
            std::string::npos);
}

TEST_F(KeySourcesTest, a_token_keeps_both_keys) {
  if (!SoftHsm::present()) GTEST_SKIP() << "SoftHSM 2 (package softhsm2) is not installed";
  const SoftHsm hsm;
  {
    const auto token = hsm.open();
    ASSERT_TRUE(token->generate_ed25519({.label = "log", .id = {1}}));
    ASSERT_TRUE(token->generate_aes256({.label = "sealing", .id = {2}}));
  }
  KeySources sources = files();
  sources.log_key = hsm.uri("log");
  sources.sealing_key = hsm.uri("sealing");
  const auto opened = must(open_keys(sources));
  EXPECT_EQ(opened.sealing, "hsm");
  const Bytes sealed = must(opened.sealer->seal(seal_context, Bytes{1, 2, 3}));
  EXPECT_TRUE(
      opened.signer->sign(as_bytes("still signs when the sealing key's session is closed")));
  EXPECT_TRUE(must(open_keys(sources)).sealer->unseal(seal_context, sealed));
  sources.origin = "b.example/log";
  EXPECT_FALSE(must(open_keys(sources)).sealer->unseal(seal_context, sealed));
  sources.sealing_key = hsm.uri("none");
  EXPECT_NE(refusal(sources).find("keys.sealing_key: token 'talla'"), std::string::npos);
}

}  // namespace
}  // namespace talla::certs

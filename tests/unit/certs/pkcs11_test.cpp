// Goal: keys that a PKCS#11 token keeps sign and derive as their standards say, and whatever is
//   wrong is named without a secret.
// Method: a SoftHSM 2 token in a folder of its own; OpenSSL verifies signatures and derives the
//   same key by its own KBKDF.
#include "certs/pkcs11.hpp"

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <sys/stat.h>

#include "certs/files.hpp"
#include "certs/pkcs11_keys.hpp"
#include "certs/seal.hpp"
#include "certs/secret_source.hpp"
#include "evp_verify.hpp"
#include "pkcs11_module.hpp"
#include "pkcs11_template.hpp"
#include "soft_hsm.hpp"

namespace talla::certs {
namespace {

using testing::must;
using testing::SoftHsm;

std::string error_of(const std::string& uri) {
  const auto parsed = parse_pkcs11_uri(uri);
  return parsed ? std::string() : parsed.error().text();
}

TEST(Pkcs11Uri, rfc_7512_parts_are_read) {
  const Pkcs11Uri uri =
      must(parse_pkcs11_uri("pkcs11:token=My%20token;manufacturer=M;model=X;serial=12;object=log-"
                            "key;id=%00%ff;type=private"
                            "?module-path=/usr/lib/m.so&pin-source=file:/run/pin"));
  EXPECT_EQ(uri.token, "My token");
  EXPECT_EQ(uri.serial, "12");
  EXPECT_EQ(uri.object, "log-key");
  EXPECT_EQ(uri.id, (Bytes{0x00, 0xFF}));
  EXPECT_EQ(uri.type, Pkcs11Class::private_key);
  EXPECT_EQ(uri.module_path, "/usr/lib/m.so");
  EXPECT_EQ(uri.pin_source, "/run/pin");
  EXPECT_EQ(must(parse_pkcs11_uri("pkcs11:?pin-source=credential:pin")).pin_source,
            "credential:pin");
}

TEST(Pkcs11Uri, what_is_wrong_is_named) {
  for (const auto& [uri, part] : std::vector<std::pair<std::string, std::string>>{
           {"file:/x", "begins with pkcs11:"},
           {"pkcs11:tokn=a", "'tokn'"},
           {"pkcs11:token", "'token'"},
           {"pkcs11:token=a;token=b", "stands twice"},
           {"pkcs11:token=", "token is empty"},
           {"pkcs11:token=%4", "two hexadecimal digits"},
           {"pkcs11:token=%zz", "two hexadecimal digits"},
           {"pkcs11:token=a b", "%XX"},
           {"pkcs11:model=12345678901234567", "longer than 16"},
           {"pkcs11:type=cert", "type 'cert'"},
           {"pkcs11:?module-path=libm.so", "absolute"},
           {"pkcs11:?pin-source=pin", "absolute path or credential:NAME"},
           {"pkcs11:?slot=1", "'slot'"}}) {
    EXPECT_NE(error_of(uri).find(part), std::string::npos) << uri << " -> " << error_of(uri);
  }
  const std::string pin = error_of("pkcs11:token=a?pin-value=98761234");
  EXPECT_NE(pin.find("pin-value"), std::string::npos);
  EXPECT_EQ(pin.find("98761234"), std::string::npos);
}

TEST(Pkcs11Names, return_values_have_the_standards_names) {
  EXPECT_EQ(ckr_name(0), "CKR_OK");
  EXPECT_EQ(ckr_name(0xA0), "CKR_PIN_INCORRECT");
  EXPECT_EQ(ckr_name(0x70), "CKR_MECHANISM_INVALID");
  EXPECT_EQ(ckr_name(0x8000'0001), "CKR 0x80000001");
}

TEST(Pkcs11Names, both_spellings_of_the_curve_and_all_three_of_the_point) {
  EXPECT_TRUE(names_edwards25519(must(from_hex("06032b6570"))));
  EXPECT_TRUE(names_edwards25519(must(from_hex("130c656477617264733235353139"))));
  EXPECT_FALSE(names_edwards25519(must(from_hex("06032b6571"))));            // Ed448
  EXPECT_FALSE(names_edwards25519(must(from_hex("06082a8648ce3d030107"))));  // P-256
  EXPECT_FALSE(names_edwards25519({}));
  const std::string key(64, 'a');
  for (const char* head : {"", "0420", "032100"}) {
    EXPECT_EQ(to_hex(must(ed25519_point(must(from_hex(head + key))))), key);
  }
  EXPECT_FALSE(ed25519_point(must(from_hex("0421" + key))));
  EXPECT_FALSE(ed25519_point(must(from_hex("04" + key))));
}

TEST(SecretSource, files_must_be_private_and_credentials_may_be_shown_to_the_service) {
  const testing::Folder folder;
  std::ofstream(folder / "pin") << "1234\r\n";
  ASSERT_EQ(::chmod((folder / "pin").c_str(), 0440), 0);
  EXPECT_TRUE(read_secret_line(folder / "pin").error().is(Errc::key_file_open));
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  ASSERT_EQ(::setenv("CREDENTIALS_DIRECTORY", folder.path().c_str(), 1), 0);
  EXPECT_EQ(must(read_secret_line("credential:pin")), (SecretBytes{'1', '2', '3', '4'}));
  EXPECT_TRUE(read_secret("credential:../pin").error().is(Errc::uri_malformed));
  EXPECT_TRUE(read_secret("credential:nothing").error().is(Errc::key_file_missing));
  ASSERT_EQ(::chmod((folder / "pin").c_str(), 0444), 0);
  EXPECT_TRUE(read_secret("credential:pin").error().is(Errc::key_file_open));
  ASSERT_EQ(::unsetenv("CREDENTIALS_DIRECTORY"), 0);  // NOLINT(concurrency-mt-unsafe): one thread
  EXPECT_TRUE(read_secret("credential:pin").error().is(Errc::key_file_missing));
  std::ofstream(folder / "two") << "12\n34\n";
  ASSERT_EQ(::chmod((folder / "two").c_str(), 0600), 0);
  EXPECT_TRUE(read_secret_line(folder / "two").error().is(Errc::key_malformed));
}

class Pkcs11 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!SoftHsm::present()) GTEST_SKIP() << "SoftHSM 2 (package softhsm2) is not installed";
    hsm_ = std::make_unique<SoftHsm>();
  }
  std::unique_ptr<SoftHsm> hsm_;
};

/// A session of the test's own beside the token's, for what the wrapper does not offer.
class RawSession {
 public:
  RawSession() : module_(must(Pkcs11Module::load(SoftHsm::module_path()))) {
    std::array<CK_SLOT_ID, 8> slots{};
    CK_ULONG count = slots.size();
    static_cast<void>(module_->functions().C_GetSlotList(CK_TRUE, slots.data(), &count));
    static_cast<void>(module_->functions().C_OpenSession(
        slots.front(), CKF_SERIAL_SESSION | CKF_RW_SESSION, nullptr, nullptr, &session_));
  }
  ~RawSession() { static_cast<void>(module_->functions().C_CloseSession(session_)); }
  RawSession(const RawSession&) = delete;
  RawSession& operator=(const RawSession&) = delete;
  CK_RV create(Pkcs11Template& object) {
    CK_OBJECT_HANDLE handle = 0;
    return module_->functions().C_CreateObject(session_, object.data(), object.size(), &handle);
  }

 private:
  std::unique_ptr<Pkcs11Module> module_;
  CK_SESSION_HANDLE session_ = 0;
};

void import_aes(const std::string& label, const Bytes& key, bool extractable) {
  RawSession session;
  Pkcs11Template object;
  object.number(CKA_CLASS, CKO_SECRET_KEY)
      .number(CKA_KEY_TYPE, CKK_AES)
      .flag(CKA_TOKEN, true)
      .flag(CKA_PRIVATE, true);
  object.flag(CKA_SENSITIVE, !extractable).flag(CKA_EXTRACTABLE, extractable).flag(CKA_SIGN, true);
  object.text(CKA_LABEL, label).bytes(CKA_VALUE, key);
  ASSERT_EQ(session.create(object), CKR_OK);
}

TEST_F(Pkcs11, log_key_of_either_spelling_signs_checkpoints) {
  const auto token = hsm_->open();
  int made = 0;
  for (const auto& [label, curve] :
       std::vector<std::pair<std::string, Pkcs11Curve>>{{"oid", Pkcs11Curve::oid},
                                                        {"printable", Pkcs11Curve::printable},
                                                        {"either", Pkcs11Curve::either}}) {
    const Bytes id{static_cast<std::uint8_t>(++made)};
    ASSERT_TRUE(token->generate_ed25519({.label = label, .id = id}, curve)) << label;
    const auto signer =
        must(pkcs11_log_signer(token, must(parse_pkcs11_uri("pkcs11:object=" + label))));
    const std::string message = "a checkpoint of " + label;
    const Signature64 signature = must(signer->sign(as_bytes(message)));
    EXPECT_TRUE(testing::ed25519_verifies(signer->public_key(), as_bytes(message), signature));
    EXPECT_EQ(must(signer->sign(as_bytes(message))), signature)
        << "RFC 8032 signatures are deterministic";
    const auto again = must(
        pkcs11_log_signer(token, must(parse_pkcs11_uri("pkcs11:id=%0" + std::to_string(made)))));
    EXPECT_EQ(again->public_key(), signer->public_key());
  }
}

TEST_F(Pkcs11, keys_outlive_the_tokens_session_and_are_never_replaced) {
  Digest before{};
  const Pkcs11Uri uri = must(parse_pkcs11_uri(hsm_->uri("log")));
  {
    const auto token = hsm_->open();
    ASSERT_TRUE(token->generate_ed25519({.label = "log", .id = {1}}));
    before = must(pkcs11_log_signer(token, uri))->public_key();
  }
  const auto token = hsm_->open();
  EXPECT_EQ(must(pkcs11_log_signer(token, uri))->public_key(), before);
  EXPECT_TRUE(
      token->generate_ed25519({.label = "log", .id = {2}}).error().is(Errc::object_refused));
  EXPECT_TRUE(
      token->generate_ed25519({.label = "other", .id = {1}}).error().is(Errc::object_refused));
  EXPECT_TRUE(pkcs11_log_signer(token, must(parse_pkcs11_uri("pkcs11:object=none")))
                  .error()
                  .is(Errc::object_missing));
}

/// SP 800-108r1 as OpenSSL has it.
Bytes kbkdf(Bytes key, std::string origin) {
  EVP_KDF* kdf = EVP_KDF_fetch(nullptr, "KBKDF", nullptr);
  EVP_KDF_CTX* context = EVP_KDF_CTX_new(kdf);
  std::string mode = "counter";
  std::string mac = "CMAC";
  std::string cipher = "AES-256-CBC";
  std::string label = "talla/v1/sealing-key";
  const std::array<OSSL_PARAM, 7> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MODE, mode.data(), 0),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_MAC, mac.data(), 0),
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_CIPHER, cipher.data(), 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, label.data(), label.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, origin.data(), origin.size()),
      OSSL_PARAM_construct_end()};
  Bytes out(32);
  EXPECT_EQ(EVP_KDF_derive(context, out.data(), out.size(), parameters.data()), 1);
  EVP_KDF_CTX_free(context);
  EVP_KDF_free(kdf);
  return out;
}

TEST_F(Pkcs11, sealing_key_is_derived_as_sp_800_108_says) {
  const auto token = hsm_->open();
  const Bytes key =
      must(from_hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"));
  import_aes("seal", key, false);
  const Pkcs11Uri uri = must(parse_pkcs11_uri(hsm_->uri("seal")));
  for (const char* origin : {"casino.example/appliance-1", "casino.example/appliance-2"}) {
    const SecretBytes derived = must(pkcs11_sealing_key(*token, uri, origin));
    EXPECT_EQ(Bytes(derived.begin(), derived.end()), kbkdf(key, origin));
    EXPECT_TRUE(Sealer::create(derived));
  }
}

TEST_F(Pkcs11, generated_sealing_key_gives_the_same_after_a_restart) {
  const Pkcs11Uri uri = must(parse_pkcs11_uri(hsm_->uri("seal")));
  SecretBytes first;
  {
    const auto token = hsm_->open();
    ASSERT_TRUE(token->generate_aes256({.label = "seal", .id = {9}}));
    EXPECT_TRUE(
        token->generate_aes256({.label = "seal", .id = {10}}).error().is(Errc::object_refused));
    first = must(pkcs11_sealing_key(*token, uri, "a"));
    EXPECT_NE(first, must(pkcs11_sealing_key(*token, uri, "b")));
  }
  EXPECT_EQ(must(pkcs11_sealing_key(*hsm_->open(), uri, "a")), first);
}

TEST_F(Pkcs11, a_key_that_could_leave_the_token_is_refused) {
  const auto token = hsm_->open();
  import_aes("loose", Bytes(32, 7), true);
  const auto derived =
      pkcs11_sealing_key(*token, must(parse_pkcs11_uri("pkcs11:object=loose")), "a");
  ASSERT_FALSE(derived);
  EXPECT_TRUE(derived.error().is(Errc::object_refused));
  EXPECT_NE(derived.error().detail.find("not extractable"), std::string::npos);
}

TEST_F(Pkcs11, data_objects_are_made_read_replaced_and_destroyed) {
  const Pkcs11Query query{
      .type = Pkcs11Class::data, .label = "anchor", .id = {}, .application = "talla"};
  {
    const auto token = hsm_->open();
    const auto made =
        must(token->create_data({.label = "anchor", .application = "talla", .value = {1, 2, 3}}));
    EXPECT_EQ(must(token->read_data(made)), (Bytes{1, 2, 3}));
    EXPECT_TRUE(token->create_data({.label = "anchor", .application = "talla", .value = {}})
                    .error()
                    .is(Errc::object_refused));
    const auto next = must(token->replace_data(
        made, {.label = "anchor", .application = "talla", .value = Bytes(500, 4)}));
    EXPECT_EQ(must(token->find_one(query)), next);
  }
  const auto token = hsm_->open();
  const auto there = must(token->find_one(query));
  EXPECT_EQ(must(token->read_data(there)), Bytes(500, 4));
  ASSERT_TRUE(token->destroy(there));
  EXPECT_TRUE(token->find_one(query).error().is(Errc::object_missing));
  const auto gone = token->destroy(there);
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().detail.find("C_DestroyObject: CKR_"), std::string::npos);
}

TEST_F(Pkcs11, a_wrong_pin_is_named_and_never_shown) {
  const auto refused =
      Pkcs11Token::open(must(parse_pkcs11_uri(hsm_->uri())), SecretBytes{'9', '8', '7', '6', '5'});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text(), "pkcs11_failed: C_Login: CKR_PIN_INCORRECT");
  EXPECT_EQ(refused.error().detail.find("98765"), std::string::npos);
  EXPECT_TRUE(Pkcs11Token::open(must(parse_pkcs11_uri(hsm_->uri()))));
}

TEST_F(Pkcs11, the_token_must_be_the_one_and_only) {
  SoftHsm::add_token("second");
  const auto none = Pkcs11Token::open(must(parse_pkcs11_uri(hsm_->uri({}, "third"))));
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().is(Errc::token_refused));
  EXPECT_NE(none.error().detail.find("'second'"), std::string::npos);
  const std::string rest = hsm_->uri().substr(hsm_->uri().find('?'));
  const auto two = Pkcs11Token::open(must(parse_pkcs11_uri("pkcs11:" + rest)));
  ASSERT_FALSE(two);
  EXPECT_NE(two.error().detail.find("more than one"), std::string::npos);
  const auto first = hsm_->open();
  const auto second = hsm_->open("second");
  ASSERT_TRUE(second->generate_aes256({.label = "seal", .id = {1}}));
  EXPECT_TRUE(
      first
          ->find_one(
              {.type = Pkcs11Class::secret_key, .label = "seal", .id = {}, .application = {}})
          .error()
          .is(Errc::object_missing));
}

TEST_F(Pkcs11, what_is_no_module_is_refused) {
  const auto open_with = [](const std::string& path) {
    Pkcs11Uri uri;
    uri.module_path = path;
    const auto opened = Pkcs11Token::open(uri, SecretBytes{'1'});
    return opened ? std::string() : opened.error().text();
  };
  EXPECT_NE(open_with("/nowhere/m.so").find("module_refused"), std::string::npos);
  EXPECT_NE(open_with("/lib/x86_64-linux-gnu/libm.so.6").find("C_GetFunctionList"),
            std::string::npos);
  EXPECT_NE(open_with("m.so").find("absolute"), std::string::npos);
  EXPECT_NE(open_with("").find("module-path is missing"), std::string::npos);
}

}  // namespace
}  // namespace talla::certs

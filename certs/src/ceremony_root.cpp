#include "ceremony_root.hpp"

#include <openssl/err.h>
#include <openssl/pkcs12.h>
#include <openssl/rand.h>

#include <array>
#include <ctime>

#include "certs/files.hpp"
#include "key_files.hpp"

namespace talla::certs {

namespace {

using Pkcs8Handle = std::unique_ptr<PKCS8_PRIV_KEY_INFO, Freed<PKCS8_PRIV_KEY_INFO_free>>;
using SealedKeyHandle = std::unique_ptr<X509_SIG, Freed<X509_SIG_free>>;
using IntegerHandle = std::unique_ptr<ASN1_INTEGER, Freed<ASN1_INTEGER_free>>;
using TimeHandle = std::unique_ptr<ASN1_TIME, Freed<ASN1_TIME_free>>;

// What OpenSSL's command reads without being told a larger memory bound.
constexpr std::uint64_t scrypt_n = 1 << 14;
constexpr std::uint64_t scrypt_r = 8;
constexpr std::uint64_t scrypt_p = 1;

int give_passphrase(char* buffer, int size, int /*writing*/, void* user) {
  const auto* passphrase = static_cast<const SecretBytes*>(user);
  if (passphrase->size() > static_cast<std::size_t>(size)) return -1;
  std::copy(passphrase->begin(), passphrase->end(), buffer);
  return static_cast<int>(passphrase->size());
}

std::int64_t crl_number(X509_CRL* crl) {
  if (crl == nullptr) return 0;
  const IntegerHandle number(
      static_cast<ASN1_INTEGER*>(X509_CRL_get_ext_d2i(crl, NID_crl_number, nullptr, nullptr)));
  return number ? ASN1_INTEGER_get(number.get()) : 0;
}

Status copy_entries(X509_CRL& from, X509_CRL& to) {
  STACK_OF(X509_REVOKED)* entries = X509_CRL_get_REVOKED(&from);
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i) {
    X509_REVOKED* copy = X509_REVOKED_dup(sk_X509_REVOKED_value(entries, i));
    if (copy == nullptr || X509_CRL_add0_revoked(&to, copy) != 1) {
      X509_REVOKED_free(copy);
      return crypto_fail("revoked certificate");
    }
  }
  return {};
}

Status finish_crl(X509_CRL& crl, const CeremonyRoot& root, std::int64_t number) {
  const IntegerHandle value(ASN1_INTEGER_new());
  X509V3_CTX context{};
  X509V3_set_ctx(&context, root.certificate.get(), nullptr, nullptr, &crl, 0);
  const ExtensionHandle authority(
      X509V3_EXT_conf_nid(nullptr, &context, NID_authority_key_identifier, "keyid:always"));
  const bool done = value && ASN1_INTEGER_set_int64(value.get(), number) == 1 &&
                    X509_CRL_add1_ext_i2d(&crl, NID_crl_number, value.get(), 0, 0) == 1 &&
                    authority && X509_CRL_add_ext(&crl, authority.get(), -1) == 1 &&
                    X509_CRL_sort(&crl) == 1 &&
                    X509_CRL_sign(&crl, root.key.get(), EVP_sha256()) > 0;
  return done ? Status() : Status(crypto_fail("list of revoked certificates"));
}

}  // namespace

Result<SecretBytes> encrypted_key_pem(EVP_PKEY& key, const SecretBytes& passphrase) {
  std::array<std::uint8_t, 16> salt{};
  const Pkcs8Handle plain(EVP_PKEY2PKCS8(&key));
  if (!plain || RAND_bytes(salt.data(), static_cast<int>(salt.size())) != 1)
    return crypto_fail("root key");
  X509_ALGOR* algorithm =
      PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), salt.data(), static_cast<int>(salt.size()), nullptr,
                            scrypt_n, scrypt_r, scrypt_p);
  if (algorithm == nullptr) return crypto_fail("root key");
  // PKCS8_set0_pbe takes the algorithm when it succeeds.
  const SealedKeyHandle sealed(PKCS8_set0_pbe(reinterpret_cast<const char*>(passphrase.data()),
                                              static_cast<int>(passphrase.size()), plain.get(),
                                              algorithm));
  if (!sealed) {
    X509_ALGOR_free(algorithm);
    return crypto_fail("root key");
  }
  const BioHandle bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_PKCS8(bio.get(), sealed.get()) != 1) return crypto_fail("root key");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return SecretBytes(data, data + size);
}

Result<CeremonyRoot> load_root(const std::string& folder, const SecretBytes& passphrase) {
  CeremonyRoot root;
  root.folder = folder;
  const std::string key_path = folder + "/root.key";
  TALLA_TRY(const SecretBytes pem, read_private_file(key_path));
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  SecretBytes copy = passphrase;
  root.key.reset(bio ? PEM_read_bio_PrivateKey(bio.get(), nullptr, give_passphrase, &copy)
                     : nullptr);
  ERR_clear_error();
  if (!root.key) return fail(Errc::seal_refused, key_path + ": does not open with this passphrase");
  TALLA_TRY(const std::string text, read_file(folder + "/root.pem"));
  TALLA_TRY(root.certificate, parse_certificate(text, folder + "/root.pem"));
  if (X509_check_private_key(root.certificate.get(), root.key.get()) != 1) {
    return fail(Errc::key_malformed, folder + ": root.key is not the key of root.pem");
  }
  return root;
}

Status write_crl(const CeremonyRoot& root, X509_CRL* before, X509_REVOKED* fresh,
                 const CrlTerms& terms) {
  const CrlHandle crl(X509_CRL_new());
  std::unique_ptr<X509_REVOKED, Freed<X509_REVOKED_free>> entry(fresh);
  const std::time_t now = terms.now_us / 1'000'000;
  const TimeHandle issued(ASN1_TIME_set(nullptr, now));
  const TimeHandle due(ASN1_TIME_set(nullptr, now + day_s * terms.days));
  const bool begun =
      crl && issued && due && X509_CRL_set_version(crl.get(), X509_CRL_VERSION_2) == 1 &&
      X509_CRL_set_issuer_name(crl.get(), X509_get_subject_name(root.certificate.get())) == 1 &&
      X509_CRL_set1_lastUpdate(crl.get(), issued.get()) == 1 &&
      X509_CRL_set1_nextUpdate(crl.get(), due.get()) == 1;
  if (!begun) return crypto_fail("list of revoked certificates");
  if (before != nullptr) TALLA_TRY_STATUS(copy_entries(*before, *crl));
  if (entry) {
    if (X509_CRL_add0_revoked(crl.get(), entry.get()) != 1)
      return crypto_fail("revoked certificate");
    static_cast<void>(entry.release());
  }
  TALLA_TRY_STATUS(finish_crl(*crl, root, crl_number(before) + 1));
  const BioHandle bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_X509_CRL(bio.get(), crl.get()) != 1)
    return crypto_fail("list of revoked certificates");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return replace_file(root.folder + "/crl.pem",
                      std::string_view(data, static_cast<std::size_t>(size)));
}

Result<CrlHandle> load_crl(const std::string& path) {
  TALLA_TRY(const std::string pem, read_file(path));
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  CrlHandle crl(bio ? PEM_read_bio_X509_CRL(bio.get(), nullptr, nullptr, nullptr) : nullptr);
  ERR_clear_error();
  if (!crl) return fail(Errc::key_malformed, path + ": no list of revoked certificates in PEM");
  return crl;
}

Result<std::string> file_digest(const std::string& path) {
  TALLA_TRY(const std::string text, read_file(path));
  Digest digest{};
  if (EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    return crypto_fail("SHA-256");
  }
  return to_hex(digest);
}

std::string serial_of(X509& certificate) {
  const ASN1_INTEGER* serial = X509_get0_serialNumber(&certificate);
  return to_hex(
      {ASN1_STRING_get0_data(serial), static_cast<std::size_t>(ASN1_STRING_length(serial))});
}

}  // namespace talla::certs

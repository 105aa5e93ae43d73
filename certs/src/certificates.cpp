#include "certificates.hpp"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/rand.h>

#include <array>
#include <ctime>

namespace talla::certs {

namespace {

using BignumHandle = std::unique_ptr<BIGNUM, Freed<BN_free>>;

Status set_serial(X509& certificate) {
  constexpr int serial_bits = 159;  // positive, at most 20 octets
  const BignumHandle number(BN_new());
  if (!number || BN_rand(number.get(), serial_bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) != 1 ||
      BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(&certificate)) == nullptr) {
    return crypto_fail("serial number");
  }
  return {};
}

bool add_name_part(X509_NAME* name, const char* part, const std::string& value) {
  return X509_NAME_add_entry_by_txt(name, part, MBSTRING_ASC,
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), -1, 0) == 1;
}

Status set_names_and_validity(X509& certificate, const CertificateTerms& terms,
                              const Issuer& issuer) {
  X509_NAME* subject = X509_get_subject_name(&certificate);
  const std::time_t start = terms.now_us / 1'000'000 - day_s;
  const std::time_t end = terms.now_us / 1'000'000 + day_s * terms.days;
  const bool done =
      add_name_part(subject, "CN", terms.common_name) && add_name_part(subject, "O", "Talla") &&
      (!terms.development || add_name_part(subject, "OU", "development")) &&
      X509_set_issuer_name(&certificate, issuer.certificate != nullptr
                                             ? X509_get_subject_name(issuer.certificate)
                                             : subject) == 1 &&
      ASN1_TIME_set(X509_getm_notBefore(&certificate), start) != nullptr &&
      ASN1_TIME_set(X509_getm_notAfter(&certificate), end) != nullptr;
  if (!done) return crypto_fail("certificate names");
  return {};
}

Status add_extension(X509& certificate, X509V3_CTX& context, int nid, const char* value) {
  const ExtensionHandle extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value));
  if (!extension || X509_add_ext(&certificate, extension.get(), -1) != 1)
    return crypto_fail("extension");
  return {};
}

/// Built from values and not from a text, so that no character of a name can start another one.
Status add_alternative_names(X509& certificate, const std::vector<AlternativeName>& names) {
  if (names.empty()) return {};
  const NamesHandle all(GENERAL_NAMES_new());
  for (const AlternativeName& name : names) {
    GENERAL_NAME* one = GENERAL_NAME_new();
    if (!all || one == nullptr || sk_GENERAL_NAME_push(all.get(), one) == 0)
      return crypto_fail("name");
    if (name.form == NameForm::ip) {
      ASN1_OCTET_STRING* address = a2i_IPADDRESS(name.value.c_str());
      if (address == nullptr) return fail(Errc::id_malformed, "IP address " + name.value);
      GENERAL_NAME_set0_value(one, GEN_IPADD, address);
      continue;
    }
    ASN1_IA5STRING* text = ASN1_IA5STRING_new();
    if (text == nullptr ||
        ASN1_STRING_set(text, name.value.data(), static_cast<int>(name.value.size())) != 1) {
      ASN1_IA5STRING_free(text);
      return crypto_fail("name");
    }
    GENERAL_NAME_set0_value(one, name.form == NameForm::uri ? GEN_URI : GEN_DNS, text);
  }
  if (X509_add1_ext_i2d(&certificate, NID_subject_alt_name, all.get(), 0, X509V3_ADD_DEFAULT) !=
      1) {
    return crypto_fail("alternative names");
  }
  return {};
}

Status add_extensions(X509& certificate, const CertificateTerms& terms, const Issuer& issuer) {
  X509V3_CTX context{};
  X509V3_set_ctx(&context, issuer.certificate != nullptr ? issuer.certificate : &certificate,
                 &certificate, nullptr, nullptr, 0);
  TALLA_TRY_STATUS(
      add_extension(certificate, context, NID_basic_constraints,
                    terms.authority ? "critical,CA:TRUE,pathlen:0" : "critical,CA:FALSE"));
  TALLA_TRY_STATUS(add_extension(
      certificate, context, NID_key_usage,
      terms.authority ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature"));
  if (terms.extended_usage != nullptr) {
    TALLA_TRY_STATUS(add_extension(certificate, context, NID_ext_key_usage, terms.extended_usage));
  }
  TALLA_TRY_STATUS(add_extension(certificate, context, NID_subject_key_identifier, "hash"));
  TALLA_TRY_STATUS(
      add_extension(certificate, context, NID_authority_key_identifier, "keyid:always"));
  return add_alternative_names(certificate, terms.names);
}

}  // namespace

Result<PkeyHandle> generate_p256() {
  const SecretScope secret;
  PkeyHandle key(EVP_EC_gen("P-256"));
  if (!key) return crypto_fail("P-256 key");
  return key;
}

Result<PkeyHandle> generate_ed25519() {
  const SecretScope secret;
  PkeyHandle key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key) return crypto_fail("Ed25519 key");
  return key;
}

Result<CertificateHandle> make_certificate(EVP_PKEY& subject_key, const CertificateTerms& terms,
                                           const Issuer& issuer) {
  CertificateHandle certificate(X509_new());
  if (!certificate || X509_set_version(certificate.get(), X509_VERSION_3) != 1 ||
      X509_set_pubkey(certificate.get(), &subject_key) != 1) {
    return crypto_fail("certificate");
  }
  TALLA_TRY_STATUS(set_serial(*certificate));
  TALLA_TRY_STATUS(set_names_and_validity(*certificate, terms, issuer));
  TALLA_TRY_STATUS(add_extensions(*certificate, terms, issuer));
  if (X509_sign(certificate.get(), issuer.key, EVP_sha256()) <= 0)
    return crypto_fail("certificate signature");
  return certificate;
}

Result<std::string> certificate_pem(X509& certificate) {
  const BioHandle bio(BIO_new(BIO_s_mem()));
  if (!bio || PEM_write_bio_X509(bio.get(), &certificate) != 1)
    return crypto_fail("certificate text");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

Result<Bytes> certificate_der(X509& certificate) {
  unsigned char* data = nullptr;
  const int size = i2d_X509(&certificate, &data);
  if (size <= 0) return crypto_fail("certificate bytes");
  Bytes der(data, data + size);
  OPENSSL_free(data);
  return der;
}

Result<CertificateHandle> parse_certificate(const std::string& pem, const std::string& path) {
  const BioHandle bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())));
  CertificateHandle certificate(bio ? PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)
                                    : nullptr);
  if (!certificate) return fail(Errc::key_malformed, path + ": no certificate in PEM");
  return certificate;
}

Result<Digest> spki_digest(X509& certificate) {
  unsigned char* data = nullptr;
  const int size = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(&certificate), &data);
  if (size <= 0) return crypto_fail("public key");
  Digest digest{};
  const bool done = EVP_Digest(data, static_cast<std::size_t>(size), digest.data(), nullptr,
                               EVP_sha256(), nullptr) == 1;
  OPENSSL_free(data);
  if (!done) return crypto_fail("public key digest");
  return digest;
}

std::vector<std::string> alternative_names(X509& certificate) {
  std::vector<std::string> out;
  const NamesHandle names(static_cast<GENERAL_NAMES*>(
      X509_get_ext_d2i(&certificate, NID_subject_alt_name, nullptr, nullptr)));
  if (!names) return out;
  for (int i = 0; i < sk_GENERAL_NAME_num(names.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(names.get(), i);
    const BioHandle bio(BIO_new(BIO_s_mem()));
    // "URI:..", "DNS:..", "IP Address:.."; OpenSSL changes nothing of it.
    auto* const named = const_cast<GENERAL_NAME*>(name);  // NOLINT(*-const-cast)
    if (!bio || GENERAL_NAME_print(bio.get(), named) != 1) continue;
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    std::string text(data, static_cast<std::size_t>(size));
    out.push_back(text.substr(text.find(':') + 1));
  }
  return out;
}

bool names_development(X509& certificate) {
  X509_NAME* subject = X509_get_subject_name(&certificate);
  for (int at = -1;;) {
    at = X509_NAME_get_index_by_NID(subject, NID_organizationalUnitName, at);
    if (at < 0) return false;
    const ASN1_STRING* value = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at));
    const auto* data = reinterpret_cast<const char*>(ASN1_STRING_get0_data(value));
    if (std::string_view(data, static_cast<std::size_t>(ASN1_STRING_length(value))) ==
        "development")
      return true;
  }
}

}  // namespace talla::certs

// Signs certifications with a key in a file or in a token.
#include "certs/certification.hpp"

#include <openssl/ec.h>
#include <openssl/ecdsa.h>

#include <algorithm>

#include "certificates.hpp"
#include "certs/files.hpp"
#include "certs/openssl_hashes.hpp"
#include "certs/pkcs11.hpp"
#include "key_files.hpp"

namespace talla::certs {
namespace {

constexpr int number_bytes = 32;
constexpr std::size_t pair_bytes = 2 * static_cast<std::size_t>(number_bytes);
using PairHandle = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

/// r || s of a DER signature.
Result<Bytes> pair_of(const Bytes& der) {
  const std::uint8_t* at = der.data();
  const PairHandle pair(d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size())));
  Bytes out(pair_bytes);
  const bool fits =
      pair &&
      BN_bn2binpad(ECDSA_SIG_get0_r(pair.get()), out.data(), number_bytes) == number_bytes &&
      BN_bn2binpad(ECDSA_SIG_get0_s(pair.get()), out.data() + number_bytes, number_bytes) ==
          number_bytes;
  if (!fits) return crypto_fail("ECDSA signature");
  return out;
}

/// DER of r || s.
Result<Bytes> der_of(const Bytes& pair) {
  const PairHandle parts(ECDSA_SIG_new());
  BIGNUM* r = BN_bin2bn(pair.data(), number_bytes, nullptr);
  BIGNUM* s = BN_bin2bn(pair.data() + number_bytes, number_bytes, nullptr);
  if (!parts || ECDSA_SIG_set0(parts.get(), r, s) != 1) return crypto_fail("ECDSA signature");
  std::uint8_t* text = nullptr;
  const int size = i2d_ECDSA_SIG(parts.get(), &text);
  if (size <= 0) return crypto_fail("ECDSA signature");
  Bytes der(text, text + size);
  OPENSSL_free(text);
  return der;
}

Result<std::vector<CertificateHandle>> chain_of(const std::string& path) {
  constexpr std::string_view mark = "-----BEGIN CERTIFICATE-----";
  TALLA_TRY(const std::string pem, read_file(path));
  std::vector<CertificateHandle> chain;
  for (std::size_t at = pem.find(mark); at != std::string::npos; at = pem.find(mark, at + 1)) {
    TALLA_TRY(CertificateHandle one, parse_certificate(pem.substr(at), path));
    chain.push_back(std::move(one));
  }
  if (chain.empty()) return fail(Errc::key_malformed, path + ": no certificate is in it");
  return chain;
}

Result<Bytes> signature_of(const std::string& source, const Bytes& message) {
  if (!is_pkcs11_uri(source)) {
    TALLA_TRY(const PkeyHandle key, load_private_key(source));
    TALLA_TRY(const Bytes der, sign_ecdsa(*key, message));
    return pair_of(der);
  }
  TALLA_TRY(const Pkcs11Uri uri, parse_pkcs11_uri(source));
  if (uri.object.empty() && uri.id.empty())
    return fail(Errc::uri_malformed, "pkcs11 URI: object or id is missing");
  TALLA_TRY(const auto token, Pkcs11Token::open(uri));
  TALLA_TRY(const Pkcs11Object key, token->find_one({.type = Pkcs11Class::private_key,
                                                     .label = uri.object,
                                                     .id = uri.id,
                                                     .application = {}}));
  const Digest digest = OpensslHashes().sha256({message});
  TALLA_TRY(const Signature64 pair, token->sign_p256(key, digest));
  return Bytes(pair.begin(), pair.end());
}

/// The signature is of the key that the first certificate names.
Status check_signature(X509& certificate, const Bytes& message, const Bytes& pair) {
  TALLA_TRY(const Bytes der, der_of(pair));
  const DigestContext context(EVP_MD_CTX_new());
  EVP_PKEY* key = X509_get0_pubkey(&certificate);
  const bool good =
      context && key != nullptr && EVP_PKEY_get_id(key) == EVP_PKEY_EC &&
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
      EVP_DigestVerify(context.get(), der.data(), der.size(), message.data(), message.size()) == 1;
  if (good) return {};
  return fail(Errc::key_malformed, "the first certificate is not that of the key");
}

}  // namespace

Result<SignedCertification> sign_certification(const std::string& statement,
                                               const CertifierKey& key) {
  TALLA_TRY(const CertificationKind kind, certification_kind_of(statement));
  TALLA_TRY(const json::Value value, json::parse_canonical(statement));
  const json::Value* issuer = value.find("issuer");
  if (issuer == nullptr || !issuer->is_string())
    return fail(Errc::id_malformed, "the text names no issuer");
  TALLA_TRY(const auto chain, chain_of(key.chain));
  const std::string uri = certification_uri(kind, issuer->string());
  const auto names = alternative_names(*chain.front());
  if (std::ranges::find(names, uri) == names.end())
    return fail(Errc::id_malformed, key.chain + ": the first certificate is not for " + uri);
  SignedCertification file;
  file.statement = statement;
  const Bytes message = certification_message(statement);
  TALLA_TRY(file.signature, signature_of(key.key, message));
  TALLA_TRY_STATUS(check_signature(*chain.front(), message, file.signature));
  for (const CertificateHandle& one : chain) {
    TALLA_TRY(Bytes der, certificate_der(*one));
    file.chain.push_back(std::move(der));
  }
  return parse_certification_file(format_certification_file(file));
}

Result<Digest> certificate_spki(const std::string& path) {
  TALLA_TRY(const auto chain, chain_of(path));
  return spki_digest(*chain.front());
}

}  // namespace talla::certs

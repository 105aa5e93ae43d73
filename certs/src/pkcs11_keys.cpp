#include "certs/pkcs11_keys.hpp"

#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

constexpr std::string_view probe = "talla/v1/signing-probe";
constexpr std::string_view sealing_label = "talla/v1/sealing-key";
constexpr std::uint32_t sealing_bits = 256;
constexpr std::uint32_t cmac_bits = 128;

class TokenSigner final : public Ed25519Signer {
 public:
  TokenSigner(std::shared_ptr<Pkcs11Token> token, Pkcs11Object key, const Digest& public_key,
              PkeyHandle check)
      : token_(std::move(token)), key_(key), public_key_(public_key), check_(std::move(check)) {}

  [[nodiscard]] Digest public_key() const override { return public_key_; }

  [[nodiscard]] Result<Signature64> sign(ByteView message) override {
    TALLA_TRY(const Signature64 signature, token_->sign_ed25519(key_, message));
    const DigestContext context(EVP_MD_CTX_new());
    const bool good =
        context &&
        EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, check_.get()) == 1 &&
        EVP_DigestVerify(context.get(), signature.data(), signature.size(), message.data(),
                         message.size()) == 1;
    if (!good)
      return fail(Errc::object_refused,
                  token_->name() + " gave a signature that its public key does not verify");
    return signature;
  }

 private:
  std::shared_ptr<Pkcs11Token> token_;
  Pkcs11Object key_;
  Digest public_key_;
  PkeyHandle check_;
};

Pkcs11Query named(const Pkcs11Uri& uri, Pkcs11Class type) {
  return {.type = type, .label = uri.object, .id = uri.id, .application = {}};
}

Status names_a_key(const Pkcs11Uri& uri, Pkcs11Class type) {
  if (uri.object.empty() && uri.id.empty())
    return fail(Errc::uri_malformed, "pkcs11 URI: object or id is missing");
  if (!uri.type || *uri.type == type) return {};
  return fail(Errc::uri_malformed, "pkcs11 URI: its type is not that of this key");
}

}  // namespace

Result<std::unique_ptr<Ed25519Signer>> pkcs11_log_signer(std::shared_ptr<Pkcs11Token> token,
                                                         const Pkcs11Uri& uri) {
  TALLA_TRY_STATUS(names_a_key(uri, Pkcs11Class::private_key));
  TALLA_TRY(const Pkcs11Object key, token->find_one(named(uri, Pkcs11Class::private_key)));
  TALLA_TRY(const Digest public_key, token->ed25519_public_key(key));
  PkeyHandle check(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, public_key.data(), public_key.size()));
  if (!check) return crypto_fail("Ed25519 public key");
  auto signer = std::make_unique<TokenSigner>(std::move(token), key, public_key, std::move(check));
  TALLA_TRY(const Signature64 tried, signer->sign(as_bytes(probe)));
  static_cast<void>(tried);
  return std::unique_ptr<Ed25519Signer>(std::move(signer));
}

Result<SecretBytes> pkcs11_sealing_key(Pkcs11Token& token, const Pkcs11Uri& uri,
                                       std::string_view origin) {
  TALLA_TRY_STATUS(names_a_key(uri, Pkcs11Class::secret_key));
  TALLA_TRY(const Pkcs11Object key, token.find_one(named(uri, Pkcs11Class::secret_key)));
  SecretBytes derived;
  derived.reserve(sealing_bits / 8);
  for (std::uint32_t block = 1; block <= sealing_bits / cmac_bits; ++block) {
    ByteWriter input;  // SP 800-108r1 section 4.1: [i] || Label || 0x00 || Context || [L]
    input.u32(block).raw(sealing_label).u8(0).raw(origin).u32(sealing_bits);
    TALLA_TRY_STATUS(token.cmac(key, input.take(), derived));
  }
  return derived;
}

}  // namespace talla::certs

#include "certs/signer.hpp"

#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

class OpensslEd25519Signer final : public Ed25519Signer {
 public:
  OpensslEd25519Signer(PkeyHandle key, const Digest& public_key, DigestContext context)
      : key_(std::move(key)), public_key_(public_key), context_(std::move(context)) {}

  [[nodiscard]] Digest public_key() const override { return public_key_; }

  [[nodiscard]] Result<Signature64> sign(ByteView message) override {
    Signature64 signature{};
    std::size_t size = signature.size();
    if (EVP_MD_CTX_reset(context_.get()) != 1 ||
        EVP_DigestSignInit(context_.get(), nullptr, nullptr, nullptr, key_.get()) != 1 ||
        EVP_DigestSign(context_.get(), signature.data(), &size, message.data(), message.size()) != 1 ||
        size != signature.size()) {
      return crypto_fail("Ed25519 sign");
    }
    return signature;
  }

 private:
  PkeyHandle key_;
  Digest public_key_;
  DigestContext context_;
};

Result<std::unique_ptr<Ed25519Signer>> signer_of(PkeyHandle key, const std::string& where) {
  if (EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) {
    return fail(Errc::key_malformed, where + ": not an Ed25519 key");
  }
  Digest public_key{};
  std::size_t size = public_key.size();
  if (EVP_PKEY_get_raw_public_key(key.get(), public_key.data(), &size) != 1 || size != public_key.size()) {
    return crypto_fail("Ed25519 public key");
  }
  DigestContext context(EVP_MD_CTX_new());
  if (!context) return crypto_fail("signing context");
  return std::make_unique<OpensslEd25519Signer>(std::move(key), public_key, std::move(context));
}

}  // namespace

Result<std::unique_ptr<Ed25519Signer>> load_log_signer(const std::string& pem_path) {
  TALLA_TRY(PkeyHandle key, load_private_key(pem_path));
  return signer_of(std::move(key), pem_path);
}

Result<std::unique_ptr<Ed25519Signer>> make_log_signer(std::span<const std::uint8_t, 32> private_key) {
  PkeyHandle key(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, private_key.data(), private_key.size()));
  if (!key) return crypto_fail("Ed25519 private key");
  return signer_of(std::move(key), "raw key");
}

}  // namespace talla::certs

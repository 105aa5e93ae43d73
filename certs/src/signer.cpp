#include "certs/signer.hpp"

#include "certificates.hpp"
#include "certs/files.hpp"
#include "openssl_handles.hpp"

namespace talla::certs {

namespace {

class OpensslEd25519Signer final : public Ed25519Signer {
 public:
  /// `prepared`: initialised for signing with the key; every signature starts from a copy, which
  /// spares the search for algorithms.
  OpensslEd25519Signer(const Digest& public_key, DigestContext prepared, DigestContext context)
      : public_key_(public_key), prepared_(std::move(prepared)), context_(std::move(context)) {}

  [[nodiscard]] Digest public_key() const override { return public_key_; }

  [[nodiscard]] Result<Signature64> sign(ByteView message) override {
    Signature64 signature{};
    std::size_t size = signature.size();
    if (EVP_MD_CTX_copy_ex(context_.get(), prepared_.get()) != 1 ||
        EVP_DigestSign(context_.get(), signature.data(), &size, message.data(), message.size()) !=
            1 ||
        size != signature.size()) {
      return crypto_fail("Ed25519 sign");
    }
    return signature;
  }

 private:
  Digest public_key_;
  DigestContext prepared_;
  DigestContext context_;
};

Result<std::unique_ptr<Ed25519Signer>> signer_of(PkeyHandle key, const std::string& where) {
  if (EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519) {
    return fail(Errc::key_malformed, where + ": not an Ed25519 key");
  }
  Digest public_key{};
  std::size_t size = public_key.size();
  if (EVP_PKEY_get_raw_public_key(key.get(), public_key.data(), &size) != 1 ||
      size != public_key.size()) {
    return crypto_fail("Ed25519 public key");
  }
  const SecretScope secret;
  DigestContext prepared(EVP_MD_CTX_new());
  DigestContext context(EVP_MD_CTX_new());
  if (!prepared || !context ||
      EVP_DigestSignInit(prepared.get(), nullptr, nullptr, nullptr, key.get()) != 1) {
    return crypto_fail("signing context");
  }
  return std::make_unique<OpensslEd25519Signer>(public_key, std::move(prepared),
                                                std::move(context));
}

}  // namespace

Result<std::unique_ptr<Ed25519Signer>> load_log_signer(const std::string& pem_path) {
  TALLA_TRY(PkeyHandle key, load_private_key(pem_path));
  return signer_of(std::move(key), pem_path);
}

Status create_ed25519_key(const std::string& pem_path) {
  TALLA_TRY(const PkeyHandle key, generate_ed25519());
  TALLA_TRY(const SecretBytes pem, private_key_pem(*key));
  return create_private_file(pem_path, pem);
}

Result<std::unique_ptr<Ed25519Signer>> parse_log_signer(const SecretBytes& pem,
                                                        const std::string& name) {
  TALLA_TRY(PkeyHandle key, parse_private_key(pem, name));
  return signer_of(std::move(key), name);
}

Result<std::unique_ptr<Ed25519Signer>> make_log_signer(
    std::span<const std::uint8_t, 32> private_key) {
  const SecretScope secret;
  PkeyHandle key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, private_key.data(),
                                              private_key.size()));
  if (!key) return crypto_fail("Ed25519 private key");
  return signer_of(std::move(key), "raw key");
}

}  // namespace talla::certs

#include "recipient_key.hpp"

#include <botan/aead.h>
#include <botan/data_src.h>
#include <botan/ec_group.h>
#include <botan/ecdh.h>
#include <botan/ecdsa.h>
#include <botan/kdf.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/system_rng.h>

#include <array>
#include <exception>

#include "format/covered_format.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

std::unique_ptr<Botan::EC_PrivateKey> parse(std::string_view pem) {
  Botan::DataSource_Memory source(reinterpret_cast<const std::uint8_t*>(pem.data()), pem.size());
  std::unique_ptr<Botan::Private_Key> key(Botan::PKCS8::load_key(source));
  auto* ec = dynamic_cast<Botan::EC_PrivateKey*>(key.get());
  if (ec == nullptr || ec->domain() != Botan::EC_Group("secp256r1")) return nullptr;
  static_cast<void>(key.release());
  return std::unique_ptr<Botan::EC_PrivateKey>(ec);
}

}  // namespace

Result<RecipientKey> RecipientKey::load(std::string_view private_key_pem) {
  try {
    if (auto key = parse(private_key_pem)) return RecipientKey(std::move(key));
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the same refusal
  }
  return fail(VerifyErrc::wrong_statement, "the key is no P-256 private key (PKCS#8 PEM)");
}

Digest RecipientKey::digest() const {
  const auto spki = key_->subject_public_key();
  return BotanHashes().sha256({ByteView(spki.data(), spki.size())});
}

Botan::secure_vector<std::uint8_t> RecipientKey::open(ByteView ephemeral, const Bytes& info,
                                                      ByteView sealed) const {
  const Botan::ECDH_PrivateKey ours(Botan::system_rng(), key_->domain(), key_->private_value());
  const Botan::PK_Key_Agreement agreement(ours, Botan::system_rng(), "Raw");
  const auto shared = agreement.derive_key(32, ephemeral.data(), ephemeral.size()).bits_of();
  const auto kdf = Botan::KDF::create_or_throw("HKDF(SHA-256)");
  const auto key =
      kdf->derive_key(32, shared.data(), shared.size(), nullptr, 0, info.data(), info.size());
  const auto gcm = Botan::AEAD_Mode::create_or_throw("AES-256/GCM", Botan::DECRYPTION);
  gcm->set_key(key);
  gcm->set_associated_data(info.data(), info.size());
  const std::array<std::uint8_t, covered_nonce_bytes> nonce{};
  gcm->start(nonce.data(), nonce.size());
  Botan::secure_vector<std::uint8_t> text(sealed.begin(), sealed.end());
  gcm->finish(text);
  return text;
}

}  // namespace talla::certs

#include "verify/botan_hashes.hpp"

#include <botan/ed25519.h>
#include <botan/hash.h>
#include <botan/mac.h>
#include <botan/pubkey.h>

#include <algorithm>
#include <exception>

#include "base/check.hpp"

namespace talla::certs {
namespace {

/// The order of the base point, little-endian (RFC 8032 section 5.1): s of a signature must stay
/// below it.
constexpr Digest group_order = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};

bool scalar_canonical(const Signature64& signature) {
  return std::lexicographical_compare(signature.rbegin(), signature.rbegin() + group_order.size(),
                                      group_order.rbegin(), group_order.rend());
}

class BotanHmac final : public HmacKey {
 public:
  explicit BotanHmac(ByteView key)
      : mac_(Botan::MessageAuthenticationCode::create_or_throw("HMAC(SHA-256)")) {
    mac_->set_key(key.data(), key.size());
  }
  [[nodiscard]] Digest mac(std::initializer_list<ByteView> parts) const override {
    for (const ByteView part : parts) mac_->update(part.data(), part.size());
    Digest digest{};
    mac_->final(digest.data());
    return digest;
  }

 private:
  std::unique_ptr<Botan::MessageAuthenticationCode> mac_;
};

}  // namespace

struct BotanHashes::State {
  std::unique_ptr<Botan::HashFunction> sha256;
};

BotanHashes::BotanHashes() : state_(std::make_unique<State>()) {
  state_->sha256 = Botan::HashFunction::create("SHA-256");
  TALLA_CHECK(state_->sha256 != nullptr);
}
BotanHashes::~BotanHashes() = default;

Digest BotanHashes::sha256(std::initializer_list<ByteView> parts) const {
  for (const ByteView part : parts) state_->sha256->update(part.data(), part.size());
  Digest digest{};
  state_->sha256->final(digest.data());
  return digest;
}

std::unique_ptr<HmacKey> BotanHashes::hmac_key(ByteView key) const {
  return std::make_unique<BotanHmac>(key);
}

bool BotanEd25519::verify(const Digest& public_key, ByteView message,
                          const Signature64& signature) const {
  if (!scalar_canonical(signature)) return false;
  try {
    const Botan::Ed25519_PublicKey key(public_key.data(), public_key.size());
    Botan::PK_Verifier verifier(key, "Pure");
    return verifier.verify_message(message.data(), message.size(), signature.data(),
                                   signature.size());
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace talla::certs

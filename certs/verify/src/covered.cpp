#include "verify/covered.hpp"

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

#include "format/merkle.hpp"
#include "shuffle/card.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

Status refuse(std::string why) {
  return fail(VerifyErrc::wrong_opening, std::move(why));
}

std::unique_ptr<Botan::EC_PrivateKey> load(std::string_view pem) {
  Botan::DataSource_Memory source(reinterpret_cast<const std::uint8_t*>(pem.data()), pem.size());
  std::unique_ptr<Botan::Private_Key> key(Botan::PKCS8::load_key(source));
  auto* ec = dynamic_cast<Botan::EC_PrivateKey*>(key.get());
  if (ec == nullptr || ec->domain() != Botan::EC_Group("secp256r1")) return nullptr;
  key.release();
  return std::unique_ptr<Botan::EC_PrivateKey>(ec);
}

tl::unexpected<Error> no_key() {
  return fail(VerifyErrc::wrong_statement, "the key is no P-256 private key (PKCS#8 PEM)");
}

/// AES-256-GCM under the agreed key; empty when the tag does not fit.
Botan::secure_vector<std::uint8_t> open(const Botan::EC_PrivateKey& own, const CoveredContext& context,
                                        ByteView ciphertext) {
  const ByteView point = ciphertext.first(ephemeral_bytes);
  const Botan::ECDH_PrivateKey ours(Botan::system_rng(), own.domain(), own.private_value());
  const Botan::PK_Key_Agreement agreement(ours, Botan::system_rng(), "Raw");
  const auto shared = agreement.derive_key(32, point.data(), point.size()).bits_of();
  const Bytes info = covered_info(context, point);
  const auto kdf = Botan::KDF::create_or_throw("HKDF(SHA-256)");
  const auto key = kdf->derive_key(32, shared.data(), shared.size(), nullptr, 0, info.data(), info.size());
  const auto gcm = Botan::AEAD_Mode::create_or_throw("AES-256/GCM", Botan::DECRYPTION);
  gcm->set_key(key);
  gcm->set_associated_data(info.data(), info.size());
  const std::array<std::uint8_t, covered_nonce_bytes> nonce{};
  gcm->start(nonce.data(), nonce.size());
  Botan::secure_vector<std::uint8_t> text(ciphertext.begin() + ephemeral_bytes, ciphertext.end());
  gcm->finish(text);
  return text;
}

}  // namespace

Result<Digest> seat_key_digest(std::string_view private_key_pem) {
  try {
    const auto key = load(private_key_pem);
    if (!key) return no_key();
    const auto spki = key->subject_public_key();
    return BotanHashes().sha256({ByteView(spki.data(), spki.size())});
  } catch (const std::exception&) {
    return no_key();
  }
}

Result<CardOpening> decrypt_opening(std::string_view private_key_pem, const CoveredContext& context,
                                    ByteView ciphertext) {
  TALLA_TRY(const Digest key, seat_key_digest(private_key_pem));
  if (key != context.key) return fail(VerifyErrc::wrong_opening, "the copy is for another key");
  if (ciphertext.size() <= ephemeral_bytes + covered_tag_bytes || ciphertext.front() != 4) {
    return fail(VerifyErrc::wrong_opening, "no ciphertext of a covered card");
  }
  try {
    const auto text = open(*load(private_key_pem), context, ciphertext);
    const std::string plain(text.begin(), text.end());
    TALLA_TRY(const auto value, json::parse_canonical(plain));
    return CardOpening::from_json(value);
  } catch (const std::exception&) {
    return fail(VerifyErrc::wrong_opening, "the ciphertext does not open for this card, seat and key");
  }
}

Status check_covered_opening(const DealtPlace& place, const CardOpening& opening) {
  if (place.position >= place.cards || place.offset >= place.cards) return refuse("no such position");
  if (opening.leaf != leaf_of_position(place.position, place.offset, place.cards)) {
    return refuse("the leaf is not the one of this position and cut");
  }
  const BotanHashes hashes;
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = shoe_leaf_hash(
      hashes, {.shoe_id = place.shoe, .cards = place.cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  const auto included =
      verify_inclusion(hashes, {.index = opening.leaf, .size = place.cards}, leaf, opening.path, place.root);
  if (!included) return refuse("the card is not the committed one: " + included.error().detail);
  return {};
}

}  // namespace talla::certs

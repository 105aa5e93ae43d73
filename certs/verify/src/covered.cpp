#include "verify/covered.hpp"

#include <exception>

#include "format/merkle.hpp"
#include "recipient_key.hpp"
#include "shuffle/card.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

Status refuse_opening(std::string why) {
  return fail(VerifyErrc::wrong_opening, std::move(why));
}

}  // namespace

Result<Digest> seat_key_digest(std::string_view private_key_pem) {
  TALLA_TRY(const RecipientKey key, RecipientKey::load(private_key_pem));
  return key.digest();
}

Result<CardOpening> decrypt_opening(std::string_view private_key_pem, const CoveredContext& context,
                                    ByteView ciphertext) {
  TALLA_TRY(const RecipientKey key, RecipientKey::load(private_key_pem));
  if (key.digest() != context.key)
    return fail(VerifyErrc::wrong_opening, "the copy is for another key");
  if (ciphertext.size() <= ephemeral_bytes + covered_tag_bytes || ciphertext.front() != 4) {
    return fail(VerifyErrc::wrong_opening, "no ciphertext of a covered card");
  }
  try {
    const ByteView point = ciphertext.first(ephemeral_bytes);
    const auto text =
        key.open(point, covered_info(context, point), ciphertext.subspan(ephemeral_bytes));
    const std::string plain(text.begin(), text.end());
    TALLA_TRY(const auto value, json::parse_canonical(plain));
    return CardOpening::from_json(value);
  } catch (const std::exception&) {
    return fail(VerifyErrc::wrong_opening,
                "the ciphertext does not open for this card, seat and key");
  }
}

Status check_covered_opening(const DealtPlace& place, const CardOpening& opening) {
  if (place.position >= place.mix.size()) return refuse_opening("no such position");
  if (opening.leaf != place.mix[place.position])
    return refuse_opening("the leaf is not the one of this position and mix");
  const auto cards = static_cast<std::uint32_t>(place.mix.size());
  const BotanHashes hashes;
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = shoe_leaf_hash(
      hashes, {.shoe_id = place.shoe, .cards = cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  const auto included = verify_inclusion(hashes, {.index = opening.leaf, .size = cards}, leaf,
                                         opening.path, place.root);
  if (!included)
    return refuse_opening("the card is not the committed one: " + included.error().detail);
  return {};
}

}  // namespace talla::certs

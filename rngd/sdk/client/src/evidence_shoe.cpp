// What the client checks of a shoe: its roots, its mix, its opened cards.
#include <algorithm>

#include "evidence.hpp"
#include "format/candidates.hpp"
#include "format/merkle.hpp"
#include "format/shoe_format.hpp"
#include "shuffle/card.hpp"
#include "verify/covered.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Kind;
using certs::Record;

namespace {

/// A position of a mixed shoe.
struct Shown {
  const std::string& shoe;
  const certs::ShoeCommitBody& commit;
  const certs::Mix& mix;
  std::uint32_t position;
};

/// The committed card of that position.
Status check_card(const Shown& shown, const certs::CardOpening& opening) {
  const certs::BotanHashes hashes;
  const std::uint32_t cards = shown.commit.cards;
  if (shown.position >= shown.mix.size() || opening.leaf != shown.mix[shown.position])
    return disbelieve("not the card of this position in the mixed shoe");
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = certs::shoe_leaf_hash(
      hashes, {.shoe_id = shown.shoe, .cards = cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  if (!certs::verify_inclusion(hashes, {.index = opening.leaf, .size = cards}, leaf, opening.path,
                               shown.commit.root))
    return disbelieve("not the committed card");
  return {};
}

}  // namespace

Result<std::vector<Evidence::Root>*> Evidence::roots_of(const std::string& shoe,
                                                        const Fetch& fetch) {
  if (const auto found = shoes_.find(shoe); found != shoes_.end()) return &found->second;
  TALLA_TRY(const auto records,
            records_of(shoe, fetch));  // this program was restarted: the log knows
  const json::Value none;
  for (const Record& record : records) {
    if (record.kind == Kind::call) TALLA_TRY_STATUS(take_call(record, {none, none, fetch}));
    if (record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit ||
        record.kind == Kind::shoe_mix || record.kind == Kind::card_deal)
      TALLA_TRY_STATUS(take_shoe(record, {none, none, fetch}));
  }
  const auto found = shoes_.find(shoe);
  if (found == shoes_.end()) return disbelieve(shoe + " was never committed");
  return &found->second;
}

Result<const Evidence::Root*> Evidence::newest_root(const std::string& shoe, const Fetch& fetch) {
  TALLA_TRY(const std::vector<Root>* roots, roots_of(shoe, fetch));
  return &roots->back();
}

Status Evidence::take_shoe(const Record& record, const Call& call) {
  if (record.kind == Kind::shoe_commit) {
    TALLA_TRY(auto body, certs::ShoeCommitBody::from_json(record.body));
    const auto count = certs::candidates_count(body);
    if (const auto why = certs::candidates_wrong(certs::BotanHashes(), body, count); !why.empty())
      return disbelieve(record.object + " " + why);
    const std::string root = text(call.reply, {"shoe", "root"});
    if (!root.empty() && root != to_hex(body.root))
      return disbelieve("the reply names another root than was committed");
    shoes_[record.object] = {{std::move(body), {}}};
    return {};
  }
  if (record.kind == Kind::shoe_recommit && shoes_.contains(record.object)) {
    TALLA_TRY(auto body, certs::ShoeRecommitBody::from_json(record.body));
    shoes_[record.object].push_back({std::move(body.commit), {}});
    return {};
  }
  TALLA_TRY(std::vector<Root> * roots, roots_of(record.object, call.fetch));
  if (record.kind == Kind::shoe_mix) return take_mix(record, roots->back());
  if (record.kind == Kind::card_open) {
    TALLA_TRY(const auto body, certs::CardOpenBody::from_json(record.body));
    const std::size_t root = body.recommits ? *body.recommits : roots->size() - 1;
    if (root >= roots->size()) return disbelieve("a card of a root that was never committed");
    return check_card(
        {record.object, (*roots)[root].commit, (*roots)[root].mixed.mix, body.position},
        body.opening);
  }
  if (record.kind != Kind::card_deal) return {};
  Root& root = roots->back();
  TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
  root.mixed.dealt = std::max(root.mixed.dealt, body.position + 1);
  if (!body.opening) return {};
  return check_card({record.object, root.commit, root.mixed.mix, body.position}, *body.opening);
}

Status Evidence::take_mix(const Record& record, Root& root) const {
  TALLA_TRY(const auto body, certs::ShoeMixBody::from_json(record.body));
  const auto made = calls_.find(body.call);
  if (made == calls_.end()) return disbelieve("a mix without its CALL");
  if (root.mix_call == body.call) return {};  // read in the log before
  // Again only for the bets of a round; that they are closed this client knew when it signed.
  const std::string& round = made->second.round;
  if (!root.mixed.mix.empty() && round == "0") return disbelieve("a second mix of one root");
  auto mixed = certs::check_mixed(root.commit, made->second, record, root.mixed);
  if (!mixed) return disbelieve("the mix does not follow from its call: " + mixed.error().detail);
  root.commit = std::move(mixed->commit);
  root.mixed.mix = std::move(mixed->mix);
  root.mix_call = body.call;
  return {};
}

Result<json::Value> Evidence::look(const std::string& shoe, const json::Value& card,
                                   std::string_view key_pem, const Fetch& fetch) {
  TALLA_TRY(const Record commit, opening(shoe, fetch));
  TALLA_TRY(const std::vector<Root>* roots, roots_of(shoe, fetch));
  const json::Value *position = card.find("position"), *again = card.find("recommits"),
                    *copies = card.find("copies");
  const bool whole = position != nullptr && position->is_integer() && copies != nullptr &&
                     copies->is_array() && !copies->array().empty();
  const std::int64_t number = again != nullptr && again->is_integer() ? again->integer() : 0;
  if (!whole || number < 0 || static_cast<std::size_t>(number) >= roots->size())
    return disbelieve("no copies of a covered card");
  const Root& root = (*roots)[static_cast<std::size_t>(number)];
  const auto place = static_cast<std::uint32_t>(position->integer());
  TALLA_TRY(const Digest key, certs::seat_key_digest(key_pem));
  json::Array seen;
  for (const json::Value& copy : copies->array()) {
    const json::Value* seat = copy.find("seat");
    if (seat == nullptr || !seat->is_integer()) return disbelieve("a copy without its seat");
    TALLA_TRY(const Bytes ciphertext, from_base64(text(copy, {"ciphertext"})));
    const auto opening =
        certs::decrypt_opening(key_pem,
                               {.origin = commit.origin,
                                .shoe = shoe,
                                .position = place,
                                .seat = static_cast<std::uint32_t>(seat->integer()),
                                .key = key,
                                .recommits = static_cast<std::uint32_t>(number)},
                               ciphertext);
    if (!opening) return disbelieve("a copy does not open: " + opening.error().detail);
    TALLA_TRY_STATUS(check_card({shoe, root.commit, root.mixed.mix, place}, *opening));
    json::Value one;
    one["seat"] = *seat;
    one["place"] = text(card, {"place"});
    one["card"] = opening->card;
    seen.push_back(std::move(one));
  }
  json::Value out;
  out["looks"] = std::move(seen);
  return out;
}

}  // namespace talla::client

// What the client checks of a shoe: its roots, its mix, its opened cards.
#include <algorithm>

#include "evidence.hpp"
#include "format/merkle.hpp"
#include "format/shoe_format.hpp"
#include "shuffle/card.hpp"
#include "words.hpp"

namespace talla::client {

using certs::Kind;
using certs::Record;

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
    return take_card(record.object, (*roots)[root], body.position, body.opening);
  }
  if (record.kind != Kind::card_deal) return {};
  Root& root = roots->back();
  TALLA_TRY(const auto body, certs::CardDealBody::from_json(record.body));
  root.mixed.dealt = std::max(root.mixed.dealt, body.position + 1);
  if (const json::Value* cards = call.reply.find("cards"); cards != nullptr && cards->is_array()) {
    for (const json::Value& card : cards->array()) {
      const json::Value* position = card.find("position");
      if (card.find("recommits") != nullptr || position == nullptr ||
          *position != json::Value(body.position) || text(card, {"place"}) != body.place)
        continue;
      if (text(card, {"card"}) != (body.opening ? body.opening->card : std::string()))
        return disbelieve("the reply shows a card that the log does not say");
    }
  }
  return body.opening ? take_card(record.object, root, body.position, *body.opening) : Status();
}

Status Evidence::take_mix(const Record& record, Root& root) const {
  TALLA_TRY(const auto body, certs::ShoeMixBody::from_json(record.body));
  const auto made = calls_.find(body.call);
  if (made == calls_.end()) return disbelieve("a mix without its CALL");
  if (root.mix_call == body.call) return {};  // read in the log before
  // Again only for the bets of a round; that they are closed this client knew when it signed.
  const std::string& round = made->second.round;
  if (!root.mixed.mix.empty() && round == "0") return disbelieve("a second mix of one root");
  auto mix = certs::check_mixed(root.commit, made->second, record, root.mixed);
  if (!mix) return disbelieve("the mix does not follow from its call: " + mix.error().detail);
  root.mixed.mix = std::move(*mix);
  root.mix_call = body.call;
  return {};
}

Status Evidence::take_card(const std::string& shoe, const Root& root, std::uint32_t position,
                           const certs::CardOpening& opening) const {
  const std::uint32_t cards = root.commit.cards;
  const certs::Mix& mix = root.mixed.mix;
  if (position >= mix.size() || opening.leaf != mix[position])
    return disbelieve("not the card of this position in the mixed shoe");
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = certs::shoe_leaf_hash(
      hashes_, {.shoe_id = shoe, .cards = cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  if (!certs::verify_inclusion(hashes_, {.index = opening.leaf, .size = cards}, leaf, opening.path,
                               root.commit.root))
    return disbelieve("not the committed card");
  return {};
}

}  // namespace talla::client

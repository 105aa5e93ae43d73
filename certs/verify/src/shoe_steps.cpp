#include <algorithm>
#include <map>
#include <optional>

#include "evidence.hpp"
#include "format/body_shoe.hpp"
#include "format/merkle.hpp"
#include "format/shoe_format.hpp"
#include "shuffle/deck.hpp"
#include "shuffle/shoe.hpp"
#include "shuffle/tape.hpp"

namespace talla::certs {
namespace {

/// Follows one shoe from its commitment; each card that was opened is kept for the close.
class ShoeWalk {
 public:
  ShoeWalk(Evidence& evidence, std::string id) : evidence_(evidence), id_(std::move(id)) {}

  Status step(const Record& record) {
    if (closed_) return refuse(VerifyErrc::gap, record, "the shoe was closed before");
    switch (record.kind) {
      case Kind::shoe_commit:
        return commit(record);
      case Kind::shoe_cut:
        return cut(record);
      case Kind::card_deal:
        return deal(record);
      case Kind::card_open:
        return open(record);
      case Kind::shoe_close:
        return close(record);
      case Kind::shoe_recommit:
        return recommit(record);
      case Kind::shoe_release:
        evidence_.not_checked("the order of " + id_ + " was released to a machine");
        return {};
      case Kind::shuffle_report:
        evidence_.not_checked(id_ + ": what the shuffling machine reported");
        return {};
      default:
        return {};
    }
  }
  void conclude();

 private:
  /// A dealt position; the opening once there is one.
  struct Dealt {
    std::string place;
    Face face = Face::open;
    std::optional<CardOpening> opening;
    bool returned = false;  ///< it went back at a SHOE_RECOMMIT
  };

  /// One root: its commitment, its cut, the positions dealt under it.
  struct Layer {
    ShoeCommitBody commit;
    std::vector<std::uint32_t> returned;  ///< positions of the layer before that went into it
    std::vector<OlderCards> older;        ///< those of layers before that one
    std::optional<ShoeCutBody> cut;
    std::vector<Dealt> dealt;
  };

  static Status refuse(VerifyErrc errc, const Record& record, std::string_view why) {
    return fail(errc, name_of(record) + ": " + std::string(why));
  }
  Status check_terms(const Record& record, const ShoeCommitBody& commit);
  Status commit(const Record& record);
  Status recommit(const Record& record);
  Status check_recommit(const Record& record, const ShoeRecommitBody& body) const;
  Status put_back(const Record& record, Layer& layer, const std::vector<std::uint32_t>& positions);
  Status cut(const Record& record);
  Status deal(const Record& record);
  Status check_copies(const Record& record, const CardDealBody& body);
  Status open(const Record& record);
  Status close(const Record& record);
  Status check_opening(const Record& record, const Layer& layer, std::uint32_t position,
                       const CardOpening& opening);
  Status check_disclosures(const Record& record, const ShoeCloseBody& body);
  /// `order`: the cards that the layer's shuffle began with; afterwards the shuffled ones.
  Status check_disclosure(const Record& record, const ShoeDisclosure& opened, const Layer& layer,
                          shuffle::SecretCards& order);
  static Status rerun_shuffle(const Record& record, const ShoeDisclosure& opened,
                              shuffle::SecretCards& order);

  Evidence& evidence_;
  std::string id_;
  std::vector<Layer> replaced_;  // oldest first
  Layer layer_;                  // the newest root
  std::optional<shuffle::DeckSpec> deck_;
  std::map<std::string, int> opened_copies_;  // lying open: without those that went back
  bool rerun_ = false;
  bool closed_ = false;
};

/// What holds for the commitment to any root.
Status ShoeWalk::check_terms(const Record& record, const ShoeCommitBody& commit) {
  TALLA_TRY_STATUS(evidence_.take_context(commit.context, record));
  if (commit.cut == CutMode::rotation && (commit.cut_min != 0 || commit.cut_max != commit.cards - 1)) {
    return refuse(VerifyErrc::wrong_commitment, record, "a rotation is uniform over the whole shoe");
  }
  if (commit.cut_min == commit.cut_max) {
    evidence_.not_checked(record.object + ": its cut bounds left the table no choice");
  }
  return {};
}

Status ShoeWalk::commit(const Record& record) {
  TALLA_TRY(layer_.commit, ShoeCommitBody::from_json(record.body));
  TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(layer_.commit.deck));
  if (deck.cards_count() != layer_.commit.cards) {
    return refuse(VerifyErrc::wrong_commitment, record, "the deck has another number of cards");
  }
  TALLA_TRY_STATUS(check_terms(record, layer_.commit));
  const json::Value* asked =
      evidence_.table.settled_by_client ? evidence_.table.parameters.find("deck") : nullptr;
  if (asked != nullptr && *asked != json::Value(layer_.commit.deck)) {
    return refuse(VerifyErrc::wrong_commitment, record, "the table is opened for another deck");
  }
  if (!evidence_.table.settled_by_client && evidence_.claim->kind != Kind::settlement) {
    evidence_.not_checked(record.object + ": whether deck and stop card are those of the rules");
  }
  deck_ = deck;
  return {};
}

Status ShoeWalk::check_recommit(const Record& record, const ShoeRecommitBody& body) const {
  const auto& before = layer_.commit;
  const auto& after = body.commit;
  if (!layer_.cut || layer_.dealt.empty())
    return refuse(VerifyErrc::wrong_position, record, "nothing was dealt under the root it replaces");
  if (body.of != before.root) return refuse(VerifyErrc::wrong_commitment, record, "replaces another root");
  if (after.table != before.table || after.number != before.number || after.deck != before.deck ||
      after.stop_depth != before.stop_depth || after.covered != before.covered ||
      after.cut == CutMode::none) {
    return refuse(VerifyErrc::wrong_commitment, record, "is not of the same shoe");
  }
  std::size_t back = body.returned.size();
  for (const OlderCards& one : body.older) back += one.positions.size();
  if (after.cards != before.cards - layer_.dealt.size() + back) {
    return refuse(VerifyErrc::wrong_commitment, record, "another number of cards is left");
  }
  if (replaced_.size() == recommits_max)
    return refuse(VerifyErrc::wrong_commitment, record, "the shoe was shuffled too often");
  return {};
}

/// Cards of one root leave the table for the shoe; what was opened of them may be opened again under the new root.
Status ShoeWalk::put_back(const Record& record, Layer& layer, const std::vector<std::uint32_t>& positions) {
  for (const std::uint32_t position : positions) {
    if (position >= layer.dealt.size())
      return refuse(VerifyErrc::wrong_position, record, "a card goes back that was not dealt");
    Dealt& dealt = layer.dealt[position];
    if (dealt.returned)
      return refuse(VerifyErrc::wrong_position, record, "a card goes back that went back before");
    dealt.returned = true;
    if (dealt.opening) --opened_copies_[dealt.opening->card];
  }
  return {};
}

Status ShoeWalk::recommit(const Record& record) {
  TALLA_TRY(ShoeRecommitBody body, ShoeRecommitBody::from_json(record.body));
  TALLA_TRY_STATUS(check_recommit(record, body));
  TALLA_TRY_STATUS(check_terms(record, body.commit));
  TALLA_TRY_STATUS(put_back(record, layer_, body.returned));
  for (const OlderCards& one : body.older) {
    if (one.recommits >= replaced_.size())
      return refuse(VerifyErrc::wrong_position, record,
                    "a card goes back from a root that was not replaced before");
    TALLA_TRY_STATUS(put_back(record, replaced_[one.recommits], one.positions));
  }
  replaced_.push_back(std::move(layer_));
  layer_ = Layer{std::move(body.commit), std::move(body.returned), std::move(body.older), {}, {}};
  return {};
}

Status ShoeWalk::cut(const Record& record) {
  if (layer_.cut) return refuse(VerifyErrc::wrong_position, record, "the shoe was cut before");
  if (layer_.commit.cut == CutMode::none)
    return refuse(VerifyErrc::wrong_position, record, "the shoe has no cut");
  TALLA_TRY(const ShoeCutBody body, ShoeCutBody::from_json(record.body));
  if (body.root != layer_.commit.root)
    return refuse(VerifyErrc::wrong_commitment, record, "names another root");
  if (cut_commitment(evidence_.hashes, id_, body.secret) != layer_.commit.cut_commitment) {
    return refuse(VerifyErrc::wrong_opening, record, "the secret is not the committed one");
  }
  if (std::ranges::any_of(replaced_, [&](const Layer& one) { return one.cut->nonce == body.nonce; }))
    return refuse(VerifyErrc::wrong_commitment, record, "the nonce of an earlier cut");
  TALLA_TRY(const CutResult result,
            map_cut(evidence_.hashes, {.secret = body.secret,
                                       .shoe_id = id_,
                                       .root = layer_.commit.root,
                                       .nonce = body.nonce,
                                       .client = record.client ? record.client->id : "",
                                       .cut_min = layer_.commit.cut_min,
                                       .cut_max = layer_.commit.cut_max}));
  if (result.offset != body.offset || result.words_used != body.words_used ||
      result.words_rejected != body.words_rejected || result.tape_digest != body.tape_digest) {
    return refuse(VerifyErrc::wrong_mapping, record, "the offset does not follow from secret and nonce");
  }
  layer_.cut = body;
  return {};
}

Status ShoeWalk::check_opening(const Record& record, const Layer& layer, std::uint32_t position,
                               const CardOpening& opening) {
  if (opening.leaf != leaf_of_position(position, layer.cut->offset, layer.commit.cards)) {
    return refuse(VerifyErrc::wrong_position, record, "the leaf is not the one of this position and cut");
  }
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = shoe_leaf_hash(
      evidence_.hashes,
      {.shoe_id = id_, .cards = layer.commit.cards, .leaf = opening.leaf, .card = card.code()}, opening.salt);
  const auto included =
      verify_inclusion(evidence_.hashes, {.index = opening.leaf, .size = layer.commit.cards}, leaf,
                       opening.path, layer.commit.root);
  if (!included) return refuse(VerifyErrc::wrong_opening, record, included.error().detail);
  if (++opened_copies_[opening.card] > deck_->copies_of(card)) {
    return refuse(VerifyErrc::wrong_opening, record, "more of this card than the deck has");
  }
  return {};
}

Status ShoeWalk::deal(const Record& record) {
  TALLA_TRY(CardDealBody body, CardDealBody::from_json(record.body));
  if (!layer_.cut) return refuse(VerifyErrc::wrong_position, record, "the shoe is not cut yet");
  if (body.position != layer_.dealt.size() || body.position >= layer_.commit.cards) {
    return refuse(VerifyErrc::wrong_position, record, "not the next position");
  }
  if (body.opening) TALLA_TRY_STATUS(check_opening(record, layer_, body.position, *body.opening));
  if (body.face == Face::covered) TALLA_TRY_STATUS(check_copies(record, body));
  layer_.dealt.push_back({std::move(body.place), body.face, std::move(body.opening), false});
  return {};
}

/// Each copy is encrypted to the key that ROUND_OPEN names for its seat, else to the table's.
Status ShoeWalk::check_copies(const Record& record, const CardDealBody& body) {
  if (body.copies.empty()) return {};
  evidence_.not_checked(id_ + ": what the ciphertexts of covered cards hold");
  const auto round = evidence_.objects.find(body.round);
  if (!body.round.empty() && round == evidence_.objects.end()) {
    evidence_.not_checked(id_ + ": whose keys covered cards were encrypted to");
    return {};
  }
  RoundOpenBody opened;
  if (!body.round.empty()) {
    TALLA_TRY(opened, RoundOpenBody::from_json(round->second.front()->body));
  }
  for (const CoveredCopy& copy : body.copies) {
    const auto named = std::ranges::find(opened.keys, copy.seat, &SeatKey::seat);
    const bool own = named == opened.keys.end();
    const auto& table = evidence_.table_record->client;
    const Digest key = !own ? evidence_.hashes.sha256({named->spki}) : table ? table->spki : Digest{};
    if (copy.key != key) {
      return refuse(VerifyErrc::wrong_opening, record, "a copy is encrypted to another key than the seat's");
    }
    if (own) {
      evidence_.not_checked(id_ + ": covered cards of seat " + std::to_string(copy.seat) +
                            " went to the table's own key: who saw them there");
    }
  }
  return {};
}

Status ShoeWalk::open(const Record& record) {
  TALLA_TRY(CardOpenBody body, CardOpenBody::from_json(record.body));
  if (body.recommits && *body.recommits >= replaced_.size())
    return refuse(VerifyErrc::wrong_position, record, "names no root that was replaced");
  Layer& layer = body.recommits ? replaced_[*body.recommits] : layer_;
  if (body.position >= layer.dealt.size()) return refuse(VerifyErrc::wrong_position, record, "not dealt yet");
  Dealt& dealt = layer.dealt[body.position];
  if (dealt.returned) return refuse(VerifyErrc::wrong_position, record, "the card went back into the shoe");
  if (dealt.face != Face::covered || dealt.opening || dealt.place != body.place) {
    return refuse(VerifyErrc::wrong_position, record, "no covered card lies there");
  }
  TALLA_TRY_STATUS(check_opening(record, layer, body.position, body.opening));
  dealt.opening = std::move(body.opening);
  return {};
}

Status ShoeWalk::close(const Record& record) {
  TALLA_TRY(const ShoeCloseBody body, ShoeCloseBody::from_json(record.body));
  closed_ = true;
  if (body.dealt != layer_.dealt.size())
    return refuse(VerifyErrc::wrong_position, record, "another count was dealt");
  if (body.disclosure.has_value() == layer_.commit.covered) {
    return refuse(VerifyErrc::wrong_opening, record,
                  "a public shoe opens its secrets, a covered one does not");
  }
  if (!body.disclosure) return {};
  rerun_ = true;
  return check_disclosures(record, body);
}

Status ShoeWalk::rerun_shuffle(const Record& record, const ShoeDisclosure& opened,
                               shuffle::SecretCards& order) {
  auto tape = shuffle::Tape::borrowed(opened.tape);
  auto cards = shuffle::shuffle_again(tape, std::move(order));
  if (!cards) return refuse(VerifyErrc::wrong_mapping, record, cards.error().text());
  const bool whole = tape.consumed().size() == opened.tape.size() && tape.words_used() == opened.words_used &&
                     tape.words_rejected() == opened.words_rejected;
  if (!whole)
    return refuse(VerifyErrc::wrong_mapping, record, "the tape is not exactly what the shuffle took");
  order = std::move(*cards);
  return {};
}

Status ShoeWalk::check_disclosure(const Record& record, const ShoeDisclosure& opened, const Layer& layer,
                                  shuffle::SecretCards& order) {
  const ShoeKey key(evidence_.hashes, opened.key, id_);
  if (cut_commitment(evidence_.hashes, id_, opened.secret) != layer.commit.cut_commitment) {
    return refuse(VerifyErrc::wrong_opening, record, "the cut secret is not the committed one");
  }
  if (key.tape_mac(opened.tape) != layer.commit.tape_mac) {
    return refuse(VerifyErrc::wrong_opening, record, "key and tape are not the committed ones");
  }
  if (evidence_.hashes.sha256({opened.tape}) != opened.tape_digest) {
    return refuse(VerifyErrc::wrong_opening, record, "the tape digest is another one");
  }
  TALLA_TRY_STATUS(rerun_shuffle(record, opened, order));
  Bytes codes;
  codes.reserve(order.size());
  for (const shuffle::Card card : order) codes.push_back(card.code());
  const MerkleTree tree = shoe_tree(evidence_.hashes, key, id_, codes);
  if (tree.root(evidence_.hashes) != layer.commit.root) {
    return refuse(VerifyErrc::wrong_commitment, record, "the order leads to another root");
  }
  for (const Dealt& dealt : layer.dealt) {
    const auto& card = dealt.opening;
    if (!card) continue;
    if (order[card->leaf].text() != card->card || key.salt(card->leaf) != card->salt) {
      return refuse(VerifyErrc::wrong_opening, record, "a dealt card is not the one of the order");
    }
  }
  return {};
}

namespace {

/// A root's shuffled order and its cut.
struct CutOrder {
  shuffle::SecretCards cards;
  std::uint32_t offset = 0;
  [[nodiscard]] shuffle::Card at(std::uint32_t position) const {
    return cards[leaf_of_position(position, offset, static_cast<std::uint32_t>(cards.size()))];
  }
};

}  // namespace

Status ShoeWalk::check_disclosures(const Record& record, const ShoeCloseBody& body) {
  if (body.replaced.size() != replaced_.size()) {
    return refuse(VerifyErrc::wrong_opening, record, "it does not open each root that was replaced");
  }
  const auto ordered = deck_->cards();
  shuffle::SecretCards order(ordered.begin(), ordered.end());
  std::vector<CutOrder> orders;  // of the roots before
  for (std::size_t i = 0; i <= replaced_.size(); ++i) {
    const bool newest = i == replaced_.size();
    const Layer& layer = newest ? layer_ : replaced_[i];
    if (i > 0) {
      const Layer& before = replaced_[i - 1];
      orders.push_back({std::move(order), before.cut->offset});
      order.clear();
      for (auto position = static_cast<std::uint32_t>(before.dealt.size()); position < before.commit.cards;
           ++position)
        order.push_back(orders.back().at(position));
      for (const std::uint32_t position : layer.returned) order.push_back(orders.back().at(position));
      for (const OlderCards& one : layer.older) {
        for (const std::uint32_t position : one.positions)
          order.push_back(orders[one.recommits].at(position));
      }
    }
    TALLA_TRY_STATUS(check_disclosure(record, newest ? *body.disclosure : body.replaced[i], layer, order));
  }
  return {};
}

void ShoeWalk::conclude() {
  const auto opened_of = [](const Layer& layer) {
    return std::ranges::count_if(layer.dealt, [](const Dealt& dealt) { return dealt.opening.has_value(); });
  };
  auto opened = opened_of(layer_);
  auto unopened = std::int64_t{layer_.commit.cards} - opened;
  for (const Layer& layer : replaced_) {
    opened += opened_of(layer);
    unopened += std::ranges::count_if(layer.dealt,
                                      [](const Dealt& dealt) { return !dealt.opening && !dealt.returned; });
  }
  const bool cut = layer_.cut || !replaced_.empty();
  if (cut) evidence_.checked(id_ + ": the cut follows from the committed secret and the table's nonce");
  if (opened > 0 || !layer_.dealt.empty()) {
    evidence_.checked(id_ + ": " + std::to_string(opened) +
                      " opened cards are the committed ones, each at its position");
  }
  if (!replaced_.empty()) {
    evidence_.checked(id_ + ": shuffled again " + std::to_string(replaced_.size()) +
                      " times, each time committed before its cut");
    evidence_.not_checked(id_ +
                          ": whether the cards that went back outside this round are those the rules name");
  }
  if (!rerun_) {
    evidence_.not_checked(id_ + ": composition of " + std::to_string(unopened) + " unopened cards");
  } else if (replaced_.empty()) {
    evidence_.checked(id_ + ": the whole shuffle of " + std::to_string(layer_.commit.cards) +
                      " cards was run again from its tape and gives the committed order");
  } else {
    evidence_.checked(id_ + ": each of its " + std::to_string(replaced_.size() + 1) +
                      " shuffles was run again from its tape and gives the committed order");
  }
}

}  // namespace

Status check_shoes(Evidence& evidence) {
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind != Kind::shoe_commit) continue;
    ShoeWalk walk(evidence, object);
    for (const Record* record : chain) TALLA_TRY_STATUS(walk.step(*record));
    walk.conclude();
  }
  return {};
}

}  // namespace talla::certs

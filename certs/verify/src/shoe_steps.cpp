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
        return refuse(VerifyErrc::unsupported_claim, record, "recommitted shoes cannot be verified");
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
  };

  static Status refuse(VerifyErrc errc, const Record& record, std::string_view why) {
    return fail(errc, name_of(record) + ": " + std::string(why));
  }
  Status commit(const Record& record);
  Status cut(const Record& record);
  Status deal(const Record& record);
  Status check_copies(const Record& record, const CardDealBody& body);
  Status open(const Record& record);
  Status close(const Record& record);
  Status check_opening(const Record& record, std::uint32_t position, const CardOpening& opening);
  Status check_disclosure(const Record& record, const ShoeDisclosure& opened);
  Status rerun_shuffle(const Record& record, const ShoeDisclosure& opened, Bytes& order);

  Evidence& evidence_;
  std::string id_;
  ShoeCommitBody commit_;
  std::optional<shuffle::DeckSpec> deck_;
  std::optional<ShoeCutBody> cut_;
  std::vector<Dealt> dealt_;
  std::map<std::string, int> opened_copies_;
  bool rerun_ = false;
  bool closed_ = false;
};

Status ShoeWalk::commit(const Record& record) {
  TALLA_TRY(commit_, ShoeCommitBody::from_json(record.body));
  TALLA_TRY_STATUS(evidence_.take_context(commit_.context, record));
  TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(commit_.deck));
  if (deck.cards_count() != commit_.cards) {
    return refuse(VerifyErrc::wrong_commitment, record, "the deck has another number of cards");
  }
  if (commit_.cut == CutMode::rotation && (commit_.cut_min != 0 || commit_.cut_max != commit_.cards - 1)) {
    return refuse(VerifyErrc::wrong_commitment, record, "a rotation is uniform over the whole shoe");
  }
  const json::Value* asked =
      evidence_.table.settled_by_client ? evidence_.table.parameters.find("deck") : nullptr;
  if (asked != nullptr && *asked != json::Value(commit_.deck)) {
    return refuse(VerifyErrc::wrong_commitment, record, "the table is opened for another deck");
  }
  if (!evidence_.table.settled_by_client && evidence_.claim->kind != Kind::settlement) {
    evidence_.not_checked(record.object + ": whether deck and stop card are those of the rules");
  }
  if (commit_.cut_min == commit_.cut_max) {
    evidence_.not_checked(record.object + ": its cut bounds left the table no choice");
  }
  deck_ = deck;
  return {};
}

Status ShoeWalk::cut(const Record& record) {
  if (cut_) return refuse(VerifyErrc::wrong_position, record, "the shoe was cut before");
  if (commit_.cut == CutMode::none) return refuse(VerifyErrc::wrong_position, record, "the shoe has no cut");
  TALLA_TRY(const ShoeCutBody body, ShoeCutBody::from_json(record.body));
  if (body.root != commit_.root) return refuse(VerifyErrc::wrong_commitment, record, "names another root");
  if (cut_commitment(evidence_.hashes, id_, body.secret) != commit_.cut_commitment) {
    return refuse(VerifyErrc::wrong_opening, record, "the secret is not the committed one");
  }
  TALLA_TRY(const CutResult result,
            map_cut(evidence_.hashes, {.secret = body.secret,
                                       .shoe_id = id_,
                                       .root = commit_.root,
                                       .nonce = body.nonce,
                                       .client = record.client ? record.client->id : "",
                                       .cut_min = commit_.cut_min,
                                       .cut_max = commit_.cut_max}));
  if (result.offset != body.offset || result.words_used != body.words_used ||
      result.words_rejected != body.words_rejected || result.tape_digest != body.tape_digest) {
    return refuse(VerifyErrc::wrong_mapping, record, "the offset does not follow from secret and nonce");
  }
  cut_ = body;
  return {};
}

Status ShoeWalk::check_opening(const Record& record, std::uint32_t position, const CardOpening& opening) {
  if (opening.leaf != leaf_of_position(position, cut_->offset, commit_.cards)) {
    return refuse(VerifyErrc::wrong_position, record, "the leaf is not the one of this position and cut");
  }
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = shoe_leaf_hash(
      evidence_.hashes, {.shoe_id = id_, .cards = commit_.cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  const auto included = verify_inclusion(evidence_.hashes, {.index = opening.leaf, .size = commit_.cards},
                                         leaf, opening.path, commit_.root);
  if (!included) return refuse(VerifyErrc::wrong_opening, record, included.error().detail);
  if (++opened_copies_[opening.card] > deck_->copies_of(card)) {
    return refuse(VerifyErrc::wrong_opening, record, "more of this card than the deck has");
  }
  return {};
}

Status ShoeWalk::deal(const Record& record) {
  TALLA_TRY(CardDealBody body, CardDealBody::from_json(record.body));
  if (!cut_) return refuse(VerifyErrc::wrong_position, record, "the shoe is not cut yet");
  if (body.position != dealt_.size() || body.position >= commit_.cards) {
    return refuse(VerifyErrc::wrong_position, record, "not the next position");
  }
  if (body.opening) TALLA_TRY_STATUS(check_opening(record, body.position, *body.opening));
  if (body.face == Face::covered) TALLA_TRY_STATUS(check_copies(record, body));
  dealt_.push_back({std::move(body.place), body.face, std::move(body.opening)});
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
  if (body.position >= dealt_.size()) return refuse(VerifyErrc::wrong_position, record, "not dealt yet");
  Dealt& dealt = dealt_[body.position];
  if (dealt.face != Face::covered || dealt.opening || dealt.place != body.place) {
    return refuse(VerifyErrc::wrong_position, record, "no covered card lies there");
  }
  TALLA_TRY_STATUS(check_opening(record, body.position, body.opening));
  dealt.opening = std::move(body.opening);
  return {};
}

Status ShoeWalk::close(const Record& record) {
  TALLA_TRY(const ShoeCloseBody body, ShoeCloseBody::from_json(record.body));
  closed_ = true;
  if (body.dealt != dealt_.size())
    return refuse(VerifyErrc::wrong_position, record, "another count was dealt");
  if (body.disclosure.has_value() == commit_.covered) {
    return refuse(VerifyErrc::wrong_opening, record,
                  "a public shoe opens its secrets, a covered one does not");
  }
  if (!body.disclosure) return {};
  rerun_ = true;
  return check_disclosure(record, *body.disclosure);
}

Status ShoeWalk::rerun_shuffle(const Record& record, const ShoeDisclosure& opened, Bytes& order) {
  auto tape = shuffle::Tape::borrowed(opened.tape);
  auto cards = shuffle::shuffle_shoe(tape, *deck_);
  if (!cards) return refuse(VerifyErrc::wrong_mapping, record, cards.error().text());
  const bool whole = tape.consumed().size() == opened.tape.size() && tape.words_used() == opened.words_used &&
                     tape.words_rejected() == opened.words_rejected;
  if (!whole)
    return refuse(VerifyErrc::wrong_mapping, record, "the tape is not exactly what the shuffle took");
  order.reserve(cards->size());
  for (const shuffle::Card card : *cards) order.push_back(card.code());
  return {};
}

Status ShoeWalk::check_disclosure(const Record& record, const ShoeDisclosure& opened) {
  const ShoeKey key(evidence_.hashes, opened.key, id_);
  if (cut_commitment(evidence_.hashes, id_, opened.secret) != commit_.cut_commitment) {
    return refuse(VerifyErrc::wrong_opening, record, "the cut secret is not the committed one");
  }
  if (key.tape_mac(opened.tape) != commit_.tape_mac) {
    return refuse(VerifyErrc::wrong_opening, record, "key and tape are not the committed ones");
  }
  if (evidence_.hashes.sha256({opened.tape}) != opened.tape_digest) {
    return refuse(VerifyErrc::wrong_opening, record, "the tape digest is another one");
  }
  Bytes order;
  TALLA_TRY_STATUS(rerun_shuffle(record, opened, order));
  const MerkleTree tree = shoe_tree(evidence_.hashes, key, id_, order);
  if (tree.root(evidence_.hashes) != commit_.root) {
    return refuse(VerifyErrc::wrong_commitment, record, "the order leads to another root");
  }
  for (std::uint32_t position = 0; position < dealt_.size(); ++position) {
    const auto& card = dealt_[position].opening;
    if (!card) continue;
    TALLA_TRY(const auto expected, shuffle::Card::from_code(order[card->leaf]));
    if (expected.text() != card->card || key.salt(card->leaf) != card->salt) {
      return refuse(VerifyErrc::wrong_opening, record, "a dealt card is not the one of the order");
    }
  }
  return {};
}

void ShoeWalk::conclude() {
  std::size_t opened = 0;
  for (const Dealt& dealt : dealt_) opened += dealt.opening ? 1U : 0U;
  if (cut_) evidence_.checked(id_ + ": the cut follows from the committed secret and the table's nonce");
  if (!dealt_.empty()) {
    evidence_.checked(id_ + ": " + std::to_string(opened) +
                      " opened cards are the committed ones, each at its position");
  }
  if (rerun_) {
    evidence_.checked(id_ + ": the whole shuffle of " + std::to_string(commit_.cards) +
                      " cards was run again from its tape and gives the committed order");
  } else {
    evidence_.not_checked(id_ + ": composition of " + std::to_string(commit_.cards - opened) +
                          " unopened cards");
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

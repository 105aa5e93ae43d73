// Follows the records of one shoe: commitment, cut, cards, openings, release and close.
#include <algorithm>

#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "format/mix.hpp"
#include "format/parts.hpp"
#include "format/release_format.hpp"
#include "format/shoe_format.hpp"
#include "p256.hpp"
#include "shoe_walk.hpp"

namespace talla::certs {

void ShoeWalk::pass_bets(const Record& record) {
  for (; bets_passed_ < bets_.size() && bets_[bets_passed_] < record.seq; ++bets_passed_)
    layer_.mix_due = true;
  if (!layer_.commit.candidates.empty() && several_.lapsed_before(record.seq))
    several_.spoiled = true;
}

Status ShoeWalk::commit(const Record& record) {
  TALLA_TRY(layer_.commit, ShoeCommitBody::from_json(record.body));
  TALLA_TRY(const auto deck, shuffle::DeckSpec::parse(layer_.commit.deck));
  if (deck.cards_count() != layer_.commit.cards) {
    return refuse(VerifyErrc::deck_cards, record, "the deck has another number of cards");
  }
  several_.commit = record.seq;
  several_.roots = candidates_count(layer_.commit);
  if (const auto why =
          candidates_wrong(evidence_.hashes, layer_.commit, evidence_.table.policy.candidates);
      !why.empty())
    return refuse(VerifyErrc::candidate_wrong, record, why);
  TALLA_TRY_STATUS(evidence_.take_context(layer_.commit.context, record));
  const json::Value* asked =
      evidence_.table.settled_by_client ? evidence_.table.parameters.find("deck") : nullptr;
  if (asked != nullptr && *asked != json::Value(layer_.commit.deck)) {
    return refuse(VerifyErrc::deck_other, record, "the table is opened for another deck");
  }
  if (!evidence_.table.settled_by_client && evidence_.claim->kind != Kind::settlement) {
    evidence_.not_checked(Note::deck_of_rules, {{"shoe", record.object}});
  }
  deck_ = deck;
  return {};
}

Status ShoeWalk::check_recommit(const Record& record, const ShoeRecommitBody& body) const {
  const auto& before = layer_.commit;
  const auto& after = body.commit;
  if (layer_.mix.empty() || layer_.dealt.empty())
    return refuse(VerifyErrc::recommit_early, record,
                  "nothing was dealt under the root it replaces");
  if (body.of != before.root)
    return refuse(VerifyErrc::recommit_root, record, "replaces another root");
  if (after.table != before.table || after.number != before.number || after.deck != before.deck ||
      after.stop_depth != before.stop_depth || after.covered != before.covered) {
    return refuse(VerifyErrc::recommit_shoe, record, "is not of the same shoe");
  }
  std::size_t back = body.returned.size();
  for (const OlderCards& one : body.older) back += one.positions.size();
  if (after.cards != before.cards - layer_.dealt.size() + back) {
    return refuse(VerifyErrc::recommit_count, record, "another number of cards is left");
  }
  if (replaced_.size() == recommits_max)
    return refuse(VerifyErrc::recommit_often, record, "the shoe was shuffled too often");
  return {};
}

/// Cards of one root leave the table for the shoe; what was opened of them may be opened again
/// under the new root.
Status ShoeWalk::put_back(const Record& record, Layer& layer,
                          const std::vector<std::uint32_t>& positions) {
  for (const std::uint32_t position : positions) {
    if (position >= layer.dealt.size())
      return refuse(VerifyErrc::returned_wrong, record, "a card goes back that was not dealt");
    Dealt& dealt = layer.dealt[position];
    if (dealt.returned)
      return refuse(VerifyErrc::returned_wrong, record, "a card goes back that went back before");
    dealt.returned = true;
    if (dealt.opening) --opened_copies_[dealt.opening->card];
  }
  return {};
}

Status ShoeWalk::recommit(const Record& record) {
  TALLA_TRY(ShoeRecommitBody body, ShoeRecommitBody::from_json(record.body));
  TALLA_TRY_STATUS(check_recommit(record, body));
  TALLA_TRY_STATUS(evidence_.take_context(body.commit.context, record));
  TALLA_TRY_STATUS(put_back(record, layer_, body.returned));
  for (const OlderCards& one : body.older) {
    if (one.recommits >= replaced_.size())
      return refuse(VerifyErrc::root_index, record,
                    "a card goes back from a root that was not replaced before");
    TALLA_TRY_STATUS(put_back(record, replaced_[one.recommits], one.positions));
  }
  replaced_.push_back(std::move(layer_));
  layer_ = Layer{.commit = std::move(body.commit),
                 .returned = std::move(body.returned),
                 .older = std::move(body.older)};
  return {};
}

/// What a call binds of its shoe; what of its table, check_calls knows.
Status ShoeWalk::call(const Record& record) {
  TALLA_TRY(CallBody body, CallBody::from_json(record.body));
  CallCore& core = body.core;
  if (!layer_.mix_due) return refuse(VerifyErrc::mix_twice, record, "the root was mixed before");
  if (several_.spoiled)
    return refuse(VerifyErrc::candidate_wrong, record,
                  "a call of this shoe ended before its root was picked: it has to close");
  if (core.root != layer_.commit.root)
    return refuse(VerifyErrc::root_unknown, record, "its root is not the newest of the shoe");
  if (core.at != layer_.dealt.size())
    return refuse(VerifyErrc::mix_at, record, "another number of cards was dealt");
  const MixSpecification whole{candidates_count(layer_.commit),
                               layer_.commit.cards - static_cast<std::uint32_t>(core.at)};
  if (core.mix() != whole)
    return refuse(VerifyErrc::core_mismatch, record,
                  "not all leaves that are not dealt, or another number of roots");
  layer_.call = std::move(core);
  return {};
}

namespace {

/// Which of several roots the mix of this call picks; from then on it is the shoe's.
Status pick(Evidence& evidence, const Record& record, const CallCore& core, const ShoeMixBody& body,
            ShoeCommitBody& commit) {
  if (commit.candidates.empty()) {
    if (!body.picked) return {};
    return refuse(VerifyErrc::candidate_wrong, record, "there is one root, and none to pick");
  }
  TALLA_TRY(const std::uint32_t picked, map_pick(evidence.hashes, core, body.openings));
  if (body.picked != picked)
    return refuse(VerifyErrc::candidate_wrong, record,
                  "its tape picks candidate " + std::to_string(picked));
  if (const auto why = opened_wrong(evidence.hashes, record.object, commit, picked, body.opened);
      !why.empty())
    return refuse(VerifyErrc::candidate_wrong, record, why);
  commit = picked_commit(std::move(commit), picked);
  return {};
}

}  // namespace

Status ShoeWalk::mix(const Record& record) {
  if (!layer_.mix_due) return refuse(VerifyErrc::mix_twice, record, "the root was mixed before");
  TALLA_TRY(const ShoeMixBody body, ShoeMixBody::from_json(record.body));
  if (!layer_.call) return refuse(VerifyErrc::mix_early, record, "no CALL of this root");
  TALLA_TRY_STATUS(pick(evidence_, record, *layer_.call, body, layer_.commit));
  if (body.root != layer_.commit.root)
    return refuse(VerifyErrc::mix_root, record, "names another root");
  auto mix = mix_of(evidence_.hashes, *layer_.call, body, layer_.mix);
  if (!mix) return refuse(VerifyErrc::tape_other, record, mix.error().detail);
  layer_.mix = std::move(*mix);
  layer_.mix_due = false;
  layer_.call.reset();
  return {};
}

/// Its call is spent. The shoe stays as it is, but one of which a root was to be picked.
Status ShoeWalk::void_call(const Record& record) {
  TALLA_TRY(const VoidBody body, VoidBody::from_json(record.body));
  layer_.call.reset();
  several_.spoiled = !layer_.commit.candidates.empty();
  return check_ordered(record, body);
}

Status ShoeWalk::check_opening(const Record& record, const Layer& layer, std::uint32_t position,
                               const CardOpening& opening) {
  if (opening.leaf != layer.mix[position]) {
    return refuse(VerifyErrc::wrong_position, record,
                  "the leaf is not the one of this position and mix");
  }
  TALLA_TRY(const auto card, shuffle::Card::parse(opening.card));
  const Digest leaf = shoe_leaf_hash(
      evidence_.hashes,
      {.shoe_id = id_, .cards = layer.commit.cards, .leaf = opening.leaf, .card = card.code()},
      opening.salt);
  const auto included =
      verify_inclusion(evidence_.hashes, {.index = opening.leaf, .size = layer.commit.cards}, leaf,
                       opening.path, layer.commit.root);
  if (!included) return refuse(VerifyErrc::wrong_opening, record, included.error().detail);
  if (++opened_copies_[opening.card] > deck_->copies_of(card)) {
    return refuse(VerifyErrc::card_excess, record, "more of this card than the deck has");
  }
  return {};
}

Status ShoeWalk::check_outside(const Record& record, const CardDealBody& body) {
  layer_.played = layer_.played || !body.round.empty();
  if (evidence_.table.settled_by_client || !body.round.empty()) return {};
  if (layer_.played)
    return refuse(VerifyErrc::card_undue, record, "is outside rounds, behind a card of a round");
  ++layer_.burned;
  return {};
}

Status ShoeWalk::deal(const Record& record) {
  TALLA_TRY(CardDealBody body, CardDealBody::from_json(record.body));
  if (layer_.mix_due)
    return refuse(VerifyErrc::mix_missing, record,
                  layer_.mix.empty() ? "the root is not mixed yet"
                                     : "the shoe is not mixed since the bets were closed");
  if (layer_.release && layer_.reports.empty())
    return refuse(VerifyErrc::report_missing, record,
                  "the machine has not reported its shuffle yet");
  if (body.position != layer_.dealt.size() || body.position >= layer_.commit.cards) {
    return refuse(VerifyErrc::deal_order, record, "not the next position");
  }
  TALLA_TRY_STATUS(check_outside(record, body));
  if (body.opening) TALLA_TRY_STATUS(check_opening(record, layer_, body.position, *body.opening));
  if (body.face == Face::covered) TALLA_TRY_STATUS(check_copies(record, body));
  layer_.dealt.push_back({std::move(body.place), body.face, std::move(body.opening), false});
  return {};
}

/// Each copy is encrypted to the key that ROUND_OPEN names for its seat, else to the table's.
Status ShoeWalk::check_copies(const Record& record, const CardDealBody& body) {
  if (body.copies.empty()) return {};
  evidence_.not_checked(Note::ciphertexts, {{"shoe", id_}});
  const auto round = evidence_.objects.find(body.round);
  if (!body.round.empty() && round == evidence_.objects.end()) {
    evidence_.not_checked(Note::whose_keys, {{"shoe", id_}});
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
    const Digest key = !own    ? evidence_.hashes.sha256({named->spki})
                       : table ? table->spki
                               : Digest{};
    if (copy.key != key) {
      return refuse(VerifyErrc::copy_key, record,
                    "a copy is encrypted to another key than the seat's");
    }
    if (own) {
      evidence_.not_checked(Note::own_key, {{"shoe", id_}, {"seat", std::to_string(copy.seat)}});
    }
  }
  return {};
}

Status ShoeWalk::open(const Record& record) {
  TALLA_TRY(CardOpenBody body, CardOpenBody::from_json(record.body));
  if (body.recommits && *body.recommits >= replaced_.size())
    return refuse(VerifyErrc::root_index, record, "names no root that was replaced");
  Layer& layer = body.recommits ? replaced_[*body.recommits] : layer_;
  if (body.position >= layer.dealt.size())
    return refuse(VerifyErrc::not_covered, record, "not dealt yet");
  Dealt& dealt = layer.dealt[body.position];
  if (dealt.returned)
    return refuse(VerifyErrc::card_gone, record, "the card went back into the shoe");
  if (dealt.face != Face::covered || dealt.opening || dealt.place != body.place) {
    return refuse(VerifyErrc::not_covered, record, "no covered card lies there");
  }
  TALLA_TRY_STATUS(check_opening(record, layer, body.position, body.opening));
  dealt.opening = std::move(body.opening);
  return {};
}

Status ShoeWalk::release(const Record& record) {
  TALLA_TRY(const ShoeReleaseBody body, ShoeReleaseBody::from_json(record.body));
  if (evidence_.table.policy.mix == MixRule::round)
    return refuse(VerifyErrc::release_early, record, "the shoe is mixed again in each round");
  if (layer_.release)
    return refuse(VerifyErrc::release_twice, record, "the order was released before");
  if (layer_.mix.empty())
    return refuse(VerifyErrc::mix_missing, record, "the root is not mixed yet");
  if (!layer_.dealt.empty())
    return refuse(VerifyErrc::release_late, record, "cards were dealt before");
  if (body.form == ReleaseForm::shelf && !replaced_.empty())
    return refuse(VerifyErrc::release_form, record, "what was shuffled before is no new deck");
  if (body.key == evidence_.hashes.sha256({evidence_.table.key}))
    return refuse(VerifyErrc::release_own, record, "the machine has the key of the table itself");
  layer_.release = body;
  layer_.release_seq = record.seq;
  layer_.released = chain_head(evidence_.hashes, *record.link, evidence_.leaf_of(record));
  return {};
}

namespace {

/// Of which release a report has to be, and how many of it stand before.
struct Awaited {
  const Digest& machine;  ///< SPKI digest
  std::uint64_t release;
  const Digest& head;  ///< of the table with the release
  std::size_t before;
};

/// It is the next one of its release, and its machine has signed it for that.
Status check_signed(const HashSuite& hashes, const Record& record, const ShuffleReportBody& body,
                    const Awaited& awaited) {
  if (record.cites != std::vector{awaited.release})
    return refuse(VerifyErrc::report_uncited, record, "does not cite the release of its root");
  if (body.number != awaited.before + 1)
    return refuse(VerifyErrc::report_number, record, "is not the next report of its release");
  if (hashes.sha256({body.key}) != awaited.machine)
    return refuse(VerifyErrc::report_key, record, "is of another key than the order was given to");
  const Bytes statement =
      report_statement({record.origin, record.table, record.object, awaited.head}, body);
  const auto key = P256Key::parse(body.key);
  if (!key || !key->has_signed(statement, body.signature))
    return refuse(VerifyErrc::report_signature, record,
                  "is not signed by its machine for this release");
  return {};
}

}  // namespace

Status ShoeWalk::report(const Record& record) {
  TALLA_TRY(const ShuffleReportBody body, ShuffleReportBody::from_json(record.body));
  const auto& release = layer_.release;
  if (!release) return refuse(VerifyErrc::report_undue, record, "no machine has the order");
  if (!record.client || record.client->id != release->machine ||
      record.client->spki != release->key)
    return refuse(VerifyErrc::report_client, record, "another client than the machine reports");
  const bool targets = release->form == ReleaseForm::targets;
  if (body.targets.has_value() != targets || body.targets.value_or(0) > layer_.commit.cards)
    return refuse(VerifyErrc::report_count, record, "another count of targets");
  if (body.result == ShuffleResult::match &&
      (body.recognised != layer_.commit.cards ||
       body.targets.value_or(layer_.commit.cards) != layer_.commit.cards))
    return refuse(VerifyErrc::report_count, record, "a match is of all cards");
  TALLA_TRY_STATUS(
      check_signed(evidence_.hashes, record, body,
                   {release->key, layer_.release_seq, layer_.released, layer_.reports.size()}));
  layer_.reports.push_back(body);
  return {};
}

namespace {

/// Where the bets of the table's rounds were closed, when each round is mixed.
std::vector<std::uint64_t> bets_that_ask_for_a_mix(const Evidence& evidence) {
  std::vector<std::uint64_t> closed;
  if (evidence.table.policy.mix != MixRule::round) return closed;
  for (const Record& record : evidence.records) {
    if (record.kind == Kind::bets_closed && ends_content(record.body) &&
        record.table == evidence.table_record->object)
      closed.push_back(record.seq);
  }
  return closed;
}

/// Cores of mixes that lapsed, by the shoe that they named.
std::map<std::string, std::vector<std::uint64_t>> lapsed_mixes(const Evidence& evidence) {
  std::map<std::string, std::vector<std::uint64_t>> lapsed;
  for (const Record& record : evidence.records) {
    if (record.kind != Kind::void_call) continue;
    const auto body = VoidBody::from_json(record.body);
    if (body && body->lapsed && body->lapsed->core.use == CallUse::mix)
      lapsed[body->lapsed->core.object].push_back(record.seq);
  }
  return lapsed;
}

}  // namespace

Status check_shoes(Evidence& evidence) {
  auto lapsed = lapsed_mixes(evidence);
  const auto bets = bets_that_ask_for_a_mix(evidence);
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind != Kind::shoe_commit) continue;
    ShoeWalk walk(evidence, object, bets, lapsed[object]);
    for (const Record* record : chain) TALLA_TRY_STATUS(walk.step(*record));
    TALLA_TRY_STATUS(walk.check_openings());
    walk.conclude();
  }
  if (evidence.openings && !evidence.openings_used)
    return fail(VerifyErrc::openings_other,
                "the openings are of " + evidence.openings->shoe +
                    ", which this bundle does not hold as a covered shoe");
  return {};
}

}  // namespace talla::certs

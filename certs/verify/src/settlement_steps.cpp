// Checks a round's bets, acts and meters, and compares its settlement with the rules played again.
#include <algorithm>
#include <map>
#include <set>

#include "evidence.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "format/game_events.hpp"
#include "format/parts.hpp"
#include "replay.hpp"

namespace talla::certs {
namespace {

const Record* bets_closed_of(const std::vector<const Record*>& round) {
  for (const Record* record : round) {
    if (record->kind == Kind::bets_closed && ends_content(record->body)) return record;
  }
  return nullptr;
}

/// A round's records in themselves: one BETS_CLOSED, its digest that of its bets; parts directly
/// one behind the other.
Status check_round(const Evidence& evidence, const std::vector<const Record*>& round) {
  PartCollector<BetsClosedBody> bets;
  bool closed = false;
  const Record* before = nullptr;
  for (const Record* record : round) {
    if (before != nullptr && !ends_content(before->body) && record->kind != before->kind)
      return refuse(VerifyErrc::part_missing, *record, "a numbered part is missing before it");
    before = record;
    if (record->kind != Kind::bets_closed) continue;
    if (closed) return refuse(VerifyErrc::bets_twice, *record, "the bets were closed before");
    TALLA_TRY(auto part, BetsClosedBody::from_json(record->body));
    const auto whole = bets.take(std::move(part));
    if (!whole) return refuse(VerifyErrc::part_missing, *record, whole.error().detail);
    const auto& body = *whole;
    if (!body) continue;
    closed = true;
    if (bets_digest(evidence.hashes, bets_json(body->bets)) != body->digest) {
      return refuse(VerifyErrc::bets_digest, *record, "the digest is not that of its bets");
    }
  }
  return {};
}

/// The claim with the parts before it.
Result<SettlementBody> whole_settlement(const Record& claim,
                                        const std::vector<const Record*>& round) {
  PartCollector<SettlementBody> parts;
  for (const Record* record : round) {
    if (record->kind != Kind::settlement || record->seq > claim.seq) continue;
    TALLA_TRY(auto part, SettlementBody::from_json(record->body));
    auto whole = parts.take(std::move(part));
    if (!whole)
      return fail(VerifyErrc::part_missing, name_of(*record) + ": " + whole.error().detail);
    if (*whole && record->seq == claim.seq) return std::move(**whole);
  }
  return fail(VerifyErrc::unsupported_claim, name_of(claim) + ": a part alone proves nothing");
}

/// Compare and set: each METER starts where the last of its meter ended.
Status check_meters(const std::vector<const Record*>& table) {
  std::map<std::string, std::int64_t, std::less<>> values;
  for (const Record* record : table) {
    if (record->kind != Kind::meter) continue;
    TALLA_TRY(const auto body, MeterBody::from_json(record->body));
    const auto [at, first] = values.try_emplace(body.meter, body.before);
    if (!first && at->second != body.before)
      return refuse(VerifyErrc::meter_stood, *record, "the meter stood elsewhere");
    at->second = body.after;
  }
  return {};
}

/// Compare and set across tables: a METER of a shared meter starts where the record before it left
/// the meter.
Status check_shared_meters(Evidence& evidence, const std::vector<const Record*>& chain) {
  TALLA_TRY(const auto opened, MeterOpenBody::from_json(chain.front()->body));
  std::int64_t value = opened.value;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    const Record& record = *chain[i];
    if (record.kind != Kind::meter)
      return refuse(VerifyErrc::meter_over, record, "the meter was closed");
    TALLA_TRY(const auto body, MeterBody::from_json(record.body));
    if (body.meter != opened.meter)
      return refuse(VerifyErrc::meter_stood, record, "is of another meter");
    const bool follows = record.meter_prev == chain[i - 1]->seq;
    if (follows && body.before != value)
      return refuse(VerifyErrc::meter_stood, record, "the meter stood elsewhere");
    if (!follows) evidence.not_checked(Note::meter_before, {{"meter", record.object}});
    value = body.after;
  }
  return {};
}

/// The METERs of the claim's round: each rests on the record before it, which is there.
Status check_meters_read(const Evidence& evidence, const Record& record) {
  TALLA_TRY(const auto body, MeterBody::from_json(record.body));
  const auto named = evidence.table.meters.find(body.meter);
  if (named == evidence.table.meters.end() || named->second != record.object)
    return refuse(VerifyErrc::meter_foreign, record, "the table does not share this meter");
  const Record* before = evidence.find(*record.meter_prev);
  if (before == nullptr || before->object != record.object)
    return refuse(VerifyErrc::meter_passed, record,
                  "what the meter held before it is not in the bundle");
  return {};
}

/// Whether an outcome record belongs to the round of the claim.
Result<bool> of_round(const Evidence& evidence, const Record& record) {
  if (record.kind == Kind::draw || record.kind == Kind::void_call) {
    const json::Value* seq = record.body.find("call");
    if (seq == nullptr) return false;  // a core that lapsed
    const Record* called = evidence.find(static_cast<std::uint64_t>(seq->integer()));
    if (called == nullptr || called->kind != Kind::call) return false;
    TALLA_TRY(const auto call, CallBody::from_json(called->body));
    return call.core.use == CallUse::draw && call.core.round == evidence.claim->object;
  }
  if (record.kind == Kind::card_deal) {
    TALLA_TRY(const auto body, CardDealBody::from_json(record.body));
    return body.round == evidence.claim->object;
  }
  // The replay feeds every card that is opened between ROUND_OPEN and SETTLEMENT to the rules.
  if (record.kind == Kind::card_open)
    return record.seq > evidence.objects.find(evidence.claim->object)->second.front()->seq;
  if (record.kind == Kind::meter) {
    const json::Value* round = record.body.find("round");
    return round != nullptr && *round == json::Value(evidence.claim->object);
  }
  return record.object == evidence.claim->object &&
         ((record.kind == Kind::bets_closed && ends_content(record.body)) ||
          record.kind == Kind::action || record.kind == Kind::misdeal ||
          record.kind == Kind::hand_confirmed);
}

bool rests_on(const Record& record, std::uint64_t seq) {
  return std::binary_search(record.cites.begin(), record.cites.end(), seq);
}

/// What the settlement rests on must be cited, and the first card behind the bets must cite them.
Status check_rests_on(const Evidence& evidence, const Record& closed) {
  const Record& claim = *evidence.claim;
  for (const std::uint64_t seq : claim.cites) {
    if (evidence.find(seq) == nullptr)
      return refuse(VerifyErrc::cited_missing, claim, "a record it cites is not in the bundle");
  }
  bool first_card = true;
  for (const Record& record : evidence.records) {
    if (record.seq >= claim.seq) break;
    TALLA_TRY(const bool rests, of_round(evidence, record));
    if (!rests) continue;
    if (record.kind == Kind::meter) TALLA_TRY_STATUS(check_meters_read(evidence, record));
    if (!rests_on(claim, record.seq)) {
      return refuse(VerifyErrc::wrong_citation, claim, "does not cite " + name_of(record));
    }
    // Burns may come before; the rules refuse any other card then.
    if (record.kind != Kind::card_deal || record.seq < closed.seq) continue;
    if (first_card && !rests_on(record, closed.seq)) {
      return refuse(VerifyErrc::bets_uncited, record, "does not cite the BETS_CLOSED of its round");
    }
    first_card = false;
  }
  return {};
}

/// No card that was laid in the round may come from a shoe that was committed before its bets and
/// mixed after them. A shoe that the rules asked for in the middle of the round is committed and
/// mixed behind the bets; the replay knows whether they did.
Status check_mix_before_bets(const Evidence& evidence, const Record& closed) {
  // Where each round is mixed its cards need that behind their bets, whoever committed when.
  if (evidence.table.policy.mix == MixRule::round) return {};
  for (const auto& [object, chain] : evidence.objects) {
    const Record* committed = chain.front();
    const Record* mix = nullptr;
    for (const Record* record : chain) {
      if (record->kind == Kind::shoe_mix) mix = record;
      if (record->kind == Kind::shoe_recommit) {
        committed = record;
        mix = nullptr;
      }
      if (record->kind != Kind::card_deal || record->seq <= closed.seq ||
          record->seq >= evidence.claim->seq)
        continue;
      TALLA_TRY(const bool laid, of_round(evidence, *record));
      if (laid && (mix == nullptr || (mix->seq > closed.seq && committed->seq < closed.seq))) {
        return refuse(VerifyErrc::mixed_late, *record, "its shoe was mixed after the bets");
      }
    }
  }
  return {};
}

/// Of a batch that is not in the file the round could have had any number of draws, and one could
/// have been picked: nothing of the round is of such a one.
Status check_batches_there(const Evidence& evidence) {
  for (const Record& record : evidence.records) {
    if (record.kind != Kind::call || evidence.objects.contains(record.object)) continue;
    TALLA_TRY(const auto call, CallBody::from_json(record.body));
    if (call.core.round == evidence.claim->object)
      return refuse(VerifyErrc::batch_missing, record,
                    "the opening record of " + record.object + " is not in the bundle");
  }
  return {};
}

/// The first round of a table that continues none begins with what its shoes made of the state that
/// the rules begin with.
Status check_first_state(const Evidence& evidence, const Record& round, const RoundOpenBody& body) {
  if (body.number != 1 || !evidence.table.continues.empty()) return {};
  TALLA_TRY(Replay first, Replay::start(evidence));
  for (const Record& record : evidence.records) {
    if (record.seq >= round.seq) break;
    if (record.seq > evidence.table_record->seq) TALLA_TRY_STATUS(first.step(evidence, record));
  }
  if (first.state_digest(evidence.hashes) == body.state_before) return {};
  return refuse(VerifyErrc::state_first, round,
                "does not begin with the state that the rules begin with");
}

/// The events of the claim's round.
Status play_round(const Evidence& evidence, const RoundOpenBody& opened, Replay& replay) {
  const Record& round = *evidence.objects.find(evidence.claim->object)->second.front();
  if (opened.last) TALLA_TRY_STATUS(replay.announce_last(round, *opened.last));
  for (const Record& record : evidence.records) {
    if (record.seq <= round.seq) continue;
    if (record.seq >= evidence.claim->seq) break;
    TALLA_TRY_STATUS(replay.step(evidence, record));
  }
  return {};
}

/// Stakes that the state before holds and the rules keep for no round: some rules take those of the
/// last round off the table when the next one begins. Played without them, the round has the same
/// results.
Status check_stakes(const Evidence& evidence, const RoundOpenBody& opened,
                    const SettlementBody& claimed) {
  auto kept = Replay::with_kept(evidence);
  if (!kept || !play_round(evidence, opened, *kept)) return {};
  const auto settled = kept->take_settled();
  bool same = settled.size() == claimed.results.size();
  for (std::size_t i = 0; same && i < settled.size(); ++i)
    same = settlement_result(settled[i]) == claimed.results[i];
  if (same) return {};
  return refuse(VerifyErrc::stake_before, *evidence.claim,
                "pays stakes that stood before the bets and that the rules keep for no round");
}

Status compare_results(const Evidence& evidence, const SettlementBody& claimed, Replay& replay) {
  const Record& claim = *evidence.claim;
  const auto settled = replay.take_settled();
  if (settled.size() != claimed.results.size()) {
    return refuse(VerifyErrc::wrong_settlement, claim, "the rules settle another number of bets");
  }
  for (std::size_t i = 0; i < claimed.results.size(); ++i) {
    if (settlement_result(settled[i]) != claimed.results[i]) {
      return refuse(VerifyErrc::wrong_settlement, claim,
                    "the rules settle bet " + claimed.results[i].bet + " otherwise");
    }
  }
  if (replay.state_digest(evidence.hashes) != claimed.state_after) {
    return refuse(VerifyErrc::state_left, claim, "the state after is another one");
  }
  return {};
}

/// Seats with bets of the round whose own key is in none of its results.
void say_keyless(Evidence& evidence, const std::vector<const Record*>& round) {
  std::set<std::int64_t> seats;
  for (const Record* record : round) {
    if (record->kind != Kind::bets_closed || record->seq > evidence.claim->seq) continue;
    for (const auto& bet : record->body.find("bets")->array()) {
      const auto seat = bet.find("seat")->integer();
      if (seat > 0 && !evidence.joined_ids.contains("seat-" + std::to_string(seat)))
        seats.insert(seat);
    }
  }
  std::string named;
  for (const auto seat : seats) named += (named.empty() ? "" : ", ") + std::to_string(seat);
  if (!named.empty()) evidence.not_checked(Note::seats_keyless, {{"seats", named}});
}

}  // namespace

Status check_rounds(Evidence& evidence) {
  for (const auto& [object, chain] : evidence.objects) {
    if (chain.front()->kind == Kind::round_open) TALLA_TRY_STATUS(check_round(evidence, chain));
    if (chain.front()->kind == Kind::table_open) TALLA_TRY_STATUS(check_meters(chain));
    if (chain.front()->kind == Kind::meter_open)
      TALLA_TRY_STATUS(check_shared_meters(evidence, chain));
  }
  return {};
}

Status check_settlement(Evidence& evidence) {
  const Record& claim = *evidence.claim;
  const auto& round = evidence.objects.find(claim.object)->second;
  TALLA_TRY(const auto opened, RoundOpenBody::from_json(round.front()->body));
  TALLA_TRY(const auto claimed, whole_settlement(claim, round));
  const Record* closed = bets_closed_of(round);
  if (closed == nullptr || closed->seq > claim.seq)
    return refuse(VerifyErrc::bets_missing, claim, "the bets were never closed");
  TALLA_TRY_STATUS(check_batches_there(evidence));
  TALLA_TRY_STATUS(check_rests_on(evidence, *closed));
  TALLA_TRY_STATUS(check_mix_before_bets(evidence, *closed));
  TALLA_TRY(Replay replay, Replay::open(evidence));
  const Digest before = replay.state_digest(evidence.hashes);
  if (before != opened.state_before || before != claimed.state_before) {
    return refuse(VerifyErrc::state_other, claim, "the state before is another one");
  }
  TALLA_TRY_STATUS(replay.check_burns(evidence));
  TALLA_TRY_STATUS(check_first_state(evidence, *round.front(), opened));
  const bool stakes = replay.has_stakes();
  TALLA_TRY_STATUS(play_round(evidence, opened, replay));
  TALLA_TRY_STATUS(replay.meters_moved(claim));
  TALLA_TRY_STATUS(compare_results(evidence, claimed, replay));
  if (stakes) TALLA_TRY_STATUS(check_stakes(evidence, opened, claimed));
  if (!replay.over())
    return refuse(VerifyErrc::round_unfinished, claim, "the rules ask for more before they settle");
  evidence.checked(Note::rules_give, {{"results", std::to_string(claimed.results.size())}});
  say_keyless(evidence, round);
  evidence.not_checked(Note::earlier_rounds);
  return {};
}

}  // namespace talla::certs

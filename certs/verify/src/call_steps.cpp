// Follows the calls of the claim's table: whose they are, what they bind, one at a time.
#include <algorithm>
#include <map>
#include <vector>

#include "again.hpp"
#include "contributors.hpp"
#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_machine.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "format/parts.hpp"
#include "heads.hpp"
#include "orders.hpp"
#include "p256.hpp"
#include "turns.hpp"

namespace talla::certs {
namespace {

/// One pass over the records of the table, whose links hold.
class CallWalk {
 public:
  explicit CallWalk(Evidence& evidence)
      : evidence_(evidence),
        contributors_(evidence.hashes, evidence.table, evidence.leaf_of(*evidence.table_record)),
        orders_(evidence) {}

  Status step(const Record& record);
  void conclude();

 private:
  /// A batch that was committed in this file and is not closed.
  struct KnownBatch {
    BatchCommitBody commit;
    std::uint32_t next = 0;
  };

  Status open(const Record& record);
  Status call(const Record& record);
  Status lapsed(const Record& record, const CallBody& body);
  Status check_signed(const Record& record, const CallBody& body);
  Status check_lapse(const Record& record, const CallCore& core);
  Status batch(const Record& record);
  Status check_head(const Record& record, const CallCore& core) const;
  Status check_ordered_again(const Record& record, const CallBody& body) const;
  Status check_core(const Record& record, const CallCore& core) const;
  Status check_bets(const Record& record, const CallCore& core) const;
  Status result(const Record& record);
  Status ended(const Record& record);
  Status check_withheld(const Record& record, const VoidBody& body) const;
  bool rests_on(const Record& record, const CallCore& core) const;
  void round(const Record& record);
  Status totals(const Record& record);

  Evidence& evidence_;
  Contributors contributors_;
  Orders orders_;
  ShoesBefore shoes_;
  CallSubjects subjects_;
  std::optional<P256Key> key_;
  const Record* last_ = nullptr;
  bool whole_ = true;
  Turns turns_;
  std::optional<CallCore> core_;  // of the open call
  bool round_known_ = false;
  std::string round_;           // open now; empty: none
  std::optional<Digest> bets_;  // of the open round, once they are closed
  bool bets_known_ = false;     // the ROUND_OPEN was seen
  Heads heads_;
  std::map<std::string, KnownBatch, std::less<>> batches_;
  std::size_t calls_ = 0;
};

/// The key that signs the table's calls: a key on P-256, that of the client who opened it, in the
/// first of its certificates.
Status CallWalk::open(const Record& record) {
  const TableOpenBody& table = evidence_.table;
  key_ = P256Key::parse(table.key);
  if (!key_) return refuse(VerifyErrc::table_key, record, "its key is none on P-256");
  if (!record.client || record.client->spki != evidence_.hashes.sha256({table.key}))
    return refuse(VerifyErrc::table_key, record, "its key is not that of its client");
  if (!certifies(table.chain.front(), table.key))
    return refuse(VerifyErrc::table_key, record, "its first certificate is of another key");
  turns_.open();
  round_known_ = true;
  return {};
}

Status CallWalk::check_head(const Record& record, const CallCore& core) const {
  TALLA_TRY(const bool known, heads_.check(record, core));
  if (known) return {};
  // Behind a gap, of an object that nothing in the file rests on.
  if (!whole_ && !evidence_.objects.contains(record.object) &&
      record.cites.front() < heads_.begin())
    return {};
  return refuse(VerifyErrc::head_wrong, record, "the record of its head is no record of the table");
}

Status CallWalk::check_core(const Record& record, const CallCore& core) const {
  const TableOpenBody& table = evidence_.table;
  const auto differs = [&](const char* member) {
    return refuse(VerifyErrc::core_mismatch, record, std::string("its core has another ") + member);
  };
  if (core.origin != record.origin) return differs("origin");
  if (core.table != record.table) return differs("table");
  if (core.object != record.object) return differs("object");
  if (core.game != table.game) return differs("game");
  if (core.variant != table.variant) return differs("variant");
  if (core.catalogue != table.catalogue) return differs("catalogue");
  if (core.parameters != parameters_digest(evidence_.hashes, table.parameters))
    return differs("parameters digest");
  if (round_known_ && core.round != (round_.empty() ? "0" : round_)) return differs("round");
  return check_bets(record, core);
}

/// A call in a round rests on its closed bets; before them on none, and then nothing is drawn that
/// bets are on (lots: who gets the bank).
Status CallWalk::check_bets(const Record& record, const CallCore& core) const {
  if (core.round == "0") return {};
  if (!bets_known_) {
    evidence_.not_checked(Note::bets_missing, {{"record", name_of(record)}, {"round", core.round}});
    return {};
  }
  const Digest wanted = bets_ ? *bets_ : bets_digest(evidence_.hashes, json::Array{});
  if (core.bets != wanted)
    return refuse(VerifyErrc::core_mismatch, record, "its core names other bets than its round");
  const bool lots = core.use == CallUse::draw && std::holds_alternative<LotsDraw>(core.draw());
  if (!bets_ && core.use == CallUse::draw && !lots)
    return refuse(VerifyErrc::core_mismatch, record, "the bets of its round are not closed");
  return {};
}

/// The core of the next turn, of the table's client and signed by its key, while none is open.
Status CallWalk::check_signed(const Record& record, const CallBody& body) {
  const CallCore& core = body.core;
  TALLA_TRY_STATUS(turns_.next(record));
  if (record.client != evidence_.table_record->client)
    return refuse(VerifyErrc::call_signature, record, "is of another client than the table's");
  if (!key_->has_signed(call_statement(core.bytes()), body.signature))
    return refuse(VerifyErrc::call_signature, record, "its core is not signed by the table's key");
  ++calls_;
  return {};
}

Status CallWalk::call(const Record& record) {
  TALLA_TRY(CallBody body, CallBody::from_json(record.body));
  TALLA_TRY_STATUS(check_signed(record, body));
  TALLA_TRY_STATUS(contributors_.name(record, body.core));
  TALLA_TRY_STATUS(check_head(record, body.core));
  TALLA_TRY_STATUS(shoes_.check(record, body.core));
  TALLA_TRY_STATUS(check_core(record, body.core));
  TALLA_TRY_STATUS(check_again(record, body, {subjects_, heads_, evidence_.table}));
  if (body.order) TALLA_TRY_STATUS(check_ordered_again(record, body));
  subjects_.called(body.core);
  turns_.call(record);
  core_ = std::move(body.core);
  return {};
}

/// The ACCESS that it cites beside the record of its head is what the second of the two confirmed.
Status CallWalk::check_ordered_again(const Record& record, const CallBody& body) const {
  const CallOrderer& second = body.order->by.back();
  for (const std::uint64_t cite : record.cites) {
    const Record* cited = evidence_.find(cite);
    if (cited == nullptr || cited->kind != Kind::access) continue;
    TALLA_TRY(const auto step, AccessBody::from_json(cited->body));
    const AccessOrder said{body.order->head, second.key, second.signature};
    const bool same = step.what == std::string(call_again_act) + ".confirmed" && !step.refused &&
                      step.object == call_subject(body.core) && step.order == said &&
                      step.by == std::vector{body.order->by.front().id, second.id} &&
                      cited->client && cited->client->id == second.id &&
                      cited->client->spki == evidence_.hashes.sha256({second.key});
    if (same) return {};
    return refuse(VerifyErrc::order_wrong, record, "cites an ACCESS of another order");
  }
  return refuse(VerifyErrc::order_wrong, record, "does not cite the ACCESS of its order");
}

/// VOID of a core that became no CALL: the table's number was shown, so it is answered, spends the
/// turn and counts, whatever it says wrongly.
Status CallWalk::lapsed(const Record& record, const CallBody& body) {
  TALLA_TRY_STATUS(check_signed(record, body));
  const CallCore& core = body.core;
  if (core.origin != record.origin || core.table != record.table)
    return refuse(VerifyErrc::core_mismatch, record, "its core is of another table");
  if (record.object != core.object && record.object != record.table)
    return refuse(VerifyErrc::core_mismatch, record, "its core has another object");
  if (!record.cites.empty())
    return refuse(VerifyErrc::lapsed_cites, record, "a core that lapsed cites nothing");
  contributors_.lapse(core);
  subjects_.lapsed(core);
  return check_lapse(record, core);
}

/// The next secret of an open batch is opened, as a result would have. And a core that rests on the
/// record before, of a table whose rules the appliance does not know, could stand.
Status CallWalk::check_lapse(const Record& record, const CallCore& core) {
  const auto known = batches_.find(core.object);
  const bool next = known != batches_.end() && core.root == known->second.commit.root &&
                    core.at == known->second.next && core.at < known->second.commit.count;
  const bool opened = record.object != record.table;
  if (next != opened && (next || evidence_.objects.contains(core.object)))
    return refuse(VerifyErrc::lapsed_wrong, record,
                  next ? "keeps the next secret of its batch closed"
                       : "opens a secret that is not the next of an open batch");
  const bool newest = *record.link == core.head;
  const bool draws = next && record.time_us < known->second.commit.expires_us;
  if (!newest || (core.use == CallUse::draw && !draws)) return {};
  if (!check_core(record, core)) return {};
  const json::Value* range = evidence_.table.parameters.find("range");
  const bool alone = core.others.empty() && evidence_.table.policy.required.empty();
  if (draws && alone && evidence_.table.settled_by_client && range != nullptr) {
    if (*range != specification_json(core.draw())) return {};
    return refuse(VerifyErrc::lapsed_wrong, record, "its core could stand");
  }
  evidence_.not_checked(Note::lapse_unexplained, {{"record", name_of(record)}});
  return {};
}

/// Which secret of each batch is the next one.
Status CallWalk::batch(const Record& record) {
  if (record.kind == Kind::batch_commit) {
    TALLA_TRY(auto body, BatchCommitBody::from_json(record.body));
    batches_[record.object] = {std::move(body), 0};
  } else if (record.kind == Kind::batch_close) {
    batches_.erase(record.object);
  } else if (const auto known = batches_.find(record.object);
             known != batches_.end() &&
             (record.kind == Kind::call || record.body.find("core") != nullptr)) {
    ++known->second.next;
  }
  return {};
}

/// SHOE_MIX, DRAW or VOID: of the open CALL, and of its object; a result answers its request.
Status CallWalk::result(const Record& record) {
  TALLA_TRY_STATUS(turns_.ends(record));
  if (turns_.pending()) TALLA_TRY_STATUS(ended(record));
  turns_.end();
  core_.reset();
  return {};
}

/// Whether the claim rests on this result: a draw on itself, what is said of a shoe or batch on its
/// results, what is said of a round on its draws and on the mixes of the file, or on its own where
/// each round is mixed.
bool CallWalk::rests_on(const Record& record, const CallCore& core) const {
  const Record& claim = *evidence_.claim;
  const bool mix = record.kind == Kind::shoe_mix;
  if (claim.kind == Kind::draw) return &record == &claim;
  if (kind_object(claim.kind) == kind_object(Kind::round_open)) {
    const bool every_mix = evidence_.table.policy.mix == MixRule::shoe;
    return (mix && every_mix) || core.round == claim.object;
  }
  return record.object == claim.object;
}

/// What was opened behind the open call, or who is said to have opened nothing.
Status CallWalk::ended(const Record& record) {
  const CallCore& core = *core_;
  const bool rests = rests_on(record, core);
  if (record.kind == Kind::shoe_mix) {
    TALLA_TRY(const auto body, ShoeMixBody::from_json(record.body));
    return contributors_.result(record, core, body.openings, rests);
  }
  if (record.kind == Kind::draw) {
    TALLA_TRY(const auto body, DrawBody::from_json(record.body));
    return contributors_.result(record, core, body.openings, rests);
  }
  TALLA_TRY(const auto body, VoidBody::from_json(record.body));
  TALLA_TRY_STATUS(check_withheld(record, body));
  subjects_.ended(core, body.missing);
  return contributors_.end(record, core, body);
}

/// They had the time that the table's opening gives them.
Status CallWalk::check_withheld(const Record& record, const VoidBody& body) const {
  if (body.cause != VoidCause::withheld) return {};
  const std::int64_t given = std::int64_t{evidence_.table.policy.open_within} * 1'000'000;
  if (record.time_us - turns_.pending()->time_us >= given) return {};
  return refuse(
      VerifyErrc::withheld_early, record,
      "earlier than " + std::to_string(evidence_.table.policy.open_within) + " s behind its CALL");
}

void CallWalk::round(const Record& record) {
  if (record.kind == Kind::round_open) {
    bets_.reset();
    bets_known_ = true;
  } else if (round_known_ && round_ != record.object) {
    bets_known_ = false;
  }
  round_known_ = true;
  round_ = record.kind == Kind::round_end ? std::string() : record.object;
  if (record.kind != Kind::bets_closed || !ends_content(record.body)) return;
  if (const auto body = BetsClosedBody::from_json(record.body)) {
    bets_ = body->digest;
    bets_known_ = true;
  }
}

/// Behind a gap the first running counts say which turn it is.
Status CallWalk::totals(const Record& record) {
  PlaceCounts said;
  if (record.kind == Kind::round_end) {
    TALLA_TRY(const auto body, RoundEndBody::from_json(record.body));
    said = body.counts;
  } else {
    TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
    said = body.counts;
  }
  const std::uint64_t before = evidence_.table.counts.turns;
  if (said.turns < before || !turns_.agree(said.turns - before))
    return refuse(VerifyErrc::totals_wrong, record, "counts other turns than the chain");
  return {};
}

Status CallWalk::step(const Record& record) {
  if (record.kind == Kind::table_open) TALLA_TRY_STATUS(open(record));
  if (last_ != nullptr && record.prev != last_->seq) {
    whole_ = false;
    turns_.forget(record.seq);
    core_.reset();
    round_known_ = bets_known_ = false;
    contributors_.forget();
    subjects_.forget_kept();
    heads_.forget();
    orders_.forget();
    shoes_.forget();
  }
  heads_.reach(record);
  TALLA_TRY_STATUS(shoes_.take(record));
  TALLA_TRY_STATUS(orders_.step(record, heads_));
  TALLA_TRY_STATUS(turns_.undisturbed(record, evidence_.table.policy.mix));
  if (record.kind == Kind::call) TALLA_TRY_STATUS(call(record));
  if (record.kind == Kind::void_call && record.body.find("core") != nullptr) {
    TALLA_TRY(const VoidBody body, VoidBody::from_json(record.body));
    TALLA_TRY_STATUS(lapsed(record, *body.lapsed));
  } else if (ends_turn(record)) {
    TALLA_TRY_STATUS(result(record));
  }
  TALLA_TRY_STATUS(batch(record));
  if (kind_object(record.kind) == kind_object(Kind::round_open)) round(record);
  if (record.kind == Kind::round_end || record.kind == Kind::table_close)
    TALLA_TRY_STATUS(totals(record));
  heads_.take(record, chain_head(evidence_.hashes, *record.link, evidence_.leaf_of(record)));
  last_ = &record;
  return {};
}

void CallWalk::conclude() {
  if (calls_ == 0) return;
  const auto joined = contributors_.joined();
  const auto dropped = contributors_.dropped();
  const games::RefusalValues values{{"table", evidence_.table_record->object},
                                    {"calls", std::to_string(calls_)},
                                    {"key", to_hex(evidence_.table_record->client->spki)},
                                    {"client", evidence_.table_record->client->id},
                                    {"repetitions", std::to_string(evidence_.repetitions)},
                                    {"joined", contributor_names(evidence_.hashes, joined)},
                                    {"dropped", contributor_names(evidence_.hashes, dropped)}};
  evidence_.rests = contributors_.rests();
  for (const auto& [key, id] : joined) {
    evidence_.joined.insert(evidence_.hashes.sha256({key}));
    evidence_.joined_ids.insert(id);
  }
  evidence_.checked(joined.empty() ? Note::calls_signed : Note::calls_joined, values);
  evidence_.not_checked(Note::table_key_owner, values);
  if (!joined.empty()) evidence_.not_checked(Note::joined_owners, values);
  if (!dropped.empty()) evidence_.not_checked(Note::dropped, values);
}

}  // namespace

Status check_calls(Evidence& evidence) {
  CallWalk walk(evidence);
  const std::string& table = evidence.table_record->object;
  for (const Record& record : evidence.records) {
    if (record.table != table || !record.link) continue;
    TALLA_TRY_STATUS(walk.step(record));
  }
  walk.conclude();
  return {};
}

}  // namespace talla::certs

// A table's chain as its contributors follow it.
#include "joiner_walk.hpp"

#include <algorithm>

#include "again.hpp"
#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "format/parts.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

bool is_result(const Record& record) {
  return record.kind == Kind::draw || record.kind == Kind::shoe_mix ||
         (record.kind == Kind::void_call && record.body.find("core") == nullptr);
}

bool is_lapse(const Record& record) {
  return record.kind == Kind::void_call && record.body.find("core") != nullptr;
}

bool is_of_round(const Record& record) {
  return kind_object(record.kind) == kind_object(Kind::round_open);
}

Status check_rules(const Record& record, const CallCore& core, const TableOpenBody& table) {
  const bool same = core.game == table.game && core.variant == table.variant &&
                    core.catalogue == table.catalogue &&
                    core.parameters == parameters_digest(BotanHashes(), table.parameters);
  if (same) return {};
  return refuse(VerifyErrc::core_mismatch, record, "its core has other rules than its table");
}

}  // namespace

JoinerWalk::JoinerWalk(const Record& opening, const Digest& leaf, TableOpenBody body, P256Key key)
    : origin_(opening.origin),
      table_(opening.object),
      body_(std::move(body)),
      key_(std::move(key)),
      opening_(leaf),
      last_(opening.seq),
      head_(chain_head(BotanHashes(), *opening.link, leaf)),
      turn_(0) {
  heads_.reach(opening);
  heads_.take(opening, head_);
}

Result<JoinerWalk> JoinerWalk::open(const Record& opening, const Digest& leaf) {
  if (opening.kind != Kind::table_open || !opening.link)
    return tl::unexpected(refuse(VerifyErrc::link_gap, opening, "is no TABLE_OPEN").error());
  TALLA_TRY(auto body, TableOpenBody::from_json(opening.body));
  auto key = P256Key::parse(body.key);
  if (!key)
    return tl::unexpected(
        refuse(VerifyErrc::table_key, opening, "its key is none on P-256").error());
  return JoinerWalk(opening, leaf, std::move(body), std::move(*key));
}

Status JoinerWalk::begin_at(const Record& record, const Digest& leaf) {
  if (begun_ || record.kind == Kind::table_open || record.table != table_ || !record.link ||
      record.origin != origin_ || record.seq <= last_)
    return refuse(VerifyErrc::link_gap, record, "is none to begin with at " + table_);
  from_open_ = record.prev == last_ && *record.link == head_;
  if (!from_open_) {
    heads_.forget();
    heads_.reach(record);
    turn_.reset();
    last_ = record.prev.value_or(0);
    head_ = *record.link;
  }
  TALLA_TRY_STATUS(check(record));
  take(record, leaf);
  return {};
}

std::uint64_t JoinerWalk::needed_from() const {
  std::uint64_t from = open_ ? open_->seq : last_;
  if (!round_.id.empty() && round_.seq != 0) from = std::min(from, round_.seq);
  for (const auto& [object, one] : committed_) from = std::min(from, one.seq);
  return from;
}

Status JoinerWalk::check(const Record& record) const {
  TALLA_TRY_STATUS(check_follows(record));
  TALLA_TRY_STATUS(check_undisturbed(record));
  if (record.kind == Kind::call) {
    TALLA_TRY(const auto body, CallBody::from_json(record.body));
    TALLA_TRY_STATUS(check_signed(record, body));
    if (body.core.object == record.object) return {};
    return refuse(VerifyErrc::core_mismatch, record, "its core has another object");
  }
  if (is_result(record)) return check_result(record);
  if (record.kind == Kind::bets_closed) return check_bets(record);
  if (!is_lapse(record)) return {};
  TALLA_TRY(const auto body, VoidBody::from_json(record.body));
  return check_signed(record, *body.lapsed);
}

Status JoinerWalk::check_follows(const Record& record) const {
  if (record.origin != origin_)
    return refuse(VerifyErrc::wrong_origin, record, "is of another log than its table");
  if (record.table != table_ || !record.link || record.kind == Kind::table_open)
    return refuse(VerifyErrc::link_gap, record, "is no further record of " + table_);
  if (record.prev != last_ || *record.link != head_)
    return refuse(VerifyErrc::link_gap, record,
                  "does not follow record " + std::to_string(last_) + " of its table");
  return {};
}

/// While a call is open nobody decides anything that it is about, and nothing of it ends.
Status JoinerWalk::check_undisturbed(const Record& record) const {
  if (!open_) return {};
  const bool object_ends = record.kind == Kind::shoe_close || record.kind == Kind::batch_close ||
                           record.kind == Kind::shoe_recommit;
  const bool bets = record.kind == Kind::bets_closed && open_->core.use == CallUse::mix &&
                    body_.policy.mix == MixRule::round;
  const bool ends = record.kind == Kind::table_close || record.kind == Kind::call || bets ||
                    is_lapse(record) || (object_ends && record.object == open_->object) ||
                    (is_of_round(record) && record.object == open_->core.round);
  if (!ends) return {};
  return refuse(VerifyErrc::turn_open, record,
                "record " + std::to_string(open_->seq) + " (CALL) has no result yet");
}

Status JoinerWalk::check_signed(const Record& record, const CallBody& body) const {
  const CallCore& core = body.core;
  if (core.origin != origin_ || core.table != table_)
    return refuse(VerifyErrc::core_mismatch, record, "its core is of another table");
  if (turn_ && core.turn != *turn_ + 1)
    return refuse(VerifyErrc::turn_gap, record,
                  "is turn " + std::to_string(core.turn) + " where " + std::to_string(*turn_ + 1) +
                      " is next");
  if (!key_.has_signed(call_statement(core.bytes()), body.signature))
    return refuse(VerifyErrc::call_signature, record, "its core is not signed by the table's key");
  return {};
}

Status JoinerWalk::check_basis(const Record& record, const CallCore& core) const {
  TALLA_TRY(const bool known, heads_.check(record, core));
  if (!known)
    return refuse(VerifyErrc::head_wrong, record, "the record of its head is not known here");
  TALLA_TRY_STATUS(check_root(record, core));
  TALLA_TRY_STATUS(check_rules(record, core, body_));
  TALLA_TRY_STATUS(check_round(record, core));
  TALLA_TRY(const auto body, CallBody::from_json(record.body));
  return check_again(record, body, {subjects_, heads_, body_});
}

Status JoinerWalk::check_root(const Record& record, const CallCore& core) const {
  const auto known = committed_.find(core.object);
  if (known == committed_.end() || known->second.use != core.use || known->second.root != core.root)
    return refuse(VerifyErrc::root_unknown, record,
                  "its core names a root that was not committed to at this table");
  const Committed& one = known->second;
  if (core.use == CallUse::draw) {
    if (core.at == one.next && core.at < one.count) return {};
    return refuse(VerifyErrc::core_mismatch, record, "its core names another secret than the next");
  }
  if (!one.wrong.empty()) return refuse(VerifyErrc::candidate_wrong, record, one.wrong);
  if (one.next != 0) return refuse(VerifyErrc::mix_twice, record, "its root is mixed already");
  const MixSpecification left{one.candidates, one.count - one.dealt};
  if (core.at == one.dealt && core.mix() == left) return {};
  return refuse(VerifyErrc::core_mismatch, record, "its core mixes other places than the root has");
}

/// A call in a round rests on its closed bets; before them on none, and then nothing is drawn that
/// bets are on (lots: who gets the bank).
Status JoinerWalk::check_round(const Record& record, const CallCore& core) const {
  if (core.round != (round_.id.empty() ? "0" : round_.id))
    return refuse(VerifyErrc::core_mismatch, record, "its core has another round");
  if (round_.id.empty()) return {};
  const Digest wanted = bets_digest(
      BotanHashes(), round_.closed ? bets_json(round_.bets) : json::Value(json::Array{}));
  if (core.bets != wanted)
    return refuse(VerifyErrc::core_mismatch, record, "its core names other bets than its round");
  const bool lots = core.use == CallUse::draw && std::holds_alternative<LotsDraw>(core.draw());
  if (!round_.closed && core.use == CallUse::draw && !lots)
    return refuse(VerifyErrc::core_mismatch, record, "the bets of its round are not closed");
  return {};
}

Status JoinerWalk::check_result(const Record& record) const {
  const auto call = static_cast<std::uint64_t>(record.body.find("call")->integer());
  if (!open_ && !turn_ && call < heads_.begin()) return {};  // of a call before the beginning
  if (open_ && call == open_->seq && record.object == open_->object) return {};
  return refuse(record.kind == Kind::shoe_mix ? VerifyErrc::mix_early : VerifyErrc::call_none,
                record, "is of another CALL than the open one");
}

/// The digest that calls name is that of the bets that stand here.
Status JoinerWalk::check_bets(const Record& record) const {
  if (record.object != round_.id || round_.seq == 0) return {};
  TALLA_TRY(const auto body, BetsClosedBody::from_json(record.body));
  if (!ends_content(record.body)) return {};
  auto all = round_.bets;
  all.insert(all.end(), body.bets.begin(), body.bets.end());
  if (bets_digest(BotanHashes(), bets_json(all)) == body.digest) return {};
  return refuse(VerifyErrc::bets_digest, record, "its digest is not that of its bets");
}

void JoinerWalk::take(const Record& record, const Digest& leaf) {
  begun_ = true;
  heads_.reach(record);
  if (record.kind == Kind::call || is_lapse(record)) take_call(record);
  if (is_result(record)) {
    const auto known = committed_.find(record.object);
    const bool mixes = known != committed_.end() && known->second.use == CallUse::mix;
    if (mixes && record.kind == Kind::shoe_mix) known->second.take_mix(record);
    if (mixes && record.kind == Kind::void_call) known->second.spoil();
    if (record.kind == Kind::void_call && open_) {
      if (const auto body = VoidBody::from_json(record.body))
        subjects_.ended(open_->core, body->missing);
    }
    open_.reset();
  }
  take_commit(record);
  if (is_of_round(record)) take_round(record);
  head_ = chain_head(BotanHashes(), *record.link, leaf);
  last_ = record.seq;
  heads_.take(record, head_);
}

void JoinerWalk::take_call(const Record& record) {
  if (record.kind == Kind::call) {
    CallCore core = CallBody::from_json(record.body)->core;
    turn_ = core.turn;
    subjects_.called(core);
    const auto known = committed_.find(core.object);
    if (core.use == CallUse::draw && known != committed_.end()) ++known->second.next;
    open_ = OpenCall{record.seq, record.object, std::move(core)};
    return;
  }
  const CallCore core = VoidBody::from_json(record.body)->lapsed->core;
  turn_ = core.turn;
  const auto named = committed_.find(core.object);
  if (core.use == CallUse::mix && named != committed_.end()) named->second.spoil();
  subjects_.lapsed(core);
  const auto known = committed_.find(record.object);  // its batch, where its secret is opened
  if (known != committed_.end()) ++known->second.next;
}

void JoinerWalk::Committed::take_mix(const Record& record) {
  next = 1;
  const auto body = ShoeMixBody::from_json(record.body);
  if (!body || !body->picked) return;
  root = body->root;
  candidates = 1;
}

void JoinerWalk::Committed::spoil() {
  if (candidates > 1) wrong = "a call of this shoe ended before its root was picked";
}

/// What calls can be for, and what a further mix of a root depends on.
void JoinerWalk::take_commit(const Record& record) {
  const bool again = record.kind == Kind::bets_closed && ends_content(record.body) &&
                     body_.policy.mix == MixRule::round;
  for (auto& [object, one] : committed_) {
    if (record.kind == Kind::card_deal && object == record.object) ++one.dealt;
    if (again && one.use == CallUse::mix) one.next = 0;
  }
  if (record.kind == Kind::batch_commit) {
    if (const auto body = BatchCommitBody::from_json(record.body))
      committed_[record.object] = {record.seq, CallUse::draw, body->root, body->count};
  } else if (record.kind == Kind::shoe_commit) {
    if (const auto body = ShoeCommitBody::from_json(record.body)) {
      const BotanHashes hashes;
      auto& one = committed_[record.object] = {record.seq, CallUse::mix, body->root, body->cards};
      one.candidates = candidates_count(*body);
      one.wrong = candidates_wrong(hashes, *body, body_.policy.candidates);
    }
  } else if (record.kind == Kind::shoe_recommit) {
    if (const auto body = ShoeRecommitBody::from_json(record.body))
      committed_[record.object] = {record.seq, CallUse::mix, body->commit.root, body->commit.cards};
  } else if (record.kind == Kind::shoe_close || record.kind == Kind::batch_close) {
    committed_.erase(record.object);
  }
}

void JoinerWalk::take_round(const Record& record) {
  if (record.kind == Kind::round_end) {
    round_.id.clear();
    round_.seq = 0;
    return;
  }
  if (record.kind == Kind::round_open) {
    round_.closed = false;
    round_.bets.clear();
    round_.seq = record.seq;
  }
  round_.id = record.object;
  if (record.kind != Kind::bets_closed || round_.seq == 0) return;
  auto body = BetsClosedBody::from_json(record.body);
  if (!body) return;
  round_.bets.insert(round_.bets.end(), body->bets.begin(), body->bets.end());
  round_.closed = ends_content(record.body);
}

}  // namespace talla::certs

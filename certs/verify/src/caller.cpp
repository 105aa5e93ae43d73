// A table's side of its calls.
#include "verify/caller.hpp"

#include <botan/system_rng.h>

#include <algorithm>
#include <set>

#include "again.hpp"
#include "contributors.hpp"
#include "format/body_draw.hpp"
#include "format/body_shoe.hpp"
#include "format/call_subject.hpp"
#include "format/candidates.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "verify/botan_hashes.hpp"
#include "verify/verdict.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t seed_bytes = 32;

tl::unexpected<Error> unfit(const Record& record, const std::string& why) {
  return fail(VerifyErrc::wrong_statement, "record " + std::to_string(record.seq) + ": " + why);
}

}  // namespace

Caller::Caller(std::shared_ptr<const CallKey> key, const Record& opening, const Digest& leaf)
    : key_(std::move(key)), table_(opening.object), origin_(opening.origin), opening_(leaf) {}

Result<Caller> Caller::open(std::shared_ptr<const CallKey> key, const Record& opening,
                            const Digest& leaf) {
  if (opening.kind != Kind::table_open || !opening.link) return unfit(opening, "no TABLE_OPEN");
  TALLA_TRY(const auto body, TableOpenBody::from_json(opening.body));
  if (body.key != key->spki()) return unfit(opening, "the table was opened for another key");
  Caller caller(std::move(key), opening, leaf);
  caller.game_ = body.game;
  caller.variant_ = body.variant;
  caller.catalogue_ = body.catalogue;
  caller.parameters_ = parameters_digest(BotanHashes(), body.parameters);
  caller.policy_ = body.policy;
  caller.seed_.resize(seed_bytes);
  Botan::system_rng().randomize(caller.seed_.data(), caller.seed_.size());
  caller.head_ = chain_head(BotanHashes(), *opening.link, leaf);
  caller.last_ = opening.seq;
  return caller;
}

Result<Caller> Caller::restore(std::shared_ptr<const CallKey> key, const Record& opening,
                               const Digest& leaf, const json::Value& kept) {
  TALLA_TRY(Caller caller, open(std::move(key), opening, leaf));
  json::Reader reader(kept, "calls");
  TALLA_TRY(const auto seed, reader.string("seed"));
  TALLA_TRY(const auto bytes, from_hex(seed));
  TALLA_TRY(const auto turn, reader.integer("turn", 1, std::int64_t{UINT32_MAX}));
  if (const auto* waiting = reader.optional("waiting")) {
    TALLA_TRY(caller.waiting_, CallBody::from_json(*waiting));
  }
  if (reader.has("left")) {
    TALLA_TRY(const auto* left, reader.object("left"));
    for (const auto& [subject, ids] : left->object()) {
      if (!ids.is_array()) return unfit(opening, "a damaged list of who is left out");
      for (const auto& id : ids.array())
        if (id.is_string()) caller.left_[subject].push_back(id.string());
    }
  }
  if (const auto* before = reader.optional("calls")) {
    TALLA_TRY(caller.subjects_, CallSubjects::from_json(*before));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (bytes.size() != seed_bytes) return unfit(opening, "a seed has 32 bytes");
  std::copy(bytes.begin(), bytes.end(), caller.seed_.begin());
  caller.turn_ = static_cast<std::uint32_t>(turn);
  caller.last_.reset();
  return caller;
}

json::Value Caller::kept() const {
  json::Value out;
  out["seed"] = to_hex(ByteView(seed_.data(), seed_.size()));
  out["turn"] = turn_;
  if (waiting_) out["waiting"] = waiting_->to_json();
  json::Object left;
  for (const auto& [subject, ids] : left_) left[subject] = json::Array(ids.begin(), ids.end());
  if (!left.empty()) out["left"] = std::move(left);
  if (auto calls = subjects_.to_json(); !calls.object().empty()) out["calls"] = std::move(calls);
  return out;
}

Status Caller::take_call(const Record& record) {
  TALLA_TRY(const auto body, CallBody::from_json(record.body));
  if (!waiting_ || body.core != waiting_->core || body.signature != waiting_->signature)
    return unfit(record, "a CALL that this table did not sign");
  if (record.object != body.core.object) return unfit(record, "a CALL of another object");
  TALLA_TRY_STATUS(check_again(body.core, body.order));
  subjects_.called(body.core);
  call_seq_ = record.seq;
  left_.erase(call_subject(body.core));
  return {};
}

/// They are out of the next call of that round or object.
Status Caller::take_missing(const Record& record, const VoidBody& body) {
  if (waiting_ && call_seq_ == body.call && !body.missing.empty()) {
    const CallCore& core = waiting_->core;
    for (const std::string& id : body.missing) {
      if (std::ranges::find(core.others, id, &Contributor::id) == core.others.end())
        return unfit(record, "a VOID names one who was not to open");
    }
    left_[call_subject(core)] = body.missing;
  }
  if (waiting_ && call_seq_ == body.call) subjects_.ended(waiting_->core, body.missing);
  return take_result(body.call);
}

std::vector<Contributor> Caller::named(const CallWish& wish, std::vector<Contributor> there) const {
  const auto left = left_.find(wish.round == "0" ? wish.object : wish.round);
  if (left == left_.end()) return there;
  std::erase_if(there, [&](const Contributor& one) {
    return std::ranges::find(left->second, one.id) != left->second.end();
  });
  return there;
}

Status Caller::take_result(std::uint64_t call) {
  if (!call_seq_ || *call_seq_ != call)
    return fail(VerifyErrc::wrong_statement,
                "a result of call " + std::to_string(call) + ", which is not the open one");
  waiting_.reset();
  call_seq_.reset();
  ++turn_;
  return {};
}

Status Caller::take_opened(const Record& record, std::uint64_t call,
                           const std::vector<CallOpening>& openings) {
  if (waiting_ && call_seq_ == call)
    TALLA_TRY_STATUS(check_openings(BotanHashes(), opening_, record, waiting_->core, openings));
  return take_result(call);
}

/// The core that was signed did not stand any more: its turn is spent, the next one is free.
Status Caller::take_lapsed(const Record& record, const CallBody& body) {
  if (!waiting_ || call_seq_ || body.core != waiting_->core ||
      body.signature != waiting_->signature)
    return unfit(record, "a VOID of a core that this table did not sign, or that is a CALL");
  subjects_.lapsed(waiting_->core);
  waiting_.reset();
  ++turn_;
  return {};
}

bool Caller::needs_order(const CallWish& wish) const {
  return subjects_.voids(wish.round == "0" ? wish.object : wish.round) > policy_.max_voids;
}

/// Behind too many VOIDs, or without one whom the VOID before did not name missing, nothing is
/// called for but by an order.
Status Caller::check_again(const CallCore& core, const std::optional<CallOrder>& order) const {
  const std::string& subject = call_subject(core);
  if (order) {
    const std::string fault = order_fault(*order, {origin_, subject, key_->spki()});
    if (fault.empty()) return {};
    return fail(VerifyErrc::order_wrong, "the order for " + subject + " " + fault);
  }
  if (subjects_.voids(subject) > policy_.max_voids)
    return fail(VerifyErrc::void_limit,
                subject + " has ended in VOID more often than " + table_ +
                    " allows: it is called for again by an order of two persons (talla act ask "
                    "call-again)");
  if (const NamedContributor* left = subjects_.dropped(core))
    return fail(VerifyErrc::contributor_dropped,
                left->id + " was not missing when " + subject +
                    " ended in VOID, and is left out: it hands in again, or two persons order it");
  return {};
}

Status Caller::rest_on(const Record& record, const Digest& leaf) {
  if (record.table != table_ || !record.link) return unfit(record, "no record of " + table_);
  if (last_ && record.seq <= *last_) return {};
  head_ = chain_head(BotanHashes(), *record.link, leaf);
  last_ = record.seq;
  return {};
}

Status Caller::take(const Record& record, const Digest& leaf) {
  if (record.table != table_ || (last_ && record.seq <= *last_)) return {};
  if (record.kind == Kind::table_open) return rest_on(record, leaf);
  if (!record.link || !record.prev) return unfit(record, "no link");
  if (last_ && *record.prev == *last_ && *record.link != head_)
    return unfit(record, "it does not follow the record of this table before it");
  if (record.kind == Kind::shoe_commit) {
    TALLA_TRY(const auto body, ShoeCommitBody::from_json(record.body));
    if (const auto why = candidates_wrong(BotanHashes(), body, policy_.candidates); !why.empty())
      return fail(VerifyErrc::candidate_wrong, record.object + " " + why);
  } else if (record.kind == Kind::call) {
    TALLA_TRY_STATUS(take_call(record));
  } else if (record.kind == Kind::draw) {
    TALLA_TRY(const auto body, DrawBody::from_json(record.body));
    TALLA_TRY_STATUS(take_opened(record, body.call, body.openings));
  } else if (record.kind == Kind::shoe_mix) {
    TALLA_TRY(const auto body, ShoeMixBody::from_json(record.body));
    TALLA_TRY_STATUS(take_opened(record, body.call, body.openings));
  } else if (record.kind == Kind::void_call) {
    TALLA_TRY(const auto body, VoidBody::from_json(record.body));
    TALLA_TRY_STATUS(body.lapsed ? take_lapsed(record, *body.lapsed) : take_missing(record, body));
  }
  head_ = chain_head(BotanHashes(), *record.link, leaf);
  last_ = record.seq;
  return {};
}

/// Ids ascend, ids and keys stand once, the table's key not among them, and none that the table
/// requires is left out: another core would lapse, and spend the turn.
Status Caller::check_others(const std::vector<Contributor>& others) const {
  std::set<Bytes> keys{key_->spki()};
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i > 0 && others[i - 1].id >= others[i].id)
      return fail(VerifyErrc::others_order, "contributors do not ascend: " + others[i].id);
    if (!keys.insert(others[i].key).second)
      return fail(VerifyErrc::duplicate,
                  "the key of " + others[i].id + " is that of another one, or the table's");
  }
  for (const Bytes& key : policy_.required)
    if (!keys.contains(key))
      return fail(VerifyErrc::required_missing,
                  "a contributor whose key " + table_ + " requires has handed in nothing");
  return {};
}

Result<json::Value> Caller::make(const CallWish& wish) {
  if (waiting_)
    return fail(VerifyErrc::wrong_statement,
                "the call of turn " + std::to_string(turn_) + " at " + table_ +
                    " has no result: nothing else is signed there; ask for it again, or close "
                    "the table and open it again");
  if (!last_) return fail(VerifyErrc::wrong_statement, table_ + ": its newest record is not known");
  TALLA_TRY_STATUS(check_others(wish.others));
  const BotanHashes hashes;
  CallBody body;
  CallCore& core = body.core;
  core.others = wish.others;
  core.origin = origin_;
  core.table = table_;
  core.turn = turn_;
  core.head = head_;
  core.use = wish.use;
  core.object = wish.object;
  core.root = wish.root;
  core.at = wish.at;
  core.round = wish.round;
  core.bets = wish.bets;
  core.specification = wish.specification;
  core.game = game_;
  core.variant = variant_;
  core.catalogue = catalogue_;
  core.parameters = parameters_;
  core.value = contribution_value(hashes, std::span<const std::uint8_t>(seed_).first<seed_bytes>(),
                                  opening_, turn_);
  TALLA_TRY_STATUS(check_again(core, wish.order));
  body.signature = key_->sign(call_statement(core.bytes()));
  waiting_ = std::move(body);
  return waiting_->to_json();
}

namespace {

Status check_secret(const Record& commit, const BatchCommitBody& committed,
                    const SecretOpening& opened) {
  const BotanHashes hashes;
  const Digest leaf = batch_leaf_hash(hashes, commit.object, opened.index, opened.secret);
  if (verify_inclusion(hashes, {.index = opened.index, .size = committed.count}, leaf, opened.path,
                       committed.root))
    return {};
  return fail(VerifyErrc::secret_wrong, "the secret is not the committed one");
}

}  // namespace

Status check_drawn(const Record& commit, const CallCore& core, const Record& draw) {
  const BotanHashes hashes;
  TALLA_TRY(const auto committed, BatchCommitBody::from_json(commit.body));
  TALLA_TRY(const auto body, DrawBody::from_json(draw.body));
  if (core.use != CallUse::draw || core.object != commit.object || draw.object != commit.object ||
      core.table != committed.table || core.root != committed.root || core.at != body.index ||
      commit.seq >= draw.seq || body.openings.size() != core.others.size())
    return fail(VerifyErrc::core_mismatch, "a draw from another batch, or by others");
  if (commit.client != draw.client)
    return fail(VerifyErrc::batch_client, "a draw by another client than it was committed for");
  TALLA_TRY_STATUS(check_secret(commit, committed, {body.index, body.secret, body.path}));
  TALLA_TRY(const auto result, map_draw(hashes, core.draw(), body.secret,
                                        call_digest(hashes, core.bytes()), body.openings));
  if (result.outcome != body.outcome)
    return fail(VerifyErrc::wrong_mapping, "the outcome does not follow from secret and call");
  return {};
}

Status check_voided(const Record& commit, const CallCore& core, const Record& ended) {
  const BotanHashes hashes;
  TALLA_TRY(const auto committed, BatchCommitBody::from_json(commit.body));
  TALLA_TRY(const auto body, VoidBody::from_json(ended.body));
  const bool own = body.secret && ended.object == commit.object && core.object == commit.object &&
                   core.table == committed.table && core.root == committed.root &&
                   commit.seq < ended.seq;
  if (!own) return fail(VerifyErrc::core_mismatch, "a secret of another batch was opened");
  TALLA_TRY_STATUS(check_secret(commit, committed, {core.at, *body.secret, body.path}));
  if (body.openings.size() != core.others.size()) {  // not all of their numbers were opened
    if (!body.outcome) return {};
    return fail(VerifyErrc::outcome_undue, "an outcome, and not every number is known");
  }
  std::vector<CallOpening> opened;
  for (const OpenedBefore& one : body.openings) opened.push_back({one.value, one.signature});
  TALLA_TRY(const auto result,
            map_draw(hashes, core.draw(), *body.secret, call_digest(hashes, core.bytes()), opened));
  if (result.outcome != body.outcome)
    return fail(VerifyErrc::wrong_mapping, "the outcome it would have had is another one");
  return {};
}

Status check_lapsed(const Record& commit, const Record& ended) {
  TALLA_TRY(const auto body, VoidBody::from_json(ended.body));
  if (!body.lapsed) return fail(VerifyErrc::core_mismatch, "a VOID without the core that lapsed");
  return check_voided(commit, body.lapsed->core, ended);
}

namespace {

/// Of several roots the one that the call picks, the others opened; else the one there is.
Result<MixedRoot> picked_root(const HashSuite& hashes, const ShoeCommitBody& commit,
                              const Record& mix, const CallCore& core, const ShoeMixBody& body) {
  MixedRoot mixed{commit, {}};
  if (!commit.candidates.empty()) {
    TALLA_TRY(const std::uint32_t picked, map_pick(hashes, core, body.openings));
    if (body.picked != picked)
      return fail(VerifyErrc::candidate_wrong,
                  "its tape picks candidate " + std::to_string(picked));
    if (const auto why = opened_wrong(hashes, mix.object, commit, picked, body.opened);
        !why.empty())
      return fail(VerifyErrc::candidate_wrong, why);
    mixed.commit = picked_commit(commit, picked);
  }
  if (body.root != mixed.commit.root) return fail(VerifyErrc::mix_root, "a mix of another root");
  return mixed;
}

}  // namespace

Result<MixedRoot> check_mixed(const ShoeCommitBody& commit, const CallCore& core, const Record& mix,
                              const MixedSoFar& before) {
  TALLA_TRY(const auto body, ShoeMixBody::from_json(mix.body));
  if (core.use != CallUse::mix || core.object != mix.object || core.table != commit.table ||
      core.root != commit.root || core.at != before.dealt ||
      core.mix() != MixSpecification{candidates_count(commit), commit.cards - before.dealt} ||
      body.openings.size() != core.others.size())
    return fail(VerifyErrc::core_mismatch, "a mix of another root, or by others");
  const BotanHashes hashes;
  TALLA_TRY(MixedRoot mixed, picked_root(hashes, commit, mix, core, body));
  TALLA_TRY(mixed.mix, mix_of(hashes, core, body, before.mix));
  return mixed;
}

}  // namespace talla::certs

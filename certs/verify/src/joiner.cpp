// A contributor's side of a table's calls.
#include "verify/joiner.hpp"

#include <botan/system_rng.h>

#include <algorithm>
#include <array>

#include "evidence.hpp"
#include "format/body_shoe.hpp"
#include "joiner_walk.hpp"
#include "verify/botan_hashes.hpp"

namespace talla::certs {
namespace {

constexpr std::size_t joiner_seed_bytes = 32;
constexpr std::array<std::string_view, 6> joined_words{"none", "waiting", "refused",
                                                       "in",   "voided",  "missing"};

Result<Joined> joined_from(std::string_view word) {
  const auto found = std::ranges::find(joined_words, word);
  if (found != joined_words.end()) return static_cast<Joined>(found - joined_words.begin());
  return fail(VerifyErrc::wrong_statement, "a contributor's file: joined: " + std::string(word));
}

/// What a result opened; nothing for other records.
std::optional<std::vector<CallOpening>> openings_of(const Record& record) {
  if (record.kind == Kind::draw) {
    if (auto body = DrawBody::from_json(record.body)) return std::move(body->openings);
  } else if (record.kind == Kind::shoe_mix) {
    if (auto body = ShoeMixBody::from_json(record.body)) return std::move(body->openings);
  }
  return {};
}

}  // namespace

Joiner::Joiner(std::shared_ptr<const CallKey> key, std::string id, std::unique_ptr<JoinerWalk> walk)
    : key_(std::move(key)), id_(std::move(id)), walk_(std::move(walk)) {}
Joiner::Joiner(Joiner&&) noexcept = default;
Joiner& Joiner::operator=(Joiner&&) noexcept = default;
Joiner::~Joiner() = default;

Result<Joiner> Joiner::open(std::shared_ptr<const CallKey> key, std::string id,
                            const Record& opening, const Digest& leaf) {
  TALLA_TRY(auto walk, JoinerWalk::open(opening, leaf));
  if (walk.body().key == key->spki())
    return tl::unexpected(
        refuse(VerifyErrc::duplicate, opening, "its key is that of " + id + " too").error());
  Joiner made(std::move(key), std::move(id), std::make_unique<JoinerWalk>(std::move(walk)));
  made.seed_.resize(joiner_seed_bytes);
  Botan::system_rng().randomize(made.seed_.data(), made.seed_.size());
  return made;
}

Result<Joiner> Joiner::restore(std::shared_ptr<const CallKey> key, std::string id,
                               const Record& opening, const Digest& leaf, const json::Value& kept) {
  TALLA_TRY(Joiner made, open(std::move(key), std::move(id), opening, leaf));
  json::Reader reader(kept, "a contributor's file");
  TALLA_TRY(const auto seed, reader.string("seed"));
  TALLA_TRY(const Digest bytes, digest_from_hex(seed));
  std::ranges::copy(bytes, made.seed_.begin());
  TALLA_TRY(const auto next, reader.integer("next", 1, std::int64_t{UINT32_MAX}));
  TALLA_TRY(const auto word, reader.string("joined"));
  TALLA_TRY(made.joined_, joined_from(word));
  TALLA_TRY(const auto turn, reader.integer("turn", 0, std::int64_t{UINT32_MAX}));
  TALLA_TRY(const auto last, reader.integer("last", 0, json::integer_max));
  TALLA_TRY(const auto head, reader.string("head"));
  Before before{static_cast<std::uint64_t>(last), {}, static_cast<std::uint32_t>(turn)};
  TALLA_TRY(before.head, digest_from_hex(head));
  if (const auto* asked = reader.optional("asked")) {
    json::Reader in(*asked, "a contributor's file: asked");
    Asked& mine = made.asked_.emplace(Asked{});
    TALLA_TRY(const auto seq, in.integer("seq", 0, json::integer_max));
    mine.seq = static_cast<std::uint64_t>(seq);
    TALLA_TRY(const auto call, in.string("call"));
    TALLA_TRY(mine.call, digest_from_hex(call));
    TALLA_TRY(const auto value, in.string("value"));
    TALLA_TRY(mine.answer.value, digest_from_hex(value));
    TALLA_TRY(const auto signature, in.string("signature"));
    TALLA_TRY(const auto signed_bytes, from_hex(signature));
    if (signed_bytes.size() != mine.answer.signature.size())
      return fail(VerifyErrc::wrong_statement, "a contributor's file: a signature has 64 bytes");
    std::ranges::copy(signed_bytes, mine.answer.signature.begin());
    TALLA_TRY_STATUS(in.finish());
  }
  static_cast<void>(reader.optional("from"));
  TALLA_TRY_STATUS(reader.finish());
  made.next_ = static_cast<std::uint32_t>(next);
  if (before.last != made.walk_->last()) made.before_ = before;
  return made;
}

json::Value Joiner::kept() const {
  json::Value out;
  out["seed"] = to_hex(ByteView(seed_.data(), seed_.size()));
  out["next"] = next_;
  out["joined"] = std::string(joined_words.at(static_cast<std::size_t>(joined_)));
  out["turn"] = before_ ? before_->turn : walk_->turn();
  out["last"] = before_ ? before_->last : walk_->last();
  out["head"] = to_hex(before_ ? before_->head : walk_->head());
  out["from"] = again_from();
  if (asked_)
    out["asked"] = json::Object{{"call", to_hex(asked_->call)},
                                {"seq", asked_->seq},
                                {"signature", to_hex(ByteView(asked_->answer.signature.data(),
                                                              asked_->answer.signature.size()))},
                                {"value", to_hex(asked_->answer.value)}};
  return out;
}

Digest Joiner::value(std::uint32_t t) const {
  return contribution_value(BotanHashes(),
                            std::span<const std::uint8_t>(seed_).first<joiner_seed_bytes>(),
                            walk_->opening(), t);
}

Commitments Joiner::ahead(std::uint32_t count) const {
  Commitments out{next_, {}};
  for (std::uint32_t i = 0; i < std::min(count, commitments_ahead_max); ++i)
    out.commits.push_back(
        contribution_commit(BotanHashes(), walk_->opening(), id_, next_ + i, value(next_ + i)));
  return out;
}

const Contributor* Joiner::own(const CallCore& core) const {
  const auto found = std::ranges::find(core.others, key_->spki(), &Contributor::key);
  return found == core.others.end() ? nullptr : &*found;
}

Status Joiner::begin_at(const Record& record, const Digest& leaf) {
  if (before_ && record.seq > before_->last)
    return refuse(VerifyErrc::link_gap, record,
                  "is behind record " + std::to_string(before_->last) + ", the newest one known");
  TALLA_TRY_STATUS(walk_->begin_at(record, leaf));
  return before_ ? compare_before(record) : Status();
}

/// What an earlier life has taken: the same records, or the log has two histories.
Status Joiner::take_again(const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(walk_->check(record));
  if (record.seq > before_->last)
    return refuse(
        VerifyErrc::link_gap, record,
        "record " + std::to_string(before_->last) + " of its table is not there any more");
  walk_->take(record, leaf);
  return compare_before(record);
}

/// With the newest record of that life the chain is what it was, and goes on.
Status Joiner::compare_before(const Record& record) {
  if (record.seq < before_->last) return {};
  if (walk_->head() != before_->head)
    return refuse(VerifyErrc::link_gap, record, "is not the record that stood there before");
  before_.reset();
  return {};
}

Status Joiner::take(const Record& record, const Digest& leaf) {
  if (record.table != table() || record.seq <= walk_->last()) return {};
  if (before_) return take_again(record, leaf);
  TALLA_TRY_STATUS(walk_->check(record));
  TALLA_TRY_STATUS(check_result(record));
  if (record.kind == Kind::call) note_call(record);
  if (record.kind == Kind::void_call) note_void(record);
  if (openings_of(record) && asked_) {
    joined_ = Joined::in;
    asked_.reset();
  }
  walk_->take(record, leaf);
  return {};
}

/// A CALL that names this key does it by this id, with the next count and its commitment.
Status Joiner::check_own(const Record& record, const CallCore& core) const {
  const Contributor* mine = own(core);
  if (mine->id != id_)
    return refuse(VerifyErrc::duplicate, record, "names the key of " + id_ + " as " + mine->id);
  if (mine->t != next_)
    return refuse(VerifyErrc::t_gap, record,
                  id_ + " does not count on with " + std::to_string(mine->t));
  if (mine->commit !=
      contribution_commit(BotanHashes(), walk_->opening(), id_, next_, value(next_)))
    return refuse(VerifyErrc::commit_mismatch, record, "does not name what " + id_ + " handed in");
  return {};
}

/// The own number stands in the result as it was opened.
Status Joiner::check_result(const Record& record) const {
  const auto openings = openings_of(record);
  if (!openings || !walk_->open_call() || own(walk_->open_call()->core) == nullptr) return {};
  const CallCore& core = walk_->open_call()->core;
  if (!asked_)
    return refuse(VerifyErrc::opening_signature, record,
                  "has a number of " + id_ + ", which opened none");
  if (openings->size() != core.others.size())
    return refuse(VerifyErrc::openings_count, record,
                  "has more or fewer openings than its call has contributors");
  const auto at = static_cast<std::size_t>(own(core) - core.others.data());
  const CallOpening& mine = openings->at(at);
  if (mine.value != asked_->answer.value)
    return refuse(VerifyErrc::commit_mismatch, record,
                  "the number of " + id_ + " is not the one that it opened");
  if (mine.signature != asked_->answer.signature)
    return refuse(VerifyErrc::opening_signature, record,
                  "the number of " + id_ + " is not as it was signed");
  return {};
}

/// Names it: its count is spent, and it opens where the call holds.
void Joiner::note_call(const Record& record) {
  const CallCore core = CallBody::from_json(record.body)->core;
  asked_.reset();
  refusal_.reset();
  const Contributor* mine = own(core);
  if (mine == nullptr) return;
  Status holds = check_own(record, core);
  if (holds) holds = walk_->check_basis(record, core);
  const std::uint32_t t = mine->t;
  const bool counts = mine->id == id_ && t == next_;
  if (counts) ++next_;
  if (!holds) {
    joined_ = Joined::refused;
    refusal_ = holds.error();
    return;
  }
  joined_ = Joined::waiting;
  Asked& asked = asked_.emplace(Asked{});
  asked.seq = record.seq;
  asked.call = call_digest(BotanHashes(), core.bytes());
  asked.answer.value = value(t);
  asked.answer.signature = key_->sign(opening_statement(asked.call, id_, t, asked.answer.value));
}

void Joiner::note_void(const Record& record) {
  const auto body = VoidBody::from_json(record.body);
  if (body->lapsed) {
    const Contributor* mine = own(body->lapsed->core);
    if (mine != nullptr && mine->id == id_ && mine->t == next_) ++next_;  // that count is spent
    return;
  }
  const auto& open = walk_->open_call();
  if (!open || body->call != open->seq || own(open->core) == nullptr) return;
  joined_ = std::ranges::find(body->missing, id_) == body->missing.end() ? Joined::voided
                                                                         : Joined::missing;
  asked_.reset();
}

std::optional<CallOpening> Joiner::answer() const {
  if (before_ || !asked_ || !walk_->open_call() || walk_->open_call()->seq != asked_->seq)
    return {};
  return asked_->answer;
}

std::optional<AnswerBody> Joiner::answer_record() const {
  const auto opened = answer();
  if (!opened) return {};
  return AnswerBody{walk_->open_call()->core, walk_->opening(), id_, *opened};
}

Status Joiner::take_recorded(const AnswerBody& recorded) {
  auto mine = answer_record();
  if (mine) mine->answer.signature = recorded.answer.signature;
  if (!mine || mine->to_json() != recorded.to_json())
    return fail(VerifyErrc::core_mismatch, "what is recorded is another answer");
  const Contributor& named = recorded.own();
  const auto key = P256Key::parse(named.key);
  const Bytes statement = opening_statement(asked_->call, named.id, named.t, recorded.answer.value);
  if (!key || !key->has_signed(statement, recorded.answer.signature))
    return fail(VerifyErrc::opening_signature, "what is recorded is not signed by its key");
  asked_->answer = recorded.answer;
  return {};
}

const std::string& Joiner::table() const {
  return walk_->table();
}
std::uint64_t Joiner::last() const {
  return walk_->last();
}
std::uint64_t Joiner::again_from() const {
  return walk_->needed_from();
}
std::optional<std::uint64_t> Joiner::open_call() const {
  if (!walk_->open_call()) return {};
  return walk_->open_call()->seq;
}
const std::vector<Bet>& Joiner::bets() const {
  return walk_->bets();
}

}  // namespace talla::certs

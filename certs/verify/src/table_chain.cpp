// Follows the chain of the claim's table up to the claim, and counts what let somebody try again.
#include <algorithm>
#include <array>

#include "chain_rules.hpp"
#include "evidence.hpp"
#include "format/body_end.hpp"
#include "format/domain.hpp"
#include "format/parts.hpp"
#include "repetitions.hpp"

namespace talla::certs {
namespace {

/// One pass over the records of the table, in order. The file holds TABLE_OPEN and, behind one gap
/// or none, every record up to the claim.
class ChainWalk {
 public:
  explicit ChainWalk(Evidence& evidence)
      : evidence_(evidence), rules_(evidence.table_record->seq) {}

  Status open(const Record& record, const Digest& leaf);
  Status step(const Record& record, const Digest& leaf);
  Status conclude() const;

 private:
  [[nodiscard]] Result<PlaceEnd> end_of_key(const Record& record) const;
  [[nodiscard]] Result<PlaceEnd> end_of(const Record& record) const;
  Status place_before(const Record& record);
  Status follow(const Record& record);
  Status claimed(const Record& record);
  Status state(const Record& record);
  Status goes_on(const Record& record);
  Status leaves(const Record& record);
  Status said(const Record& record);
  void say_opening() const;
  void say_counts() const;
  [[nodiscard]] std::string claimed_round() const;

  Evidence& evidence_;
  ChainRules rules_;
  const Record* first_ = nullptr;  // behind TABLE_OPEN
  bool whole_ = true;              // no gap behind TABLE_OPEN
  bool claimed_open_ = false;      // the ROUND_OPEN of the claim's round was seen
  Repetitions repetitions_;
  const Record* stated_ = nullptr;       // the newest record with running counts
  PlaceCounts said_{};                   // its counts
  std::optional<Digest> left_;           // what the last ROUND_END left
  bool changed_ = false;                 // a record behind it is an event of the rules
  bool unmixed_ = false;                 // the live shoe, which was committed in this file
  std::optional<Digest> settled_state_;  // of the open round's SETTLEMENT
};

/// What a cited KEY says of the place in the log before; the file holds the one that names that
/// log.
Result<PlaceEnd> ChainWalk::end_of_key(const Record& record) const {
  for (const std::uint64_t seq : record.cites) {
    const Record* cited = evidence_.find(seq);
    if (cited != nullptr && names_predecessor(*cited)) return place_of_key(record, cited);
  }
  return tl::unexpected(refuse(VerifyErrc::predecessor_wrong, record,
                               "the KEY that names the log before is not cited, or not there")
                            .error());
}

Result<PlaceEnd> ChainWalk::end_of(const Record& record) const {
  if (is_place_key(record)) return end_of_key(record);
  TALLA_TRY(auto close, TableCloseBody::from_json(record.body));
  return PlaceEnd{.seq = record.seq,
                  .origin = {},
                  .table = record.table,
                  .place = std::move(close.place),
                  .opened = close.opened,
                  .counts = close.counts,
                  .head = chain_head(evidence_.hashes, *record.link, evidence_.leaf_of(record))};
}

/// The TABLE_CLOSE before at this place, or the KEY of the place, which the file holds.
Status ChainWalk::place_before(const Record& record) {
  const Record* before = nullptr;
  for (const std::uint64_t seq : record.cites) {
    const Record* cited = evidence_.find(seq);
    if (cited == nullptr || !(cited->kind == Kind::table_close || is_place_key(*cited))) continue;
    if (before != nullptr)
      return refuse(VerifyErrc::place_gap, record, "cites two ends of its place");
    before = cited;
  }
  if (before == nullptr) return check_place(record, evidence_.table, nullptr);
  TALLA_TRY(const PlaceEnd end, end_of(*before));
  TALLA_TRY_STATUS(check_place(record, evidence_.table, &end));
  if (!end.origin.empty()) return {};
  TALLA_TRY(const auto close, TableCloseBody::from_json(before->body));
  repetitions_.add(close.voided ? 2 : 1);
  return {};
}

Status ChainWalk::open(const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(place_before(record));
  rules_.open(evidence_.hashes, record, evidence_.table, leaf);
  stated_ = &record;
  said_ = evidence_.table.counts;
  return {};
}

/// Once, behind TABLE_OPEN, records may be left out.
Status ChainWalk::follow(const Record& record) {
  if (record.seq > evidence_.claim->seq)
    return refuse(VerifyErrc::link_gap, record, "stands behind the claim");
  const bool first = first_ == nullptr;
  if (first) first_ = &record;
  if (!first || *record.prev <= rules_.last()) return {};
  whole_ = false;
  repetitions_.gap();
  rules_.forget();
  return {};
}

/// The round of the claim begins: what stands before it is there.
Status ChainWalk::claimed(const Record& record) {
  if (record.kind != Kind::round_open || claimed_round() != record.object) return {};
  if (!whole_ && !rules_.ended())
    return refuse(VerifyErrc::link_gap, record, "the ROUND_END before it is missing");
  claimed_open_ = true;
  return {};
}

/// The round begins with what the one before left, unless a shoe was an event between: that is for
/// who runs the rules again.
Status ChainWalk::goes_on(const Record& record) {
  settled_state_.reset();
  if (!left_) return {};
  TALLA_TRY(const auto body, RoundOpenBody::from_json(record.body));
  if (!changed_ && *left_ != body.state_before)
    return refuse(VerifyErrc::state_jump, record,
                  "does not begin with the state that the ROUND_END before left");
  if (changed_ && claimed_round() == record.object)
    evidence_.not_checked(Note::state_changed, {{"round", record.object}});
  return {};
}

/// Nothing is played between a SETTLEMENT and the end of its round.
Status ChainWalk::leaves(const Record& record) {
  TALLA_TRY(const auto body, RoundEndBody::from_json(record.body));
  if (settled_state_ && *settled_state_ != body.state_after)
    return refuse(VerifyErrc::state_jump, record,
                  "leaves another state than the SETTLEMENT of its round");
  settled_state_.reset();
  left_ = body.state_after;
  changed_ = false;
  return {};
}

/// What of the records between two rounds changes the engine's state, and what a round settled.
Status ChainWalk::state(const Record& record) {
  constexpr std::array events{Kind::shoe_mix, Kind::card_deal, Kind::card_open, Kind::shoe_close};
  if (record.kind == Kind::round_open) return goes_on(record);
  if (record.kind == Kind::round_end) return leaves(record);
  if (record.kind == Kind::shoe_commit || record.kind == Kind::shoe_mix)
    unmixed_ = record.kind == Kind::shoe_commit;
  // A shoe that nobody mixed was never in play: its close is no event.
  if (std::ranges::find(events, record.kind) != events.end() && !unmixed_) changed_ = true;
  if (record.kind != Kind::settlement || !ends_content(record.body)) return {};
  TALLA_TRY(const auto body, SettlementBody::from_json(record.body));
  settled_state_ = body.state_after;
  return {};
}

/// The newest running counts.
Status ChainWalk::said(const Record& record) {
  if (record.kind == Kind::round_end) {
    TALLA_TRY(const auto body, RoundEndBody::from_json(record.body));
    said_ = body.counts;
  } else if (record.kind == Kind::table_close) {
    TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
    said_ = body.counts;
  } else {
    return {};
  }
  stated_ = &record;
  return {};
}

Status ChainWalk::step(const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(follow(record));
  TALLA_TRY_STATUS(rules_.step(evidence_.hashes, record, leaf));
  TALLA_TRY_STATUS(claimed(record));
  TALLA_TRY_STATUS(state(record));
  TALLA_TRY_STATUS(said(record));
  const bool replayed = claimed_open_ && evidence_.claim->kind == Kind::settlement;
  return &record == evidence_.claim ? Status() : repetitions_.take(record, replayed);
}

/// The round that the claim belongs to; empty: none.
std::string ChainWalk::claimed_round() const {
  const Record& claim = *evidence_.claim;
  if (kind_object(claim.kind) == kind_object(Kind::round_open)) return claim.object;
  const json::Value* named = &claim.body;
  if (takes_turn(claim)) return {};  // a core that lapsed: nothing shows that it says its round
  if (claim.kind == Kind::draw || claim.kind == Kind::void_call) {
    const auto seq = static_cast<std::uint64_t>(claim.body.find("call")->integer());
    const Record* call = evidence_.find(seq);
    named = call == nullptr ? nullptr : call->body.find("core");
  } else if (claim.kind != Kind::card_deal) {
    return {};
  }
  const json::Value* round = named == nullptr ? nullptr : named->find("round");
  return round == nullptr || !round->is_string() ? std::string() : round->string();
}

Status ChainWalk::conclude() const {
  evidence_.repetitions = repetitions_.number();
  const std::string claimed = claimed_round();
  if (!claimed.empty() && claimed != "0" && !claimed_open_)
    return refuse(VerifyErrc::link_gap, *evidence_.claim, "the ROUND_OPEN of its round is missing");
  const std::string& id = evidence_.table_record->object;
  if (first_ != nullptr) {
    const games::RefusalValues span{{"table", id},
                                    {"first", std::to_string(first_->seq)},
                                    {"last", std::to_string(rules_.last())}};
    evidence_.checked(Note::chain_whole, span);
    if (!whole_) {
      evidence_.shown_from = first_->seq;
      evidence_.not_checked(Note::chain_before, {{"table", id}, {"first", span[1].second}});
    }
  }
  say_opening();
  say_counts();
  return {};
}

/// What came before at the place.
void ChainWalk::say_opening() const {
  const TableOpenBody& table = evidence_.table;
  games::RefusalValues opening{{"place", table.place}, {"opened", std::to_string(table.opened)}};
  const Note note = !table.predecessor.empty()    ? Note::place_succeeded
                    : whole_ && table.opened == 1 ? Note::place_first
                                                  : Note::place_before;
  if (note == Note::place_succeeded) opening.emplace_back("origin", table.predecessor);
  evidence_.not_checked(note, opening);
}

/// The totals of the place as the newest record with them has them, where something is counted; and
/// how many turns the file does not show.
void ChainWalk::say_counts() const {
  if (said_ != PlaceCounts{})
    evidence_.not_checked(Note::counts_stated, {{"place", evidence_.table.place},
                                                {"turns", std::to_string(said_.turns)},
                                                {"voids", std::to_string(said_.voids)},
                                                {"early", std::to_string(said_.early_closes)},
                                                {"record", std::to_string(stated_->seq)}});
  if (whole_) return;
  for (const Record& record : evidence_.records) {
    if (record.table != evidence_.table_record->object || !takes_turn(record)) continue;
    const auto turn = record.body.find("core")->find("turn")->integer();
    if (turn > 1)
      evidence_.not_checked(Note::turns_before, {{"table", evidence_.table_record->object},
                                                 {"turns", std::to_string(turn - 1)},
                                                 {"record", std::to_string(record.seq)}});
    return;
  }
}

}  // namespace

Status check_table_chain(Evidence& evidence) {
  ChainWalk walk(evidence);
  const std::string& table = evidence.table_record->object;
  TALLA_TRY_STATUS(walk.open(*evidence.table_record, evidence.leaf_of(*evidence.table_record)));
  for (const Record& record : evidence.records) {
    if (record.table != table || !record.link || &record == evidence.table_record) continue;
    TALLA_TRY_STATUS(walk.step(record, evidence.leaf_of(record)));
  }
  return walk.conclude();
}

}  // namespace talla::certs

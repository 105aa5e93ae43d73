// Follows the chain of the claim's table up to the claim, and counts what let somebody try again.
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
  Status place_before(const Record& record);
  Status follow(const Record& record);
  Status claimed(const Record& record);
  Status check_behind_settlement(const Record& record);
  [[nodiscard]] std::string claimed_round() const;

  Evidence& evidence_;
  ChainRules rules_;
  const Record* first_ = nullptr;  // behind TABLE_OPEN
  bool whole_ = true;              // no gap behind TABLE_OPEN
  bool claimed_open_ = false;      // the ROUND_OPEN of the claim's round was seen
  bool settled_ = false;           // a SETTLEMENT stands, and the ROUND_END of its round not yet
  Repetitions repetitions_;
};

/// The TABLE_CLOSE before at this place, which the file holds.
Status ChainWalk::place_before(const Record& record) {
  const Record* before = nullptr;
  for (const std::uint64_t seq : record.cites) {
    const Record* cited = evidence_.find(seq);
    if (cited == nullptr || cited->kind != Kind::table_close) continue;
    if (before != nullptr)
      return refuse(VerifyErrc::place_gap, record, "cites two closes of its place");
    before = cited;
  }
  if (before == nullptr) return check_place(record, evidence_.table, nullptr);
  TALLA_TRY(const auto close, TableCloseBody::from_json(before->body));
  const PlaceEnd end{
      .seq = before->seq,
      .table = before->table,
      .place = close.place,
      .opened = close.opened,
      .counts = close.counts,
      .head = chain_head(evidence_.hashes, *before->link, evidence_.leaf_of(*before))};
  TALLA_TRY_STATUS(check_place(record, evidence_.table, &end));
  repetitions_.add(close.voided ? 2 : 1);
  return {};
}

Status ChainWalk::open(const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(place_before(record));
  rules_.open(evidence_.hashes, record, evidence_.table, leaf);
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

/// A round is settled once, by its last act: then come METERs of the table, and its end.
Status ChainWalk::check_behind_settlement(const Record& record) {
  if (settled_ && record.kind != Kind::meter && record.kind != Kind::round_end)
    return refuse(VerifyErrc::round_settled, record, "the round was settled before");
  if (record.kind == Kind::settlement || record.kind == Kind::round_end)
    settled_ = record.kind == Kind::settlement && ends_content(record.body);
  return {};
}

Status ChainWalk::step(const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(follow(record));
  TALLA_TRY_STATUS(rules_.step(evidence_.hashes, record, leaf));
  TALLA_TRY_STATUS(claimed(record));
  TALLA_TRY_STATUS(check_behind_settlement(record));
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
    if (!whole_)
      evidence_.not_checked(Note::chain_before, {{"table", id}, {"first", span[1].second}});
  }
  const games::RefusalValues opening{{"place", evidence_.table.place},
                                     {"opened", std::to_string(evidence_.table.opened)}};
  if (whole_ && evidence_.table.opened == 1) {
    evidence_.checked(Note::place_first, opening);
  } else {
    evidence_.not_checked(Note::place_before, opening);
  }
  return {};
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

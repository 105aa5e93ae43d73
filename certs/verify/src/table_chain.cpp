// Follows the chain of the claim's table: links, place, one round and one shoe at a time, counts.
#include <algorithm>

#include "evidence.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"

namespace talla::certs {
namespace {

/// One pass over the records of the table, in order. The file holds TABLE_OPEN and, behind one gap
/// or none, every record up to the claim.
class ChainWalk {
 public:
  explicit ChainWalk(Evidence& evidence) : evidence_(evidence) {}

  Status open(const Record& record);
  Status step(const Record& record, const Digest& leaf);
  Status conclude() const;

 private:
  Status follow(const Record& record);
  Status place_before(const Record& record);
  Status round(const Record& record);
  Status round_open(const Record& record);
  Status shoe(const Record& record);
  Status table_close(const Record& record);
  Status count(const Record& record);
  Status repeat(const Record& record);
  Status compare(const Record& record, const PlaceCounts& said);
  [[nodiscard]] std::string claimed_round() const;

  /// The object of a class that is open at this point of the chain.
  struct Live {
    bool known = false;                   ///< else the file begins behind what would say it
    std::string id;                       ///< empty: none
    std::optional<std::uint64_t> number;  ///< of the last one
  };
  Evidence& evidence_;
  const Record* last_ = nullptr;
  const Record* first_ = nullptr;  // behind TABLE_OPEN
  Digest head_{};
  bool whole_ = true;  // no gap behind TABLE_OPEN
  Live round_;
  Live shoe_;
  bool ended_ = false;  // a ROUND_END was seen
  const Record* last_end_ = nullptr;
  bool closed_ = false;
  bool claimed_open_ = false;  // the ROUND_OPEN of the claim's round was seen
  std::optional<PlaceCounts> counts_;
  bool dealt_from_ = false;  // a SHOE_MIX or DRAW was seen, or may stand in the gap
  bool settled_ = true;      // the open round, as far as it was seen
};

/// The TABLE_CLOSE before at this place: cited, of the same place, one opening less, and the link.
Status ChainWalk::place_before(const Record& record) {
  const TableOpenBody& table = evidence_.table;
  const Record* before = nullptr;
  for (const std::uint64_t seq : record.cites) {
    const Record* cited = evidence_.find(seq);
    if (cited == nullptr || cited->kind != Kind::table_close) continue;
    if (before != nullptr)
      return refuse(VerifyErrc::place_gap, record, "cites two closes of its place");
    before = cited;
  }
  if (table.opened == 1) {
    if (before != nullptr || !table.continues.empty() || *record.link != Digest{})
      return refuse(VerifyErrc::place_gap, record, "the first opening of a place follows none");
    return {};
  }
  if (before == nullptr)
    return refuse(VerifyErrc::place_gap, record, "the TABLE_CLOSE before at its place is missing");
  TALLA_TRY(const auto close, TableCloseBody::from_json(before->body));
  const bool same = close.place == table.place && close.opened + 1 == table.opened &&
                    (table.continues.empty() || table.continues == before->table);
  if (!same)
    return refuse(VerifyErrc::place_gap, record, "does not follow the opening before at its place");
  if (*record.link != chain_head(evidence_.hashes, *before->link, evidence_.leaf_of(*before)))
    return refuse(VerifyErrc::link_gap, record, "its link is not that behind the TABLE_CLOSE");
  if (close.counts != table.counts)
    return refuse(VerifyErrc::totals_wrong, record, "its counts are not those of the close before");
  evidence_.repetitions += close.voided ? 2 : 1;
  return {};
}

Status ChainWalk::open(const Record& record) {
  TALLA_TRY_STATUS(place_before(record));
  counts_ = evidence_.table.counts;
  round_.known = shoe_.known = true;
  round_.number = shoe_.number = 0;
  last_ = &record;
  return {};
}

/// Each record names the one before it; once, behind TABLE_OPEN, records may be left out.
Status ChainWalk::follow(const Record& record) {
  if (closed_) return refuse(VerifyErrc::link_gap, record, "the table was closed before");
  if (record.seq > evidence_.claim->seq)
    return refuse(VerifyErrc::link_gap, record, "stands behind the claim");
  const bool first = first_ == nullptr;
  if (first) first_ = &record;
  if (record.prev == last_->seq) {
    if (*record.link == head_) return {};
    return refuse(VerifyErrc::link_gap, record, "its link is not that of the record before");
  }
  if (!first || *record.prev < last_->seq)
    return refuse(VerifyErrc::link_gap, record, "the record before of its table is missing");
  whole_ = false;
  dealt_from_ = true;
  counts_.reset();
  round_ = {};
  shoe_ = {};
  return {};
}

Status ChainWalk::compare(const Record& record, const PlaceCounts& said) {
  if (counts_ && *counts_ != said)
    return refuse(VerifyErrc::totals_wrong, record, "its counts are not those of the chain");
  counts_ = said;
  return {};
}

Status ChainWalk::round_open(const Record& record) {
  TALLA_TRY(const auto body, RoundOpenBody::from_json(record.body));
  if (round_.known && !round_.id.empty())
    return refuse(VerifyErrc::two_rounds, record, round_.id + " is open");
  if (round_.number && body.number != *round_.number + 1)
    return refuse(VerifyErrc::number_gap, record, "is not the next round of the table");
  if (!std::binary_search(record.cites.begin(), record.cites.end(), evidence_.table_record->seq))
    return refuse(VerifyErrc::wrong_citation, record, "does not cite its TABLE_OPEN");
  if (last_end_ != nullptr &&
      !std::binary_search(record.cites.begin(), record.cites.end(), last_end_->seq))
    return refuse(VerifyErrc::wrong_citation, record, "does not cite the ROUND_END before");
  if (shoe_.known && !body.shoe.empty() && body.shoe != shoe_.id)
    return refuse(VerifyErrc::two_live, record, "names another shoe than the live one");
  if (claimed_round() == record.object) {
    if (!whole_ && !ended_)
      return refuse(VerifyErrc::link_gap, record, "the ROUND_END before it is missing");
    claimed_open_ = true;
  }
  round_ = {.known = true, .id = record.object, .number = body.number};
  return {};
}

Status ChainWalk::round(const Record& record) {
  if (record.kind == Kind::round_open) return round_open(record);
  if (round_.known && round_.id != record.object)
    return refuse(VerifyErrc::two_rounds, record,
                  round_.id.empty() ? "no round is open" : round_.id + " is open");
  round_.known = true;
  round_.id = record.object;
  if (record.kind != Kind::round_end) return {};
  TALLA_TRY(const auto body, RoundEndBody::from_json(record.body));
  round_.id.clear();
  ended_ = true;
  last_end_ = &record;
  return compare(record, body.counts);
}

Status ChainWalk::shoe(const Record& record) {
  if (record.kind == Kind::shoe_commit) {
    TALLA_TRY(const auto body, ShoeCommitBody::from_json(record.body));
    if (shoe_.known && !shoe_.id.empty())
      return refuse(VerifyErrc::two_live, record, shoe_.id + " is live");
    if (shoe_.number && body.number != *shoe_.number + 1)
      return refuse(VerifyErrc::number_gap, record, "is not the next shoe of the table");
    shoe_ = {.known = true, .id = record.object, .number = body.number};
    return {};
  }
  if (shoe_.known && shoe_.id != record.object)
    return refuse(VerifyErrc::two_live, record,
                  shoe_.id.empty() ? "no shoe is live" : shoe_.id + " is live");
  shoe_.known = true;
  shoe_.id = record.kind == Kind::shoe_close ? std::string() : record.object;
  return {};
}

Status ChainWalk::table_close(const Record& record) {
  TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
  closed_ = true;
  if (body.place != evidence_.table.place || body.opened != evidence_.table.opened)
    return refuse(VerifyErrc::place_gap, record, "names another opening than its TABLE_OPEN");
  if (round_.known && !round_.id.empty())
    return refuse(VerifyErrc::two_rounds, record, round_.id + " is open");
  if (shoe_.known && !shoe_.id.empty())
    return refuse(VerifyErrc::two_live, record, shoe_.id + " is live");
  if (round_.number && body.rounds != *round_.number)
    return refuse(VerifyErrc::totals_wrong, record, "counts another number of rounds");
  return compare(record, body.counts);
}

/// A CALL, or a core that became none.
bool takes_turn(const Record& record) {
  return record.kind == Kind::call ||
         (record.kind == Kind::void_call && record.body.find("core") != nullptr);
}

/// N: what lets somebody try again. Whether a round that was opened in the gap is settled, this
/// file does not say.
Status ChainWalk::repeat(const Record& record) {
  std::uint64_t& n = evidence_.repetitions;
  switch (record.kind) {
    case Kind::void_call:
      ++n;
      break;
    case Kind::shoe_mix:
    case Kind::draw:
      dealt_from_ = true;
      break;
    case Kind::misdeal:
      if (dealt_from_) ++n;
      break;
    case Kind::round_open:
      settled_ = false;
      break;
    case Kind::settlement:
      settled_ = true;
      break;
    case Kind::round_end:
      if (dealt_from_ && !settled_) ++n;
      settled_ = true;
      break;
    case Kind::shoe_close: {
      TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
      if (dealt_from_ && closes_early(body.reason)) ++n;
      break;
    }
    case Kind::table_close: {
      TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
      if (dealt_from_ && body.voided) ++n;
      break;
    }
    default:
      break;
  }
  return {};
}

Status ChainWalk::count(const Record& record) {
  if (!counts_) return {};
  if (takes_turn(record)) ++counts_->turns;
  if (record.kind == Kind::void_call) ++counts_->voids;
  if (record.kind == Kind::shoe_close) {
    TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
    if (closes_early(body.reason)) ++counts_->early_closes;
  }
  if (record.kind == Kind::table_close) {
    TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
    if (body.voided) ++counts_->early_closes;
  }
  return {};
}

Status ChainWalk::step(const Record& record, const Digest& leaf) {
  if (record.kind != Kind::table_open) {
    TALLA_TRY_STATUS(follow(record));
    TALLA_TRY_STATUS(count(record));
    if (&record != evidence_.claim) TALLA_TRY_STATUS(repeat(record));
    const std::string_view own = class_of_object(record.kind, record.body);
    if (own == kind_object(Kind::round_open)) TALLA_TRY_STATUS(round(record));
    if (own == kind_object(Kind::shoe_commit)) TALLA_TRY_STATUS(shoe(record));
    if (record.kind == Kind::table_close) TALLA_TRY_STATUS(table_close(record));
  }
  last_ = &record;
  head_ = chain_head(evidence_.hashes, *record.link, leaf);
  return {};
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
  const std::string claimed = claimed_round();
  if (!claimed.empty() && claimed != "0" && !claimed_open_)
    return refuse(VerifyErrc::link_gap, *evidence_.claim, "the ROUND_OPEN of its round is missing");
  const std::string& id = evidence_.table_record->object;
  if (first_ != nullptr) {
    const games::RefusalValues span{{"table", id},
                                    {"first", std::to_string(first_->seq)},
                                    {"last", std::to_string(last_->seq)}};
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
  TALLA_TRY_STATUS(walk.open(*evidence.table_record));
  for (const Record& record : evidence.records) {
    if (record.table != table || !record.link) continue;
    if (record.kind == Kind::table_open && &record != evidence.table_record)
      return refuse(VerifyErrc::link_gap, record, "opens the table again");
    TALLA_TRY_STATUS(walk.step(record, evidence.leaf_of(record)));
  }
  return walk.conclude();
}

}  // namespace talla::certs

// What the chain of one table holds to: links, places, one round and one shoe at a time, counts.
#include "chain_rules.hpp"

#include <algorithm>

#include "evidence.hpp"
#include "format/body_machine.hpp"
#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "format/parts.hpp"

namespace talla::certs {

namespace {

bool has_purpose(const Record& record, std::string_view purpose) {
  const json::Value* named = record.kind == Kind::key ? record.body.find("purpose") : nullptr;
  return named != nullptr && named->is_string() && named->string() == purpose;
}

/// First line of a checkpoint.
std::string_view origin_of(std::span<const std::uint8_t> checkpoint) {
  const std::string_view text = as_text(checkpoint);
  return text.substr(0, text.find('\n'));
}

}  // namespace

bool is_place_key(const Record& record) {
  return has_purpose(record, "place");
}

bool names_predecessor(const Record& record) {
  return record.seq == 0 && has_purpose(record, "log") &&
         record.body.find("predecessor") != nullptr;
}

Result<PlaceEnd> place_of_key(const Record& record, const Record* first) {
  TALLA_TRY(KeyBody body, KeyBody::from_json(record.body));
  if (first != nullptr) {
    TALLA_TRY(const KeyBody names, KeyBody::from_json(first->body));
    if (origin_of(names.predecessor) != body.origin)
      return tl::unexpected(refuse(VerifyErrc::predecessor_wrong, record,
                                   "is of another log than the first KEY names")
                                .error());
  }
  return PlaceEnd{.seq = record.seq,
                  .origin = std::move(body.origin),
                  .table = {},
                  .place = std::move(body.place),
                  .opened = body.opened,
                  .counts = body.counts};
}

Status check_place(const Record& record, const TableOpenBody& table, const PlaceEnd* before) {
  if (table.opened == 1) {
    if (before != nullptr || !table.continues.empty() || *record.link != Digest{})
      return refuse(VerifyErrc::place_gap, record, "the first opening of a place follows none");
    return {};
  }
  if (before == nullptr && !table.predecessor.empty())
    return refuse(VerifyErrc::predecessor_wrong, record,
                  "does not cite the KEY of its place in the log before");
  if (before == nullptr)
    return refuse(VerifyErrc::place_gap, record, "the TABLE_CLOSE before at its place is missing");
  if (before->origin != table.predecessor)
    return refuse(VerifyErrc::predecessor_wrong, record,
                  before->origin.empty()
                      ? "the opening before at its place is of this log"
                      : "goes on from " + before->origin + " and does not name it");
  const bool same = before->place == table.place && before->opened + 1 == table.opened &&
                    (table.continues.empty() || table.continues == before->table);
  if (!same)
    return refuse(VerifyErrc::place_gap, record, "does not follow the opening before at its place");
  if (*record.link != before->head)
    return refuse(VerifyErrc::link_gap, record, "its link is not that behind the opening before");
  if (before->counts != table.counts)
    return refuse(VerifyErrc::totals_wrong, record, "its counts are not those of the close before");
  return {};
}

void ChainRules::open(const HashSuite& hashes, const Record& record, const TableOpenBody& body,
                      const Digest& leaf) {
  said_ = Opening{.place = body.place, .opened = body.opened};
  if (record.client) client_ = record.client->id;
  counts_ = body.counts;
  round_ = shoe_ = {.known = true, .id = {}, .number = 0};
  dealt_ = 0;
  linked_ = true;
  last_ = record.seq;
  head_ = chain_head(hashes, *record.link, leaf);
}

void ChainRules::forget() {
  linked_ = false;
  counts_.reset();
  dealt_.reset();
  round_ = {};
  shoe_ = {};
}

Status ChainRules::step(const HashSuite& hashes, const Record& record, const Digest& leaf) {
  TALLA_TRY_STATUS(follows(record));
  TALLA_TRY_STATUS(asked(record));
  if (counts_) TALLA_TRY_STATUS(count(*counts_, record));
  const std::string_view own = class_of_object(record.kind, record.body);
  if (own == kind_object(Kind::round_open)) TALLA_TRY_STATUS(round(record));
  if (own == kind_object(Kind::shoe_commit)) {
    TALLA_TRY_STATUS(shoe(record));
    TALLA_TRY_STATUS(cards(record));
  }
  TALLA_TRY_STATUS(settled(record));
  if (record.kind == Kind::table_close) TALLA_TRY_STATUS(table_close(record));
  linked_ = true;
  last_ = record.seq;
  head_ = chain_head(hashes, *record.link, leaf);
  return {};
}

Status ChainRules::follows(const Record& record) const {
  if (record.kind == Kind::table_open)
    return refuse(VerifyErrc::link_gap, record, "opens the table again");
  if (closed_) return refuse(VerifyErrc::link_gap, record, "the table was closed before");
  if (!linked_) return {};
  if (record.prev != last_)
    return refuse(VerifyErrc::link_gap, record, "the record before of its table is missing");
  if (*record.link != head_)
    return refuse(VerifyErrc::link_gap, record, "its link is not that of the record before");
  return {};
}

/// What decides a round or lies in it is asked for by the client of the table alone: seats act, a
/// person confirms a hand or a misdeal, a machine reports, and what ends may be ordered.
Status ChainRules::asked(const Record& record) {
  const bool own = record.kind == Kind::round_open || record.kind == Kind::bets_closed ||
                   record.kind == Kind::card_deal || record.kind == Kind::card_open ||
                   record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit ||
                   record.kind == Kind::shoe_release;
  if (!own) return {};
  const std::string_view id = record.client ? std::string_view(record.client->id) : "";
  if (client_.empty()) client_ = id;
  if (id.empty() || id != client_)
    return refuse(VerifyErrc::client_other, record, "is not of the client of its table");
  return {};
}

Status ChainRules::compare(const Record& record, const PlaceCounts& said) {
  if (counts_ && *counts_ != said)
    return refuse(VerifyErrc::totals_wrong, record, "its counts are not those of the chain");
  counts_ = said;
  return {};
}

Status ChainRules::round_open(const Record& record) {
  TALLA_TRY(const auto body, RoundOpenBody::from_json(record.body));
  const auto cites = [&](std::uint64_t seq) {
    return std::binary_search(record.cites.begin(), record.cites.end(), seq);
  };
  if (round_.known && !round_.id.empty())
    return refuse(VerifyErrc::two_rounds, record, round_.id + " is open");
  if (round_.number && body.number != *round_.number + 1)
    return refuse(VerifyErrc::number_gap, record, "is not the next round of the table");
  if (!cites(opening_))
    return refuse(VerifyErrc::round_uncited, record, "does not cite its TABLE_OPEN");
  if (last_end_ && !cites(*last_end_))
    return refuse(VerifyErrc::round_uncited, record, "does not cite the ROUND_END before");
  if (shoe_.known && !body.shoe.empty() && body.shoe != shoe_.id)
    return refuse(VerifyErrc::two_live, record, "names another shoe than the live one");
  round_ = {.known = true, .id = record.object, .number = body.number};
  return {};
}

Status ChainRules::round(const Record& record) {
  if (record.kind == Kind::round_open) return round_open(record);
  if (round_.known && round_.id != record.object)
    return refuse(VerifyErrc::two_rounds, record,
                  round_.id.empty() ? "no round is open" : round_.id + " is open");
  round_.known = true;
  round_.id = record.object;
  if (record.kind != Kind::round_end) return {};
  TALLA_TRY(const auto body, RoundEndBody::from_json(record.body));
  round_.id.clear();
  last_end_ = record.seq;
  TALLA_TRY_STATUS(check_dealt(record, body.dealt));
  return compare(record, body.counts);
}

/// A round is settled once, by its last act: then come METERs of the table, and its end.
Status ChainRules::settled(const Record& record) {
  if (settled_ && record.kind != Kind::meter && record.kind != Kind::round_end)
    return refuse(VerifyErrc::round_settled, record, "the round was settled before");
  if (record.kind == Kind::settlement || record.kind == Kind::round_end)
    settled_ = record.kind == Kind::settlement && ends_content(record.body);
  return {};
}

/// How many lie under the newest root. Positions and the close's count are the shoe's own matter.
Status ChainRules::cards(const Record& record) {
  if (record.kind == Kind::shoe_commit || record.kind == Kind::shoe_recommit ||
      record.kind == Kind::shoe_close) {
    dealt_ = 0;
  } else if (record.kind == Kind::card_deal) {
    TALLA_TRY(const auto body, CardDealBody::from_json(record.body));
    dealt_ = body.position + 1;
  }
  return {};
}

Status ChainRules::check_dealt(const Record& record, std::uint32_t dealt) {
  if (dealt_ && *dealt_ != dealt)
    return refuse(VerifyErrc::dealt_wrong, record,
                  "counts " + std::to_string(dealt) + " cards where " + std::to_string(*dealt_) +
                      " lie under the newest root");
  dealt_ = dealt;
  return {};
}

Status ChainRules::shoe(const Record& record) {
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

Status ChainRules::table_close(const Record& record) {
  TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
  closed_ = true;
  if (said_ && (body.place != said_->place || body.opened != said_->opened))
    return refuse(VerifyErrc::place_gap, record, "names another opening than its TABLE_OPEN");
  if (round_.known && !round_.id.empty())
    return refuse(VerifyErrc::two_rounds, record, round_.id + " is open");
  if (shoe_.known && !shoe_.id.empty())
    return refuse(VerifyErrc::two_live, record, shoe_.id + " is live");
  if (round_.number && body.rounds != *round_.number)
    return refuse(VerifyErrc::totals_wrong, record, "counts another number of rounds");
  return compare(record, body.counts);
}

}  // namespace talla::certs

// Follows the chains of all tables of a log in one reading.
#include "log_chains.hpp"

#include <algorithm>

#include "evidence.hpp"
#include "format/body_end.hpp"

namespace talla::certs {

void LogChains::forget() {
  begin_.reset();
  open_.clear();
  places_.clear();
  closes_.clear();
  predecessor_.reset();
  ended_.clear();
  tables_ = begun_before_ = 0;
}

Status LogChains::take(const Record& record, const Digest& leaf) {
  if (!begin_) begin_ = record.seq;
  if (record.kind == Kind::key) return key(record);
  // A record of an unknown kind stands in no chain, whatever it says of itself.
  if (record.kind == Kind::unknown || !record.link) return {};
  if (record.kind == Kind::table_open) return open(record, leaf);
  TALLA_TRY(const auto at, find(record));
  Table& table = at->second;
  TALLA_TRY_STATUS(table.rules.step(hashes_, record, leaf));
  TALLA_TRY_STATUS(turn(table, record));
  if (!table.rules.closed()) return {};
  TALLA_TRY_STATUS(close(record, table));
  open_.erase(at);
  return {};
}

/// What the log says of the one before: once of each place, before anything is opened there.
Status LogChains::key(const Record& record) {
  if (names_predecessor(record)) predecessor_ = record;
  if (!is_place_key(record)) return {};
  const bool cites = predecessor_ && std::ranges::binary_search(record.cites, predecessor_->seq);
  if (!cites && (record.cites.empty() || record.cites.front() >= *begin_))
    return refuse(VerifyErrc::predecessor_wrong, record,
                  "does not cite the KEY that names the log before");
  TALLA_TRY(PlaceEnd end, place_of_key(record, cites ? &*predecessor_ : nullptr));
  const auto [known, fresh] = places_.try_emplace(end.place);
  if (!fresh)
    return refuse(VerifyErrc::predecessor_wrong, record,
                  "a table was opened at its place, or another KEY says it");
  closes_.insert(record.seq);
  known->second.end = std::move(end);
  return {};
}

/// The table, open so far; one that was opened before the first record is met here.
Result<LogChains::Tables::iterator> LogChains::find(const Record& record) {
  const auto known = open_.find(record.table);
  if (known != open_.end()) return known;
  const auto none = [&](std::string_view why) {
    return tl::unexpected(refuse(VerifyErrc::link_gap, record, why).error());
  };
  TALLA_TRY(const std::uint64_t opening, object_seq("table", record.table));
  if (opening >= *begin_ || ended_.contains(record.table)) return none("its table is not open");
  if (*record.prev >= *begin_) return none("the record before of its table is missing");
  const auto met = open_.emplace(record.table, Table(opening)).first;
  met->second.turns.forget(*begin_);
  ++tables_;
  ++begun_before_;
  return met;
}

/// The opening before at the place is the last one there, and the only close that is cited.
Status LogChains::check_opening(const Record& record, const TableOpenBody& body) {
  const auto known = places_.find(body.place);
  if (known != places_.end() && !known->second.table.empty())
    return refuse(VerifyErrc::place_gap, record, known->second.table + " is open at its place");
  const PlaceEnd* last =
      known != places_.end() && known->second.end ? &*known->second.end : nullptr;
  const auto other = std::ranges::find_if(record.cites, [&](std::uint64_t seq) {
    return closes_.contains(seq) && (last == nullptr || seq != last->seq);
  });
  if (other != record.cites.end())
    return refuse(VerifyErrc::place_gap, record,
                  "record " + std::to_string(*other) + " is of another place");
  const bool before = !record.cites.empty() && record.cites.front() < *begin_;
  if (last == nullptr && body.opened > 1 && before) {
    ++begun_before_;
    return {};
  }
  const bool cited =
      last != nullptr && std::binary_search(record.cites.begin(), record.cites.end(), last->seq);
  return check_place(record, body, cited || body.opened == 1 ? last : nullptr);
}

Status LogChains::open(const Record& record, const Digest& leaf) {
  TALLA_TRY(const auto body, TableOpenBody::from_json(record.body));
  TALLA_TRY_STATUS(check_opening(record, body));
  Table table(record.seq);
  table.rules.open(hashes_, record, body, leaf);
  table.turns.open();
  table.mix = body.policy.mix;
  table.opened_here = true;
  open_.insert_or_assign(record.object, std::move(table));
  places_[body.place].table = record.object;
  ++tables_;
  return {};
}

Status LogChains::turn(Table& table, const Record& record) {
  TALLA_TRY_STATUS(table.turns.undisturbed(record, table.mix));
  if (takes_turn(record)) TALLA_TRY_STATUS(table.turns.next(record));
  if (record.kind == Kind::call) table.turns.call(record);
  if (!ends_turn(record)) return {};
  TALLA_TRY_STATUS(table.turns.ends(record));
  table.turns.end();
  return {};
}

/// A table whose opening was not seen says here at which place it was; nothing else was open there.
Status LogChains::close(const Record& record, const Table& table) {
  TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
  const auto known = places_.find(body.place);
  if (!table.opened_here) {
    if (known != places_.end())
      return refuse(VerifyErrc::place_gap, record, "another table was opened at its place");
    ended_.insert(record.table);
  }
  Place& place = places_[body.place];
  if (place.end) closes_.erase(place.end->seq);
  place.table.clear();
  place.end = PlaceEnd{.seq = record.seq,
                       .origin = {},
                       .table = record.table,
                       .place = body.place,
                       .opened = body.opened,
                       .counts = body.counts,
                       .head = table.rules.head()};
  closes_.insert(record.seq);
  return {};
}

}  // namespace talla::certs

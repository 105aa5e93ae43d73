// What a log that ended in a backup leaves of its places: how often each was opened, and counts.
#include <map>
#include <utility>

#include "certs/succession.hpp"
#include "format/body_machine.hpp"
#include "format/body_table.hpp"
#include "format/place_counts.hpp"

namespace talla::certs {

namespace {

constexpr std::uint64_t records_at_once = 1000;

struct PlaceLeft {
  std::uint64_t opened = 0;
  PlaceCounts counts;
};

/// A table without its TABLE_CLOSE so far.
struct OpenTable {
  std::string place;
  std::uint64_t opened = 0;
  PlaceCounts counts;
  std::uint64_t calls = 0;  ///< without a result
};

/// Places of the whole ledger, while its records are read once.
class PlacesRead {
 public:
  Status take(const LedgerRecord& stored);
  [[nodiscard]] std::map<std::string, PlaceLeft> left() &&;

 private:
  Status open(const Record& record);
  Status close(const Record& record);
  Status key(const Record& record);
  Status count(const Record& record);

  std::map<std::string, PlaceLeft> places_;
  std::map<std::string, OpenTable> open_;
};

/// A table without a name of the house is at a place of its own, which its id names: another log
/// has other ids.
bool has_name(const std::string& place) {
  return !object_seq(kind_object(Kind::table_open), place);
}

Status PlacesRead::open(const Record& record) {
  TALLA_TRY(TableOpenBody body, TableOpenBody::from_json(record.body));
  if (!has_name(body.place)) return {};
  open_.insert_or_assign(record.object, OpenTable{.place = std::move(body.place),
                                                  .opened = body.opened,
                                                  .counts = body.counts,
                                                  .calls = 0});
  return {};
}

Status PlacesRead::close(const Record& record) {
  TALLA_TRY(TableCloseBody body, TableCloseBody::from_json(record.body));
  open_.erase(record.object);
  if (has_name(body.place)) places_[std::move(body.place)] = {body.opened, body.counts};
  return {};
}

/// A place of the log before this one, where no table was opened since.
Status PlacesRead::key(const Record& record) {
  TALLA_TRY(KeyBody body, KeyBody::from_json(record.body));
  if (body.purpose == KeyPurpose::place)
    places_[std::move(body.place)] = {body.opened, body.counts};
  return {};
}

Status PlacesRead::count(const Record& record) {
  const auto found = open_.find(record.table);
  if (found == open_.end()) return {};
  OpenTable& table = found->second;
  TALLA_TRY_STATUS(certs::count(table.counts, record));
  if (record.kind == Kind::call) ++table.calls;
  const bool result = record.kind == Kind::shoe_mix || record.kind == Kind::draw ||
                      (record.kind == Kind::void_call && !takes_turn(record));
  if (result && table.calls > 0) --table.calls;
  return {};
}

Status PlacesRead::take(const LedgerRecord& stored) {
  switch (stored.kind) {
    case Kind::table_open:
    case Kind::table_close:
    case Kind::key:
    case Kind::call:
    case Kind::void_call:
    case Kind::shoe_mix:
    case Kind::draw:
    case Kind::shoe_close:
      break;
    default:
      return {};
  }
  TALLA_TRY(const Record record, parse_record(stored.bytes));
  if (record.kind == Kind::table_open) return open(record);
  if (record.kind == Kind::table_close) return close(record);
  if (record.kind == Kind::key) return key(record);
  return count(record);
}

/// A CALL that was open ended without its result, and so did a table.
std::map<std::string, PlaceLeft> PlacesRead::left() && {
  for (auto& [id, table] : open_) {
    count_lost(table.counts, table.calls);
    places_[std::move(table.place)] = {table.opened, table.counts};
  }
  return std::move(places_);
}

}  // namespace

Result<std::vector<json::Value>> predecessor_places(const Ledger& ledger,
                                                    const std::string& origin) {
  PlacesRead read;
  const std::uint64_t size = ledger.size();
  for (std::uint64_t at = 0; at < size; at += records_at_once) {
    TALLA_TRY(const auto records, ledger.records(at, std::min(size, at + records_at_once)));
    for (const LedgerRecord& stored : records) TALLA_TRY_STATUS(read.take(stored));
  }
  std::vector<json::Value> bodies;
  for (auto& [name, left] : std::move(read).left()) {
    KeyBody body;
    body.purpose = KeyPurpose::place;
    body.origin = origin;
    body.place = name;
    body.opened = left.opened;
    body.counts = left.counts;
    bodies.push_back(body.to_json());
  }
  return bodies;
}

}  // namespace talla::certs

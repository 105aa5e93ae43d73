// What is a turn, a void and an early close of a place.
#include "format/place_counts.hpp"

namespace talla::certs {

bool takes_turn(const Record& record) {
  return record.kind == Kind::call ||
         (record.kind == Kind::void_call && record.body.find("core") != nullptr);
}

void count_call(PlaceCounts& counts) {
  ++counts.turns;
}

void count(PlaceCounts& counts, const VoidBody& body) {
  if (body.lapsed) count_call(counts);
  ++counts.voids;
}

void count(PlaceCounts& counts, const ShoeCloseBody& body) {
  if (closes_early(body.reason)) ++counts.early_closes;
}

void count(PlaceCounts& counts, const TableCloseBody& body) {
  if (body.voided) ++counts.early_closes;
}

void count_lost(PlaceCounts& counts, std::uint64_t open_calls) {
  counts.voids += open_calls;
  ++counts.early_closes;
}

Status count(PlaceCounts& counts, const Record& record) {
  if (takes_turn(record)) count_call(counts);
  if (record.kind == Kind::void_call) ++counts.voids;
  if (record.kind == Kind::shoe_close) {
    TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
    count(counts, body);
  }
  if (record.kind == Kind::table_close) {
    TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
    count(counts, body);
  }
  return {};
}

}  // namespace talla::certs

// The names of record kinds, the objects they belong to, and the ids of objects.
#include <array>

#include "decimal.hpp"
#include "format/errc.hpp"
#include "format/record.hpp"
#include "text_writer.hpp"

namespace talla::certs {
namespace {

struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view object;
  bool opens = false;
};
constexpr std::array kinds = {
    KindRow{Kind::unknown, "", ""},
    KindRow{Kind::power, "POWER", ""},
    KindRow{Kind::software, "SOFTWARE", ""},
    KindRow{Kind::config, "CONFIG", ""},
    KindRow{Kind::key, "KEY", ""},
    KindRow{Kind::selftest, "SELFTEST", ""},
    KindRow{Kind::health, "HEALTH", ""},
    KindRow{Kind::reseed, "RESEED", ""},
    KindRow{Kind::access, "ACCESS", ""},
    KindRow{Kind::table_open, "TABLE_OPEN", "table", true},
    KindRow{Kind::table_close, "TABLE_CLOSE", "table"},
    KindRow{Kind::round_open, "ROUND_OPEN", "round", true},
    KindRow{Kind::bets_closed, "BETS_CLOSED", "round"},
    KindRow{Kind::action, "ACTION", "round"},
    KindRow{Kind::misdeal, "MISDEAL", "round"},
    KindRow{Kind::hand_confirmed, "HAND_CONFIRMED", "round"},
    KindRow{Kind::settlement, "SETTLEMENT", "round"},
    KindRow{Kind::round_end, "ROUND_END", "round"},
    KindRow{Kind::meter, "METER", "table"},
    KindRow{Kind::shoe_commit, "SHOE_COMMIT", "shoe", true},
    KindRow{Kind::shoe_cut, "SHOE_CUT", "shoe"},
    KindRow{Kind::card_deal, "CARD_DEAL", "shoe"},
    KindRow{Kind::card_open, "CARD_OPEN", "shoe"},
    KindRow{Kind::shoe_recommit, "SHOE_RECOMMIT", "shoe"},
    KindRow{Kind::shoe_release, "SHOE_RELEASE", "shoe"},
    KindRow{Kind::shuffle_report, "SHUFFLE_REPORT", "shoe"},
    KindRow{Kind::shoe_close, "SHOE_CLOSE", "shoe"},
    KindRow{Kind::batch_commit, "BATCH_COMMIT", "batch", true},
    KindRow{Kind::intent, "INTENT", "batch"},
    KindRow{Kind::draw, "DRAW", "batch"},
    KindRow{Kind::void_draw, "VOID", "batch"},
    KindRow{Kind::batch_close, "BATCH_CLOSE", "batch"},
    KindRow{Kind::meter_open, "METER_OPEN", "meter", true},
    KindRow{Kind::meter_close, "METER_CLOSE", "meter"},
};
constexpr bool rows_in_order() {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (static_cast<std::size_t>(kinds[i].kind) != i) return false;
  }
  return true;
}
static_assert(rows_in_order());

const KindRow& row(Kind kind) {
  return kinds.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view kind_name(Kind kind) {
  return row(kind).name;
}
std::string_view kind_object(Kind kind) {
  return row(kind).object;
}
std::string_view class_of_object(Kind kind, const json::Value& body) {
  const bool shared = kind == Kind::meter && body.find("round") != nullptr;
  return kind_object(shared ? Kind::meter_open : kind);
}
bool kind_opens(Kind kind) {
  return row(kind).opens;
}

Kind kind_from_name(std::string_view name) {
  for (const KindRow& candidate : kinds) {
    if (candidate.name == name) return candidate.kind;
  }
  return Kind::unknown;
}

std::string object_id(std::string_view object_class, std::uint64_t seq) {
  return std::string(object_class) + "-" + std::to_string(seq);
}

Result<std::uint64_t> object_seq(std::string_view object_class, std::string_view id) {
  const auto refuse = [] {
    return fail(FormatErrc::malformed_record, "record: malformed object id");
  };
  if (!id.starts_with(object_class) || id.size() < object_class.size() + 2 ||
      id[object_class.size()] != '-') {
    return refuse();
  }
  const auto seq = decimal_number(id.substr(object_class.size() + 1));
  if (!seq || *seq > largest_number) return refuse();
  return *seq;
}

}  // namespace talla::certs

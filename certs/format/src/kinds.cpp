// Every kind with its name, the object it belongs to and its body, one row each; ids of objects.
#include "format/kinds.hpp"

#include <array>

#include "decimal.hpp"
#include "format/body_answer.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_machine.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"
#include "format/body_table.hpp"
#include "format/errc.hpp"
#include "format/record.hpp"
#include "member_table.hpp"
#include "text_writer.hpp"

namespace talla::certs {
namespace {

/// What follows from the typed body of a kind.
using CheckBody = Status (*)(const json::Value&);
using BodyMembers = MemberTable (*)();

struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view object;
  CheckBody check;
  BodyMembers members;
  bool opens = false;
};

template <class Body>
Status check_as(const json::Value& body) {
  auto parsed = Body::from_json(body);
  if (!parsed) return pass(std::move(parsed));
  return {};
}
Status check_object_alone(const json::Value& body) {
  if (!body.is_object())
    return fail(FormatErrc::malformed_body, "record.body: an object is expected");
  return {};
}

template <class Body>
constexpr KindRow row_of(Kind kind, std::string_view name, std::string_view object) {
  return {kind, name, object, check_as<Body>, members_of<Body>};
}
/// Of a kind that opens its object.
template <class Body>
constexpr KindRow opening_of(Kind kind, std::string_view name, std::string_view object) {
  return {kind, name, object, check_as<Body>, members_of<Body>, true};
}

constexpr std::array kinds = {
    KindRow{Kind::unknown, "", "", check_object_alone, nullptr},
    row_of<PowerBody>(Kind::power, "POWER", ""),
    row_of<SoftwareBody>(Kind::software, "SOFTWARE", ""),
    row_of<ConfigBody>(Kind::config, "CONFIG", ""),
    row_of<KeyBody>(Kind::key, "KEY", ""),
    row_of<SelftestBody>(Kind::selftest, "SELFTEST", ""),
    row_of<HealthBody>(Kind::health, "HEALTH", ""),
    row_of<ReseedBody>(Kind::reseed, "RESEED", ""),
    row_of<AccessBody>(Kind::access, "ACCESS", ""),
    row_of<AnswerBody>(Kind::answer, "ANSWER", ""),
    opening_of<TableOpenBody>(Kind::table_open, "TABLE_OPEN", "table"),
    row_of<TableCloseBody>(Kind::table_close, "TABLE_CLOSE", "table"),
    opening_of<RoundOpenBody>(Kind::round_open, "ROUND_OPEN", "round"),
    row_of<BetsClosedBody>(Kind::bets_closed, "BETS_CLOSED", "round"),
    row_of<ActionBody>(Kind::action, "ACTION", "round"),
    row_of<MisdealBody>(Kind::misdeal, "MISDEAL", "round"),
    row_of<HandConfirmedBody>(Kind::hand_confirmed, "HAND_CONFIRMED", "round"),
    row_of<SettlementBody>(Kind::settlement, "SETTLEMENT", "round"),
    row_of<RoundEndBody>(Kind::round_end, "ROUND_END", "round"),
    row_of<MeterBody>(Kind::meter, "METER", "table"),
    opening_of<ShoeCommitBody>(Kind::shoe_commit, "SHOE_COMMIT", "shoe"),
    row_of<ShoeMixBody>(Kind::shoe_mix, "SHOE_MIX", "shoe"),
    row_of<CardDealBody>(Kind::card_deal, "CARD_DEAL", "shoe"),
    row_of<CardOpenBody>(Kind::card_open, "CARD_OPEN", "shoe"),
    row_of<ShoeRecommitBody>(Kind::shoe_recommit, "SHOE_RECOMMIT", "shoe"),
    row_of<ShoeReleaseBody>(Kind::shoe_release, "SHOE_RELEASE", "shoe"),
    row_of<ShuffleReportBody>(Kind::shuffle_report, "SHUFFLE_REPORT", "shoe"),
    row_of<ShoeCloseBody>(Kind::shoe_close, "SHOE_CLOSE", "shoe"),
    opening_of<BatchCommitBody>(Kind::batch_commit, "BATCH_COMMIT", "batch"),
    row_of<CallBody>(Kind::call, "CALL", "batch"),
    row_of<DrawBody>(Kind::draw, "DRAW", "batch"),
    row_of<VoidBody>(Kind::void_call, "VOID", "batch"),
    row_of<BatchCloseBody>(Kind::batch_close, "BATCH_CLOSE", "batch"),
    opening_of<MeterOpenBody>(Kind::meter_open, "METER_OPEN", "meter"),
    row_of<MeterCloseBody>(Kind::meter_close, "METER_CLOSE", "meter"),
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
  if (kind == Kind::call) {
    const json::Value* core = body.find("core");
    const json::Value* use = core == nullptr ? nullptr : core->find("use");
    const bool mix =
        use != nullptr && use->is_string() && use->string() == call_use_word(CallUse::mix);
    return kind_object(mix ? Kind::shoe_commit : Kind::batch_commit);
  }
  if (kind == Kind::void_call && body.find("secret") == nullptr) {
    const json::Value* cause = body.find("cause");
    const bool batch = cause == nullptr || *cause == json::Value("unrecoverable");
    return kind_object(body.find("core") != nullptr ? Kind::table_open
                       : batch                      ? Kind::batch_commit
                                                    : Kind::shoe_commit);
  }
  const bool shared = kind == Kind::meter && body.find("round") != nullptr;
  return kind_object(shared ? Kind::meter_open : kind);
}
bool kind_opens(Kind kind) {
  return row(kind).opens;
}
bool kind_chained(Kind kind) {
  return !kind_object(kind).empty() && kind_object(kind) != kind_object(Kind::meter_open);
}

std::vector<Kind> all_kinds() {
  std::vector<Kind> all;
  for (const KindRow& one : kinds) {
    if (one.kind != Kind::unknown) all.push_back(one.kind);
  }
  return all;
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

Status check_body(Kind kind, const json::Value& body) {
  return row(kind).check(body);
}

std::vector<MemberTable> member_tables() {
  std::vector<MemberTable> tables;
  for (const KindRow& one : kinds) {
    if (one.members == nullptr) continue;
    MemberTable table = one.members();
    table.name = one.name;
    table.object = one.object;
    table.opens = one.opens;
    tables.push_back(std::move(table));
  }
  MemberTable context = members_of<Context>();
  context.name = "context";
  tables.push_back(std::move(context));
  return tables;
}

}  // namespace talla::certs

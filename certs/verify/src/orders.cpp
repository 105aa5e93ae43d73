// What two persons have ordered of a table, and the shoe before the one that is called for.
#include "orders.hpp"

#include <algorithm>

#include "again.hpp"
#include "format/body_draw.hpp"
#include "format/body_end.hpp"
#include "format/body_machine.hpp"
#include "format/body_release.hpp"
#include "format/body_shoe.hpp"

namespace talla::certs {
namespace {

/// Records that follow from one order, one behind the other.
bool follows_order(Kind kind) {
  return kind == Kind::void_call || kind == Kind::batch_close || kind == Kind::shoe_close ||
         kind == Kind::round_end || kind == Kind::table_close;
}

bool cites(const Record& record, std::uint64_t seq) {
  return std::ranges::binary_search(record.cites, seq);
}

}  // namespace

void Orders::forget() {
  run_.reset();
  reported_ = left_ = false;
  begins_ = true;
}

Status Orders::step(const Record& record, const Heads& heads) {
  if (left_ && record.kind != Kind::table_close)
    return refuse(VerifyErrc::early_close, record,
                  "stands behind a shoe that was closed early without an order, and is not the "
                  "TABLE_CLOSE");
  left_ = false;
  if (!follows_order(record.kind)) run_.reset();
  if (record.kind == Kind::void_call) TALLA_TRY_STATUS(void_call(record, heads));
  if (record.kind == Kind::shoe_close) TALLA_TRY_STATUS(shoe_close(record, heads));
  if (record.kind == Kind::table_close) {
    TALLA_TRY(const auto body, TableCloseBody::from_json(record.body));
    if (body.voided)
      TALLA_TRY_STATUS(check(record, heads, {.acts = {{table_void_act, record.table}}}));
  }
  begins_ = reported_ = false;
  if (record.kind != Kind::shuffle_report) return {};
  TALLA_TRY(const auto body, ShuffleReportBody::from_json(record.body));
  reported_ = body.result != ShuffleResult::match;
  return {};
}

Status Orders::void_call(const Record& record, const Heads& heads) {
  TALLA_TRY(const auto body, VoidBody::from_json(record.body));
  if (body.cause != VoidCause::order) return {};
  TALLA_TRY_STATUS(check_ordered(record, body));
  return check(record, heads,
               {.errc = VerifyErrc::void_order,
                .acts = {{draw_void_act, record.object}, {table_void_act, record.table}},
                .by = body.by,
                .call = body.call});
}

/// A shoe that the rules would play on is closed by two persons, or ends with its table. Where the
/// client settles, it says when its game is over.
Status Orders::shoe_close(const Record& record, const Heads& heads) {
  TALLA_TRY(const auto body, ShoeCloseBody::from_json(record.body));
  const bool ordered = access_of(record) != nullptr;
  if (body.reason == ShoeCloseReason::voided) {
    if (!ordered && (reported_ || begins_)) return {};  // its machine's report voids it
    return check(record, heads, {.acts = {{table_void_act, record.table}}});
  }
  if (ordered) return check(record, heads, {.acts = {{shoe_close_act, record.object}}});
  left_ = body.reason == ShoeCloseReason::closed && !evidence_.table.settled_by_client;
  return {};
}

const Record* Orders::access_of(const Record& record) const {
  for (const std::uint64_t cite : record.cites) {
    const Record* cited = evidence_.find(cite);
    if (cited != nullptr && cited->kind == Kind::access) return cited;
  }
  return nullptr;
}

Status Orders::check(const Record& record, const Heads& heads, const Wanted& wanted) {
  const Record* confirmed = access_of(record);
  if (confirmed == nullptr)
    return refuse(wanted.errc, record, "the ACCESS of its order is not cited, or not there");
  TALLA_TRY(const auto step, AccessBody::from_json(confirmed->body));
  const auto act = std::ranges::find_if(wanted.acts, [&](const Act& one) {
    return step.what == std::string(one.name) + ".confirmed" && step.object == one.object;
  });
  if (act == wanted.acts.end() || step.refused)
    return refuse(wanted.errc, record, "cites an ACCESS that does not order it");
  if (!wanted.by.empty() && step.by != wanted.by)
    return refuse(wanted.errc, record, "names others than those who ordered it");
  if (run_ == confirmed->seq) return {};
  TALLA_TRY_STATUS(check_persons(record, *confirmed, *act, wanted, heads));
  run_ = confirmed->seq;
  return {};
}

/// One asked and another confirmed, both signed, for this state of the table.
Status Orders::check_persons(const Record& record, const Record& confirmed, const Act& act,
                             const Wanted& wanted, const Heads& heads) const {
  const auto wrong = [&](std::string_view why) { return refuse(wanted.errc, record, why); };
  const Record* asked = access_of(confirmed);
  if (asked == nullptr) return wrong("the ACCESS that asked for it is not cited, or not there");
  TALLA_TRY(const auto first, AccessBody::from_json(asked->body));
  TALLA_TRY(const auto second, AccessBody::from_json(confirmed.body));
  const bool same = first.what == std::string(act.name) + ".asked" && first.object == act.object &&
                    !first.refused && asked->client && confirmed.client && first.order &&
                    second.order && first.order->head == second.order->head;
  if (!same) return wrong("its ACCESS are not of one act");
  if (wanted.call && act.name == draw_void_act && !cites(*asked, *wanted.call))
    return wrong("was asked for another CALL");
  if (first.by != std::vector{asked->client->id} ||
      second.by != std::vector{asked->client->id, confirmed.client->id})
    return wrong("its ACCESS name others than who asked and confirmed");
  CallOrder order{first.order->head, {}};
  for (const auto* one : {asked, &confirmed}) {
    const auto& said = one == asked ? *first.order : *second.order;
    if (one->client->spki != evidence_.hashes.sha256({said.key}))
      return wrong("its ACCESS is of another key than signed it");
    order.by.push_back({one->client->id, said.key, said.signature});
  }
  const std::string fault =
      order_fault(order, {record.origin, act.object, evidence_.table.key, act.name});
  if (!fault.empty()) return wrong("its order " + fault);
  if (!heads.stands(order.head)) return wrong("its order is of another state of the table");
  return {};
}

void ShoesBefore::forget() {
  close_.reset();
  shoe_.clear();
}

Status ShoesBefore::take(const Record& record) {
  if (record.kind == Kind::shoe_close) close_ = record.seq;
  if (record.kind != Kind::shoe_commit) return {};
  TALLA_TRY(const auto body, ShoeCommitBody::from_json(record.body));
  shoe_ = record.object;
  number_ = body.number;
  before_ = close_;
  called_ = false;
  return {};
}

Status ShoesBefore::check(const Record& record, const CallCore& core) {
  if (core.use != CallUse::mix) return {};
  const bool first = record.object == shoe_ && !called_;
  const auto cited = Heads::before_shoe(record, core);
  if (record.object == shoe_) called_ = true;
  if (!first || number_ == 1) {
    if (cited.empty()) return {};
    return refuse(VerifyErrc::shoe_before, record, "is not the first of a shoe behind another");
  }
  if (before_ && cited.size() == 1 && cited.front() == *before_) return {};
  return refuse(VerifyErrc::shoe_before, record,
                "does not cite the SHOE_CLOSE before its shoe, or that is not there");
}

}  // namespace talla::certs

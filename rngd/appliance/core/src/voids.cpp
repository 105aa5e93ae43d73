#include "voids.hpp"

#include "call_view.hpp"
#include "commands.hpp"
#include "documents.hpp"
#include "format/domain.hpp"
#include "play.hpp"
#include "problem.hpp"

namespace talla::core {
namespace {

using certs::Kind;

Result<const Table*> suspended_table(const Call& call, const std::string& id) {
  const auto seq = certs::object_seq("table", id);
  const auto* table = seq ? call.world().table(*seq) : nullptr;
  if (table == nullptr || table->closed) return fail(Errc::not_found, "no such open table");
  if (!table->suspended) return fail(Errc::wrong_state, id + " is not suspended");
  return table;
}

/// Batches of the table that are live in the ledger, also closed ones with an open CALL.
std::vector<ObjectSeq> batches_of(const Call& call, ObjectSeq table) {
  std::vector<ObjectSeq> found;
  for (const auto& [seq, batch] : call.world().base().batches) {
    if (batch.table == table) found.push_back(seq);
  }
  return found;
}

/// The rules take a void draw now.
Status rules_take_void(const Table& table, const OpenCall& open) {
  if (open.body.core.round == "0" || !table.rules) return {};
  return driver_of(table, nullptr).would_take(games::VoidDraw{});
}

std::string no_open_call(std::uint64_t seq, const std::string& object) {
  return "record " + std::to_string(seq) + " is no open CALL of " + object;
}

Status call_voidable(const Call& call, const Batch& batch, std::uint64_t call_seq) {
  const auto found = batch.open_calls.find(call_seq);
  if (found == batch.open_calls.end())
    return fail(Errc::wrong_state, no_open_call(call_seq, batch.id));
  if (!batch.secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  const auto* table = call.world().table(batch.table);
  return table == nullptr ? Status() : rules_take_void(*table, found->second);
}

/// VOID of the table's open CALL, and what follows of it for the round.
Status add_void(const Parts& parts, Transaction& tx, ObjectSeq table_seq, std::uint64_t cited,
                const certs::VoidBody& body) {
  const auto* table = tx.world().table(table_seq);
  const auto object = table->open_call->object;
  const auto table_id = table->id;
  const auto round_id = open_call_of(tx.world(), *table)->body.core.round;
  const bool others = table->open_call->others > 0;
  TALLA_TRY_STATUS(tx.add({Kind::void_call, object, {body.call, cited}, body.to_json()}));
  if (others) tx.group().documents.push_back({certs::documents::openings(table_id), {}});
  parts.count(voids_metric(table_id));
  const auto batch_seq = certs::object_seq("batch", object);
  if (!batch_seq) return {};  // of a mix: nothing for the rules, and the shoe stays
  if (round_id != "0") {
    TALLA_TRY(const auto round, certs::object_seq("round", round_id));
    TALLA_TRY_STATUS(finish_round(parts, tx, round));
  }
  const auto* batch = tx.world().batch(*batch_seq);
  if (batch->progress.closed && batch->open_calls.empty()) tx.spend(object);
  return {};
}

Status order_void(const Call& call, ObjectSeq table_seq, std::uint64_t call_seq,
                  const Order& order) {
  const auto* table = call.world().table(table_seq);
  const auto& waiting = *table->open_call;
  if (waiting.seq != call_seq)
    return fail(Errc::wrong_state, no_open_call(call_seq, waiting.object));
  std::vector<certs::OpenedBefore> opened;
  for (const auto& [id, one] : waiting.opened()) opened.push_back({id, one.value, one.signature});
  auto body = certs::void_mix_by_order(waiting.seq, order.by, opened);
  if (const auto seq = certs::object_seq("batch", waiting.object)) {
    const auto* batch = call.world().batch(*seq);
    TALLA_TRY(body, batch->secrets->void_by_order(batch->progress, waiting.seq,
                                                  batch->open_calls.at(waiting.seq).body, order.by,
                                                  std::move(opened)));
  }
  return add_void(call.parts, call.tx, table_seq, order.seq, body);
}

/// ROUND_END without SETTLEMENT, when a round is open, and TABLE_CLOSE: nothing of it is settled
/// here.
Status end_table(const Call& call, ObjectSeq seq, std::uint64_t ordered) {
  const auto* table = call.world().table(seq);
  if (table->live_round) {
    const auto round = certs::object_id("round", *table->live_round);
    const auto state = certs::state_digest(call.parts.hashes, table->state->to_json());
    TALLA_TRY_STATUS(add_round_end(call.tx, *table->live_round, state));
    call.tx.group().documents.push_back({certs::documents::bets(round), {}});
  }
  TALLA_TRY_STATUS(add_table_end(call.tx, seq, ordered));
  return {};
}

}  // namespace

std::string voids_metric(const std::string& table_id) {
  return "talla_voids_total{table=\"" + table_id + "\"}";
}

Status draw_voidable(const Call& call, const std::string& object, std::uint64_t call_seq) {
  if (const auto shoe_seq = certs::object_seq("shoe", object)) {
    const auto* shoe = call.world().shoe(*shoe_seq);
    if (shoe == nullptr || !shoe->live()) return fail(Errc::not_found, "no such open shoe");
    if (shoe->call && shoe->call->first == call_seq) return {};
    return fail(Errc::wrong_state, no_open_call(call_seq, object));
  }
  const auto seq = certs::object_seq("batch", object);
  const auto* batch = seq ? call.world().batch(*seq) : nullptr;
  if (batch == nullptr) return fail(Errc::not_found, "no such open batch");
  return call_voidable(call, *batch, call_seq);
}

Status table_judged(const Call& call, const std::string& table_id) {
  TALLA_TRY_STATUS(suspended_table(call, table_id));
  return {};
}

Status table_voidable(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, suspended_table(call, table_id));
  for (const auto seq : batches_of(call, table->seq)) {
    const auto* batch = call.world().batch(seq);
    if (!batch->secrets)
      return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
    for (const auto& [call_seq, open] : batch->open_calls)
      TALLA_TRY_STATUS(call_voidable(call, *batch, call_seq));
  }
  if (table->live_shoe && !call.world().shoe(*table->live_shoe)->secrets)
    return fail(Errc::secret_unusable, "the shoe's sealed secret does not open");
  return {};
}

Status void_draw(const Call& call, const std::string& object, std::uint64_t call_seq,
                 const Order& order) {
  if (const auto shoe = certs::object_seq("shoe", object))
    return order_void(call, call.world().shoe(*shoe)->table, call_seq, order);
  TALLA_TRY(const auto batch, certs::object_seq("batch", object));
  return order_void(call, call.world().batch(batch)->table, call_seq, order);
}

Status void_withheld(const Parts& parts, Transaction& tx, ObjectSeq table_seq) {
  const auto* table = tx.world().table(table_seq);
  const auto waiting = *table->open_call;
  const auto within = table->open.policy.open_within;
  const auto* open = open_call_of(tx.world(), *table);
  if (open == nullptr) return fail(Errc::wrong_state, "no such open call");
  auto missing = missing_of(waiting, open->body.core);
  auto body = certs::void_mix_withheld(waiting.seq, missing);
  if (const auto seq = certs::object_seq("batch", waiting.object)) {
    const auto* batch = tx.world().batch(*seq);
    if (!batch->secrets)
      return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
    TALLA_TRY(body, batch->secrets->void_withheld(batch->progress, waiting.seq, open->body,
                                                  std::move(missing)));
  }
  const auto left = missing_of(waiting, open->body.core);
  TALLA_TRY_STATUS(add_void(parts, tx, table_seq, waiting.seq, body));
  if (tx.time_us() < waiting.until_us(within))
    return fail(Errc::wrong_state, "the call may wait longer");
  // The next call goes on without them, until they hand in again.
  Panel panel = tx.world().table(table_seq)->panel;
  for (const auto& id : left) panel.leave(id);
  tx.group().documents.push_back(
      {certs::documents::contributors(certs::object_id("table", table_seq)), panel.document()});
  Documents::take_panel(tx.world(), table_seq, std::move(panel));
  return {};
}

Status void_table(const Call& call, const std::string& table_id, const Order& order) {
  TALLA_TRY(const auto seq, certs::object_seq("table", table_id));
  for (const auto batch : batches_of(call, seq)) {
    if (!call.world().batch(batch)->open_calls.empty())
      TALLA_TRY_STATUS(
          order_void(call, seq, call.world().batch(batch)->open_calls.begin()->first, order));
    if (!call.world().batch(batch)->progress.closed)
      TALLA_TRY_STATUS(add_batch_close(call.tx, batch, certs::BatchCloseReason::closed));
  }
  const auto shoe = call.world().table(seq)->live_shoe;
  if (!shoe) return {};
  if (const auto& open = call.world().shoe(*shoe)->call)
    TALLA_TRY_STATUS(order_void(call, seq, open->first, order));
  const bool in_use = call.world().shoe(*shoe)->in_use();
  TALLA_TRY_STATUS(add_shoe_void(call.tx, *shoe, order.seq));
  const auto* table = call.world().table(seq);
  const bool stuck =
      in_use && table->rules && games::find_need<games::ShoeNeed>(table->needs()) == nullptr;
  return stuck ? end_table(call, seq, order.seq) : Status();
}

}  // namespace talla::core

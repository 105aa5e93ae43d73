#include "voids.hpp"

#include "commands.hpp"
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

Status call_voidable(const Call& call, const Batch& batch, std::uint64_t call_seq) {
  const auto found = batch.open_calls.find(call_seq);
  if (found == batch.open_calls.end())
    return fail(Errc::wrong_state,
                "record " + std::to_string(call_seq) + " is no open CALL of " + batch.id);
  if (!batch.secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  const auto* table = call.world().table(batch.table);
  return table == nullptr ? Status() : rules_take_void(*table, found->second);
}

Status add_void(const Call& call, ObjectSeq seq, std::uint64_t call_seq, const Order& order) {
  const auto* batch = call.world().batch(seq);
  const auto round_id = batch->open_calls.at(call_seq).body.core.round;
  const auto table_id = batch->commit->table;
  const auto id = batch->id;
  TALLA_TRY(const auto body,
            batch->secrets->void_by_order(batch->progress, call_seq,
                                          batch->open_calls.at(call_seq).body, order.by));
  TALLA_TRY_STATUS(call.tx.add({Kind::void_call, id, {call_seq, order.seq}, body.to_json()}));
  if (round_id != "0") {
    TALLA_TRY(const auto round, certs::object_seq("round", round_id));
    TALLA_TRY_STATUS(finish_round(call.parts, call.tx, round));
  }
  batch = call.world().batch(seq);
  if (batch->progress.closed && batch->open_calls.empty()) call.tx.spend(id);
  call.parts.count(voids_metric(table_id));
  return {};
}

/// ROUND_END without SETTLEMENT, when a round is open, and TABLE_CLOSE: nothing of it is settled
/// here.
Status end_table(const Call& call, ObjectSeq seq) {
  const auto* table = call.world().table(seq);
  if (table->live_round) {
    const auto round = certs::object_id("round", *table->live_round);
    const auto state = certs::state_digest(call.parts.hashes, table->state->to_json());
    TALLA_TRY_STATUS(add_round_end(call.tx, *table->live_round, state));
    call.tx.group().documents.push_back({certs::documents::bets(round), {}});
  }
  TALLA_TRY_STATUS(add_table_end(call.tx, seq, true));
  return {};
}

}  // namespace

std::string voids_metric(const std::string& table_id) {
  return "talla_voids_total{table=\"" + table_id + "\"}";
}

Status draw_voidable(const Call& call, const std::string& batch_id, std::uint64_t call_seq) {
  const auto seq = certs::object_seq("batch", batch_id);
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

Status void_draw(const Call& call, const std::string& batch_id, std::uint64_t call_seq,
                 const Order& order) {
  TALLA_TRY(const auto seq, certs::object_seq("batch", batch_id));
  return add_void(call, seq, call_seq, order);
}

Status void_table(const Call& call, const std::string& table_id, const Order& order) {
  TALLA_TRY(const auto seq, certs::object_seq("table", table_id));
  for (const auto batch : batches_of(call, seq)) {
    while (!call.world().batch(batch)->open_calls.empty()) {
      const auto call_seq = call.world().batch(batch)->open_calls.begin()->first;
      TALLA_TRY_STATUS(add_void(call, batch, call_seq, order));
    }
    if (!call.world().batch(batch)->progress.closed)
      TALLA_TRY_STATUS(add_batch_close(call.tx, batch, certs::BatchCloseReason::closed));
  }
  const auto shoe = call.world().table(seq)->live_shoe;
  if (!shoe) return {};
  const bool in_use = call.world().shoe(*shoe)->in_use();
  TALLA_TRY_STATUS(add_shoe_void(call.tx, *shoe));
  const auto* table = call.world().table(seq);
  const bool stuck =
      in_use && table->rules && games::find_need<games::ShoeNeed>(table->needs()) == nullptr;
  return stuck ? end_table(call, seq) : Status();
}

}  // namespace talla::core

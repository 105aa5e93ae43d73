// Folds records of meters into the state.
#include "applier.hpp"

namespace talla::core {

Status MeterApplier::meter_open() {
  TALLA_TRY(auto body, certs::MeterOpenBody::from_json(record_.body));
  auto meter = opened<SharedMeter>("meter");
  meter.value = body.value;
  meter.open = std::move(body);
  edit_.add(std::move(meter));
  return {};
}

Status MeterApplier::meter_close() {
  TALLA_TRY(const auto body, certs::MeterCloseBody::from_json(record_.body));
  TALLA_TRY(auto* meter, own_meter());
  if (body.value != meter->value)
    return fail(Errc::replay_failed, "the meter holds another amount");
  meter->closed = true;
  return {};
}

/// Compare and set. A restart begins with meters as their newest records leave them: what led there
/// is behind.
Status MeterApplier::move_meter(const certs::MeterBody& body) {
  TALLA_TRY(const auto seq, certs::object_seq("meter", record_.object));
  const auto* known = edit_.seen().meter(seq);
  if (known == nullptr) return fail(Errc::replay_failed, "unknown meter");
  if (record_.seq <= known->last_seq) return {};
  if (record_.meter_prev != known->last_seq)
    return fail(Errc::replay_failed, "another table moved the meter between");
  TALLA_TRY(auto* meter, own_meter());
  if (meter->value != body.before || meter->open.meter != body.meter)
    return fail(Errc::replay_failed, "the meter stands elsewhere");
  meter->value = body.after;
  return {};
}

/// The round reads what the meter holds; with the last of its meters its bets on them are settled.
Status MeterApplier::shared_meter(certs::MeterBody body) {
  TALLA_TRY_STATUS(move_meter(body));
  TALLA_TRY(const auto seq, certs::object_seq("round", body.round));
  Round* round = edit_.round(seq);
  if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
  TALLA_TRY(auto* table, table_at(round->table));
  const auto named = table->open.meters.find(body.meter);
  if (named == table->open.meters.end() || named->second != record_.object)
    return fail(Errc::replay_failed, "the table does not share this meter");
  TALLA_TRY_STATUS(play(*table, round, certs::meter_event(body)));
  round->rests_on.push_back(record_.seq);
  round->meters_read.push_back(std::move(body));
  const auto needs = table->needs();
  if (games::find_need<games::ReadMeter>(needs) != nullptr) return {};
  if (!certs::moved_as_said(round->meters_read,
                            table->engine().meters(*table->rules, *table->state)))
    return fail(Errc::replay_failed, "the rules move the meter otherwise");
  round->meters_read.clear();
  return {};
}

Status MeterApplier::meter() {
  TALLA_TRY(auto body, certs::MeterBody::from_json(record_.body));
  if (!body.round.empty()) return shared_meter(std::move(body));
  TALLA_TRY(auto* table, own_table());
  const auto known = table->meters.find(body.meter);
  if (known != table->meters.end() && known->second != body.before) {
    return fail(Errc::replay_failed, "the meter stands elsewhere");
  }
  table->meters[body.meter] = body.after;
  return {};
}

Status MeterApplier::run() {
  using certs::Kind;
  switch (record_.kind) {
    case Kind::meter:
      return meter();
    case Kind::meter_open:
      return meter_open();
    case Kind::meter_close:
      return meter_close();
    default:
      return {};
  }
}

}  // namespace talla::core

// Folds records of batches and draws into the state.
#include "applier.hpp"
#include "format/place_counts.hpp"

namespace talla::core {

Status DrawApplier::batch_commit() {
  TALLA_TRY(auto body, certs::BatchCommitBody::from_json(record_.body));
  TALLA_TRY(auto* table, named_table(body.table));
  auto batch = opened<Batch>("batch");
  batch.table = table->seq;
  batch.client = client();
  batch.commit = std::make_shared<const certs::BatchCommitBody>(std::move(body));
  batch.secrets = secrets_.batch;
  batch.samples = secrets_.samples;
  table->open_batches.insert(batch.seq);
  edit_.add(std::move(batch));
  return {};
}

Status DrawApplier::call() {
  TALLA_TRY(auto body, this->body<certs::CallBody>());
  TALLA_TRY(auto* batch, own_batch());
  if (body.core.at != batch->progress.next) return fail(Errc::replay_failed, "not the next index");
  TALLA_TRY(auto* table, call_made(body.core));
  certs::count_call(table->counts);
  if (table->seq != batch->table) return fail(Errc::replay_failed, "a call of another table");
  table->panel.called(body.core.others);
  table->calls.called(body.core);
  batch->progress.take(body, record_.seq);
  TALLA_TRY(auto* round, round_of_call(body.core));
  if (round != nullptr) round->open_call = record_.seq;
  batch->open_calls.emplace(
      record_.seq, OpenCall{std::move(body), record_.client, record_.key, record_.request});
  return {};
}

/// The open CALL of the batch is answered; the round it was made for, if any.
template <class Body>
Result<std::optional<ObjectSeq>> DrawApplier::end_call(const Body& body, std::uint64_t seq) {
  TALLA_TRY(auto* batch, own_batch());
  const auto open = batch->open_calls.extract(seq);
  if (open.empty()) return fail(Errc::replay_failed, "no such open call");
  TALLA_TRY(auto* table, table_at(batch->table));
  table->open_call.reset();
  if constexpr (std::is_same_v<Body, certs::VoidBody>)
    table->calls.ended(open.mapped().body.core, body.missing);
  batch->progress.take(body);
  const auto& round_id = open.mapped().body.core.round;
  if (round_id == "0") return std::nullopt;
  TALLA_TRY(const auto round, certs::object_seq("round", round_id));
  return std::optional(round);
}

Status DrawApplier::draw() {
  TALLA_TRY(auto body, this->body<certs::DrawBody>());
  TALLA_TRY(const auto seq, end_call(body, body.call));
  if (!seq) return {};
  Round* round = edit_.round(*seq);
  if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
  TALLA_TRY(auto* table, table_at(round->table));
  const auto needs = table->needs();
  const auto* wanted = games::find_need<games::Draw>(needs);
  if (wanted == nullptr) return fail(Errc::replay_failed, "no draw is due");
  round->open_call.reset();
  round->rests_on.push_back(record_.seq);
  const auto event = certs::draw_event(*wanted, body.outcome);
  json::Array values;
  for (const auto& value : event.values) values.emplace_back(value);
  round->outcome = json::Value(std::move(values));
  return play(*table, round, event);
}

/// A core that became no CALL: its turn is spent, and the secret that it opens.
Status DrawApplier::lapsed(const certs::VoidBody& body) {
  const auto& core = body.lapsed->core;
  TALLA_TRY(auto* table, call_made(core));
  call_void(*table, body);
  table->panel.lapsed(core.others);
  table->calls.lapsed(core);
  if (!body.secret) {
    TALLA_TRY(const auto* own, own_table());
    if (own->seq != table->seq) return fail(Errc::replay_failed, "a call of another table");
    const auto named = certs::object_seq("shoe", core.object);
    Shoe* shoe = named && core.use == certs::CallUse::mix ? edit_.shoe(*named) : nullptr;
    if (shoe != nullptr && shoe->table == table->seq && shoe->live())
      shoe->spoiled = shoe->spoiled || shoe->unpicked();
    return {};
  }
  TALLA_TRY(auto* batch, own_batch());
  if (batch->table != table->seq) return fail(Errc::replay_failed, "a call of another table");
  if (core.at != batch->progress.next) return fail(Errc::replay_failed, "not the next index");
  batch->progress.take(body);
  return {};
}

Status DrawApplier::void_call() {
  TALLA_TRY(auto body, certs::VoidBody::from_json(record_.body));
  if (body.lapsed) return lapsed(body);
  TALLA_TRY(const auto seq, end_call(body, body.call));
  TALLA_TRY(const auto table_seq, certs::object_seq("table", record_.table));
  TALLA_TRY(auto* own, table_at(table_seq));
  certs::count(own->counts, body);
  if (!seq) return {};
  Round* round = edit_.round(*seq);
  if (round == nullptr || round->ended) return {};
  TALLA_TRY(auto* table, table_at(round->table));
  round->open_call.reset();
  round->rests_on.push_back(record_.seq);
  return play(*table, round, games::VoidDraw{});
}

Status DrawApplier::batch_close() {
  TALLA_TRY(const auto body, certs::BatchCloseBody::from_json(record_.body));
  TALLA_TRY(auto* batch, own_batch());
  batch->progress.take(body);
  if (batch->open_calls.empty()) batch->secrets.reset();
  if (Table* table = edit_.table(batch->table)) {
    table->open_batches.erase(batch->seq);
    table->calls.erase(batch->id);
  }
  return {};
}

Status DrawApplier::run() {
  using certs::Kind;
  switch (record_.kind) {
    case Kind::batch_commit:
      return batch_commit();
    case Kind::call:
      return call();
    case Kind::draw:
      return draw();
    case Kind::void_call:
      return void_call();
    case Kind::batch_close:
      return batch_close();
    default:
      return {};
  }
}

}  // namespace talla::core

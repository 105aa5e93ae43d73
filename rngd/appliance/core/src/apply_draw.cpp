// Folds records of batches and draws into the state.
#include "applier.hpp"

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

Status DrawApplier::intent() {
  TALLA_TRY(auto body, this->body<certs::IntentBody>());
  TALLA_TRY(auto* batch, own_batch());
  if (body.index != batch->progress.next) return fail(Errc::replay_failed, "not the next index");
  batch->progress.take(body, record_.seq);
  TALLA_TRY(auto* table, table_at(batch->table));
  ++table->counts.turns;
  if (body.round != "0") {
    TALLA_TRY(const auto seq, certs::object_seq("round", body.round));
    Round* round = edit_.round(seq);
    if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
    round->open_intent = record_.seq;
  }
  batch->open_intents.emplace(
      record_.seq, OpenIntent{std::move(body), record_.client, record_.key, record_.request});
  return {};
}

/// The open INTENT of the batch is answered; the round it was made for, if any.
template <class Body>
Result<std::optional<ObjectSeq>> DrawApplier::end_intent(const Body& body) {
  TALLA_TRY(auto* batch, own_batch());
  const auto open = batch->open_intents.extract(body.intent);
  if (open.empty()) return fail(Errc::replay_failed, "no such open intent");
  batch->progress.take(body);
  if (open.mapped().body.round == "0") return std::nullopt;
  TALLA_TRY(const auto seq, certs::object_seq("round", open.mapped().body.round));
  return std::optional(seq);
}

Status DrawApplier::draw() {
  TALLA_TRY(auto body, this->body<certs::DrawBody>());
  TALLA_TRY(const auto seq, end_intent(body));
  if (!seq) return {};
  Round* round = edit_.round(*seq);
  if (round == nullptr) return fail(Errc::replay_failed, "unknown round");
  TALLA_TRY(auto* table, table_at(round->table));
  const auto needs = table->needs();
  const auto* wanted = games::find_need<games::Draw>(needs);
  if (wanted == nullptr) return fail(Errc::replay_failed, "no draw is due");
  round->open_intent.reset();
  round->rests_on.push_back(record_.seq);
  const auto event = certs::draw_event(*wanted, body.outcome);
  json::Array values;
  for (const auto& value : event.values) values.emplace_back(value);
  round->outcome = json::Value(std::move(values));
  return play(*table, round, event);
}

Status DrawApplier::void_draw() {
  TALLA_TRY(auto body, certs::VoidBody::from_json(record_.body));
  TALLA_TRY(const auto seq, end_intent(body));
  TALLA_TRY(const auto table_seq, certs::object_seq("table", record_.table));
  TALLA_TRY(auto* own, table_at(table_seq));
  ++own->counts.voids;
  if (!seq) return {};
  Round* round = edit_.round(*seq);
  if (round == nullptr || round->ended) return {};
  TALLA_TRY(auto* table, table_at(round->table));
  round->open_intent.reset();
  round->rests_on.push_back(record_.seq);
  return play(*table, round, games::VoidDraw{});
}

Status DrawApplier::batch_close() {
  TALLA_TRY(const auto body, certs::BatchCloseBody::from_json(record_.body));
  TALLA_TRY(auto* batch, own_batch());
  batch->progress.take(body);
  if (batch->open_intents.empty()) batch->secrets.reset();
  if (Table* table = edit_.table(batch->table)) table->open_batches.erase(batch->seq);
  return {};
}

Status DrawApplier::run() {
  using certs::Kind;
  switch (record_.kind) {
    case Kind::batch_commit:
      return batch_commit();
    case Kind::intent:
      return intent();
    case Kind::draw:
      return draw();
    case Kind::void_draw:
      return void_draw();
    case Kind::batch_close:
      return batch_close();
    default:
      return {};
  }
}

}  // namespace talla::core

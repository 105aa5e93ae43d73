// Draws between their CALL and their outcome.
#include "open_draws.hpp"

#include "commands.hpp"
#include "format/domain.hpp"
#include "format/draw_format.hpp"
#include "views.hpp"
#include "voids.hpp"

namespace talla::core {
namespace {

using certs::Kind;

/// The key under which the request of a CALL is answered.
certs::ReplyKey key_of(const OpenCall& open, const std::string& path) {
  return {open.client ? open.client->id : std::string(), "POST", path, open.key};
}

}  // namespace

void OpenDraws::begin(ObjectSeq batch, std::uint64_t call, std::string path) {
  begun_.push_back({batch, call, std::move(path)});
}

void OpenDraws::landed(std::vector<OpenDraw> draws) {
  std::move(draws.begin(), draws.end(), std::back_inserter(due_));
}

void OpenDraws::drop() {
  begun_.clear();
  due_.clear();
  held_.clear();
}

void OpenDraws::on_turn() {
  auto due = std::exchange(held_, {});
  for (auto& draw : std::exchange(due_, {})) due.push_back(std::move(draw));
  completed_ = 0;
  for (const auto& draw : due) {
    if (answer_voided(draw) || hold(draw)) continue;
    complete(draw);
    ++completed_;
  }
}

void OpenDraws::complete(const OpenDraw& draw) {
  const auto& open = appliance_.world().batches.at(draw.batch).open_calls.at(draw.call);
  const auto id = key_of(open, draw.path);
  const auto digest = open.request.value_or(Digest{});
  auto tx = appliance_.begin({open.client, open.key, open.request});
  auto body = complete_draw(parts_, tx, draw.batch, draw.call);
  if (!body) {
    // The CALL stays open; a restart completes it with its committed secret.
    appliance_.metrics.count("talla_draw_failures_total");
    return appliance_.fail();
  }
  auto seqs = tx.seqs();
  seqs.insert(seqs.begin(), draw.call);
  tx.keep();
  appliance_.metrics.count("talla_draws_total");
  replies_.store(id, digest, 200, std::move(*body), seqs);
}

bool OpenDraws::hold(const OpenDraw& draw) {
  const auto& batch = appliance_.world().batches.at(draw.batch);
  const auto table = appliance_.world().tables.find(batch.table);
  if (table == appliance_.world().tables.end() || !table->second.suspended) return false;
  OpenDraw held = draw;
  const auto& open = batch.open_calls.at(draw.call);
  held.id = key_of(open, draw.path);
  held.request = open.request.value_or(Digest{});
  held.round = open.body.core.round;
  replies_.answer_waiting(
      held.id, held.request,
      problem_reply(
          Error(Errc::table_suspended,
                "the draw waits for inspector and second person; ask again with this key")));
  held_.push_back(std::move(held));
  return true;
}

bool OpenDraws::answer_voided(const OpenDraw& draw) {
  const auto batch = appliance_.world().batches.find(draw.batch);
  if (batch != appliance_.world().batches.end() && batch->second.open_calls.contains(draw.call))
    return false;
  const auto id = certs::object_id("batch", draw.batch);
  const auto chain = appliance_.effects.log.ledger().chain(id);
  if (!chain) return true;
  for (const auto& stored : *chain) {
    if (stored.kind != Kind::void_call) continue;
    const auto record = certs::parse_record(stored.bytes);
    const auto body = record ? certs::VoidBody::from_json(record->body)
                             : Result<certs::VoidBody>(tl::unexpected(record.error()));
    if (!body || body->call != draw.call) continue;
    json::Array by;
    for (const auto& person : body->by) by.emplace_back(person);
    json::Object voided{
        {"seq", stored.seq}, {"call", draw.call}, {"batch", id}, {"by", std::move(by)}};
    if (body->outcome) voided["outcome"] = certs::outcome_json(*body->outcome);
    json::Object reply{{"voided", std::move(voided)}};
    const auto seq = certs::object_seq("round", draw.round);
    const Overlay world(appliance_.world());
    const auto* round = seq ? world.round(*seq) : nullptr;
    if (round != nullptr) reply["round"] = round_view(appliance_.context.hashes, world, *round, {});
    replies_.store(draw.id, draw.request, 200, std::move(reply), {draw.call, stored.seq});
  }
  return true;
}

/// PROTOCOL section 5: an unrecoverable secret latches.
Status OpenDraws::void_lost(const OpenDraw& draw) {
  appliance_.effects.supply.latch(entropy::LatchReason::other);
  auto tx = appliance_.begin();
  const auto body = certs::void_unrecoverable(draw.call);
  TALLA_TRY_STATUS(tx.add(
      {Kind::void_call, certs::object_id("batch", draw.batch), {draw.call}, body.to_json()}));
  tx.keep();
  appliance_.metrics.count(voids_metric(appliance_.world().batches.at(draw.batch).commit->table));
  return {};
}

Status OpenDraws::complete_found() {
  std::vector<OpenDraw> open;
  for (const auto& [seq, batch] : appliance_.world().batches) {
    for (const auto& [call, one] : batch.open_calls) {
      // With further contributors it waits for them (waiting_calls.hpp).
      if (one.body.core.others.empty() || !batch.secrets) open.push_back({seq, call, draws_path});
    }
  }
  for (const auto& draw : open) {
    if (!appliance_.world().batches.at(draw.batch).secrets) {
      TALLA_TRY_STATUS(void_lost(draw));
      continue;
    }
    if (hold(draw)) continue;
    complete(draw);
    if (appliance_.failed())
      return fail(Errc::replay_failed, "an open call could not be completed");
  }
  return {};
}

}  // namespace talla::core

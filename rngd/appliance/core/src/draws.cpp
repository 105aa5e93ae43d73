// The commands that commit secrets and draw.
#include <algorithm>

#include "commands.hpp"
#include "format/domain.hpp"
#include "play.hpp"
#include "views.hpp"

namespace talla::core {
namespace {

bool draws_here(const Table& table) {
  // A game of cards may draw lots too: its need says so.
  if (table.rules) {
    return table.rules->rules().draw.has_value() ||
           games::find_need<games::Draw>(table.needs()) != nullptr;
  }
  return table.open.parameters.find("range") != nullptr;
}

struct DrawAsked {
  std::string table;
  std::string round = "0";
  std::string batch;
  std::string root;
  std::uint32_t index = 0;
  std::string nonce;
  std::optional<Digest> bets;
};

Result<DrawAsked> read_draw(const json::Value& body) {
  json::Reader reader(body, "draw");
  DrawAsked asked;
  TALLA_TRY(asked.table, reader.string("table"));
  if (reader.has("round")) {
    TALLA_TRY(asked.round, reader.string("round"));
  }
  TALLA_TRY(asked.batch, reader.string("batch"));
  TALLA_TRY(asked.root, reader.string("root"));
  TALLA_TRY(const auto index, reader.integer("index", 0, 255));
  asked.index = static_cast<std::uint32_t>(index);
  TALLA_TRY(asked.nonce, reader.string("nonce"));
  if (reader.has("bets")) {
    TALLA_TRY(const auto hex, reader.string("bets"));
    TALLA_TRY(asked.bets, digest_from_hex(hex));
  }
  TALLA_TRY_STATUS(reader.finish());
  return asked;
}

/// What is drawn, and on which bets.
struct Subject {
  certs::DrawSpecification specification;
  Digest bets{};
  /// BETS_CLOSED, or for lots before the bets ROUND_OPEN; and the newest act.
  std::vector<std::uint64_t> rests_on;
};

Result<Subject> subject_of(const Call& call, const Table& table, const DrawAsked& asked) {
  Subject subject;
  if (!table.rules) {
    if (asked.round != "0")
      return fail(Errc::not_settled_here, "a client-settled table has no rounds");
    TALLA_TRY(subject.specification,
              certs::specification_from_json(*table.open.parameters.find("range")));
    subject.bets = asked.bets.value_or(certs::bets_digest(call.parts.hashes, json::Array{}));
    return subject;
  }
  if (asked.bets)
    return fail(Errc::not_settled_here, "bets: the bets of this table are in its round");
  TALLA_TRY(const auto* round, own_round(call, asked.round));
  if (round->table != table.seq || round->ended)
    return fail(Errc::wrong_state, "not the open round of this table");
  if (round->open_intent) return fail(Errc::wrong_state, "the draw of this round is under way");
  const auto needs = table.needs();
  const auto* due = games::find_need<games::Draw>(needs);
  // Lots that decide who gets the bank are drawn before anybody bets; nothing else is drawn on open
  // bets.
  const bool before_bets = due != nullptr && due->kind == games::DrawKind::lots;
  if (!round->bets_closed && !before_bets) return fail(Errc::bets_open, "close the bets first");
  if (due == nullptr) return fail(Errc::wrong_state, "no draw is due");
  auto specification = certs::specification_of(*due);
  if (!specification) return fail(Errc::wrong_state, specification.error().detail);
  subject.specification = std::move(*specification);
  subject.bets = round->bets_closed ? round->bets_digest
                                    : certs::bets_digest(call.parts.hashes, json::Array{});
  subject.rests_on.push_back(round->bets_closed.value_or(round->seq));
  if (round->last_act != 0) subject.rests_on.push_back(round->last_act);
  return subject;
}

Outcome check_batch(const Batch& batch, const Table& table, const DrawAsked& asked,
                    std::int64_t now_us) {
  if (batch.table != table.seq) return refuse(Errc::not_found, "no such batch at this table");
  if (batch.closed || batch.progress.next >= batch.commit->count ||
      now_us >= batch.commit->expires_us) {
    return refuse(Errc::batch_expired, "the batch is used up, expired or closed",
                  {{"index", batch.progress.next}});
  }
  if (asked.root != to_hex(batch.commit->root)) {
    return refuse(Errc::wrong_root, "not the root of this batch",
                  {{"root", to_hex(batch.commit->root)}});
  }
  if (asked.index != batch.progress.next) {
    return refuse(Errc::wrong_index, "not the next index", {{"index", batch.progress.next}});
  }
  if (!batch.secrets)
    return refuse(Errc::secret_unusable, "the batch's sealed secrets do not open");
  return Done{};
}

}  // namespace

Outcome new_batch(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, working_table(call, table_id));
  if (!draws_here(*table)) return refuse(Errc::not_settled_here, "this table plays from a shoe");
  const auto& settings = call.parts.settings;
  json::Reader reader(call.body, "batch");
  std::int64_t count = settings.batch_secrets_default;
  if (reader.has("count")) {
    TALLA_TRY(count, reader.integer("count", 1, settings.batch_secrets_max));
  }
  TALLA_TRY_STATUS(reader.finish());
  if (table->open_batches.size() >= settings.batches_per_table_max) {
    return refuse(Errc::limit_exceeded, "the table has too many open batches");
  }
  EntropyTaker taker(call.parts);
  const auto id = certs::object_id("batch", call.tx.next_seq());
  TALLA_TRY(auto made, certs::SecretBatch::make(call.parts.hashes, id,
                                                static_cast<std::uint32_t>(count), taker.bits()));
  const auto batch = std::make_shared<const certs::SecretBatch>(std::move(made));
  const auto expires = call.parts.clock.utc_us() + settings.batch_lifetime_us;
  const auto body = batch->commit_body(table_id, expires,
                                       commitment_context(call.parts, *table, taker.evidence()));
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::batch_commit, batch->secret()));
  TALLA_TRY(const auto seq,
            call.tx.add({certs::Kind::batch_commit, {}, {table->seq}, body.to_json()},
                        {nullptr, batch, taker.window()}));
  return Done{{{"batch", batch_view(*call.world().batch(seq))}}, 201, {}};
}

Status add_batch_close(Transaction& tx, ObjectSeq seq, certs::BatchCloseReason reason) {
  const auto* batch = tx.world().batch(seq);
  if (!batch->secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  certs::BatchProgress progress = batch->progress;
  TALLA_TRY(const auto body, batch->secrets->close(progress, reason));
  const auto id = batch->id;
  TALLA_TRY_STATUS(tx.record({certs::Kind::batch_close, id, {}, body.to_json()}));
  if (tx.world().batch(seq)->open_intents.empty()) tx.spend(id);
  return {};
}

Outcome start_draw(const Call& call) {
  TALLA_TRY(const auto asked, read_draw(call.body));
  TALLA_TRY(const auto* table, working_table(call, asked.table));
  TALLA_TRY(const auto* batch, own_batch(call, asked.batch));
  if (auto checked = check_batch(*batch, *table, asked, call.parts.clock.utc_us()); !checked)
    return checked;
  TALLA_TRY(const auto subject, subject_of(call, *table, asked));
  const auto durable = [&](std::uint64_t seq) { return call.tx.durable(seq); };
  if (!std::ranges::all_of(subject.rests_on, durable)) return defer();
  TALLA_TRY(auto nonce, fresh_nonce(call, asked.nonce));
  certs::DrawRequest request;
  request.origin = call.tx.origin();
  request.client = call.client.id;
  request.round = asked.round;
  request.index = asked.index;
  request.nonce = std::move(nonce);
  request.root = batch->commit->root;
  request.specification = subject.specification;
  request.bets = subject.bets;
  certs::BatchProgress progress = batch->progress;
  TALLA_TRY(auto body, batch->secrets->intent(progress, *batch->commit, request));
  TALLA_TRY(const auto seq,
            call.tx.add({certs::Kind::intent, asked.batch, subject.rests_on, {}, std::move(body)}));
  Done done;
  done.waits_for_intent = seq;
  return done;
}

Result<json::Object> complete_draw(const Parts& parts, Transaction& tx, ObjectSeq seq,
                                   std::uint64_t intent_seq) {
  const auto* batch = tx.world().batch(seq);
  const auto found = batch->open_intents.find(intent_seq);
  if (found == batch->open_intents.end()) return fail(Errc::wrong_state, "no such open intent");
  if (!batch->secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  const auto round_id = found->second.body.round;
  certs::BatchProgress progress = batch->progress;
  TALLA_TRY(auto body, batch->secrets->draw(progress, intent_seq, found->second.body));
  const auto id = batch->id;
  const auto index = body.index;
  auto outcome = certs::outcome_json(body.outcome);
  TALLA_TRY(const auto draw_seq,
            tx.add({certs::Kind::draw, id, {intent_seq}, {}, std::move(body)}));
  json::Object reply{{"draw", json::Object{{"seq", draw_seq},
                                           {"intent", intent_seq},
                                           {"batch", id},
                                           {"index", index},
                                           {"outcome", std::move(outcome)}}}};
  if (round_id != "0") {
    TALLA_TRY(const auto round, certs::object_seq("round", round_id));
    TALLA_TRY_STATUS(finish_round(parts, tx, round));
    reply["round"] = round_view(parts.hashes, tx.world(), *tx.world().round(round), {});
  }
  batch = tx.world().batch(seq);
  if (batch->closed && batch->open_intents.empty()) tx.spend(id);
  return reply;
}

}  // namespace talla::core

// The commands that commit secrets and draw.
#include <algorithm>

#include "again.hpp"
#include "calls.hpp"
#include "commands.hpp"
#include "format/domain.hpp"
#include "operations.hpp"
#include "play.hpp"
#include "schemas.hpp"
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

constexpr std::string_view no_round = "0";

/// What is drawn, and on which bets; nothing where the client says its own.
struct Subject {
  certs::DrawSpecification specification;
  std::optional<Digest> bets;
};

Result<Subject> subject_of(const Call& call, const Table& table, const certs::CallCore& core) {
  Subject subject;
  if (!table.rules) {
    if (core.round != no_round)
      return fail(Errc::not_settled_here, "a client-settled table has no rounds");
    const auto* range = table.open.parameters.find("range");
    if (range == nullptr) return fail(Errc::not_settled_here, "this table plays from a shoe");
    TALLA_TRY(subject.specification, certs::specification_from_json(*range));
    return subject;
  }
  TALLA_TRY(const auto* round, own_round(call, core.round));
  if (round->table != table.seq || round->ended)
    return fail(Errc::wrong_state, "not the open round of this table");
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
  subject.bets = bets_so_far(call.parts.hashes, round);
  return subject;
}

Outcome check_batch(const Batch& batch, const Table& table, const certs::CallCore& core,
                    std::int64_t now_us) {
  if (batch.table != table.seq) return refuse(Errc::not_found, "no such batch at this table");
  if (batch.progress.closed || batch.progress.next >= batch.commit->count ||
      now_us >= batch.commit->expires_us) {
    return refuse(Errc::batch_expired, "the batch is used up, expired or closed",
                  {{"index", batch.progress.next}});
  }
  if (core.root != batch.commit->root) {
    return refuse(Errc::wrong_root, "not the root of this batch",
                  {{"root", to_hex(batch.commit->root)}});
  }
  if (core.at != batch.progress.next) {
    return refuse(Errc::wrong_index, "not the next index", {{"index", batch.progress.next}});
  }
  if (!batch.secrets)
    return refuse(Errc::secret_unusable, "the batch's sealed secrets do not open");
  return Done{};
}

/// No earlier than the time that a record has which is added now.
std::int64_t recorded_now_us(const Call& call) {
  return std::max(call.parts.clock.utc_us(), call.tx.log_time_us());
}

}  // namespace

Outcome new_batch(const Call& call, const std::string& table_id) {
  TALLA_TRY(const auto* table, working_table(call, table_id));
  if (!draws_here(*table)) return refuse(Errc::not_settled_here, "this table plays from a shoe");
  const auto& settings = call.parts.settings;
  const auto count =
      call.body.has("count") ? call.body.u32("count") : settings.batch_secrets_default;
  if (count > settings.batch_secrets_max)
    return refuse(Errc::limit_exceeded, "count: a batch of this appliance has fewer secrets");
  if (table->open_batches.size() >= settings.batches_per_table_max) {
    return refuse(Errc::limit_exceeded, "the table has too many open batches");
  }
  EntropyTaker taker(call.parts);
  const auto id = certs::object_id("batch", call.tx.next_seq());
  TALLA_TRY(auto made, certs::SecretBatch::make(call.parts.hashes, id, count, taker.bits()));
  const auto batch = std::make_shared<const certs::SecretBatch>(std::move(made));
  const auto expires = recorded_now_us(call) + settings.batch_lifetime_us;
  const auto body = batch->commit_body(table_id, expires,
                                       commitment_context(call.parts, *table, taker.evidence()));
  TALLA_TRY_STATUS(call.tx.seal_next(certs::Kind::batch_commit, batch->secret()));
  TALLA_TRY(const auto seq,
            call.tx.add(
                {certs::Kind::batch_commit, {}, commitment_cites(call, table->seq), body.to_json()},
                {nullptr, batch, taker.window()}));
  return Done{{{"batch", batch_view(*call.world().batch(seq))}}, 201, {}};
}

Status add_batch_close(Transaction& tx, ObjectSeq seq, certs::BatchCloseReason reason) {
  const auto* batch = tx.world().batch(seq);
  if (!batch->open_calls.empty())
    return fail(Errc::turn_open, "the call before is not answered yet");
  if (!batch->secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  TALLA_TRY(const auto body, batch->secrets->close(batch->progress, reason));
  const auto id = batch->id;
  TALLA_TRY_STATUS(tx.add({certs::Kind::batch_close, id, {}, body.to_json()}));
  tx.spend(id);
  return {};
}

namespace {

/// The record that the CALL of a draw cites, where its core stands.
tl::expected<std::uint64_t, Failure> draw_stands(const Call& call, const Table& table) {
  const auto& core = call.signed_call->body.core;
  auto head = head_of_call(call, table);
  if (!head) return head;
  TALLA_TRY(const auto* batch, own_batch(call, core.object));
  if (auto checked = check_batch(*batch, table, core, recorded_now_us(call)); !checked)
    return tl::unexpected<Failure>(std::move(checked.error()));
  if (table.rules && core.round == no_round) {
    if (table.live_round) {
      const auto open = certs::object_id("round", *table.live_round);
      return refuse(Errc::malformed_request, "round: is missing; open is " + open,
                    {{"round", open}});
    }
    return refuse(Errc::wrong_state, "open a round first: this table draws in rounds alone");
  }
  TALLA_TRY(const auto subject, subject_of(call, table, core));
  TALLA_TRY_STATUS(core_says(core.draw() == subject.specification, "specification"));
  if (subject.bets) TALLA_TRY_STATUS(core_says(core.bets == *subject.bets, "bets"));
  // Who contributes may open nothing: the game must go on behind a void draw.
  if (!core.others.empty() && table.rules)
    TALLA_TRY_STATUS(driver_of(table, nullptr).would_take(games::VoidDraw{}));
  if (auto within = within_voids(table, core); !within)
    return tl::unexpected<Failure>(std::move(within.error()));
  return head;
}

}  // namespace

Outcome start_draw(const Call& call) {
  auto judged = judge_call(call, certs::CallUse::draw);
  if (!judged) return tl::unexpected<Failure>(std::move(judged.error()));
  if (auto* again = std::get_if<CallAgain>(&*judged)) return std::move(*again);
  const auto& core = call.signed_call->body.core;
  const auto& table = *std::get<CallDue>(*judged).table;
  const auto head = draw_stands(call, table);
  if (!head) return lapse(call, head.error());
  TALLA_TRY(const auto* batch, own_batch(call, core.object));
  const auto expires = batch->commit->expires_us;
  auto made = call_record(table, call.signed_call->body, *head);
  TALLA_TRY(const auto seq,
            call.tx.add(
                {certs::Kind::call, core.object, std::move(made.cites), {}, std::move(made.body)}));
  if (call.tx.time_us() >= expires) return defer();  // the clock went on since it was asked
  if (!core.others.empty()) return waits_for_others(call, seq);
  Done done;
  done.waits_for_call = seq;
  return done;
}

Result<json::Object> complete_draw(const Parts& parts, Transaction& tx, ObjectSeq seq,
                                   std::uint64_t call_seq) {
  const auto* batch = tx.world().batch(seq);
  const auto found = batch->open_calls.find(call_seq);
  if (found == batch->open_calls.end()) return fail(Errc::wrong_state, "no such open call");
  if (!batch->secrets) return fail(Errc::secret_unusable, "the batch's sealed secrets do not open");
  const auto& core = found->second.body.core;
  const auto round_id = core.round;
  TALLA_TRY(auto body,
            batch->secrets->draw(batch->progress, call_seq, found->second.body,
                                 opened_by_all(*tx.world().table(batch->table)->open_call, core)));
  const auto id = batch->id;
  const auto index = body.index;
  auto outcome = certs::outcome_json(body.outcome);
  TALLA_TRY(const auto draw_seq, tx.add({certs::Kind::draw, id, {call_seq}, {}, std::move(body)}));
  json::Object reply{{"draw", json::Object{{"seq", draw_seq},
                                           {"call", call_seq},
                                           {"batch", id},
                                           {"index", index},
                                           {"outcome", std::move(outcome)}}}};
  if (round_id != no_round) {
    TALLA_TRY(const auto round, certs::object_seq("round", round_id));
    TALLA_TRY_STATUS(finish_round(parts, tx, round));
    reply["round"] = round_view(parts.hashes, tx.world(), *tx.world().round(round), {});
  }
  return reply;
}

std::vector<Operation> draw_operations() {
  const auto round = optional("round", round_schema());
  const auto drawn = reply_of(
      "Drawn", "draw",
      Schema::object({required("outcome", outcome_schema()), required("seq", Schema::number()),
                      required("call", Schema::number().about("seq of its CALL")),
                      required("batch", Schema::id("batch")), required("index", Schema::number())}),
      {round, receipts_member()});
  const auto voided = reply_of(
      "Voided", "voided",
      Schema::object({required("seq", Schema::number()),
                      required("call", Schema::number().about("seq of its CALL")),
                      required("batch", Schema::id("batch")),
                      required("by", Schema::list(Schema::text(), 2)),
                      optional("outcome", outcome_schema().about("what it would have been"))})
          .about("two persons voided this draw while its table was suspended"),
      {round, receipts_member()});
  return {
      {.row = {"newBatch", "POST", "/v1/tables/{table}/batches", {Role::table}, true},
       .handler = new_batch,
       .words = {"draws", "Commit to secrets for draws",
                 "The root of a tree over fresh secrets is in the log before any call is made. "
                 "Each secret gives one draw; unused ones are opened when the batch is used up or "
                 "expires."},
       .body = Schema::object(
           {optional("count", Schema::integer(certs::batch_secrets)
                                  .about("secrets; the configuration may allow fewer"))}),
       .query = {},
       .replies = {{reply_of("BatchReply", "batch", batch_schema(), {receipts_member()}), 201}},
       .example_body = R"({"count":16})",
       .example_reply =
           R"({"batch":{"count":16,"expires":1767226200000000,"id":"batch-17","index":0,)"
           R"("root":"a6e1c4b6a34a2f6cbbbd36ff9b2e6a3c4bb8a4dbfb6f4d3f4f0de6f3f0a1b2c3",)"
           R"("state":"open","table":"table-16"},"receipts":[{"proof":"c2sp.org/tlog-proof@v1\n",)"
           R"("record":"{}"}]})"},
      {.row = {"draw", "POST", "/v1/draws", {Role::table}, true},
       .handler = start_draw,
       .words = {"draws", "Draw: the next secret of a batch and the table's call give the outcome",
                 "The call, signed by the table's key, is durable as CALL before the outcome is "
                 "computed, so that neither side can choose it. The same core again, under any "
                 "key, gets the same reply. At a table that the appliance settles `round` names "
                 "the open round, and its settlement comes with the reply."},
       .body = call_schema(),
       .query = {},
       .replies = {{Schema::named(
           "DrawReply", Schema::either({drawn, voided, called_reply(), lapsed_reply()}))}},
       .example_body =
           R"({"core":{"at":0,)"
           R"("bets":"5b1b5cd3a5a3ac7d4b6b4d3c1f0e2d3a4b5c6d7e8f90123456789abcdef01234",)"
           R"("catalogue":"0000000000000000000000000000000000000000000000000000000000000000",)"
           R"("game":"","head":"17c2b6d1a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e",)"
           R"("object":"batch-17","origin":"casino.example/talla","others":[],)"
           R"("parameters":"9e1b5cd3a5a3ac7d4b6b4d3c1f0e2d3a4b5c6d7e8f90123456789abcdef01234",)"
           R"("root":"a6e1c4b6a34a2f6cbbbd36ff9b2e6a3c4bb8a4dbfb6f4d3f4f0de6f3f0a1b2c3",)"
           R"("round":"0","specification":{"kind":"wheel","pockets":37},"table":"table-16",)"
           R"("turn":1,"type":"talla-call","use":"draw","v":2,)"
           R"("value":"c2b1c4b6a34a2f6cbbbd36ff9b2e6a3c4bb8a4dbfb6f4d3f4f0de6f3f0a1b2c3",)"
           R"("variant":""},"signature":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA)"
           R"(AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})",
       .example_reply =
           R"({"draw":{"batch":"batch-17","index":0,"call":18,"outcome":{"pocket":20},"seq":19},)"
           R"("receipts":[{"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})",
       .makes_call = true},
  };
}

}  // namespace talla::core

// One turn after another.
#include "sequencer.hpp"

#include "acts.hpp"
#include "base/check.hpp"
#include "ended.hpp"
#include "operations.hpp"
#include "problem.hpp"

namespace talla::core {
namespace {

/// The path without its query: what an idempotency key is bound to.
std::string plain_path(const std::string& path) {
  return path.substr(0, path.find('?'));
}

certs::ReplyKey key_of(const Request& request) {
  return {request.client.id, request.method, plain_path(request.path), request.idempotency_key};
}

certs::Client author_client(const Client& client) {
  certs::Client author;
  author.id = client.id;
  if (const auto spki = digest_from_hex(client.spki)) author.spki = *spki;
  return author;
}

}  // namespace

bool Sequencer::turn() {
  if (appliance_.failed()) {
    fail_everything();
    return false;
  }
  if (appliance_.settings.ended) return turn_ended();
  around_.flights.turn_begins();
  around_.flights.land();
  for (auto* duty : around_.duties) duty->on_turn();
  auto items = take();
  const bool busy = !items.empty() || !appliance_.effects.log.group().empty();
  const auto commands = items.size() + around_.draws.completed();
  for (auto& item : items) handle(std::move(item));
  around_.calls.complete_open();
  const bool rotating = around_.keys.go_on();
  around_.flights.commit();
  if (appliance_.failed()) {
    fail_everything();
    return busy || rotating;
  }
  prune();
  if (!busy || ++busy_turns_ % pause_every == 0) pause();
  around_.flights.turn_ends(commands);
  if (!appliance_.failed() && around_.flights.moved()) ++turns_;  // a disk that hangs holds them
  return busy || rotating;
}

/// Of a log that has ended: questions and known replies. What would have made a record is dropped.
bool Sequencer::turn_ended() {
  for (auto* duty : around_.duties) duty->on_ended_turn();
  auto items = take();
  const bool busy = !items.empty();
  for (auto& item : items) handle(std::move(item));
  TALLA_CHECK(appliance_.effects.log.group().empty() && around_.replies.finished() == 0);
  around_.flights.commit();  // answers
  pause();
  if (!appliance_.failed()) ++turns_;
  return busy;
}

std::deque<Waiting> Sequencer::take() {
  auto items = std::exchange(deferred_, {});
  for (auto& item : around_.flights.gather()) items.push_back(std::move(item));
  return items;
}

void Sequencer::handle(Waiting waiting) {
  const auto& asked = waiting.asked;
  if (asked.route.operation->row.method != "GET") return command(std::move(waiting));
  // What is not durable yet is in the state: the reply is given when it is.
  if (!asked.route.operation->beside_flights) around_.flights.await_all();
  auto reply =
      appliance_.failed() ? failed_reply() : around_.questions.answer(asked.request, asked.route);
  around_.replies.answer_now(std::move(waiting.answer), std::move(reply));
}

void Sequencer::refuse(Waiting waiting, const Refusal& refusal) {
  appliance_.metrics.count("talla_refusals_total{code=\"" + std::string(refusal.error.code) +
                           "\"}");
  around_.replies.answer_now(std::move(waiting.answer), problem_reply(refusal));
}

void Sequencer::command(Waiting waiting) {
  const auto& asked = waiting.asked;
  if (asked.digest &&
      around_.replies.known_key(waiting.answer, key_of(asked.request), *asked.digest))
    return;
  if (appliance_.settings.ended)
    return refuse(std::move(waiting), ended_error(*appliance_.settings.ended));
  run_command(std::move(waiting));
}

void Sequencer::run_command(Waiting waiting) {
  const auto& [request, route, body, digest, signed_call, opening] = waiting.asked;
  auto tx = appliance_.begin(
      {author_client(request.client), digest ? request.idempotency_key : std::string(), digest});
  auto outcome = core::run_command(
      Call{around_.parts, tx, request.client, Asked(body), signed_call.get(), opening.get()},
      route);
  if (!outcome && outcome.error().defer) return deferred_.push_back(std::move(waiting));
  if (!outcome) return refuse(std::move(waiting), outcome.error().refusal);
  const auto seqs = outcome->seqs ? *outcome->seqs : tx.seqs();
  tx.keep();
  appliance_.metrics.count("talla_commands_total{operation=\"" +
                           std::string(route.operation->row.id) + "\"}");
  if (digest) return answer_in_group(std::move(waiting), std::move(*outcome), seqs);
  Reply reply;
  reply.status = outcome->status;
  reply.body = json::canonical(json::Value(std::move(outcome->body)));
  around_.replies.answer_now(std::move(waiting.answer), std::move(reply));
}

/// Of a keyed request: when its records are durable, or of a draw when its outcome is.
void Sequencer::answer_in_group(Waiting waiting, Done done,
                                const std::vector<std::uint64_t>& seqs) {
  const auto& asked = waiting.asked;
  const auto id = key_of(asked.request);
  around_.replies.wait(id, *asked.digest, std::move(waiting.answer));
  if (!done.waits_for_call)
    return around_.replies.store(id, *asked.digest, done.status, std::move(done.body), seqs);
  const auto batch = certs::object_seq("batch", asked.signed_call->body.core.object);
  TALLA_CHECK(batch.has_value());
  around_.draws.begin(*batch, *done.waits_for_call, id.path);
}

void Sequencer::prune() {
  if (appliance_.forget_over()) around_.points.prune();
}

void Sequencer::pause() {
  for (auto* duty : around_.duties) duty->on_pause();
}

void Sequencer::run() {
  for (;;) {
    const bool busy = turn();
    auto& queue = around_.queue;
    const bool empty = queue.size() == 0;
    const bool flying = !around_.flights.empty();
    if (appliance_.failed() && empty && queue.stopping()) return;
    // What is deferred waits for a group in the air.
    const bool idle =
        empty && !around_.draws.any_due() && !queue.landed() && (deferred_.empty() || flying);
    if (queue.stopping() && idle && !busy && !flying) return;
    if (!idle && !appliance_.failed()) continue;
    queue.sleep(!flying);
  }
}

void Sequencer::run_until_idle() {
  for (;;) {
    const bool busy = turn();
    if (appliance_.failed()) return;
    if (!busy && around_.queue.size() == 0 && deferred_.empty() && !around_.draws.any_due()) return;
  }
}

void Sequencer::fail_everything() {
  around_.draws.drop();
  around_.replies.fail(around_.flights.drop());
  for (auto& one : std::exchange(deferred_, {})) one.answer(failed_reply());
  for (auto& one : around_.queue.take(around_.queue.size())) one.answer(failed_reply());
  around_.software.refuse_challenges(failed_reply());
  around_.waits.fail(failed_reply());
}

}  // namespace talla::core

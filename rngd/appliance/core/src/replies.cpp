// Who waits for an answer.
#include "replies.hpp"

#include "problem.hpp"

namespace talla::core {

Reply failed_reply() {
  return problem_reply(
      Error(Errc::ledger_failed, "nothing of this request is known to be done; ask again"));
}

void Replies::answer_now(Answer answer, Reply reply) {
  now_.plain.push_back({std::move(answer), std::move(reply)});
}

bool Replies::known_key(Answer& answer, const certs::ReplyKey& id, const Digest& request) {
  const auto say = [&](Reply reply) {
    answer_now(std::move(answer), std::move(reply));
    return true;
  };
  const auto other = [&] {
    return say(problem_reply(Error(Errc::key_reused, "this key belongs to another request")));
  };
  if (const auto found = running_.find(id); found != running_.end()) {
    if (found->second.request != request) return other();
    found->second.answers.push_back(std::move(answer));
    return true;
  }
  const auto stored = appliance_.effects.log.stored_reply(id);
  if (!stored) return say(problem_reply(Refusal(stored.error())));
  if (!stored->has_value()) return false;
  if ((*stored)->request != request) return other();
  auto body = appliance_.effects.log.prover().reply_body(**stored);
  if (!body) return say(problem_reply(Refusal(body.error())));
  Reply reply;
  reply.status = (*stored)->status;
  reply.body = std::move(*body);
  return say(std::move(reply));
}

void Replies::wait(const certs::ReplyKey& id, const Digest& request, Answer answer) {
  auto& running = running_[id];
  running.request = request;
  running.answers.push_back(std::move(answer));
}

void Replies::answer_waiting(const certs::ReplyKey& id, const Digest& request, const Reply& reply) {
  auto& running = running_[id];
  running.request = request;
  for (auto& answer : std::exchange(running.answers, {})) answer_now(std::move(answer), reply);
}

void Replies::store(const certs::ReplyKey& id, const Digest& request, int status, json::Object body,
                    const std::vector<std::uint64_t>& seqs) {
  certs::StoredReply reply{id, request, status, json::canonical(json::Value(std::move(body))),
                           seqs};
  appliance_.effects.log.group().replies.push_back(reply);
  now_.finished.push_back(std::move(reply));
}

Replies::Answers Replies::take() {
  return std::exchange(now_, {});
}

std::vector<Replies::Plain> Replies::take_plain() {
  return std::exchange(now_.plain, {});
}

void Replies::give(Answers answers) {
  for (const auto& stored : answers.finished) {
    auto node = running_.extract(stored.id);
    if (node.empty()) continue;
    Reply out;
    if (auto body = appliance_.effects.log.prover().reply_body(stored)) {
      out.status = stored.status;
      out.body = std::move(*body);
    } else {
      out = problem_reply(Refusal(body.error()));
    }
    for (auto& one : node.mapped().answers) one(out);
  }
  give(std::move(answers.plain));
}

void Replies::give(std::vector<Plain> plain) {
  for (auto& one : plain) one.answer(std::move(one.reply));
}

void Replies::fail(std::vector<Answers> flying) {
  flying.push_back(take());
  auto running = std::exchange(running_, {});
  for (auto& [id, one] : running) {
    for (auto& answer : one.answers) answer(failed_reply());
  }
  for (auto& answers : flying) {
    for (auto& one : answers.plain) one.answer(failed_reply());
  }
}

}  // namespace talla::core

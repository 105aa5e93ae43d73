// Follows the ANSWERs of a log: what its appliance opens behind the calls of other logs.
#include "verify/answers.hpp"

#include <utility>

#include "evidence.hpp"
#include "format/body_answer.hpp"
#include "p256.hpp"

namespace talla::certs {
namespace {

Status check_answer(const HashSuite& hashes, const Record& record, const AnswerBody& body) {
  const Contributor& own = body.own();
  const auto key = P256Key::parse(own.key);
  const Digest call = call_digest(hashes, body.core.bytes());
  if (!key || !key->has_signed(opening_statement(call, own.id, own.t, body.answer.value),
                               body.answer.signature))
    return refuse(VerifyErrc::answer_signature, record,
                  "the number of " + own.id + " is not signed by its key");
  if (contribution_commit(hashes, body.opening, own.id, own.t, body.answer.value) != own.commit)
    return refuse(VerifyErrc::commit_mismatch, record,
                  "the number of " + own.id + " is not the committed one");
  if (body.core.origin == record.origin)
    return refuse(VerifyErrc::answer_own, record, "answers a call of its own log");
  return {};
}

}  // namespace

Status Answers::take(const HashSuite& hashes, const Record& record) {
  if (record.kind != Kind::answer) return {};
  TALLA_TRY(const auto body, AnswerBody::from_json(record.body));
  TALLA_TRY_STATUS(check_answer(hashes, record, body));
  const Contributor& own = body.own();
  const Last next{body.core.turn, own.t, own.id};
  const auto [at, first] = last_.try_emplace({own.key, body.opening, body.core.origin}, next);
  const Last last = std::exchange(at->second, next);
  if (first) return {};
  if (next.turn == last.turn || next.t == last.t)
    return refuse(VerifyErrc::answer_twice, record,
                  "turn " + std::to_string(next.turn) + " or count " + std::to_string(next.t) +
                      " of its key was answered before");
  if (next.turn < last.turn || next.t < last.t)
    return refuse(VerifyErrc::answer_back, record, "stands behind the answer to a later turn");
  if (next.id != last.id)
    return refuse(VerifyErrc::answer_back, record, "its key answered as " + last.id + " before");
  return {};
}

}  // namespace talla::certs

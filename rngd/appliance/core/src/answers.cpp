// What clients of this appliance contribute to calls of other logs, recorded before it is sent.
#include <algorithm>

#include "calls.hpp"
#include "certs/call_key.hpp"
#include "commands.hpp"
#include "contributions.hpp"
#include "documents.hpp"
#include "format/body_answer.hpp"
#include "operations.hpp"
#include "schemas.hpp"

namespace talla::core {
namespace {

/// What ANSWERs follow one another in: one key at one opening of a table of one log.
Digest series_of(const HashSuite& hashes, const certs::AnswerBody& body) {
  return hashes.sha256({hashes.sha256({as_bytes(body.core.origin)}), body.opening, body.own().key});
}

/// The number is the committed one, and signed for this core, which is another log's.
Status check_alone(const Call& call, const certs::AnswerBody& body) {
  const auto& hashes = call.parts.hashes;
  const auto& own = body.own();
  if (body.core.origin == call.tx.origin())
    return fail(Errc::malformed_request, "core: a call of this log is opened here, not answered");
  TALLA_TRY_STATUS(check_contributor_key(own.key));
  const auto statement = certs::opening_statement(certs::call_digest(hashes, body.core.bytes()),
                                                  own.id, own.t, body.answer.value);
  if (!certs::call_signature_holds(own.key, statement, body.answer.signature))
    return fail(Errc::opening_signature,
                "signature: not of this contributor's key over this opening");
  if (certs::contribution_commit(hashes, body.opening, own.id, own.t, body.answer.value) !=
      own.commit)
    return fail(Errc::commit_mismatch, "value: not the one that was committed to");
  return {};
}

/// Signatures differ each time they are made: what is recorded is what counts.
bool says_the_same(const certs::AnswerBody& one, const certs::AnswerBody& other) {
  return one.core == other.core && one.id == other.id && one.answer.value == other.answer.value;
}

bool goes_on(const certs::AnswerBody& last, const certs::AnswerBody& next) {
  return next.core.turn > last.core.turn && next.own().t > last.own().t && next.id == last.id;
}

json::Object reply_for(const certs::AnswerBody& body, std::uint64_t seq) {
  return {{"answer", json::Object{{"seq", seq}, {"t", body.own().t}, {"turn", body.core.turn}}}};
}

}  // namespace

Outcome record_answer(const Call& call) {
  TALLA_TRY(const auto body, certs::AnswerBody::from_json(call.body.whole()));
  TALLA_TRY_STATUS(check_alone(call, body));
  const auto series = series_of(call.parts.hashes, body);
  if (const auto newest = call.world().answered(series); newest && !call.tx.durable(*newest))
    return defer();
  TALLA_TRY(const auto before, call.parts.answered(series));
  if (before) {
    TALLA_TRY(const auto last, certs::AnswerBody::from_json(before->body));
    if (says_the_same(last, body))
      return Done{reply_for(last, before->seq), 200, {}, std::vector{before->seq}};
    if (!goes_on(last, body))
      return refuse(Errc::answered_otherwise,
                    "another answer of this key is recorded: a key answers each turn and each of "
                    "its counts once, in their order",
                    reply_for(last, before->seq));
  }
  TALLA_TRY(const auto seq, call.tx.add({certs::Kind::answer, {}, {}, body.to_json()}));
  call.tx.group().documents.push_back({certs::documents::answer(series), std::to_string(seq)});
  Documents::take_answer(call.world(), series, seq);
  return Done{reply_for(body, seq), 200, {}};
}

std::vector<Operation> answer_operations() {
  return {
      {.row = {"recordAnswer", "POST", "/v1/answers", {Role::contributor, Role::operator_}, true},
       .handler = record_answer,
       .words = {"contributors", "Record what is opened behind a call of another log",
                 "For a partner's program, before it opens at that log: a key answers each turn "
                 "and each of its counts once, in their order. The same again is answered by the "
                 "record that stands, whose signature is the one to send; another answer is "
                 "refused."},
       .body = Schema::object(
           {required("core", core_schema()),
            required("opening", Schema::digest().about("leaf hash of the table's TABLE_OPEN")),
            required("id", Schema::text(1, 128).about("the contributor's in the core")),
            required("value", Schema::digest()),
            required("signature",
                     Schema::base64().about("r || s of the contributor's key over the opening's "
                                            "statement (certs/FORMAT.md section 8)"))}),
       .query = {},
       .replies = {{reply_of(
           "Answered", "answer",
           Schema::object({required("seq", Schema::number()), required("turn", Schema::number()),
                           required("t", Schema::number())}),
           {receipts_member()})}},
       .example_body =
           R"({"core":{"at":0,"bets":"4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c)"
           R"(2f11161202b945","catalogue":"000000000000000000000000000000000000000000000)"
           R"(0000000000000000000","game":"","head":"17c2b6d1a3b4c5d6e7f8091a2b3c4d5e6f7)"
           R"(08192a3b4c5d6e7f8091a2b3c4d5e","object":"batch-17","origin":"casino.exampl)"
           R"(e/talla","others":[{"commit":"474369d75c4ca7dcb22436d0f7f2e9a5f8b9535d0989)"
           R"(71d94b3365cf40e1b344","id":"talla:partner-1","key":"MFkwEwYHKoZIzj0CAQYIKo)"
           R"(ZIzj0DAQcDQgAErxkqCo4ZFYb5F/EhiFqprwHvj7uXfMgzc16yvS5mhtOuhKw0KVQdH/tLZZDC)"
           R"(D9hKJmEgnwhwWzeVsXFH93y1pg==","t":2}],"parameters":"44136fa355b3678a1146ad)"
           R"(16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","root":"a6e1c4b6a34a2f6cbbbd36)"
           R"(ff9b2e6a3c4bb8a4dbfb6f4d3f4f0de6f3f0a1b2c3","round":"0","specification":{")"
           R"(kind":"wheel","pockets":37},"table":"table-16","turn":3,"type":"talla-call)"
           R"(","use":"draw","v":2,"value":"c2b1c4b6a34a2f6cbbbd36ff9b2e6a3c4bb8a4dbfb6f)"
           R"(4d3f4f0de6f3f0a1b2c3","variant":""},"id":"talla:partner-1","opening":"28a3)"
           R"(a18f6cd6406b086e9ffda1f9b8a13dbcf44b0f3f32cb9031a11fd053acf9","signature":)"
           R"("2dVVL0lFJsOajXP7Wli0L2MaUXiZgMP16DSfUulEWoOkmJ6XH+ZVizJkOm1ldNBMklyghXqnM)"
           R"(I+JA7IAg/zNHA==","value":"2c0bbb96a2bd7aed252c8a246d7349df22b692feb3538c2e)"
           R"(b9a2ffbb1c72e440"})",
       .example_reply = R"({"answer":{"seq":17,"t":2,"turn":3},"receipts":[)"
                        R"({"proof":"c2sp.org/tlog-proof@v1\n","record":"{}"}]})"},
  };
}

}  // namespace talla::core

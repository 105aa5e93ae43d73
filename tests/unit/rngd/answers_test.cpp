// Goal: an appliance records what its clients open behind calls of other logs, each turn and count
//   of a key once and in their order, over crashes; the same again is answered by the record that
//   stands, and what is no answer is refused and changes nothing (PROTOCOL section 5b).
// Method: a whole simulated appliance; the house that calls is a core signed by nobody, since this
//   log cannot know its tables; receipts are verified offline.
#include <gtest/gtest.h>

#include "contributors.hpp"
#include "documents.hpp"
#include "format/body_answer.hpp"
#include "format/domain.hpp"
#include "machine.hpp"
#include "must.hpp"
#include "seat_pair.hpp"
#include "state.hpp"

namespace talla::core::test {
namespace {

using certs::AnswerBody;
using certs::CallCore;
using certs::Kind;

/// Key and seed of one who contributes to a house's table.
class Answerer {
 public:
  explicit Answerer(Rig& rig) : rig_(&rig) { seed_ = must(digest_from_hex(rig.nonce())); }

  [[nodiscard]] CallCore core(std::uint32_t turn, std::uint32_t t) const {
    CallCore made;
    made.origin = "house.example/log";
    made.table = "table-4";
    made.turn = turn;
    made.object = "batch-9";
    made.specification = certs::DrawSpecification(certs::DiceDraw{2, 6});
    made.others = {{id, key_->spki(), t, {}}};
    made.others[0].commit = certs::contribution_commit(rig_->hashes(), opening, id, t, value(t));
    return made;
  }
  [[nodiscard]] AnswerBody answer(const CallCore& core) const {
    const auto t = core.others[0].t;
    AnswerBody body{core, opening, id, {value(t), {}}};
    sign(body);
    return body;
  }
  void sign(AnswerBody& body) const {
    body.answer.signature =
        key_->sign(certs::opening_statement(certs::call_digest(rig_->hashes(), body.core.bytes()),
                                            body.id, body.own().t, body.answer.value));
  }
  [[nodiscard]] AnswerBody next(std::uint32_t turn, std::uint32_t t) const {
    return answer(core(turn, t));
  }

  std::string id = "talla:partner-1";
  Digest opening{5, 5};

 private:
  [[nodiscard]] Digest value(std::uint32_t t) const {
    return certs::contribution_value(rig_->hashes(), seed_, opening, t);
  }
  Rig* rig_;
  Digest seed_{};
  std::shared_ptr<const certs::CallKey> key_ = std::make_shared<const certs::CallKey>(
      must(certs::CallKey::load(certs::testing::seat_pair().pem)));
};

const Client program{"talla:program-1", std::string(64, '7'), {Role::contributor}};

Got record_in(Rig& rig, const AnswerBody& body, const Client& who = program) {
  return rig.post_as(who, "/v1/answers", json::canonical(body.to_json()));
}

TEST(AnswerRecords, PROTOCOL_5b_hold_what_is_to_be_opened_and_stand_for_the_same_again) {
  Rig rig;
  const Answerer one(rig);
  const auto answer = one.next(1, 1);
  const auto first = record_in(rig, answer);
  ASSERT_EQ(first.status, 200) << first.body;
  const auto record = first.record(Kind::answer);
  EXPECT_EQ(record.body, answer.to_json());
  EXPECT_EQ(record.client->id, program.id);
  auto signed_again = answer;
  one.sign(signed_again);
  const auto size = rig.log().size();
  for (const bool crash : {false, true}) {
    if (crash) rig.restart();
    const auto grown = rig.log().size();
    const auto again = record_in(rig, signed_again);
    ASSERT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(again.record(Kind::answer).seq, record.seq) << "what stands, and its signature";
    EXPECT_EQ(again.record(Kind::answer).body, answer.to_json());
    EXPECT_EQ(rig.log().size(), grown);
  }
  EXPECT_EQ(record_in(rig, one.next(3, 2), rig.operator_).status, 200) << "turn 2 went without it";
  EXPECT_GT(rig.log().size(), size);
  EXPECT_EQ(rig.records(Kind::answer).size(), 2U);
}

TEST(AnswerRecords, PROTOCOL_5b_another_answer_of_a_key_is_refused_over_crashes) {
  Rig rig;
  const Answerer one(rig);
  ASSERT_EQ(record_in(rig, one.next(5, 3)).status, 200);
  auto renamed = one;
  renamed.id = "talla:partner-2";
  auto other_root = one.core(5, 3);
  other_root.root[0] ^= 1;
  for (const bool crash : {false, true}) {
    if (crash) rig.restart();
    const auto size = rig.log().size();
    const std::vector<std::pair<const char*, AnswerBody>> lies{
        {"another core of the turn and count", one.answer(other_root)},
        {"the turn again", one.next(5, 4)},
        {"the count again", one.next(6, 3)},
        {"a turn before", one.next(4, 4)},
        {"a count before", one.next(6, 2)},
        {"both before", one.next(4, 2)},
        {"another id", renamed.next(6, 4)},
    };
    for (const auto& [name, lie] : lies) {
      const auto got = record_in(rig, lie);
      EXPECT_EQ(got.status, 409) << name;
      EXPECT_EQ(got.code(), "answered_otherwise") << name << ": " << got.body;
      EXPECT_EQ(got.number({"answer", "turn"}), 5) << name << ": " << got.body;
    }
    EXPECT_EQ(rig.log().size(), size) << "nothing was recorded";
  }
  EXPECT_EQ(record_in(rig, one.next(6, 4)).status, 200);
  auto elsewhere = one;
  elsewhere.opening = Digest{6};
  EXPECT_EQ(record_in(rig, elsewhere.next(1, 1)).status, 200) << "another opening of the table";
  auto other_log = one.next(1, 1);
  other_log.core.origin = "casa.example/registro";
  one.sign(other_log);
  EXPECT_EQ(record_in(rig, other_log).status, 200) << "another log";
}

TEST(AnswerRecords, that_two_ask_for_at_once_are_one) {
  Rig rig;
  const Answerer one(rig);
  auto other_root = one.core(1, 1);
  other_root.root[0] ^= 1;
  const auto ask = [&](const AnswerBody& body) {
    auto request = rig.request("POST", "/v1/answers", json::canonical(body.to_json()));
    request.client = program;
    return rig.send(request);
  };
  const auto first = ask(one.next(1, 1));
  const auto again = ask(one.next(1, 1));
  const auto other = ask(one.answer(other_root));
  rig.service().run_until_idle();
  ASSERT_TRUE(first->has_value() && again->has_value() && other->has_value());
  EXPECT_EQ((*first)->status, 200) << (*first)->body;
  EXPECT_EQ((*again)->status, 200) << (*again)->body;
  EXPECT_EQ((*other)->status, 409) << (*other)->body;
  EXPECT_EQ(rig.records(Kind::answer).size(), 1U);
}

TEST(AnswerRecords, of_what_is_no_answer_are_refused) {
  Rig rig;
  const Answerer one(rig);
  const Answerer other(rig);
  struct AnswerLie {
    const char* code;
    std::function<void(AnswerBody&)> change;
  };
  const std::vector<AnswerLie> lies{
      {"malformed_request",
       [&](AnswerBody& body) {
         body.core.origin = rig.log().origin();
         one.sign(body);
       }},
      {"opening_signature", [&](AnswerBody& body) { other.sign(body); }},
      {"opening_signature", [](AnswerBody& body) { body.core.turn = 2; }},
      {"opening_signature", [](AnswerBody& body) { body.answer.value[0] ^= 1; }},
      {"commit_mismatch", [](AnswerBody& body) { body.opening[0] ^= 1; }},
      {"commit_mismatch",
       [&](AnswerBody& body) {
         body.answer.value[0] ^= 1;
         one.sign(body);
       }},
      {"malformed_request", [](AnswerBody& body) { body.core.others[0].key.pop_back(); }},
      {"malformed_request", [](AnswerBody& body) { body.id = "talla:partner-9"; }},
  };
  const auto size = rig.log().size();
  for (const auto& lie : lies) {
    auto body = one.next(1, 1);
    lie.change(body);
    const auto got = record_in(rig, body);
    EXPECT_EQ(got.code(), lie.code) << &lie - lies.data() << ": " << got.body;
  }
  const Client auditor{"talla:auditor-1", std::string(64, '8'), {Role::auditor}};
  EXPECT_EQ(record_in(rig, one.next(1, 1), auditor).code(), "forbidden");
  EXPECT_EQ(rig.log().size(), size);
}

/// What is remembered in memory is bounded; the ledger knows the rest.
TEST(AnswerRecords, of_more_tables_than_are_remembered_are_refused_as_well) {
  State state;
  const auto number = [](std::uint64_t seq) {
    Digest series{};
    for (std::size_t i = 0; i < 8; ++i) series[i] = static_cast<std::uint8_t>(seq >> (8 * i));
    return series;
  };
  for (std::uint64_t seq = 0; seq < answers_max + 3; ++seq) {
    Overlay overlay(state.world());
    Documents::take_answer(overlay, number(seq), seq);
    EXPECT_EQ(overlay.answered(number(seq)), seq);
    state.keep(overlay);
  }
  const Overlay overlay(state.world());
  EXPECT_EQ(state.world().answers.size(), answers_max);
  EXPECT_FALSE(overlay.answered(number(2)));
  EXPECT_EQ(overlay.answered(number(3)), 3U);
  EXPECT_EQ(overlay.answered(number(answers_max + 2)), answers_max + 2);
}

}  // namespace
}  // namespace talla::core::test

// Goal: what a log says that its appliance contributes elsewhere holds by itself, and answers no
//   turn twice (FORMAT section 8): in a receipt, a bundle, and over archives.
// Method: true answers of two keys to calls of another log, then one that lies and is right in
//   everything else. Every file goes to the other verifiers too (TALLA_LIES), named by the code
//   that refuses it.
#include <gtest/gtest.h>

#include <numeric>

#include "format/body_answer.hpp"
#include "lies.hpp"
#include "memory_source.hpp"
#include "story.hpp"
#include "verify/archive.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

constexpr const char* answering = "partner-1";
constexpr const char* other_one = "partner-2";
const Digest house_opening{7, 7, 7};

/// A log with a table of its own and answers to calls of another one.
struct AnsweringLog {
  explicit AnsweringLog(test::Pki& keys) : pki(keys), log(keys) {
    people.join(answering, "of the one");
    people.join(other_one, "of the other");
    table = test::open_client_table(log, context, json::Object{});
  }
  /// What the house calls for; everybody counts on.
  CallCore core(std::uint32_t turn) {
    CallCore made;
    made.origin = "house.example/log";
    made.table = "table-4";
    made.turn = turn;
    made.object = "batch-9";
    made.specification = DrawSpecification(DiceDraw{2, 6});
    made.others = people.others(log.hashes, house_opening);
    return made;
  }
  AnswerBody answer(const CallCore& core, const std::string& id = answering) const {
    AnswerBody body{core, house_opening, id, {}};
    const auto opened = people.open(log.hashes, house_opening, core);
    for (std::size_t i = 0; i < opened.size(); ++i) {
      if (core.others[i].id == id) body.answer = opened[i];
    }
    return body;
  }
  /// Signed anew, whatever it says now.
  void sign(AnswerBody& body) const {
    body.answer.signature =
        people.sign(log.hashes, body.id, body.core, body.own().t, body.answer.value);
  }
  void add(const AnswerBody& body) {
    answers.push_back(log.add({Kind::answer, {}, body.to_json(), {}}));
  }
  /// What bundles of it claim: a BATCH_COMMIT behind the answers.
  void end() {
    const test::Batch batch(log, table, 4, context);
    claim = *object_seq("batch", batch.id());
  }
  /// Of the table, with all answers.
  [[nodiscard]] Bundle file() const { return log.select({claim, {table}, {}, {}, 0, answers}); }
  [[nodiscard]] Bundle whole() const {
    test::LogBuilder::Selection all{claim, {table}, {}, {}, 0, {}};
    all.more.resize(log.next_seq());
    std::iota(all.more.begin(), all.more.end(), std::uint64_t{0});
    return log.select(all);
  }
  Result<Verdict> judge_receipt() const {
    return verify_receipt(format_receipt(log.receipt(answers.back())),
                          json::canonical(pki.log_key().to_json()), pki.roots_pem());
  }
  /// As two archives, the newest answer in the second one.
  Result<ArchiveVerdict> judge_archives() const {
    const auto both = test::archives_of(whole(), answers.back());
    const std::string roots = pki.roots_pem();
    ArchiveVerifier verifier(roots, {});
    test::MemorySource first(both.first);
    TALLA_TRY([[maybe_unused]] const auto before, verifier.verify(first));
    test::MemorySource second(both.second);
    return verifier.verify(second);
  }

  test::Pki& pki;
  test::LogBuilder log;
  test::Panel people;
  Context context = test::story_context({});
  std::string table;
  std::vector<std::uint64_t> answers;
  std::uint64_t claim = 0;
};

void hold_answers(AnsweringLog& log, const std::string& name) {
  log.end();
  const std::string text = format_bundle(log.file());
  keep_lie("true_chain-answers-" + name + ".talla", text);
  const auto verdict = verify_bundle(text, log.pki.roots_pem());
  EXPECT_TRUE(verdict) << name << ": " << (verdict ? "" : verdict.error().text());
  const auto receipt = log.judge_receipt();
  EXPECT_TRUE(receipt) << name << ": " << (receipt ? "" : receipt.error().text());
  const auto archives = log.judge_archives();
  EXPECT_TRUE(archives) << name << ": " << (archives ? "" : archives.error().text());
}

/// The newest answer is refused; by itself too, where that says so.
void refuse_answer(AnsweringLog& log, VerifyErrc errc, bool alone, const std::string& name) {
  log.end();
  const std::string text = format_bundle(log.file());
  keep_lie("chain-" + std::string(errc_name(errc)) + "-answers-" + name + ".talla", text);
  const auto verdict = verify_bundle(text, log.pki.roots_pem());
  ASSERT_FALSE(verdict) << name;
  EXPECT_TRUE(verdict.error().is(errc)) << name << ": " << verdict.error().text();
  const auto receipt = log.judge_receipt();
  EXPECT_EQ(!receipt, alone) << name;
  if (!receipt) {
    EXPECT_TRUE(receipt.error().is(errc)) << name << ": " << receipt.error().text();
  }
  const auto archives = log.judge_archives();
  ASSERT_FALSE(archives) << name;
  EXPECT_TRUE(archives.error().is(errc)) << name << ": " << archives.error().text();
}

TEST(Answers, of_each_key_for_turn_after_turn_hold) {
  test::Pki pki;
  AnsweringLog log(pki);
  for (const std::uint32_t turn : {1U, 3U, 4U}) {  // of turn 2 it was left out
    const CallCore core = log.core(turn);
    log.add(log.answer(core));
    log.add(log.answer(core, other_one));
  }
  hold_answers(log, "two-keys");
}

/// Another opening of the table, or another log, counts by itself.
TEST(Answers, of_one_key_at_another_opening_or_log_hold) {
  test::Pki pki;
  AnsweringLog log(pki);
  const CallCore core = log.core(5);
  log.add(log.answer(core));
  AnswerBody elsewhere = log.answer(core);
  elsewhere.opening = Digest{9};
  elsewhere.core.others[0].commit = contribution_commit(
      log.log.hashes, elsewhere.opening, answering, elsewhere.own().t, elsewhere.answer.value);
  log.sign(elsewhere);
  log.add(elsewhere);
  AnswerBody other_log = log.answer(core);
  other_log.core.origin = "casa.example/registro";
  log.sign(other_log);
  log.add(other_log);
  hold_answers(log, "other-openings");
}

TEST(Answers, for_a_turn_or_count_that_was_answered_are_refused) {
  test::Pki pki;
  {
    AnsweringLog log(pki);
    const CallCore core = log.core(1);
    log.add(log.answer(core));
    log.add(log.answer(core));
    refuse_answer(log, VerifyErrc::answer_twice, false, "the-same");
  }
  {
    AnsweringLog log(pki);
    log.add(log.answer(log.core(1)));
    log.add(log.answer(log.core(1)));  // the next count, for another core of the turn
    refuse_answer(log, VerifyErrc::answer_twice, false, "turn");
  }
  AnsweringLog log(pki);
  CallCore core = log.core(1);
  log.add(log.answer(core));
  core.turn = 2;  // the same count
  log.add(log.answer(core));
  refuse_answer(log, VerifyErrc::answer_twice, false, "count");
}

TEST(Answers, behind_a_later_one_or_under_another_id_are_refused) {
  test::Pki pki;
  {
    AnsweringLog log(pki);
    const CallCore first = log.core(1);
    log.add(log.answer(log.core(2)));
    log.add(log.answer(first));
    refuse_answer(log, VerifyErrc::answer_back, false, "both");
  }
  {
    AnsweringLog log(pki);
    log.add(log.answer(log.core(2)));
    log.add(log.answer(log.core(1)));  // a turn before, the next count
    refuse_answer(log, VerifyErrc::answer_back, false, "turn");
  }
  AnsweringLog log(pki);
  log.add(log.answer(log.core(1)));
  log.people.join("partner-0", "of the one");  // the same key
  log.people.leave(answering);
  CallCore core = log.core(2);
  core.others[0].t = 2;
  AnswerBody renamed = log.answer(core, "partner-0");
  renamed.core.others[0].commit =
      contribution_commit(log.log.hashes, house_opening, "partner-0", 2, renamed.answer.value);
  log.sign(renamed);
  log.add(renamed);
  refuse_answer(log, VerifyErrc::answer_back, false, "id");
}

TEST(Answers, that_are_not_signed_not_committed_or_to_their_own_log_are_refused) {
  struct AnswerLie {
    VerifyErrc errc;
    const char* name;
    std::function<void(AnsweringLog&, AnswerBody&)> change;
  };
  const std::vector<AnswerLie> lies{
      {VerifyErrc::answer_signature, "by-another-key",
       [](AnsweringLog& log, AnswerBody& body) {
         body.answer.signature =
             log.people.sign(log.log.hashes, other_one, body.core, body.own().t, body.answer.value);
       }},
      {VerifyErrc::answer_signature, "for-another-core",
       [](AnsweringLog&, AnswerBody& body) { body.core.round = "round-5"; }},
      {VerifyErrc::answer_signature, "no-key",
       [](AnsweringLog&, AnswerBody& body) { body.core.others[0].key.resize(60); }},
      {VerifyErrc::commit_mismatch, "of-another-opening",
       [](AnsweringLog&, AnswerBody& body) { body.opening[3] ^= 1; }},
      {VerifyErrc::commit_mismatch, "another-number",
       [](AnsweringLog& log, AnswerBody& body) {
         body.answer.value[3] ^= 1;
         log.sign(body);
       }},
      {VerifyErrc::answer_own, "own",
       [](AnsweringLog& log, AnswerBody& body) {
         body.core.origin = test::story_origin;
         log.sign(body);
       }},
  };
  test::Pki pki;
  for (const AnswerLie& lie : lies) {
    AnsweringLog log(pki);
    log.add(log.answer(log.core(1)));
    AnswerBody body = log.answer(log.core(2));
    lie.change(log, body);
    log.add(body);
    refuse_answer(log, lie.errc, true, lie.name);
  }
}

}  // namespace
}  // namespace talla::certs

// Goal: honest evidence of every kind of claim verifies, and the verdict says what it is worth and
//       what was not checked.
// Method: whole stories logged in memory, signed by another key set each time, judged by the
//         verifier alone.
#include "verify/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lies.hpp"

namespace talla::certs {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(VerifyBundle, a_closed_public_shoe_is_run_again_whole) {
  test::Pki pki;
  const Verdict verdict = judged(test::shoe_scene(pki).closed, pki);
  EXPECT_EQ(verdict.kind, "SHOE_CLOSE");
  EXPECT_EQ(verdict.verdict_class, VerdictClass::uncertified);
  EXPECT_TRUE(verdict.development);
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("whole shuffle of 416 cards")));
  EXPECT_THAT(verdict.not_checked, Contains("unwitnessed: does not exclude a second history"));
  EXPECT_THAT(verdict.not_checked, Contains("revocation not checked"));
}

TEST(VerifyBundle, a_dealt_card_says_that_the_rest_stays_unchecked) {
  test::Pki pki;
  const Verdict verdict = judged(test::shoe_scene(pki).dealt, pki);
  EXPECT_EQ(verdict.kind, "CARD_DEAL");
  EXPECT_THAT(verdict.not_checked, Contains(HasSubstr("composition of 407 unopened cards")));
}

TEST(VerifyBundle, draws_voids_and_batch_closes_follow_from_their_secrets) {
  test::Pki pki;
  const test::DrawScene scene = test::draw_scene(pki);
  EXPECT_EQ(judged(scene.drawn, pki).kind, "DRAW");
  EXPECT_THAT(judged(scene.drawn, pki).claim_text, HasSubstr("dice"));
  EXPECT_THAT(judged(scene.voided, pki).claim_text, HasSubstr("it would have been dice"));
  EXPECT_EQ(judged(scene.closed, pki).kind, "BATCH_CLOSE");
}

TEST(VerifyBundle, a_spin_is_settled_again_by_the_rules) {
  test::Pki pki;
  const Verdict verdict = judged(test::spin_scene(pki), pki);
  EXPECT_EQ(verdict.kind, "SETTLEMENT");
  EXPECT_THAT(verdict.claim_text, HasSubstr("bet b2 pleno of 25"));
  EXPECT_THAT(verdict.not_checked, Contains("earlier rounds not re-run"));
}

TEST(VerifyBundle, a_coup_is_settled_again_from_its_opened_cards) {
  test::Pki pki;
  const Verdict verdict = judged(test::coup_scene(pki), pki);
  EXPECT_EQ(verdict.kind, "SETTLEMENT");
  EXPECT_THAT(verdict.claim_text, HasSubstr("bet b1 punto of 100"));
}

TEST(VerifyBundle, the_coup_of_the_stop_card_is_settled_again) {
  test::Pki pki;
  const Verdict verdict = judged(test::last_coup_scene(pki), pki);
  EXPECT_EQ(verdict.kind, "SETTLEMENT");
  EXPECT_THAT(verdict.claim_text, HasSubstr("bet b1 punto of 100"));
}

TEST(VerifyBundle, no_word_of_the_records_makes_it_certified) {
  test::Pki pki;
  const auto class_with = [&](const std::function<void(Context&)>& change) {
    return judged(test::draw_scene(pki, {.tamper = {}, .context = change}).drawn, pki)
        .verdict_class;
  };
  EXPECT_EQ(class_with([](Context& context) {
              context.uncertified = false;
              context.construction = "rbg3-xor";
              context.sources = {{.model = "chaoskey",
                                  .source_class = "raw_physical",
                                  .millibits = 4000,
                                  .verdict = "healthy",
                                  .assessment = "unit",
                                  .assessment_digest = Digest{1, 2, 3},
                                  .serial = "0001"}};
            }),
            VerdictClass::uncertified);
  EXPECT_EQ(class_with([](Context& context) {
              context.sources.push_back({"recording", "lab", 0, "not_tested"});
            }),
            VerdictClass::lab);
  EXPECT_EQ(exit_code(VerdictClass::certified), 0);
  EXPECT_EQ(exit_code(VerdictClass::uncertified), 3);
  EXPECT_EQ(exit_code(VerdictClass::lab), 4);
}

TEST(VerifyBundle, opening_records_are_claims_of_their_own) {
  test::Pki pki;
  Bundle bundle = test::shoe_scene(pki).closed;
  bundle.claim = 2;
  bundle.records.resize(2);
  EXPECT_EQ(judged(bundle, pki).kind, "SHOE_COMMIT");
  bundle.claim = 1;
  bundle.records.resize(1);
  const Verdict verdict = judged(bundle, pki);
  EXPECT_EQ(verdict.kind, "TABLE_OPEN");
  EXPECT_THAT(verdict.not_checked, Contains(HasSubstr("no source of randomness")));
}

}  // namespace
}  // namespace talla::certs

// Goal: a shoe shuffled again while cards stay out verifies, covered and public, each card against
//   the root it was dealt under; every lie about roots, positions and cards that go back is refused
//   (FORMAT.md section 7, "Shuffled again").
// Method: one honest story; then one record of it changed before it is logged (the log itself is
//   well signed), one failure each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "format/body_shoe.hpp"
#include "lies.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST(ShuffledAgain,
     a_covered_shoe_opens_each_card_under_its_own_root_and_says_what_it_cannot_check) {
  test::Pki pki;
  const Verdict verdict = judged(test::again_scene(pki), pki);
  EXPECT_EQ(verdict.kind, "SHOE_CLOSE");
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("7 opened cards are the committed ones")));
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("shuffled again 2 times")));
  EXPECT_THAT(verdict.checked, Not(Contains(HasSubstr("run again from its tape"))));
  // 52 cards; seen where they are now: common-1, seats 1 and 3 of the first root, two of the
  // second, one of the third.
  EXPECT_THAT(verdict.not_checked, Contains(HasSubstr("composition of 46 unopened cards")));
}

TEST(ShuffledAgain, of_a_public_shoe_every_shuffle_is_run_again_with_cards_of_older_roots) {
  test::Pki pki;
  const Verdict verdict = judged(test::again_scene(pki, {.covered = false}), pki);
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("each of its 3 shuffles was run again")));
  EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("composition"))));
}

TEST(ShuffledAgain, with_cards_that_were_not_there_is_refused_where_a_card_shows_it) {
  test::Pki pki;
  const auto all_alike = [](Bytes& cards) { std::fill(cards.begin(), cards.end(), cards.front()); };
  const auto covered = verify_bundle(
      format_bundle(test::again_scene(pki, {.covered = true, .lie = all_alike})), pki.roots_pem());
  ASSERT_FALSE(covered);
  EXPECT_TRUE(covered.error().is(VerifyErrc::card_excess)) << covered.error().text();
  EXPECT_THAT(covered.error().text(), HasSubstr("more of this card than the deck has"));
  const auto swapped = [](Bytes& cards) { cards.front() = cards.back(); };
  const auto opened = verify_bundle(
      format_bundle(test::again_scene(pki, {.covered = false, .lie = swapped})), pki.roots_pem());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(VerifyErrc::wrong_commitment) ||
              opened.error().is(VerifyErrc::wrong_opening))
      << opened.error().text();
}

TEST(ShuffledAgain, a_card_of_an_older_root_is_not_in_the_tree_of_the_newest) {
  test::Pki pki;
  const Bundle honest = test::again_scene(pki);
  std::vector<CardOpenBody> opened;
  for (const auto& entry : honest.records) {
    const auto record = parse_record(entry.record);
    ASSERT_TRUE(record);
    if (record->kind == Kind::card_open) opened.push_back(*CardOpenBody::from_json(record->body));
  }
  ASSERT_EQ(opened.size(), 4U);
  // The second CARD_OPEN opens seat-1 of the first root; made to say that it is the one of the
  // newest, with its leaf.
  const auto moved = [&](Record& record) {
    auto body = *CardOpenBody::from_json(record.body);
    ASSERT_EQ(body.recommits, 0U);
    body.recommits.reset();
    body.opening.leaf = opened[2].opening.leaf;
    record.body = body.to_json();
  };
  const auto verdict =
      verify_bundle(format_bundle(test::again_scene(
                        pki, {}, {.tamper = {Kind::card_open, 1, moved}, .context = {}})),
                    pki.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(VerifyErrc::wrong_opening)) << verdict.error().text();
}

using Again = ShoeRecommitBody;
using Open = CardOpenBody;

class WrongAgain : public testing::TestWithParam<Lie> {};
TEST_P(WrongAgain, is_refused) {
  test::Pki pki;
  const Lie& lie = GetParam();
  const test::SceneOptions options{.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}};
  const std::string bundle =
      format_bundle(test::again_scene(pki, {.covered = lie.covered}, options));
  const auto verdict = verify_bundle(bundle, pki.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(lie.errc)) << verdict.error().text();
  keep_coded(lie.errc, std::string("again-") + lie.what, bundle);
}

constexpr auto recommit = Kind::shoe_recommit;
constexpr auto card_open = Kind::card_open;

INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongAgain,
    testing::Values(
        Lie{"old_root", VerifyErrc::recommit_root, recommit, 0,
            body<Again>([](auto& b) { b.of[0] ^= 1; })},
        Lie{"older_root_than_the_newest", VerifyErrc::recommit_root, recommit, 1,
            [](Record& r) { r.body["of"] = std::string(64, '0'); }},
        Lie{"count", VerifyErrc::recommit_count, recommit, 0,
            body<Again>([](auto& b) { ++b.commit.cards; })},
        Lie{"one_card_less_goes_back", VerifyErrc::recommit_count, recommit, 0,
            body<Again>([](auto& b) { b.returned.pop_back(); })},
        Lie{"disclosure", VerifyErrc::recommit_shoe, recommit, 0,
            body<Again>([](auto& b) { b.commit.covered = false; })},
        Lie{"disclosure_of_a_public_one", VerifyErrc::recommit_shoe, recommit, 0,
            body<Again>([](auto& b) { b.commit.covered = true; }), false},
        Lie{"deck", VerifyErrc::recommit_shoe, recommit, 0,
            body<Again>([](auto& b) { b.commit.deck = "french52x2"; })},
        Lie{"other_number", VerifyErrc::recommit_shoe, recommit, 1,
            body<Again>([](auto& b) { ++b.commit.number; })},
        Lie{"context", VerifyErrc::context_other, recommit, 0,
            body<Again>([](auto& b) { b.commit.context.game = "craps"; })},
        Lie{"not_dealt", VerifyErrc::returned_wrong, recommit, 0, body<Again>([](auto& b) {
              b.returned = {3, 8};
            })},
        Lie{"still_held", VerifyErrc::card_gone, recommit, 0, body<Again>([](auto& b) {
              b.returned = {0, 6};
            })},
        Lie{"still_held_of_an_older_root", VerifyErrc::card_gone, recommit, 1,
            body<Again>([](auto& b) {
              b.older = {{0, {1, 2}}};
            })},
        Lie{"went_back_before", VerifyErrc::returned_wrong, recommit, 1, body<Again>([](auto& b) {
              b.older = {{0, {1, 3}}};
            })},
        Lie{"older_not_dealt", VerifyErrc::returned_wrong, recommit, 1, body<Again>([](auto& b) {
              b.older = {{0, {1, 40}}};
            })},
        Lie{"older_is_the_present_root", VerifyErrc::root_index, recommit, 1,
            body<Again>([](auto& b) {
              b.older = {{1, {0, 1}}};
            })},
        Lie{"older_of_no_root", VerifyErrc::root_index, recommit, 1, body<Again>([](auto& b) {
              b.older = {{7, {0, 1}}};
            })},
        Lie{"mix_of_the_old_root", VerifyErrc::mix_root, Kind::shoe_mix, 1,
            body<ShoeMixBody>([](auto& b) { b.root[0] ^= 1; })},
        Lie{"position_goes_on", VerifyErrc::deal_order, Kind::card_deal, 8,
            body<CardDealBody>([](auto& b) { b.position = 8; })},
        // CARD_OPENs: common-2 before the first shuffle; seat-1 of
        // the first root, seat-1 of the second, seat-3 of the
        // first.
        Lie{"opened_against_the_newest_root", VerifyErrc::wrong_position, card_open, 1,
            body<Open>([](auto& b) { b.recommits.reset(); })},
        Lie{"opened_against_a_root_between", VerifyErrc::card_gone, card_open, 3,
            body<Open>([](auto& b) { b.recommits = 1; })},
        Lie{"root_named_that_is_the_newest", VerifyErrc::root_index, card_open, 2,
            body<Open>([](auto& b) { b.recommits = 1; })},
        Lie{"root_named_that_is_not", VerifyErrc::root_index, card_open, 1,
            body<Open>([](auto& b) { b.recommits = 9; })},
        Lie{"named_before_any_shuffle", VerifyErrc::root_index, card_open, 0,
            body<Open>([](auto& b) { b.recommits = 0; })},
        Lie{"opened_twice", VerifyErrc::not_covered, card_open, 3, body<Open>([](auto& b) {
              b.position = 0;
              b.place = "seat-1";
            })},
        Lie{"opened_after_it_went_back", VerifyErrc::card_gone, card_open, 1,
            body<Open>([](auto& b) {
              b.position = 3;
              b.place = "seat-4";
            })},
        Lie{"old_card", VerifyErrc::wrong_opening, card_open, 1,
            body<Open>([](auto& b) { b.opening.card = b.opening.card == "AS" ? "2S" : "AS"; })},
        Lie{"old_salt", VerifyErrc::wrong_opening, card_open, 1,
            body<Open>([](auto& b) { b.opening.salt[0] ^= 1; })},
        Lie{"old_path", VerifyErrc::wrong_opening, card_open, 1,
            body<Open>([](auto& b) { b.opening.path[0][0] ^= 1; })},
        Lie{"dealt_counts_every_root", VerifyErrc::close_count, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { b.dealt = 13; })},
        Lie{"a_root_kept_back", VerifyErrc::roots_opened, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { b.replaced.pop_back(); }), false},
        Lie{"roots_in_another_order", VerifyErrc::tape_wrong, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { std::swap(b.replaced[0], b.replaced[1]); }), false},
        Lie{"older_cards_in_another_place", VerifyErrc::wrong_commitment, recommit, 1,
            body<Again>([](auto& b) {
              b.older = {{0, {5, 7}}};
            }),
            false}),
    [](const auto& named) { return std::string(named.param.what); });

}  // namespace
}  // namespace talla::certs

// Goal: a shoe shuffled again while cards stay out verifies, covered and public, each card against the root it was
//   dealt under; every lie about roots, positions and cards that go back is refused (FORMAT.md section 7, "Shuffled
//   again").
// Method: one honest story; then one record of it changed before it is logged (the log itself is well signed), one
//   failure each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "format/body_shoe.hpp"
#include "scenes.hpp"
#include "verify/verify.hpp"

namespace talla::certs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

Verdict judged(const Bundle& bundle, const test::Pki& pki) {
  auto verdict = verify_bundle(format_bundle(bundle), pki.roots_pem());
  EXPECT_TRUE(verdict) << (verdict ? "" : verdict.error().text());
  return verdict ? *verdict : Verdict{};
}

TEST(ShuffledAgain, ACoveredShoeOpensEachCardUnderItsOwnRootAndSaysWhatItCannotCheck) {
  test::Pki pki;
  const Verdict verdict = judged(test::again_scene(pki), pki);
  EXPECT_EQ(verdict.kind, "SHOE_CLOSE");
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("7 opened cards are the committed ones")));
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("shuffled again 2 times")));
  EXPECT_THAT(verdict.checked, Not(Contains(HasSubstr("run again from its tape"))));
  // 52 cards; seen where they are now: common-1, seats 1 and 3 of the first root, two of the second, one of the third.
  EXPECT_THAT(verdict.not_checked, Contains(HasSubstr("composition of 46 unopened cards")));
}

TEST(ShuffledAgain, OfAPublicShoeEveryShuffleIsRunAgainWithCardsOfOlderRoots) {
  test::Pki pki;
  const Verdict verdict = judged(test::again_scene(pki, {.covered = false}), pki);
  EXPECT_THAT(verdict.checked, Contains(HasSubstr("each of its 3 shuffles was run again")));
  EXPECT_THAT(verdict.not_checked, Not(Contains(HasSubstr("composition"))));
}

TEST(ShuffledAgain, WithCardsThatWereNotThereIsRefusedWhereACardShowsIt) {
  test::Pki pki;
  const auto all_alike = [](Bytes& cards) { std::fill(cards.begin(), cards.end(), cards.front()); };
  const auto covered = verify_bundle(
      format_bundle(test::again_scene(pki, {.covered = true, .lie = all_alike})), pki.roots_pem());
  ASSERT_FALSE(covered);
  EXPECT_TRUE(covered.error().is(VerifyErrc::wrong_opening)) << covered.error().text();
  EXPECT_THAT(covered.error().text(), HasSubstr("more of this card than the deck has"));
  const auto swapped = [](Bytes& cards) { cards.front() = cards.back(); };
  const auto opened = verify_bundle(format_bundle(test::again_scene(pki, {.covered = false, .lie = swapped})),
                                    pki.roots_pem());
  ASSERT_FALSE(opened);
  EXPECT_TRUE(opened.error().is(VerifyErrc::wrong_commitment) || opened.error().is(VerifyErrc::wrong_opening))
      << opened.error().text();
}

TEST(ShuffledAgain, ACardOfAnOlderRootIsNotInTheTreeOfTheNewest) {
  test::Pki pki;
  const Bundle honest = test::again_scene(pki);
  std::vector<CardOpenBody> opened;
  for (const auto& entry : honest.records) {
    const auto record = parse_record(entry.record);
    ASSERT_TRUE(record);
    if (record->kind == Kind::card_open) opened.push_back(*CardOpenBody::from_json(record->body));
  }
  ASSERT_EQ(opened.size(), 4U);
  // The second CARD_OPEN opens seat-1 of the first root; made to say that it is the one of the newest, with its leaf.
  const auto moved = [&](Record& record) {
    auto body = *CardOpenBody::from_json(record.body);
    ASSERT_EQ(body.recommits, 0U);
    body.recommits.reset();
    body.opening.leaf = opened[2].opening.leaf;
    record.body = body.to_json();
  };
  const auto verdict = verify_bundle(
      format_bundle(test::again_scene(pki, {}, {.tamper = {Kind::card_open, 1, moved}, .context = {}})),
      pki.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_TRUE(verdict.error().is(VerifyErrc::wrong_opening)) << verdict.error().text();
}

struct Lie {
  const char* what;
  std::uint16_t number;  ///< of the error
  Kind kind;
  std::size_t occurrence;
  std::function<void(Record&)> change;
  bool covered = true;
};
template <class Body>
std::function<void(Record&)> body(std::function<void(Body&)> change) {
  return [change](Record& record) {
    auto parsed = Body::from_json(record.body);
    ASSERT_TRUE(parsed);
    change(*parsed);
    record.body = parsed->to_json();
  };
}
using Again = ShoeRecommitBody;
using Open = CardOpenBody;

class WrongAgain : public testing::TestWithParam<Lie> {};
TEST_P(WrongAgain, IsRefused) {
  test::Pki pki;
  const Lie& lie = GetParam();
  const test::SceneOptions options{.tamper = {lie.kind, lie.occurrence, lie.change}, .context = {}};
  const std::string bundle = format_bundle(test::again_scene(pki, {.covered = lie.covered}, options));
  const auto verdict = verify_bundle(bundle, pki.roots_pem());
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().number, lie.number) << verdict.error().text();
  // verify_bundle_test.py shows the same lies to the second verifier.
  if (const char* folder = std::getenv("TALLA_LIES"))
    std::ofstream(std::string(folder) + "/" + lie.what + ".talla", std::ios::binary) << bundle;
}

constexpr auto commitment = static_cast<std::uint16_t>(VerifyErrc::wrong_commitment);
constexpr auto position = static_cast<std::uint16_t>(VerifyErrc::wrong_position);
constexpr auto opening = static_cast<std::uint16_t>(VerifyErrc::wrong_opening);
const auto recommit = Kind::shoe_recommit;
const auto open = Kind::card_open;

INSTANTIATE_TEST_SUITE_P(
    Protocol4, WrongAgain,
    testing::Values(
        Lie{"old_root", commitment, recommit, 0, body<Again>([](auto& b) { b.of[0] ^= 1; })},
        Lie{"older_root_than_the_newest", commitment, recommit, 1,
            [](Record& r) { r.body["of"] = std::string(64, '0'); }},
        Lie{"count", commitment, recommit, 0, body<Again>([](auto& b) {
              ++b.commit.cards;
              ++b.commit.cut_max;
            })},
        Lie{"one_card_less_goes_back", commitment, recommit, 0,
            body<Again>([](auto& b) { b.returned.pop_back(); })},
        Lie{"disclosure", commitment, recommit, 0, body<Again>([](auto& b) { b.commit.covered = false; })},
        Lie{"disclosure_of_a_public_one", commitment, recommit, 0,
            body<Again>([](auto& b) { b.commit.covered = true; }), false},
        Lie{"deck", commitment, recommit, 0, body<Again>([](auto& b) { b.commit.deck = "french52x2"; })},
        Lie{"other_number", commitment, recommit, 1, body<Again>([](auto& b) { ++b.commit.number; })},
        Lie{"cut_none", commitment, recommit, 0, body<Again>([](auto& b) { b.commit.cut = CutMode::none; })},
        Lie{"bounds", commitment, recommit, 0, body<Again>([](auto& b) { --b.commit.cut_max; })},
        Lie{"context", commitment, recommit, 0, body<Again>([](auto& b) { b.commit.context.game = "craps"; })},
        Lie{"not_dealt", position, recommit, 0, body<Again>([](auto& b) { b.returned = {3, 8}; })},
        Lie{"still_held", position, recommit, 0, body<Again>([](auto& b) { b.returned = {0, 6}; })},
        Lie{"still_held_of_an_older_root", position, recommit, 1,
            body<Again>([](auto& b) { b.older = {{0, {1, 2}}}; })},
        Lie{"went_back_before", position, recommit, 1, body<Again>([](auto& b) { b.older = {{0, {1, 3}}}; })},
        Lie{"older_not_dealt", position, recommit, 1, body<Again>([](auto& b) { b.older = {{0, {1, 40}}}; })},
        Lie{"older_is_the_present_root", position, recommit, 1,
            body<Again>([](auto& b) { b.older = {{1, {0, 1}}}; })},
        Lie{"older_of_no_root", position, recommit, 1, body<Again>([](auto& b) { b.older = {{7, {0, 1}}}; })},
        Lie{"no_cut", position, Kind::shoe_cut, 1,
            [](Record& r) {
              r.kind = Kind::shuffle_report;
              r.body = json::Object{{"recognised", 0}, {"result", "jam"}};
            }},
        Lie{"cut_of_the_old_root", commitment, Kind::shoe_cut, 1,
            body<ShoeCutBody>([](auto& b) { b.root[0] ^= 1; })},
        Lie{"old_nonce", commitment, Kind::shoe_cut, 1,
            body<ShoeCutBody>([](auto& b) { b.nonce.assign(16, 0x5A); })},
        Lie{"position_goes_on", position, Kind::card_deal, 8, body<CardDealBody>([](auto& b) { b.position = 8; })},
        // CARD_OPENs: common-2 before the first shuffle; seat-1 of the first root, seat-1 of the second,
        // seat-3 of the first.
        Lie{"opened_against_the_newest_root", position, open, 1, body<Open>([](auto& b) { b.recommits.reset(); })},
        Lie{"opened_against_a_root_between", position, open, 3, body<Open>([](auto& b) { b.recommits = 1; })},
        Lie{"root_named_that_is_the_newest", position, open, 2, body<Open>([](auto& b) { b.recommits = 1; })},
        Lie{"root_named_that_is_not", position, open, 1, body<Open>([](auto& b) { b.recommits = 9; })},
        Lie{"named_before_any_shuffle", position, open, 0, body<Open>([](auto& b) { b.recommits = 0; })},
        Lie{"opened_twice", position, open, 3, body<Open>([](auto& b) {
              b.position = 0;
              b.place = "seat-1";
            })},
        Lie{"opened_after_it_went_back", position, open, 1, body<Open>([](auto& b) {
              b.position = 3;
              b.place = "seat-4";
            })},
        Lie{"old_card", opening, open, 1, body<Open>([](auto& b) {
              b.opening.card = b.opening.card == "AS" ? "2S" : "AS";
            })},
        Lie{"old_salt", opening, open, 1, body<Open>([](auto& b) { b.opening.salt[0] ^= 1; })},
        Lie{"old_path", opening, open, 1, body<Open>([](auto& b) { b.opening.path[0][0] ^= 1; })},
        Lie{"dealt_counts_every_root", position, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { b.dealt = 13; })},
        Lie{"a_root_kept_back", opening, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { b.replaced.pop_back(); }), false},
        Lie{"roots_in_another_order", opening, Kind::shoe_close, 0,
            body<ShoeCloseBody>([](auto& b) { std::swap(b.replaced[0], b.replaced[1]); }), false},
        Lie{"older_cards_in_another_place", commitment, recommit, 1,
            body<Again>([](auto& b) { b.older = {{0, {5, 7}}}; }), false}),
    [](const auto& named) { return std::string(named.param.what); });

}  // namespace
}  // namespace talla::certs

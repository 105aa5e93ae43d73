// Goal: what hands win on average, all in, is what every way to deal the rest gives them.
// Method: boards that decide by themselves; one card to come, counted on paper; a published figure;
//   pots that are halved; refusals. tests/odds has a second derivation.
#include "games/equity.hpp"

#include <gtest/gtest.h>

#include "deck_source.hpp"
#include "games/odds.hpp"

namespace talla::games {
namespace {

Result<std::vector<Equity>> equities(const std::string& game, const std::vector<std::string>& hands,
                                     const std::string& common = "",
                                     const std::string& catalogue = "es-euskadi-2010") {
  const auto table = odds_table(test::catalogue(catalogue), game, json::Object{});
  EXPECT_TRUE(table) << table.error().text();
  EquityCards cards;
  for (const std::string& hand : hands) cards.hands.push_back(test::cards_of(hand));
  cards.common = common.empty() ? std::vector<Card>{} : test::cards_of(common);
  return all_in_equities(*table, cards);
}

Ratio part(std::int64_t numerator, std::int64_t denominator) {
  return Fraction(numerator, denominator);
}

TEST(EquityTest, a_whole_board_decides) {
  const auto won = equities("circle-holdem", {"AS AH", "KS KH"}, "2C 7D 9H JC 3S");
  ASSERT_TRUE(won) << won.error().text();
  EXPECT_EQ(won->at(0), (Equity{1, 1, 0}));
  EXPECT_EQ(won->at(1), (Equity{0, 0, 1}));
  const auto shared = equities("circle-holdem", {"2S 3H", "2H 3D", "4S 4C"}, "TC JC QD KH AS");
  ASSERT_TRUE(shared);
  for (const Equity& one : *shared) EXPECT_EQ(one, (Equity{part(1, 3), 0, 0}));
}

TEST(EquityTest, one_card_to_come_is_counted_on_paper) {
  // Nine of 44 cards make the flush; a pair of aces has no other way to lose, nor a jack to be hit.
  const auto all = equities("circle-holdem", {"AS AH", "5C 4C"}, "KC 9C 7D 2S");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->at(1).share, part(9, 44));
  EXPECT_EQ(all->at(0).share + all->at(1).share, Ratio(1));
}

TEST(EquityTest, before_the_first_common_card_every_board_is_counted) {
  const auto all = equities("circle-holdem", {"AS AH", "AC AD"});
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->at(0), all->at(1));
  EXPECT_EQ(all->at(0).share, part(1, 2));
  // Four or five of one's suits on the board, no other way; seven straight flushes lie there whole
  // and are not made higher by the ace.
  const std::int64_t four = 2 * 495 * 36;   // C(12,4) of a suit, one of the 36 others
  const std::int64_t five = 2 * (792 - 7);  // C(12,5)
  EXPECT_EQ(all->at(0).all, part(four + five, 1'712'304)) << "published: 2.17 %";
  EXPECT_EQ(all->at(0).none, all->at(0).all);
}

TEST(EquityTest, low_hands_take_half) {
  // Eight, six, four, three, ace is a low of the first; the second has the high hand.
  const auto all = equities("circle-omaha-hi-lo", {"AS 3S KD QC", "8H 8D TC TD"}, "8C 6S 4H KC QH");
  ASSERT_TRUE(all) << all.error().text();
  EXPECT_EQ(all->at(0).share, part(1, 2));
  EXPECT_EQ(all->at(1), (Equity{part(1, 2), 0, 0}));
  const auto none =
      equities("circle-omaha-hi-lo", {"AS 3S KD QC", "8H 8D TC TD"}, "8C 6S TH KC QH");
  ASSERT_TRUE(none);
  EXPECT_EQ(none->at(1).all, Ratio(1));
}

TEST(EquityTest, every_game_among_players_has_them) {
  int games = 0;
  for (const EmbeddedCatalogue& file : embedded_catalogues()) {
    const auto loaded = test::catalogue(file.id);
    for (const GameRules& game : loaded->games) {
      if (game.family != "circle-poker") continue;
      const auto table = odds_table(loaded, game.id, json::Object{});
      ASSERT_TRUE(table) << table.error().text();
      const auto refused = all_in_equities(*table, {{{}}, {}, {}, {}});
      ASSERT_FALSE(refused);
      EXPECT_TRUE(refused.error().is(Errc::card_invalid)) << refused.error().text();
      ++games;
    }
  }
  EXPECT_EQ(games, 16);
}

TEST(EquityTest, what_cannot_be_is_refused) {
  EXPECT_TRUE(equities("circle-holdem", {"AS AH", "AS KH"}).error().is(Errc::card_invalid));
  EXPECT_TRUE(equities("circle-holdem", {"AS AH KD", "QS KH"}).error().is(Errc::card_invalid));
  EXPECT_TRUE(equities("circle-holdem", {"AS AH"}).error().is(Errc::card_invalid));
  EXPECT_TRUE(
      equities("circle-seven-card-stud", {"AS AH KD", "QS KH 2C"}).error().is(Errc::card_invalid))
      << "more ways than are counted";
  const auto wheel = odds_table(test::catalogue(), "french-roulette", json::Object{});
  ASSERT_TRUE(wheel);
  EXPECT_TRUE(all_in_equities(*wheel, {}).error().is(Errc::game_not_available));
}

}  // namespace
}  // namespace talla::games

// Goal: the exact odds of three-card poker and Caribbean stud are the published integers, and those of each catalogue's tables
// stand as fractions.
// Method: all deals counted; published totals from the field's literature; single bets once more from the counts of hands.
#include "poker/odds.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "deal.hpp"
#include "orders.hpp"
#include "poker/odds_caribbean.hpp"
#include "poker/odds_three_card.hpp"

namespace talla::games::poker {
namespace {

using namespace test;

constexpr std::int64_t three_card_deals = 407'170'400;
constexpr std::int64_t caribbean_deals = 19'933'230'517'200;

TEST(PokerOdds, hands_that_differ_in_more_than_suits_are_1755_of_three_and_134459_of_five_cards) {
  for (const auto& [count, classes] : {std::pair<std::size_t, std::size_t>{3, 1'755}, {5, 134'459}}) {
    const auto hands = suit_classes(count);
    EXPECT_EQ(hands.size(), classes);
    EXPECT_EQ(std::accumulate(hands.begin(), hands.end(), std::int64_t{0},
                              [](std::int64_t sum, const SuitClass& hand) { return sum + hand.deals; }),
              static_cast<std::int64_t>(choose(52, count)));
  }
}

TEST(PokerOdds_three_card, ante_and_second_bet_lose_13733780_of_407170400_under_the_published_bonus) {
  const Ranker three = ranker(three_card_order());
  const Odds odds =
      three_card_odds(three, {.bank_plays_from = value(three, "QC 3D 2H"),
                              .bonus = {{straight, 1}, {trio, 4}, {straight_flush, 5}, {royal_flush, 5}}});
  EXPECT_EQ(odds.deals, three_card_deals);
  EXPECT_EQ(odds.net, -13'733'780);
}

TEST(PokerOdds_three_card, pair_plus_has_the_published_odds_under_three_tables) {
  const Ranker three = ranker(three_card_order());
  const PayTable with_flush_4{{pair, 1},  {flush, 4},           {straight, 6},
                              {trio, 30}, {straight_flush, 40}, {royal_flush, 40}};
  const PayTable with_flush_3{{pair, 1},  {flush, 3},           {straight, 6},
                              {trio, 30}, {straight_flush, 40}, {royal_flush, 40}};
  const Odds four_to_one = three_card_bet(three, with_flush_4);
  const Odds three_to_one = three_card_bet(three, with_flush_3);
  EXPECT_EQ(four_to_one, (Odds{.net = -512, .staked = 22'100, .deals = 22'100}));     // 2.316742 %
  EXPECT_EQ(three_to_one, (Odds{.net = -1'608, .staked = 22'100, .deals = 22'100}));  // 7.276018 %
}

class Caribbean : public testing::Test {
 protected:
  static CaribbeanOdds odds(const PayTable& second_bet, const std::vector<std::string>& from = {}) {
    const Ranker order = ranker(ace_king_order());
    std::vector<HandValue> values;
    for (const auto& text : from) values.push_back(value(order, text));
    return caribbean_odds(
               order, {.bank_plays_from = value(order, "AC KD 4H 3S 2C"), .second_bet = second_bet}, values)
        .value();
  }
};

TEST_F(Caribbean, the_best_play_loses_1041372912372_of_all_deals_under_the_published_table) {
  const PayTable published{{royal_flush, 100}, {straight_flush, 50}, {four, 20},    {full, 7},
                           {flush, 5},         {straight, 4},        {trio, 3},     {two_pair, 2},
                           {pair, 1},          {ace_king, 1},        {high_card, 1}};
  const auto found =
      odds(published, {"AC KD JH 8S 3C", "2C 2D 5H 4S 3C", "AC KD 4H 3S 2C", "7C 5D 4H 3S 2C"});
  EXPECT_EQ(found.best.deals, caribbean_deals);
  EXPECT_EQ(found.best.net, -1'041'372'912'372);
  EXPECT_EQ(found.from.at(0).net, -1'059'715'400'580);  // from A-K-J-8-3 on
  EXPECT_EQ(found.from.at(1).net, -1'090'272'101'460);  // any pair
  EXPECT_EQ(found.from.at(2).net, -1'132'600'203'540);  // any ace and king
  EXPECT_EQ(found.from.at(3).net, -3'310'360'338'060);  // always
  EXPECT_EQ(found.from.at(3).staked, 3 * caribbean_deals);
}

}  // namespace
}  // namespace talla::games::poker

// Goal: a card of bingo is worth what its text (10 of es-1977) makes of the prizes, however many
//   are sold.
// Method: what prizes that are parts of the takings must leave; one card and two on paper; games
//   through the driver in which every claim is made.
#include <gtest/gtest.h>

#include <numeric>

#include "games/odds.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

Table bingo_table(json::Value params = json::Object{}) {
  auto table = odds_table(test::catalogue(), "bingo", std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

std::vector<BetOdds> bingo_rows(json::Value params = json::Object{}) {
  auto all = bet_odds(bingo_table(std::move(params)));
  EXPECT_TRUE(all) << all.error().text();
  return all->bets;
}

TEST(CalledOddsTest, what_is_not_in_the_prizes_is_the_houses_however_many_cards_are_sold) {
  const auto all = bingo_rows();
  ASSERT_EQ(all.size(), 3U);
  for (const BetOdds& one : all) {
    EXPECT_EQ(one.odds.house_edge(), Ratio(Fraction(2, 5))) << one.play.front();
    EXPECT_EQ(one.odds.win + one.odds.lose + one.odds.other, Ratio(1));
  }
  // Alone on the cloth a card has both prizes: 60 % of its price.
  EXPECT_EQ(all[0].odds.other, Ratio(1));
  EXPECT_EQ(all[0].odds.square, Ratio(Fraction(4, 25)));
}

TEST(CalledOddsTest, a_line_that_is_named_changes_who_wins_and_not_how_much) {
  const auto any = bingo_rows();
  for (const char* row : {"top", "centre", "bottom"}) {
    const auto named = bingo_rows(json::Object{{"specific_line", row}});
    ASSERT_EQ(named.size(), any.size());
    for (std::size_t i = 1; i < named.size(); ++i) {
      EXPECT_EQ(named[i].odds.house_edge(), Ratio(Fraction(2, 5)));
      EXPECT_NE(named[i].odds.lose, any[i].odds.lose);
    }
  }
}

TEST(CalledOddsTest, a_series_of_few_cards_has_no_rows_beyond_it) {
  EXPECT_EQ(bingo_rows(json::Object{{"series_size", 5}}).size(), 2U);
}

TEST(CalledOddsTest, games_through_the_driver_agree) {
  constexpr std::size_t sold = 5;
  const Table table = bingo_table();
  auto opened = Driver::start(table, Journal::off);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->apply(ShoeOpened{90, false}));
  std::vector<Card> balls;
  for (int number = 1; number <= 90; ++number) balls.push_back(Card::ball(number));
  test::Shoe shoe(balls, 20261126);
  sim::Random random(1977);
  test::Gains gains(120);
  // A game has some seventy balls: a tenth of the rounds that other games get.
  for (int game = 0; game < test::rounds_count() / 10; ++game) {
    Driver driver = *opened;
    for (std::size_t card = 0; card < sold; ++card) {
      std::vector<int> numbers(90);
      std::iota(numbers.begin(), numbers.end(), 1);
      PlaceBet bet{std::to_string(card), 1, {}, "carton", {}, 1000};
      for (std::size_t i = 0; i < 15; ++i) {
        std::swap(numbers[i], numbers[i + random.below(numbers.size() - i)]);
        bet.on.push_back(std::to_string(numbers[i]));
      }
      ASSERT_TRUE(driver.apply(bet));
    }
    ASSERT_TRUE(driver.apply(CloseBets{}));
    shoe.shuffle();
    while (driver.settled().empty()) {
      if (driver.next_card_place()) {
        ASSERT_TRUE(driver.deal(shoe.next()));
        continue;
      }
      const Needs needs = driver.needs();
      const auto* claim = find_need<Decide>(needs);
      ASSERT_NE(claim, nullptr);
      ASSERT_TRUE(driver.apply(
          Act{claim->seat, claim->choices.front().action, claim->choices.front().bet, {}, {}, {}}));
    }
    for (const Settlement& one : driver.settled()) {
      if (one.bet == "0")
        gains.add((Fraction(one.returned) + one.remainder) / Fraction(one.stake) - Fraction(1));
    }
  }
  gains.expect_within_four_deviations(bingo_rows()[1].odds, "carton");
}

}  // namespace
}  // namespace talla::games

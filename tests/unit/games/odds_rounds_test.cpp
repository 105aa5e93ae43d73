// Goal: rounds through the driver pay what punto y banca and three card poker are worth.
// Method: 10^5 rounds from decks shuffled anew (10^7 in the long run), the hand of three cards
//   played as is published to be best, from queen, six, four on; within four deviations of the
//   exact figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "deck_source.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

Odds only_odds(const Table& table, const std::string& bet) {
  const auto all = bet_odds(table);
  EXPECT_TRUE(all);
  const auto found = std::ranges::find(all->bets, bet, &BetOdds::bet);
  EXPECT_NE(found, all->bets.end()) << bet;
  return found == all->bets.end() ? Odds{} : found->odds;
}

TEST(RoundOddsTest, coups_of_punto_y_banca_agree) {
  const auto table = odds_table(test::catalogue(), "punto-banco", json::Object{});
  ASSERT_TRUE(table);
  std::vector<Card> cards;
  for (int deck = 0; deck < 8; ++deck) {
    const auto one = test::all_french();
    cards.insert(cards.end(), one.begin(), one.end());
  }
  test::Shoe shoe(std::move(cards), 20261127);
  auto opened = Driver::start(*table);
  ASSERT_TRUE(opened);
  test::DeckSource first(test::all_french());
  ASSERT_TRUE(opened->advance(first, first));
  constexpr std::array bets = {"punto", "banca"};
  for (const char* bet : bets) {
    const Status placed = opened->apply(
        PlaceBet{.id = bet, .seat = 1, .box = {}, .kind = bet, .on = {}, .stake = 1000});
    ASSERT_TRUE(placed) << placed.error().text();
  }
  ASSERT_TRUE(opened->apply(CloseBets{}));
  std::array gains = {test::Gains(20), test::Gains(20)};
  for (int round = 0; round < test::rounds_count(); ++round) {
    Driver driver = *opened;
    shoe.shuffle();
    std::vector<Card> coup;
    for (int i = 0; i < 6; ++i) coup.push_back(shoe.next());
    test::DeckSource source(std::move(coup));
    ASSERT_TRUE(driver.advance(source, source));
    const auto settled = driver.take_settlements();
    ASSERT_EQ(settled.size(), bets.size());
    for (const Settlement& one : settled)
      gains.at(one.bet == bets[0] ? 0 : 1)
          .add((Fraction(one.returned) + one.remainder) / Fraction(one.stake) - Fraction(1));
  }
  for (std::size_t i = 0; i < bets.size(); ++i)
    gains.at(i).expect_within_four_deviations(only_odds(*table, bets.at(i)), bets.at(i));
}

/// Published: go on with queen, six, four or better.
bool goes_on(const std::array<Card, 3>& hand) {
  std::array<int, 3> ranks{};
  for (std::size_t i = 0; i < hand.size(); ++i)
    ranks.at(i) = hand.at(i).rank() == 1 ? 14 : hand.at(i).rank();
  std::ranges::sort(ranks, std::greater());
  const bool flush = hand[0].suit() == hand[1].suit() && hand[1].suit() == hand[2].suit();
  const bool run =
      (ranks[0] == ranks[1] + 1 && ranks[1] == ranks[2] + 1) || ranks == std::array{14, 3, 2};
  const bool pair = ranks[0] == ranks[1] || ranks[1] == ranks[2];
  return flush || run || pair || ranks >= std::array{12, 6, 4};
}

TEST(RoundOddsTest, hands_of_three_cards_agree) {
  const auto table = odds_table(test::catalogue("es-euskadi-2010"), "three-card-poker", {});
  ASSERT_TRUE(table);
  test::Shoe shoe(test::all_french(), 20261128);
  auto opened = Driver::start(*table);
  ASSERT_TRUE(opened);
  test::DeckSource none({});
  ASSERT_TRUE(opened->advance(none, none));
  ASSERT_TRUE(opened->apply(test::stake("a", "ante", 1000, {}, 1)));
  ASSERT_TRUE(opened->apply(test::stake("p", "pareja-plus", 1000, {}, 1)));
  ASSERT_TRUE(opened->apply(CloseBets{}));
  test::Gains ante(1);
  test::Gains plus(1);
  for (int round = 0; round < test::rounds_count(); ++round) {
    shoe.shuffle();
    std::vector<Card> deck;
    for (int i = 0; i < 6; ++i) deck.push_back(shoe.next());
    const bool goes = goes_on({deck[0], deck[2], deck[4]});
    test::DeckSource source(std::move(deck));
    Driver driver = *opened;
    ASSERT_TRUE(driver.advance(source, source));
    ASSERT_TRUE(driver.apply(Act{1, goes ? "voy" : "paso", {}, {}, {}, {}}));
    ASSERT_TRUE(driver.advance(source, source));
    Units hand = goes ? -2000 : -1000;
    Units pair = -1000;
    for (const Settlement& one : driver.take_settlements())
      (one.bet == "p" ? pair : hand) += one.returned;
    ante.add(Fraction(hand, 1000));
    plus.add(Fraction(pair, 1000));
  }
  ante.expect_within_four_deviations(only_odds(*table, "ante"), "ante");
  plus.expect_within_four_deviations(only_odds(*table, "pareja-plus"), "pareja-plus");
}

}  // namespace
}  // namespace talla::games

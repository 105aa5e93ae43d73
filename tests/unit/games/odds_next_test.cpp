// Goal: what cards seen change of the next coup or hand is what the rest of the shoe makes of it.
// Method: averaged over the card that may come first, as often as it comes, the odds behind that
//   card are those of full decks, exactly; of black jack so for a play that looks at nothing else,
//   and for its side bets; what everybody knows of fives and tens; shoes with too few cards.
#include <gtest/gtest.h>

#include "games/odds.hpp"
#include "odds/blackjack/hands_against.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

Table seen_table(const std::string& catalogue, const std::string& game,
                 json::Value params = json::Object{}) {
  auto table = odds_table(test::catalogue(catalogue), game, std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

std::vector<Card> times(std::size_t count, const std::string& cards) {
  std::vector<Card> out;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t at = 0; at < cards.size(); at += 2)
      out.push_back(Card::parse(cards.substr(at, 2)).value());
  return out;
}

/// Each row of this bet (all: ""), full decks against the average behind each first card of one
/// suit: no suit differs from another.
void expect_average(const Table& table, const std::string& bet) {
  const auto full = next_odds(table, {}, bet);
  ASSERT_TRUE(full) << full.error().text();
  std::vector<Odds> sums(full->bets.size());
  std::int64_t cards = 0;
  for (const Card first : shuffle::DeckSpec::french(1).cards()) {
    if (first.suit() != shuffle::DeckSpec::french(1).cards().front().suit()) continue;
    ++cards;
    const auto behind = next_odds(table, std::vector{first}, bet);
    ASSERT_TRUE(behind) << behind.error().text();
    ASSERT_EQ(behind->bets.size(), sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const Odds& one = behind->bets[i].odds;
      sums[i].win += one.win;
      sums[i].lose += one.lose;
      sums[i].returned += one.returned;
      sums[i].square += one.square;
    }
  }
  bool differs = false;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const BetOdds& row = full->bets[i];
    if (!bet.empty() && row.bet != bet) continue;
    EXPECT_EQ(sums[i].win, row.odds.win * Ratio(cards)) << row.bet;
    EXPECT_EQ(sums[i].lose, row.odds.lose * Ratio(cards)) << row.bet;
    EXPECT_EQ(sums[i].returned, row.odds.returned * Ratio(cards)) << row.bet;
    EXPECT_EQ(sums[i].square, row.odds.square * Ratio(cards)) << row.bet;
    const auto last = next_odds(table, times(6, "7C"), bet);
    ASSERT_TRUE(last);
    differs = differs || last->bets[i].odds.returned != row.odds.returned;
  }
  EXPECT_TRUE(differs) << "six sevens that are gone change nothing";
}

TEST(NextOddsTest, behind_each_card_punto_y_banca_averages_to_full_decks) {
  expect_average(seen_table("es-1977", "punto-banco"), "");
}

TEST(NextOddsTest, with_nothing_seen_they_are_the_odds_of_full_decks) {
  const Table table = seen_table("es-valencia-2003", "punto-banco");
  const auto next = next_odds(table, {});
  const auto full = bet_odds(table);
  ASSERT_TRUE(next && full);
  ASSERT_EQ(next->bets.size(), full->bets.size());
  for (std::size_t i = 0; i < full->bets.size(); ++i)
    EXPECT_EQ(next->bets[i].odds, full->bets[i].odds);
}

TEST(NextOddsTest, behind_each_card_bets_on_first_cards_average_to_full_decks) {
  expect_average(seen_table("es-euskadi-2010", "blackjack"), "parejas");
  expect_average(seen_table("es-aragon-2010", "blackjack", json::Object{{"base", "es-1977"}}),
                 "jackpot");
}

TEST(NextOddsTest, insurance_is_the_share_of_tens_that_are_left) {
  const Table table = seen_table("es-1977", "blackjack");
  const auto insured = next_odds(table, times(4, "TCTDKH2S"), "seguro");
  ASSERT_TRUE(insured);
  ASSERT_EQ(insured->bets.size(), 3U);
  // 96 tens less twelve; 312 cards less sixteen, and three that lie there.
  EXPECT_EQ(insured->bets[0].odds.win, Fraction(84, 293));
  EXPECT_EQ(insured->bets[2].odds.win, Fraction(82, 293));
}

TEST(NextOddsTest, a_play_that_looks_at_nothing_else_averages_to_full_decks) {
  const Table table = seen_table("es-1977", "blackjack");
  blackjack::HandLaw law = *blackjack::hand_law(blackjack::Law(table), 2);
  law.splits = false;
  using blackjack::Action;
  const blackjack::Told told{
      .first = [](std::size_t a, std::size_t b,
                  std::size_t) { return a + b + 2 >= 12 ? Action::stand : Action::hit; },
      .later =
          [&](const blackjack::Counts& own, std::size_t, std::size_t) {
            int low = 0;
            for (std::size_t one = 0; one < own.size(); ++one) low += own.at(one) * law.points(one);
            return low >= 12 ? Action::stand : Action::hit;
          }};
  Ratio sum;
  for (std::size_t first = 0; first < blackjack::classes_count; ++first) {
    blackjack::HandLaw behind = law;
    --behind.shoe.at(first);
    sum += Ratio(law.shoe.at(first)) * blackjack::told_play(behind, told).returned;
  }
  EXPECT_EQ(sum, Ratio(law.cards()) * blackjack::told_play(law, told).returned);
}

TEST(NextOddsTest, without_fives_black_jack_is_good_for_the_player_and_without_tens_bad) {
  const Table table = seen_table("es-1977", "blackjack");
  const auto edge = [&](const std::vector<Card>& gone) {
    return next_odds(table, gone, "juego-simple").value().bets.front().odds.house_edge();
  };
  EXPECT_LT(edge(times(6, "5C5D5H5S")), Ratio(0)) << "Griffin: 0.7 points of each deck's four";
  EXPECT_GT(edge(times(6, "KCKDKHKS")), Ratio(Fraction(1, 100)));
}

TEST(NextOddsTest, what_the_shoe_does_not_have_is_refused) {
  const Table coup = seen_table("es-1977", "punto-banco");
  const Table hand = seen_table("es-1977", "blackjack");
  for (const Table& table : {coup, hand}) {
    EXPECT_TRUE(next_odds(table, times(33, "AS")).error().is(Errc::card_invalid));
    std::vector<Card> nearly;
    for (const Card card : shuffle::DeckSpec::french(8).cards()) nearly.push_back(card);
    EXPECT_TRUE(next_odds(table, nearly).error().is(Errc::card_invalid));
  }
  for (const char* game : {"punto-banco", "blackjack"}) {
    const Table table = seen_table("es-1977", game);
    const auto decks = static_cast<std::size_t>(table.engine().shoe(table)->cards_count / 52);
    EXPECT_TRUE(next_odds(table, times(decks, "AS"))) << game;
    EXPECT_TRUE(next_odds(table, times(decks + 1, "AS")).error().is(Errc::card_invalid))
        << game << ": other aces are left, of spades none";
  }
  // Tens alone are left but for a few cards: fewer than hands and dealer may take.
  std::vector<Card> small;
  for (const Card card : shuffle::DeckSpec::french(1).cards())
    if (card.rank() < 10)
      for (int i = 0; i < 5; ++i) small.push_back(card);
  EXPECT_TRUE(next_odds(hand, small).error().is(Errc::card_invalid));
  EXPECT_TRUE(next_odds(seen_table("es-1977", "craps"), times(1, "AS"))
                  .error()
                  .is(Errc::game_not_available));
}

}  // namespace
}  // namespace talla::games

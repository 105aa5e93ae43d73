// Goal: the odds of monte are those of its text (13 of es-valencia-2003) on each kind of layout.
// Method: what the plain layout is worth on paper; readings of the text; deals of two kinds of
//   layout through the driver, Segundas included.
#include <gtest/gtest.h>

#include <map>

#include "deck_source.hpp"
#include "games/odds.hpp"
#include "odds_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

Table monte_table(json::Value params = json::Object{}) {
  auto table = odds_table(test::catalogue("es-valencia-2003"), "monte", std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

const TableOdds& monte_odds() {
  static const TableOdds all = *bet_odds(monte_table());
  return all;
}

const Odds* find_layout(const TableOdds& all, const std::string& bet,
                        const std::vector<std::string>& on, const std::vector<std::string>& play) {
  for (const BetOdds& one : all.bets) {
    if (one.bet == bet && one.play == play && std::ranges::find(one.on, on) != one.on.end())
      return &one.odds;
  }
  return nullptr;
}

const Odds& plain_odds(const TableOdds& all, const std::string& bet,
                       const std::vector<std::string>& on) {
  const Odds* found = find_layout(all, bet, on, {"layout-plain"});
  if (found == nullptr) std::abort();
  return *found;
}

/// The chance that the first card turned decides: 12 of 36 cards have a rank that lies there.
constexpr std::int64_t hidden = 36;

TEST(LayoutOddsTest, the_plain_layout_is_worth_what_paper_says) {
  for (const char* place : {"1", "2", "3", "4"}) {
    const Odds& vista = plain_odds(monte_odds(), "vista-hermosa", {place});
    EXPECT_EQ(vista.win, Ratio(Fraction(1, hidden)));
    EXPECT_EQ(vista.house_edge(), Ratio(Fraction(3, hidden)));
    for (const char* bet : {"camo", "anti", "viudo"}) {
      const Odds& exact = plain_odds(monte_odds(), bet, {place});
      EXPECT_EQ(exact.win, Ratio(Fraction(1, 12)));
      EXPECT_EQ(exact.house_edge(), Ratio(Fraction(11, 10 * hidden))) << "a tenth of 11, 1 in 36";
    }
    EXPECT_EQ(plain_odds(monte_odds(), "salto", {place}).house_edge(),
              Ratio(Fraction(9, 10 * hidden)));
  }
  // Two against two: even, and a tenth less when the first card of six in 36 wins.
  EXPECT_EQ(plain_odds(monte_odds(), "cartas-dos", {"1", "4"}).house_edge(),
            Ratio(Fraction(6, 10 * hidden)));
}

TEST(LayoutOddsTest, readings_of_the_deduction_change_what_it_costs) {
  const auto edge = [](const char* parameter, const char* value, const char* bet) {
    const auto all = bet_odds(monte_table(json::Object{{parameter, value}}), {}, bet);
    EXPECT_TRUE(all);
    return plain_odds(*all, bet, {"1"}).house_edge();
  };
  EXPECT_EQ(edge("deduction_base", "stake", "salto"), Ratio(Fraction(3, 10 * hidden)));
  EXPECT_EQ(edge("deduction_base", "stake", "camo"), Ratio(Fraction(1, 10 * hidden)));
  // Every card of a round that its first card opened is the first card here: nothing changes.
  EXPECT_EQ(edge("deduction_scope", "round", "camo"), Ratio(Fraction(11, 10 * hidden)));
}

TEST(LayoutOddsTest, a_card_that_lies_there_cannot_be_bet_on) {
  EXPECT_EQ(find_layout(monte_odds(), "camo", {"1"}, {"layout-doubled-camo"}), nullptr);
  EXPECT_NE(find_layout(monte_odds(), "anti", {"1"}, {"layout-doubled-camo"}), nullptr);
  EXPECT_NE(find_layout(monte_odds(), "camo", {"2"}, {"layout-doubled-camo"}), nullptr);
}

TEST(LayoutOddsTest, chances_add_up_and_the_plain_layout_is_good_for_the_house_alone) {
  int plain = 0;
  for (const BetOdds& one : monte_odds().bets) {
    EXPECT_EQ(one.odds.win + one.odds.lose + one.odds.other, Ratio(1)) << one.bet;
    if (one.play.front() != "layout-plain") continue;
    EXPECT_GT(one.odds.house_edge(), Ratio(0)) << one.bet;
    ++plain;
  }
  EXPECT_GE(plain, 11);
  EXPECT_TRUE(monte_odds().others.empty());
}

TEST(LayoutOddsTest, the_text_lets_the_player_win_of_what_it_annuls) {
  // First card doubled, first and fourth against second and third: five cards against four. The
  // house takes a tenth of what the first card of 35 wins.
  const Odds* pair = find_layout(monte_odds(), "cartas-dos", {"1", "4"}, {"layout-doubled-camo"});
  ASSERT_NE(pair, nullptr);
  EXPECT_EQ(pair->win + pair->lose + pair->other, Ratio(1));
  EXPECT_EQ(pair->house_edge(), Ratio(Fraction(-3, 35)));
}

struct LaidBet {
  std::string bet;
  std::vector<std::string> on;
};
const std::vector<LaidBet> primeras_bets = {{"vista-hermosa", {"2"}},
                                            {"anti", {"1"}},
                                            {"salto", {"1"}},
                                            {"salto", {"3"}},
                                            {"cartas-horizontal", {"1"}},
                                            {"cartas-horizontal", {"4"}},
                                            {"cartas-vertical", {"1"}},
                                            {"cartas-vertical", {"4"}},
                                            {"cartas-dos", {"1", "4"}},
                                            {"cartas-dos", {"1", "2"}}};
const std::vector<LaidBet> segundas_bets = {
    {"camo-segundas", {"3"}}, {"viudo-segundas", {"2"}}, {"cartas-horizontal", {"3"}}};

/// A layout as cards, and its code.
void play_layout(const std::string& cards, const std::string& code) {
  const Table table = monte_table();
  auto opened = Driver::start(table, Journal::off);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->apply(ShoeOpened{40, false}));
  auto deck = shuffle::DeckSpec::parse("spanish40x1")->cards();
  for (const Card card : test::cards_of(cards)) {
    ASSERT_TRUE(opened->deal(card)) << card.text();
    std::erase(deck, card);
  }
  const auto place = [](Driver& driver, const LaidBet& bet, const std::string& id) {
    return driver.apply(PlaceBet{id, 1, {}, bet.bet, bet.on, 1000}).has_value();
  };
  for (std::size_t i = 0; i < primeras_bets.size(); ++i)
    ASSERT_TRUE(place(*opened, primeras_bets[i], std::to_string(i))) << primeras_bets[i].bet;
  ASSERT_TRUE(opened->apply(CloseBets{}));
  test::Shoe shoe(deck, 20261126);
  std::map<std::string, test::Gains> gains;
  const auto count = [&](const Driver& driver) {
    for (const Settlement& one : driver.settled())
      gains.try_emplace(one.bet, 100)
          .first->second.add((Fraction(one.returned) + one.remainder) / Fraction(one.stake) -
                             Fraction(1));
  };
  for (int round = 0; round < test::rounds_count(); ++round) {
    Driver driver = *opened;
    shoe.shuffle();
    while (driver.next_card_place()) {
      ASSERT_TRUE(driver.deal(shoe.next()));
      count(driver);
    }
    if (find_need<BetsOpen>(driver.needs()) == nullptr) continue;  // the deck was out
    for (std::size_t i = 0; i < segundas_bets.size(); ++i)
      (void)place(driver, segundas_bets[i], "s" + std::to_string(i));
    ASSERT_TRUE(driver.apply(CloseBets{}));
    while (driver.next_card_place()) {
      ASSERT_TRUE(driver.deal(shoe.next()));
      count(driver);
    }
  }
  const auto check = [&](const LaidBet& bet, const std::string& id, bool segundas) {
    std::vector<std::string> play = {code};
    if (segundas) play.emplace_back("in-segundas");
    const Odds* odds = find_layout(monte_odds(), bet.bet, bet.on, play);
    ASSERT_NE(odds, nullptr) << bet.bet;
    gains.at(id).expect_within_four_deviations(*odds, bet.bet + " on " + bet.on.front());
  };
  for (std::size_t i = 0; i < primeras_bets.size(); ++i)
    check(primeras_bets[i], std::to_string(i), false);
  for (std::size_t i = 0; i < segundas_bets.size(); ++i)
    check(segundas_bets[i], "s" + std::to_string(i), true);
}

TEST(LayoutOddsTest, deals_through_the_driver_agree_on_a_plain_layout) {
  play_layout("1o 2o 3o 4o", "layout-plain");
}

TEST(LayoutOddsTest, deals_through_the_driver_agree_on_a_doubled_layout) {
  play_layout("1o 2o 1c 3o 4o", "layout-doubled-camo");
}

}  // namespace
}  // namespace talla::games

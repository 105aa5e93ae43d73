// Goal: the bets beside a hand of black jack are worth what their texts make of the first cards (03
//   of es-valencia-2003 and es-euskadi-2010, 5 of es-aragon-2010).
// Method: published figures; cards counted on paper; rounds through the driver.
#include <gtest/gtest.h>

#include <map>

#include "games/odds.hpp"
#include "odds_support.hpp"
#include "play_support.hpp"
#include "shuffle/deck.hpp"

namespace talla::games {
namespace {

Table box_table(const std::string& catalogue, json::Value params = json::Object{},
                const std::string& game = "blackjack") {
  auto table = odds_table(test::catalogue(catalogue), game, std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

TableOdds box_rows(const Table& table) {
  auto all = bet_odds(table);
  EXPECT_TRUE(all) << all.error().text();
  return *all;
}

Odds box_odds_of(const TableOdds& all, const std::string& bet,
                 const std::vector<std::string>& play = {}) {
  for (const BetOdds& one : all.bets)
    if (one.bet == bet && one.play == play) return one.odds;
  ADD_FAILURE() << bet;
  return {};
}

const json::Value aragon_params = json::Object{{"base", "es-1977"}};

TEST(BoxOddsTest, insurance_is_the_published_share_of_tens) {
  // 96 of 311 cards are tens when the ace alone is seen: 23/311; with two own cards seen as well,
  // so many fewer.
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto all = box_rows(box_table(catalogue));
    Ratio known;
    // Own cards of 311: none, one or two of the 96 tens.
    const std::array<std::int64_t, 3> ways = {215 * 214, 2 * 215 * 96, 96 * 95};
    for (std::int64_t own = 0; own < 3; ++own) {
      const Odds& odds = box_odds_of(all, "seguro", {"own-tens-" + std::to_string(own)});
      EXPECT_EQ(odds.win, Ratio(Fraction(96 - own, 309)));
      known +=
          Ratio(Fraction(ways.at(static_cast<std::size_t>(own)), 311 * 310)) * odds.house_edge();
    }
    EXPECT_EQ(known, Ratio(Fraction(23, 311))) << "published: 7.395 %";
  }
}

TEST(BoxOddsTest, only_a_blackjack_insures_where_the_table_reads_it_so) {
  const auto all =
      box_rows(box_table("es-valencia-2003", json::Object{{"insurance_open_to", "blackjack"}}));
  EXPECT_EQ(box_odds_of(all, "seguro", {"own-tens-1"}).win, Ratio(Fraction(95, 309)));
  EXPECT_EQ(std::ranges::count(all.bets, "seguro", &BetOdds::bet), 1);
}

TEST(BoxOddsTest, pairs_are_counted_by_their_suits) {
  const Odds pairs = box_odds_of(box_rows(box_table("es-euskadi-2010")), "parejas");
  // Behind a first card: 5 of its suit, 6 of the other of its colour, 12 of the other colour.
  EXPECT_EQ(pairs.win, Ratio(Fraction(23, 311)));
  EXPECT_EQ(pairs.returned, Ratio(Fraction(5 * 26 + 6 * 13 + 12 * 7, 311)));
}

TEST(BoxOddsTest, under_and_over_thirteen_are_the_published_ones) {
  const auto all = box_rows(box_table("es-valencia-2003"));
  // Two cards, an ace one: counted by points, 24 of each and 96 tens.
  std::int64_t under = 0;
  std::int64_t over = 0;
  for (std::int64_t a = 1; a <= 10; ++a) {
    for (std::int64_t b = 1; b <= 10; ++b) {
      const std::int64_t deals = (a == 10 ? 96 : 24) * ((b == 10 ? 96 : 24) - (a == b ? 1 : 0));
      under += a + b < 13 ? deals : 0;
      over += a + b > 13 ? deals : 0;
    }
  }
  const Ratio deals(312 * 311);
  EXPECT_EQ(box_odds_of(all, "menor").win, Ratio(under) / deals);
  EXPECT_EQ(box_odds_of(all, "mayor").win, Ratio(over) / deals);
}

TEST(BoxOddsTest, sevens_pay_with_and_without_a_third_card) {
  const auto all = box_rows(box_table("es-aragon-2010", aragon_params));
  // "2" to 1 and so on, 5,000 stakes for three of one suit: 24 sevens, 5 others of a suit.
  const Odds two = box_odds_of(all, "jackpot", {"two-cards"});
  EXPECT_EQ(two.win, Ratio(Fraction(24, 312)));
  const auto p = [](std::int64_t n, std::int64_t d) { return Ratio(Fraction(n, d)); };
  const Ratio first = p(24, 312) * p(311 - 23, 311);
  const Ratio off = p(24, 312) * p(18, 311);
  const Ratio suited = p(24, 312) * p(5, 311);
  EXPECT_EQ(two.returned, first * Ratio(3) + off * Ratio(11) + suited * Ratio(51));
  const Odds three = box_odds_of(all, "jackpot", {"third-card"});
  const Ratio all_suited = suited * p(4, 310);
  const Ratio sevens = off * p(22, 310) + suited * p(18, 310);
  EXPECT_EQ(three.returned, first * Ratio(3) + off * p(288, 310) * Ratio(11) +
                                suited * p(288, 310) * Ratio(51) + sevens * Ratio(201) +
                                all_suited * Ratio(5000));
}

TEST(BoxOddsTest, a_jackpot_that_opens_full_is_worth_more) {
  const auto edge = [](const char* seed) {
    const auto all = box_rows(
        box_table("es-aragon-2010", json::Object{{"base", "es-1977"}, {"jackpot_seed", seed}}));
    for (const BetOdds& one : all.bets)
      if (one.bet == "jackpot" && one.play.front() == "third-card") return one.odds.house_edge();
    return Ratio(1);
  };
  EXPECT_EQ(edge("0"), edge("2500")) << "not above the least prize";
  EXPECT_GT(edge("2500"), edge("100000"));
}

TEST(BoxOddsTest, a_jackpot_is_even_at_what_makes_up_for_the_rest) {
  const auto all = box_rows(box_table(
      "es-aragon-2010", json::Object{{"base", "es-1977"}, {"jackpot_contribution", "1/4"}}));
  for (const BetOdds& one : all.bets) {
    if (one.bet != "jackpot") {
      EXPECT_FALSE(one.jackpot.has_value());
      continue;
    }
    ASSERT_TRUE(one.jackpot.has_value());
    EXPECT_EQ(one.jackpot->growth, Ratio(Fraction(1, 4)));
    if (one.play.front() == "two-cards") {
      EXPECT_EQ(one.jackpot->hit, Ratio(0)) << "three sevens have three cards";
      EXPECT_FALSE(one.jackpot->break_even.has_value());
      continue;
    }
    // Three sevens of one suit, and what all else returns: 5,000 stakes at least.
    const Ratio hit = Ratio(Fraction(24 * 5 * 4, 312 * 311)) / Ratio(310);
    EXPECT_EQ(one.jackpot->hit, hit);
    ASSERT_TRUE(one.jackpot->break_even.has_value());
    EXPECT_EQ(one.jackpot->whole, hit) << "they take all of it";
    EXPECT_EQ(*one.jackpot->mean, Ratio(Fraction(1, 4)) / hit) << "it opens empty";
    EXPECT_EQ(*one.jackpot->break_even, Ratio(5000) + (Ratio(1) - one.odds.returned) / hit);
  }
}

/// A round of one box with every side bet; a third card wherever there may be one.
void play_boxes(const Table& table, const std::map<std::string, std::vector<std::string>>& rows,
                const std::map<std::string, Units>& stakes) {
  auto opened = Driver::start(table, Journal::off);
  ASSERT_TRUE(opened);
  ASSERT_TRUE(opened->apply(ShoeOpened{312, false}));
  while (opened->next_card_place()) ASSERT_TRUE(opened->deal({}));  // burned
  ASSERT_TRUE(opened->apply(PlaceBet{"main", 1, {}, "juego-simple", {}, 1000}));
  for (const auto& [bet, stake] : stakes) {
    const auto placed = opened->apply(PlaceBet{bet, 1, {}, bet, {}, stake});
    ASSERT_TRUE(placed) << placed.error().text();
  }
  ASSERT_TRUE(opened->apply(CloseBets{}));
  test::Shoe shoe(shuffle::DeckSpec::parse("french52x6")->cards(), 20261126);
  std::map<std::string, test::Gains> gains;
  const auto count = [&](const Driver& driver) {
    for (const Settlement& one : driver.settled()) {
      if (rows.contains(one.kind))
        gains.try_emplace(one.kind, 2)
            .first->second.add((Fraction(one.returned) + one.remainder) / Fraction(one.stake) -
                               Fraction(1));
    }
  };
  for (int round = 0; round < test::rounds_count(); ++round) {
    Driver driver = *opened;
    shoe.shuffle();
    bool third = false;
    for (;;) {
      if (driver.next_card_place()) {
        ASSERT_TRUE(driver.deal(shoe.next()));
        count(driver);
        continue;
      }
      const Needs needs = driver.needs();
      const auto* decide = find_need<Decide>(needs);
      if (decide == nullptr) break;
      const bool may_hit =
          std::ranges::find(decide->choices, "hit", &ActionChoice::action) != decide->choices.end();
      const std::string action = may_hit && !third ? "hit" : "stand";
      third = true;
      ASSERT_TRUE(driver.apply(Act{decide->seat, action, {}, {}, {}, {}})) << action;
      count(driver);
    }
  }
  const auto all = box_rows(table);
  for (const auto& [bet, play] : rows)
    gains.at(bet).expect_within_four_deviations(box_odds_of(all, bet, play), bet);
}

TEST(BoxOddsTest, rounds_through_the_driver_agree_in_euskadi) {
  play_boxes(box_table("es-euskadi-2010", json::Object{{"acumulada", true}}),
             {{"parejas", {}}, {"acumulada", {"third-card"}}},
             {{"parejas", 500}, {"acumulada", 500}});
}

TEST(BoxOddsTest, rounds_through_the_driver_agree_in_valencia) {
  play_boxes(box_table("es-valencia-2003", json::Object{{"bonus", true},
                                                        {"bonus_seven", "3"},
                                                        {"bonus_two_sevens_suited", "40"},
                                                        {"bonus_three_sevens", "100"},
                                                        {"bonus_six_seven_eight_suited", "60"},
                                                        {"bonus_blackjack_suited", "5"}}),
             {{"menor", {}}, {"mayor", {}}, {"bonus", {"third-card"}}},
             {{"menor", 1000}, {"mayor", 1000}, {"bonus", 1000}});
}

}  // namespace
}  // namespace talla::games

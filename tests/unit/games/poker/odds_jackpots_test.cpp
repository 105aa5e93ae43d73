// Goal: a bet that is paid out of a jackpot is worth what the engine makes of the jackpot, at its
//   opening, where it is even, and in the long run.
// Method: every kind of hand in its number, settled by the engine; amounts beside the even point.
#include <gtest/gtest.h>

#include <algorithm>

#include "../play_support.hpp"
#include "engines/second_bet/meters.hpp"
#include "engines/second_bet/rules.hpp"
#include "games/odds.hpp"
#include "odds/poker/odds.hpp"

namespace talla::games::poker {
namespace {

Table with_jackpot(json::Object params) {
  params["jackpot"] = true;
  return odds_table(games::test::catalogue("es-euskadi-2010"), "caribbean-stud", std::move(params))
      .value();
}

BetOdds jackpot_bet(const Table& table) {
  const TableOdds all = bet_odds(table, OddsTime::seconds, "jackpot").value();
  EXPECT_EQ(all.bets.size(), 1U) << (all.others.empty() ? "" : all.others.front().reason);
  return all.bets.front();
}

TEST(PokerJackpots, four_and_better_hit_and_a_royal_takes_all) {
  const BetOdds bet = jackpot_bet(with_jackpot({}));
  ASSERT_TRUE(bet.jackpot.has_value());
  EXPECT_EQ(bet.jackpot->hit, Ratio(Fraction(4 + 36 + 624, 2'598'960)));
  EXPECT_EQ(bet.jackpot->whole, Ratio(Fraction(4, 2'598'960)));
  EXPECT_EQ(bet.jackpot->growth, Ratio(1));
  // 4 whole, 36 tenths, 624 twentieths: 38.8 jackpots in all deals.
  EXPECT_EQ(*bet.jackpot->break_even, Ratio(Fraction(25'989'600, 388)));
  EXPECT_EQ(*bet.jackpot->mean, *bet.jackpot->break_even) << "all that is staked goes in";
}

TEST(PokerJackpots, the_edge_changes_its_sign_at_the_even_amount) {
  // A stake is half a minimum, and it goes in before it is paid.
  const Ratio even = *jackpot_bet(with_jackpot({})).jackpot->break_even;
  const auto below = static_cast<std::int64_t>((even.numerator() / even.denominator()) / 2) - 1;
  const auto edge = [](std::int64_t seed) {
    return jackpot_bet(with_jackpot({{"jackpot_seed", seed}})).odds.house_edge();
  };
  EXPECT_GT(edge(below), Ratio(0));
  EXPECT_LT(edge(below + 2), Ratio(0));
  EXPECT_LT(edge(below) - edge(below + 2), Ratio(Fraction(1, 1000)));
}

TEST(PokerJackpots, what_it_holds_on_average_is_left_as_it_is_by_all_deals_together) {
  for (const char* fed : {"before-awards", "after-awards"}) {
    const Table table = with_jackpot({{"jackpot_seed", 40'000},
                                      {"jackpot_contribution", "1/2"},
                                      {"jackpot_deduction", "1/10"},
                                      {"jackpot_fed", fed}});
    const second_bet::Law law(table);
    const Units stake = law.stake_amount("jackpot").floor();
    const Ratio mean = *jackpot_bet(table).jackpot->mean;
    second_bet::MeterState meter = second_bet::opening_meters(law).front();
    const bool before = std::string_view(fed) == "before-awards";
    const Ratio holds = mean * Ratio(stake) - Ratio(before ? stake / 2 : 0);
    meter.value = static_cast<Units>(holds.numerator() / holds.denominator());
    Ratio after;
    std::int64_t deals = 0;
    const DealtByCategory dealt = dealt_hands(law.ranker(), 5);
    for (std::size_t i = 0; i < dealt.size(); ++i) {
      second_bet::MeterState now = meter;
      now.staked = stake;
      static_cast<void>(second_bet::settle_meter(
          law, now, {{dealt.at(i).value, static_cast<Category>(i), false}}));
      after += Ratio(dealt.at(i).deals) * Ratio(now.value);
      deals += dealt.at(i).deals;
    }
    ASSERT_EQ(deals, 2'598'960);
    const Ratio off = after / Ratio(deals) - Ratio(meter.value);
    EXPECT_LT(off * off, Ratio(1)) << fed << ": by less than a unit of " << meter.value;
  }
}

TEST(PokerJackpots, a_jackpot_that_grows_more_slowly_holds_less_and_the_house_keeps_the_rest) {
  const BetOdds all = jackpot_bet(with_jackpot({}));
  const BetOdds half = jackpot_bet(with_jackpot({{"jackpot_contribution", "1/2"}}));
  EXPECT_EQ(*half.jackpot->mean * Ratio(2), *all.jackpot->mean);
  EXPECT_EQ(*half.jackpot->break_even, *all.jackpot->break_even);
  const BetOdds never = jackpot_bet(with_jackpot({{"jackpot_deduction", "1"}}));
  EXPECT_FALSE(never.jackpot->break_even.has_value()) << "whoever wins it gets nothing";
}

TEST(PokerJackpots, a_bet_that_a_purchase_loses_is_not_said_to_stand_alone) {
  const TableOdds all =
      bet_odds(with_jackpot({{"card_purchase", true}}), OddsTime::seconds, "jackpot").value();
  EXPECT_TRUE(all.bets.empty());
  ASSERT_EQ(all.others.size(), 1U);
}

TEST(PokerJackpots, prizes_that_are_announced_alone_are_no_jackpot) {
  const Table table = odds_table(games::test::catalogue("es-valencia-2003"), "caribbean-stud",
                                 json::Object{{"carrousel", true}})
                          .value();
  const TableOdds all = bet_odds(table, OddsTime::seconds, "carrusel").value();
  ASSERT_EQ(all.bets.size(), 1U);
  EXPECT_FALSE(all.bets.front().jackpot.has_value());
  EXPECT_EQ(all.bets.front().odds.house_edge(), Ratio(Fraction(18'321, 30'940)));
}

}  // namespace
}  // namespace talla::games::poker

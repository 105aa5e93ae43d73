// Goal: how stakes end, in how many rounds, and how often out of prison, is what paper says.
// Method: prison of one wheel and of rows of cards, lines and odds of dice worked out by hand; for
//   every such table the courses of the best play add up to its odds.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "games/catalogue.hpp"
#include "games/stake_ends.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

Table ends_table(std::string_view catalogue, const std::string& game,
                 json::Value params = json::Object{}) {
  auto table = odds_table(test::catalogue(catalogue), game, std::move(params));
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

std::vector<StakeCourse> courses(const Table& table, std::size_t rounds,
                                 std::string_view only = {}) {
  auto all = stake_courses(table, rounds, only);
  EXPECT_TRUE(all) << all.error().text();
  return all ? std::move(*all) : std::vector<StakeCourse>();
}

/// By result: probability and what is paid.
using Ends = std::map<BetResult, std::pair<Ratio, Ratio>>;
Ends ends(const StakeCourse& course) {
  Ends out;
  for (const StakeEnd& end : course.ends) out[end.result] = {end.probability, end.paid};
  return out;
}

Ratio r(std::int64_t numerator, std::int64_t denominator) {
  return Ratio(Fraction(numerator, denominator));
}

TEST(StakeEndsTest, every_second_stake_leaves_prison) {
  const auto all = courses(ends_table("es-1977", "french-roulette"), 2, "rojo");
  const auto in_prison = std::ranges::find_if(
      all, [](const StakeCourse& one) { return one.from_prison && one.choice == "prison"; });
  ASSERT_NE(in_prison, all.end());
  // Freed by 18 of 37, lost by 18, and the zero leaves it there: one half each. Of what is paid a
  // further zero takes half: x = 18/37 + x/74.
  EXPECT_EQ(ends(*in_prison),
            (Ends{{BetResult::lose, {r(1, 2), 0}}, {BetResult::freed, {r(1, 2), r(36, 73)}}}));
  EXPECT_EQ(in_prison->rounds, r(37, 36));
  EXPECT_EQ(in_prison->over, (std::vector{r(36, 37), r(1368, 1369)}));
  // From the cloth on: the zero, and then that. What returns most takes half at once.
  for (const StakeCourse& one : all) {
    if (one.from_prison) continue;
    const Ends found = ends(one);
    EXPECT_EQ(found.at(BetResult::win), (std::pair{r(18, 37), r(36, 37)})) << one.choice;
    if (one.choice == "prison") {
      EXPECT_EQ(found.at(BetResult::freed).first, r(1, 74));
      EXPECT_EQ(one.rounds, Ratio(1) + r(1, 37) * r(37, 36));
    } else {
      EXPECT_EQ(found.at(BetResult::half), (std::pair{r(1, 37), r(1, 74)})) << one.choice;
      EXPECT_EQ(one.rounds, Ratio(1));
    }
  }
}

TEST(StakeEndsTest, a_line_of_dice_takes_557_throws_of_165) {
  const Table table = ends_table("es-1977", "craps");
  for (const char* bet : {"win", "come"}) {
    const auto all = courses(table, 2, bet);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].rounds, r(557, 165)) << "published: 3.3758";
    // 7, 11, 2, 3, 12 at once; then each point is made or lost by what its own ways and a seven's
    // are.
    EXPECT_EQ(all[0].over, (std::vector{r(1, 3), r(169, 324)}));
    EXPECT_EQ(ends(all[0]), (Ends{{BetResult::win, {r(244, 495), r(488, 495)}},
                                  {BetResult::lose, {r(251, 495), 0}}}));
  }
  const auto beside = courses(table, 1, "asociada-win");
  ASSERT_EQ(beside.size(), 3U) << "4 and 10, 5 and 9, 6 and 8";
  EXPECT_EQ(beside[0].rounds, Ratio(4));
  EXPECT_EQ(beside[0].over, std::vector{r(1, 4)});
  EXPECT_EQ(beside[2].rounds, r(36, 11));
  const auto field = courses(table, 0, "field");
  ASSERT_EQ(field.size(), 1U);
  EXPECT_EQ(field[0].rounds, Ratio(1));
  EXPECT_TRUE(field[0].over.empty());
}

/// In prison a stake waits for a decided coup, half of which free it; of what that brings each
/// further 31-31 takes half, and other ties nothing.
TEST(StakeEndsTest, every_second_stake_leaves_the_prison_of_trente_et_quarante) {
  const Table table = ends_table("es-1977", "trente-et-quarante");
  const auto all = courses(table, 1, "rojo");
  const auto cloth = std::ranges::find_if(
      all, [](const StakeCourse& one) { return !one.from_prison && one.choice == "prison"; });
  const auto in_prison = std::ranges::find_if(
      all, [](const StakeCourse& one) { return one.from_prison && one.choice == "prison"; });
  ASSERT_NE(in_prison, all.end());
  ASSERT_NE(cloth, all.end());
  const auto odds = bet_odds(table);
  ASSERT_TRUE(odds);
  const Odds& alone = odds->bets.front().odds;
  const Ratio decided = alone.win + alone.lose;
  const Ratio refait = Ratio(2) * alone.house_edge();  // half of each stake is lost there
  const auto told = ends(*in_prison);
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told.at(BetResult::lose).first, r(1, 2));
  EXPECT_EQ(told.at(BetResult::freed).first, r(1, 2));
  // x = decided / 2 + tie x + refait x / 2
  EXPECT_EQ(told.at(BetResult::freed).second,
            decided / Ratio(2) / (decided + refait - refait / Ratio(2)));
  EXPECT_EQ(in_prison->rounds, Ratio(1) / decided);
  EXPECT_EQ(in_prison->over, std::vector{decided});
  EXPECT_EQ(ends(*cloth).at(BetResult::freed).first, refait / Ratio(2));
}

TEST(StakeEndsTest, the_courses_of_the_best_play_add_up_to_the_odds) {
  int tables = 0;
  for (const EmbeddedCatalogue& file : embedded_catalogues()) {
    const auto catalogue = test::catalogue(file.id);
    for (const GameRules& game : catalogue->games) {
      const bool chained =
          game.family == "wheel" || game.family == "dice" || game.family == "trente";
      if (!chained) continue;
      ++tables;
      const Table table = ends_table(
          file.id, game.id, game.base.empty() ? json::Object{} : json::Object{{"base", game.base}});
      const auto odds = bet_odds(table);
      ASSERT_TRUE(odds) << odds.error().text();
      std::map<std::string, int> seen;
      for (const StakeCourse& course : courses(table, 3)) {
        Ratio sum;
        Ratio paid;
        for (const StakeEnd& end : course.ends) {
          sum += end.probability;
          paid += end.paid;
        }
        EXPECT_EQ(sum, Ratio(1)) << course.bet << " " << course.choice;
        // Out of prison a half may be taken at once.
        EXPECT_GE(course.rounds, Ratio(course.from_prison ? 0 : 1));
        EXPECT_TRUE(std::ranges::is_sorted(course.over));
        if (!course.choice.empty() || course.from_prison) continue;
        ++seen[course.bet];
        const auto same = [&](const BetOdds& one) {
          return one.bet == course.bet && one.odds.returned == paid &&
                 (course.on.empty() ||
                  std::ranges::find(one.on, course.on.front()) != one.on.end());
        };
        EXPECT_TRUE(std::ranges::any_of(odds->bets, same)) << game.id << " " << course.bet;
      }
      for (const BetOdds& one : odds->bets) EXPECT_TRUE(seen.contains(one.bet)) << one.bet;
    }
  }
  EXPECT_GE(tables, 12);
}

TEST(StakeEndsTest, other_games_are_refused) {
  EXPECT_TRUE(
      stake_courses(ends_table("es-1977", "punto-banco"), 1).error().is(Errc::game_not_available));
}

}  // namespace
}  // namespace talla::games

// Goal: what other values of parameters do to the odds of a table, named bet by bet.
// Method: figures worked out on paper from the texts (05 of es-1977, 10 and 02 of
//         es-euskadi-2010); each row against the odds of a table that is opened with the value.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "deck_source.hpp"
#include "games/errc.hpp"
#include "games/other_values.hpp"

namespace talla::games {
namespace {

Table table_of(std::string_view catalogue, const std::string& game) {
  auto table = odds_table(test::catalogue(catalogue), game, json::Object{});
  EXPECT_TRUE(table) << table.error().text();
  return *table;
}

std::vector<OtherValue> others_of(std::string_view catalogue, const std::string& game,
                                  const std::vector<std::string>& parameters = {}) {
  auto all = other_values(table_of(catalogue, game), parameters);
  EXPECT_TRUE(all) << all.error().text();
  return std::move(*all);
}

TEST(OtherValuesTest, a_payment_as_is_customary_lowers_the_edge_of_its_two_symbols_alone) {
  const auto all = others_of("es-euskadi-2010", "wheel-of-fortune", {"pay_24_15"});
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].changed.size(), 2U);
  EXPECT_TRUE(all[0].gone.empty());
  EXPECT_EQ(all[0].changed[0].before, Ratio(5, 9)) << "24 cells of 54 at 0 to 1";
  EXPECT_EQ(all[0].changed[0].now.odds.house_edge(), Ratio(1, 9)) << "the same at 1 to 1";
  EXPECT_FALSE(player_wins(all[0].changed[0].now));
}

TEST(OtherValuesTest, jokers_as_one_cell_let_the_player_win_and_take_the_other_bet_away) {
  const auto all = others_of("es-euskadi-2010", "wheel-of-fortune", {"joker_boxes"});
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].changed.size(), 1U);
  EXPECT_EQ(all[0].changed[0].before, std::nullopt) << "not offered before";
  EXPECT_EQ(all[0].changed[0].now.odds.house_edge(), Ratio(-19, 27)) << "46 back on 2 of 54";
  EXPECT_TRUE(player_wins(all[0].changed[0].now));
  EXPECT_EQ(all[0].gone.size(), 1U);
  EXPECT_EQ(to_json(all[0]).find("changed")->array().front().find("before"), nullptr);
}

TEST(OtherValuesTest, insured_and_uninsured_stakes_are_held_each_against_its_own) {
  for (const OtherValue& one :
       others_of("es-1977", "trente-et-quarante", {"insurance_premium_policy", "prison_on_void"})) {
    for (const ChangedOdds& row : one.changed) {
      ASSERT_TRUE(row.before) << one.parameter;
      const bool insured = !row.now.with.empty();
      EXPECT_EQ(*row.before < Ratio(1, 100), insured)
          << one.parameter << ": 1.0946 % without, 0.9123 % with";
    }
  }
}

TEST(OtherValuesTest, every_row_is_of_a_table_with_the_value_and_of_none_without) {
  const Table own = table_of("es-1977", "craps");
  const auto before = bet_odds(own);
  const std::vector<std::string> some = {"dont_12", "come_open"};
  const auto all = other_values(own, some);
  ASSERT_TRUE(before && all);
  bool any = false;
  for (const OtherValue& one : *all) {
    EXPECT_NE(own.params().json().find(one.parameter), nullptr);
    const auto other = own.with_parameter(one.parameter, one.value);
    ASSERT_EQ(!other, !one.refused.empty()) << one.parameter;
    if (!other) continue;
    const auto now = bet_odds(*other);
    ASSERT_TRUE(now);
    for (const ChangedOdds& row : one.changed) {
      any = true;
      const auto same = [&](const BetOdds& bet) {
        return bet.bet == row.now.bet && bet.on == row.now.on && bet.odds == row.now.odds;
      };
      EXPECT_TRUE(std::ranges::any_of(now->bets, same)) << one.parameter << " " << row.now.bet;
      EXPECT_FALSE(std::ranges::any_of(before->bets, same)) << one.parameter << " " << row.now.bet;
    }
  }
  EXPECT_TRUE(any);
}

TEST(OtherValuesTest, each_value_stands_once_and_never_the_tables_own) {
  const Table own = table_of("es-1977", "french-roulette");
  const auto all = other_values(own);
  ASSERT_TRUE(all);
  std::set<std::string> seen;
  for (const OtherValue& one : *all) {
    EXPECT_TRUE(seen.insert(one.parameter + "=" + json::canonical(one.value)).second);
    EXPECT_NE(*own.params().json().find(one.parameter), one.value);
  }
}

TEST(OtherValuesTest, a_parameter_that_the_game_lacks_is_refused) {
  const std::vector<std::string> none = {"joker_boxes"};
  const auto refused = other_values(table_of("es-1977", "craps"), none);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::parameter_unknown));
}

}  // namespace
}  // namespace talla::games

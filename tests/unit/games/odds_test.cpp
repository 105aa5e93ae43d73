// Goal: odds are what counting by hand gives, whatever engine, catalogue and reading.
// Method: published fractions (pass line 7/495, do not pass 3/220, six and eight decks of punto y
//   banca), counts of pockets, chains solved on paper, and for every table that has odds:
//   probabilities of one bet add up to one.
#include "games/odds.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "games/catalogue.hpp"
#include "odds/chain.hpp"
#include "play_support.hpp"

namespace talla::games {
namespace {

Result<Table> odds_table(const std::string& id, const std::string& game,
                         json::Value params = json::Object{}) {
  TableConfig config;
  config.game = game;
  config.currency.code = "EUR";
  config.min = 1000;
  config.params = std::move(params);
  return Table::open(test::catalogue(id), std::move(config));
}

TableOdds odds(const std::string& catalogue, const std::string& game,
               json::Value params = json::Object{}) {
  const auto opened = odds_table(catalogue, game, std::move(params));
  if (!opened) {
    ADD_FAILURE() << opened.error().text();
    return {};
  }
  auto all = bet_odds(*opened);
  if (!all) {
    ADD_FAILURE() << all.error().text();
    return {};
  }
  return std::move(*all);
}

/// The only odds of that bet, or of the position.
Odds odds_of(const TableOdds& all, const std::string& bet,
             const std::vector<std::string>& on = {}) {
  const BetOdds* found = nullptr;
  for (const BetOdds& one : all.bets) {
    if (one.bet != bet || (!on.empty() && std::ranges::find(one.on, on) == one.on.end())) continue;
    EXPECT_EQ(found, nullptr) << bet << " has several";
    found = &one;
  }
  if (found == nullptr) {
    ADD_FAILURE() << "no " << bet;
    return {};
  }
  return found->odds;
}

Fraction f(std::int64_t numerator, std::int64_t denominator) {
  return {numerator, denominator};
}

TEST(OddsTest, a_wheels_bets_are_their_pockets_counted) {
  const auto all = odds("es-1977", "french-roulette");
  EXPECT_EQ(odds_of(all, "pleno"), (Odds{f(1, 37), f(36, 37), 0, f(36, 37), f(1261, 37)}));
  EXPECT_EQ(odds_of(all, "caballo").win, f(2, 37));
  EXPECT_EQ(odds_of(all, "docena"), (Odds{f(12, 37), f(25, 37), 0, f(36, 37), f(73, 37)}));
  for (const BetOdds& bet : all.bets) {
    if (bet.bet == "pleno") {
      EXPECT_EQ(bet.on.size(), 37U);
    } else if (bet.bet == "docena" || bet.bet == "columna") {
      EXPECT_EQ(bet.on.size(), 3U);
    }
  }
}

TEST(OddsTest, a_stake_that_meets_the_zero_takes_the_better_choice) {
  // Half back at once is worth 1/2; in prison it is worth p = 18/37 + (1/37) (p/2), which is 36/73
  // and less.
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"})
    EXPECT_EQ(odds_of(odds(catalogue, "french-roulette"), "rojo"),
              (Odds{f(18, 37), f(18, 37), f(1, 37), f(73, 74), f(145, 148)}));
}

TEST(OddsTest, a_stake_that_prison_sets_free_whole_is_worth_half_there_however_often) {
  // Where the first zero already forces prison: x = 18/37 + x/37, to the last zero of a long row.
  for (const char* catalogue : {"es-valencia-2003", "es-euskadi-2010"}) {
    const auto all =
        odds(catalogue, "french-roulette",
             json::Object{{"second_zero_value", "whole"}, {"below_minimum", "prison-first"}});
    EXPECT_EQ(odds_of(all, "rojo").house_edge(), f(1, 74));
  }
}

TEST(OddsTest, dice_meet_the_published_fractions) {
  const auto all = odds("es-1977", "craps");
  EXPECT_EQ(odds_of(all, "win"), (Odds{f(244, 495), f(251, 495), 0, f(488, 495), 1}));
  EXPECT_EQ(odds_of(all, "win").house_edge(), f(7, 495));
  EXPECT_EQ(odds_of(all, "dont-win"),
            (Odds{f(949, 1980), f(244, 495), f(1, 36), f(217, 220), f(35, 36)}));
  EXPECT_EQ(odds_of(all, "field").house_edge(), f(1, 18));
  EXPECT_EQ(odds_of(all, "big-6").house_edge(), f(1, 11));
  EXPECT_EQ(odds_of(all, "hard-4").house_edge(), f(1, 9));
  EXPECT_EQ(odds_of(all, "hard-6").house_edge(), f(1, 11));
  EXPECT_EQ(odds_of(all, "juego-de-7").house_edge(), f(1, 6));
  EXPECT_EQ(odds_of(all, "any-craps").house_edge(), f(1, 9));
  EXPECT_EQ(odds_of(all, "right-bet", {"4"}).house_edge(), f(1, 15));
  EXPECT_EQ(odds_of(all, "right-bet", {"5"}).house_edge(), f(1, 25));
  EXPECT_EQ(odds_of(all, "right-bet", {"6"}).house_edge(), f(1, 66));
}

TEST(OddsTest, bets_that_wait_for_others_have_odds_behind_them) {
  for (const char* catalogue : {"es-1977", "es-valencia-2003", "es-euskadi-2010"}) {
    const auto all = odds(catalogue, "craps");
    EXPECT_TRUE(all.others.empty());
    EXPECT_EQ(odds_of(all, "come"), odds_of(all, "win"));
    EXPECT_EQ(odds_of(all, "dont-come"), odds_of(all, "dont-win"));
    // Beside a line bet with its point: two to one on 4 and 10, three to two, six to five.
    for (const auto& [point, made, pays] :
         {std::tuple("4", f(1, 3), f(2, 1)), std::tuple("9", f(2, 5), f(3, 2)),
          std::tuple("6", f(5, 11), f(6, 5))}) {
      for (const char* right : {"asociada-win", "asociada-come"}) {
        const Odds beside = odds_of(all, right, {point});
        EXPECT_EQ(beside.win, made) << catalogue << " " << right << " " << point;
        EXPECT_EQ(beside.returned, Ratio(made) * Ratio(pays + Fraction(1)));
        EXPECT_EQ(beside.house_edge(), Fraction(0));
      }
      for (const char* wrong : {"asociada-dont-win", "asociada-dont-come"}) {
        EXPECT_EQ(odds_of(all, wrong, {point}).lose, made) << catalogue << " " << wrong;
        EXPECT_EQ(odds_of(all, wrong, {point}).house_edge(), Fraction(0));
      }
    }
  }
}

TEST(OddsTest, a_reading_of_the_text_changes_the_odds) {
  const auto printed = odds("es-euskadi-2010", "wheel-of-fortune");
  EXPECT_EQ(odds_of(printed, "simbolo-24"), (Odds{0, f(5, 9), f(4, 9), f(4, 9), f(5, 9)}))
      << "0 to 1: the stake comes back";
  const auto customary =
      odds("es-euskadi-2010", "wheel-of-fortune", json::Object{{"pay_24_15", "customary"}});
  EXPECT_EQ(odds_of(customary, "simbolo-24"), (Odds{f(4, 9), f(5, 9), 0, f(8, 9), 1}));
  EXPECT_EQ(odds_of(customary, "simbolo-7").house_edge(), f(2, 9));
}

TEST(OddsTest, punto_y_banca_meets_the_published_edges) {
  const auto eight = odds("es-1977", "punto-banco");
  EXPECT_EQ(deviation(odds_of(eight, "punto"), 3), "0.951") << "published: 0.95";
  EXPECT_EQ(deviation(odds_of(eight, "banca"), 3), "0.927") << "published: 0.93";
  EXPECT_EQ(odds_of(eight, "punto").house_edge(), Fraction(241'149'546'272, 19'524'993'263'685))
      << "1.2351 %";
  EXPECT_EQ(odds_of(eight, "banca").house_edge(), Fraction(114'753'351'728, 10'847'218'479'825))
      << "1.0579 %";
  const auto six = odds("es-valencia-2003", "punto-banco");
  EXPECT_EQ(odds_of(six, "punto").house_edge(), Fraction(18'880'657'128, 1'525'814'595'305))
      << "1.2374 %";
  EXPECT_EQ(odds_of(six, "empate").house_edge(), Fraction(220'299'549'488, 1'525'814'595'305))
      << "14.4382 %";
}

TEST(OddsTest, every_served_wheel_dice_table_and_punto_y_banca_has_them) {
  int tables = 0;
  for (const EmbeddedCatalogue& file : embedded_catalogues()) {
    const auto loaded = test::catalogue(file.id);
    for (const GameRules& game : loaded->games) {
      if (game.family != "wheel" && game.family != "dice" && game.family != "baccarat") continue;
      const auto opened =
          odds_table(std::string(file.id), game.id,
                     game.base.empty() ? json::Object{} : json::Object{{"base", game.base}});
      ASSERT_TRUE(opened) << opened.error().text();
      const auto all = bet_odds(*opened);
      ASSERT_TRUE(all) << game.id << ": " << all.error().text();
      EXPECT_FALSE(all->bets.empty());
      for (const BetOdds& bet : all->bets) {
        EXPECT_EQ(bet.odds.win + bet.odds.lose + bet.odds.other, Fraction(1))
            << game.id << " " << bet.bet;
        EXPECT_GE(bet.odds.house_edge(), Fraction(0)) << game.id << " " << bet.bet;
        EXPECT_EQ(bet.odds.staked, Fraction(1)) << game.id << " " << bet.bet;
        EXPECT_GE(bet.odds.square, bet.odds.lose) << game.id << " " << bet.bet;
      }
      ++tables;
    }
  }
  EXPECT_GE(tables, 15);
}

TEST(OddsTest, the_deviation_is_the_root_of_the_variance_cut) {
  // Two to one against, even money, half a stake: sqrt(8/9), 1, 1/2, and nothing at all.
  EXPECT_EQ(deviation({f(1, 3), f(2, 3), 0, f(2, 3), 1}, 6), "0.942809");
  EXPECT_EQ(deviation({f(1, 2), f(1, 2), 0, 1, 1}, 4), "1.0000");
  EXPECT_EQ(deviation({0, 0, 1, f(1, 2), f(1, 2)}, 0), "0");
  EXPECT_EQ(deviation({0, 1, 0, 0, 1}, 4), "0.0000");
  EXPECT_EQ(deviation(odds_of(odds("es-1977", "french-roulette"), "pleno"), 4), "5.8378");
}

TEST(OddsTest, a_losing_run_is_the_longest_that_one_beginning_in_a_hundred_has) {
  const auto run = [](const Fraction& lose) {
    return losing_run({Fraction(1) - lose, lose, 0, 1, 1});
  };
  EXPECT_EQ(run(f(1, 2)), 6U);   // 1/64 is more than a hundredth, 1/128 less
  EXPECT_EQ(run(f(1, 10)), 2U);  // a hundredth itself
  EXPECT_EQ(run(f(1, 11)), 1U);
  EXPECT_EQ(run(f(1, 101)), 0U);
  EXPECT_EQ(run(0), 0U);
  EXPECT_EQ(run(f(36, 37)), 168U);                  // ln 100 / ln (37/36) = 168.08
  EXPECT_EQ(run(f(649'739, 649'740)), 2'992'160U);  // 649,739.5 ln 100 = 2,992,160.96
  EXPECT_EQ(run(1), std::nullopt);
}

TEST(OddsTest, other_games_are_refused_in_words) {
  const auto circle = odds_table("es-euskadi-2010", "circle-omaha");
  ASSERT_TRUE(circle) << circle.error().text();
  const auto refused = bet_odds(*circle);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().is(Errc::game_not_available));
}

ChainStep end(Fraction probability, Fraction amount) {
  ChainStep step{.to = {}, .probability = probability};
  step.sums.amount = amount;
  return step;
}

TEST(ChainTest, is_solved_as_on_paper) {
  // A stays with 1/2, ends with 3 in 1/2: 3. B goes to A with what is left halved, or ends with 1:
  // (3/2 + 1) / 2.
  ChainStep stay{.to = 0, .probability = f(1, 2)};
  const ChainState a{{{stay, end(f(1, 2), 3)}}};
  ChainStep down{.to = 1, .probability = f(1, 2)};
  down.scale = f(1, 2);
  const ChainState first{{{down, end(f(1, 2), 1)}}};
  ChainState moved = a;
  moved.options[0][0].to = 1;
  const auto sums = solve_chain({first, moved});
  ASSERT_TRUE(sums);
  EXPECT_EQ(sums->sums.amount, f(5, 4));
  // 9 at the end of the way by A, of which a quarter counts; or 1: (9/4 + 1) / 2.
  EXPECT_EQ(sums->square, f(13, 8));
}

TEST(ChainTest, the_square_of_what_is_added_on_the_way_counts_with_what_follows) {
  // 1 now, then 2 or 0: 3 or 1, so that the square is (9 + 1) / 2.
  ChainStep on{.to = 1, .probability = 1};
  on.sums.amount = 1;
  const ChainState now{{{on}}};
  const ChainState later{{{end(f(1, 2), 2), end(f(1, 2), 0)}}};
  const auto value = solve_chain({now, later});
  ASSERT_TRUE(value);
  EXPECT_EQ(value->sums.amount, Fraction(2));
  EXPECT_EQ(value->square, Fraction(5));
}

TEST(ChainTest, takes_the_better_option_also_where_it_only_pays_later) {
  ChainStep on{.to = 1, .probability = 1};
  const ChainState now{{{end(1, f(1, 2))}, {on}}};
  const ChainState later{{{end(1, f(1, 3))}, {end(f(1, 2), 2), end(f(1, 2), 0)}}};
  const auto sums = solve_chain({now, later});
  ASSERT_TRUE(sums);
  EXPECT_EQ(sums->sums.amount, Fraction(1));
}

TEST(ChainTest, one_that_never_ends_has_no_sums) {
  const ChainState round{{{ChainStep{.to = 0, .probability = 1}}}};
  EXPECT_FALSE(solve_chain({round}));
}

}  // namespace
}  // namespace talla::games

// Goal: honest play does not alarm more often than the bound says, however players stake: many on
//       one outcome, more after losses, by the cards that they have counted.
// Method: many lives with a bound of one in twenty; who crosses is counted. A state read back goes
//   on as if it had never been away.
#include <gtest/gtest.h>

#include <cstdlib>

#include "watched_table.hpp"

namespace talla::games::test {
namespace {

constexpr double bound = 0.05;

/// Lives, ten times as many with TALLA_LONG.
int lives(int count) {
  return std::getenv("TALLA_LONG") != nullptr ? 10 * count  // NOLINT(concurrency-mt-unsafe)
                                              : count;
}

/// Alarms of so many lives: a binomial of at most the bound is above four deviations once in 30,000
/// times; the seeds are fixed.
void expect_within_bound(int alarms, int count) {
  const double mean = bound * count;
  EXPECT_LE(alarms, mean + 4 * std::sqrt(mean)) << alarms << " of " << count << " lives";
  std::printf("    %d alarms in %d lives\n", alarms, count);
}

/// Ten seats on red, whose stakes end together, and one that doubles after each loss.
TEST(HonestPlay, of_a_wheel_alarms_no_more_often_than_the_bound) {
  const auto table = table_of(catalogue(), "french-roulette");
  int alarms = 0;
  const int count = lives(400);
  for (int life = 0; life < count; ++life) {
    Watch watch(table, bound);
    Spins spins(table, 1000 + static_cast<std::uint64_t>(life));
    Units doubled = 1000;
    for (int round = 0; round < 200; ++round) {
      std::vector<Spins::Stake> stakes(10, {"rojo", {}, 10'000});
      stakes.push_back({"docena", {"1"}, doubled});
      stakes.push_back({"pleno", {std::to_string(spins.random().below(37))}, 1000});
      const auto settled = spins.play(stakes, spins.pocket());
      watch.round(spins.bets(), settled);
      for (const Settlement& one : settled) {
        if (one.kind != "docena") continue;
        doubled = one.result == BetResult::win || doubled > 8000 ? 1000 : 2 * doubled;
      }
    }
    alarms += watch.alarmed_in() != 0 ? 1 : 0;
  }
  expect_within_bound(alarms, count);
}

/// One seat bets only when the cards that are out favour it, and the more of the shoe is gone the
/// more it bets.
TEST(HonestPlay, of_coups_by_who_counts_cards_alarms_no_more_often_than_the_bound) {
  const auto table = table_of(catalogue(), "punto-banco");
  int alarms = 0;
  const int count = lives(40);
  for (int life = 0; life < count; ++life) {
    Watch watch(table, bound);
    Coups coups(table, 5000 + static_cast<std::uint64_t>(life));
    for (int round = 0; round < 140; ++round) {
      if (coups.last()) coups.shoe();
      watch.see_cards(coups.gone());
      const auto wins = [&](std::size_t law) {
        Ratio all;
        for (const PaidEnd& end : watch.laws().at(law).ends)
          if (end.ways.front().result == BetResult::win) all += end.probability;
        return all;
      };
      const auto more = static_cast<Units>(coups.gone().size()) * 100;
      const std::string better = wins(0) * Ratio(1000) > wins(1) * Ratio(974) ? "punto" : "banca";
      const auto settled = coups.play({{"punto", 1000}, {better, 1000 + more}});
      watch.round(coups.bets(), settled);
    }
    alarms += watch.alarmed_in() != 0 ? 1 : 0;
  }
  expect_within_bound(alarms, count);
}

TEST(HonestPlay, does_not_alarm_at_the_thresholds_of_an_appliance) {
  const auto table = table_of(catalogue(), "french-roulette");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Watch watch(table);
    Spins spins(table, seed);
    for (int round = 0; round < 2000; ++round) {
      const auto settled =
          spins.play({{"rojo", {}, 10'000}, {"pleno", {"17"}, 1000}}, spins.pocket());
      watch.round(spins.bets(), settled);
    }
    EXPECT_EQ(watch.alarmed_in(), 0U) << seed;
  }
}

TEST(HonestPlay, a_state_read_back_goes_on_as_if_it_had_never_been_away) {
  const auto table = table_of(catalogue(), "french-roulette");
  Watch first(table);
  Watch second(table);
  Spins spins(table, 9);
  const auto play = [&](int rounds, const std::vector<Watch*>& watches) {
    for (int round = 0; round < rounds; ++round) {
      const auto settled =
          spins.play({{"rojo", {}, 10'000}, {"pleno", {"17"}, 1000}}, spins.pocket());
      for (Watch* watch : watches) watch->round(spins.bets(), settled);
    }
  };
  play(100, {&first});
  mon::StateWriter out;
  first.board().save(out);
  mon::StateReader in(out.fields());
  second.board().load(in);
  ASSERT_TRUE(in.finish());
  play(100, {&first, &second});
  const auto rows = first.board().rows();
  const auto again = second.board().rows();
  ASSERT_EQ(rows.size(), 2U);
  ASSERT_EQ(again.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].monitor, again[i].monitor);
    EXPECT_EQ(rows[i].steps, again[i].steps);
    EXPECT_EQ(rows[i].process.log_value, again[i].process.log_value);
    EXPECT_EQ(rows[i].detector.log_value, again[i].detector.log_value);
    EXPECT_EQ(rows[i].place, i + 4) << "behind the three places of the bits";
  }
}

}  // namespace
}  // namespace talla::games::test

// Goal: faults planted in an engine, its figures, its wheel and its cards are found, in both
//       directions, and in how many rounds.
// Method: rounds played by an engine with the fault, watched by the laws of the honest table, with
//   the thresholds that an appliance would have; medians and worst of eleven seeds stand in the
//   expectations.
#include <gtest/gtest.h>

#include "watched_table.hpp"

namespace talla::games::test {
namespace {

constexpr std::uint64_t seeds = 11;

/// Rounds until the alarm, of each seed, ascending; a seed without an alarm in `rounds_max` fails.
template <class Life>
std::vector<std::uint64_t> rounds_to_alarm(Life life) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) all.push_back(life(seed));
  std::ranges::sort(all);
  EXPECT_GT(all.front(), 0U) << "a seed without an alarm";
  std::printf("    median %llu, at most %llu rounds\n",
              static_cast<unsigned long long>(all[seeds / 2]),
              static_cast<unsigned long long>(all.back()));
  return all;
}

using Tamper = std::function<void(std::vector<Settlement>&, sim::Random&)>;

/// A French roulette played by `engine`, with two seats on numbers, one on a dozen and one on red.
std::uint64_t wheel_life(const Table& honest, const Table& engine, std::uint64_t seed,
                         std::uint64_t rounds_max, const Tamper& tamper = {},
                         const std::function<std::string(Spins&)>& pocket = {}) {
  Watch watch(honest);
  Spins spins(engine, seed);
  while (watch.rounds() < rounds_max && watch.alarmed_in() == 0) {
    const auto number = std::to_string(spins.random().below(37));
    const auto other = std::to_string(spins.random().below(37));
    auto settled = spins.play({{"pleno", {number}, 1000},
                               {"pleno", {other}, 2000},
                               {"docena", {"2"}, 3000},
                               {"rojo", {}, 10'000}},
                              pocket ? pocket(spins) : spins.pocket());
    if (tamper) tamper(settled, spins.random());
    watch.round(spins.bets(), settled);
  }
  return watch.alarmed_in();
}

/// Punto y banca played by `engine`: a seat on punto, two on banca.
std::uint64_t coup_life(const Table& honest, const Table& engine, std::uint64_t seed,
                        std::uint64_t rounds_max, const std::function<void(Coups&)>& deal = {}) {
  Watch watch(honest);
  Coups coups(engine, seed);
  while (watch.rounds() < rounds_max && watch.alarmed_in() == 0) {
    if (coups.last()) coups.shoe();
    watch.see_cards(coups.gone());
    if (deal) deal(coups);
    const auto settled = coups.play({{"punto", 1000}, {"banca", 1010}, {"banca", 2000}});
    watch.round(coups.bets(), settled);
  }
  return watch.alarmed_in();
}

Tamper winnings_changed(int percent) {
  return [percent](std::vector<Settlement>& settled, sim::Random&) {
    for (Settlement& one : settled)
      if (one.result == BetResult::win) one.returned += (one.returned - one.stake) * percent / 100;
  };
}

TEST(PlantedFault, one_percent_of_winnings_too_much_or_too_little_is_found_at_the_first_win) {
  const auto table = table_of(catalogue(), "french-roulette");
  for (const int percent : {-1, 1}) {
    const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
      return wheel_life(table, table, seed, 1000, winnings_changed(percent));
    });
    EXPECT_LE(rounds[seeds / 2], 3U);
    EXPECT_LE(rounds.back(), 12U);
  }
}

TEST(PlantedFault, a_percent_kept_back_from_one_winner_in_a_thousand_is_found_when_it_happens) {
  const auto table = table_of(catalogue(), "french-roulette");
  const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
    return wheel_life(table, table, seed, 100'000, [](auto& settled, sim::Random& random) {
      for (Settlement& one : settled) {
        if (one.result == BetResult::win && random.once_in(1000))
          one.returned -= (one.returned - one.stake) / 100;
      }
    });
  });
  EXPECT_LE(rounds.back(), 10'000U);
}

TEST(PlantedFault, a_wrong_payout_figure_is_found_at_its_first_win) {
  const auto honest = table_of(catalogue(), "french-roulette");
  for (const char* figure : {"36:1", "34:1"}) {
    const auto engine =
        table_of(changed_catalogue("es-1977", "id = \"french-roulette\"", "pays = \"35:1\"",
                                   "pays = \"" + std::string(figure) + "\""),
                 "french-roulette");
    const auto rounds =
        rounds_to_alarm([&](std::uint64_t seed) { return wheel_life(honest, engine, seed, 1000); });
    EXPECT_LE(rounds[seeds / 2], 40U);
    EXPECT_LE(rounds.back(), 200U);
  }
}

TEST(PlantedFault, a_missing_commission_is_found_at_the_first_win_of_banca) {
  const auto honest = table_of(catalogue(), "punto-banco");
  const auto engine =
      table_of(changed_catalogue("es-1977", "id = \"punto-banco\"",
                                 "pays = \"1:1\", commission = \"5%\"", "pays = \"1:1\""),
               "punto-banco");
  const auto rounds =
      rounds_to_alarm([&](std::uint64_t seed) { return coup_life(honest, engine, seed, 1000); });
  EXPECT_LE(rounds[seeds / 2], 4U);
  EXPECT_LE(rounds.back(), 15U);
}

TEST(PlantedFault, a_dealt_card_bias_is_found_in_both_directions) {
  const auto table = table_of(catalogue(), "punto-banco");
  const auto points = [](shuffle::Card card) { return std::min(card.rank(), 10) % 10; };
  for (const bool for_punto : {false, true}) {
    const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
      return coup_life(table, table, seed, 6000, [&](Coups& coups) {
        // The better of the first two cards always goes to one hand.
        const bool better = points(coups.ahead(0)) > points(coups.ahead(1));
        if (better != for_punto) std::swap(coups.ahead(0), coups.ahead(1));
      });
    });
    EXPECT_LE(rounds[seeds / 2], 3500U);
  }
}

TEST(PlantedFault, a_pocket_that_comes_a_fifth_too_often_is_found_by_who_bets_on_it) {
  const auto table = table_of(catalogue(), "french-roulette");
  const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
    Watch watch(table);
    Spins spins(table, seed);
    while (watch.rounds() < 200'000 && watch.alarmed_in() == 0) {
      const auto pocket = spins.random().below(185) == 0 ? "17" : spins.pocket();
      const auto settled = spins.play({{"pleno", {"17"}, 1000}}, pocket);
      watch.round(spins.bets(), settled);
    }
    return watch.alarmed_in();
  });
  EXPECT_LE(rounds.back(), 100'000U);
}

/// A zero that comes too seldom for the stakes on it: theft from those who bet on it, and from
/// nobody else.
TEST(PlantedFault, a_bias_hidden_in_a_rare_bet_is_found_in_the_rounds_of_that_bet) {
  const auto table = table_of(catalogue(), "french-roulette");
  const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
    Watch watch(table);
    Spins spins(table, seed);
    std::uint64_t rare = 0;
    for (std::uint64_t round = 0; round < 400'000 && watch.alarmed_in() == 0; ++round) {
      const bool on_it = spins.random().once_in(50);
      auto pocket = spins.pocket();
      while (on_it && pocket == "0") pocket = spins.pocket();
      std::vector<Spins::Stake> stakes{{"docena", {"1"}, 1000}};
      if (on_it) stakes.push_back({"pleno", {"0"}, 1000});
      rare += on_it ? 1U : 0U;
      const auto settled = spins.play(stakes, pocket);
      watch.round(spins.bets(), settled);
    }
    EXPECT_EQ(watch.who().find("pleno/"), 0U) << watch.who();
    return watch.alarmed_in() == 0 ? 0 : rare;
  });
  EXPECT_LE(rounds.back(), 4000U) << "rounds with that bet";
}

/// Who voids every second round in which a number wins keeps what it won.
TEST(PlantedFault, rounds_voided_when_players_win_are_found_in_what_is_left) {
  const auto table = table_of(catalogue(), "french-roulette");
  const auto rounds = rounds_to_alarm([&](std::uint64_t seed) {
    return wheel_life(table, table, seed, 20'000, [](auto& settled, sim::Random& random) {
      const bool number_wins = std::ranges::any_of(settled, [](const Settlement& one) {
        return one.kind == "pleno" && one.result == BetResult::win;
      });
      if (!number_wins || !random.once_in(2)) return;
      for (Settlement& one : settled) {
        one.result = BetResult::void_;
        one.returned = one.stake;
        one.remainder = 0;
      }
    });
  });
  EXPECT_LE(rounds.back(), 10'000U);
}

TEST(PlantedFault, one_stake_voided_among_others_of_its_bet_that_are_settled_is_found_at_once) {
  const auto table = table_of(catalogue(), "french-roulette");
  Watch watch(table);
  Spins spins(table, 1);
  auto settled = spins.play({{"pleno", {"5"}, 1000}, {"pleno", {"6"}, 1000}}, "7");
  settled.at(0).result = BetResult::void_;
  settled.at(0).returned = settled.at(0).stake;
  watch.round(spins.bets(), settled);
  EXPECT_EQ(watch.alarmed_in(), 1U);
}

/// A table that is opened again as another game has another law: what is right at one is not at the
/// other.
TEST(PlantedFault, a_table_that_changes_its_type_is_found_by_its_old_law_alone) {
  const auto french = table_of(catalogue(), "french-roulette");
  const auto american = table_of(catalogue(), "american-roulette-single-zero");
  const auto play = [&](const Table& law) {
    Watch watch(law);
    Spins spins(french, 3);
    for (int i = 0; i < 400; ++i) {
      const auto settled = spins.play({{"rojo", {}, 10'000}}, spins.pocket());
      watch.round(spins.bets(), settled);
    }
    return watch.alarmed_in();
  };
  EXPECT_EQ(play(french), 0U);
  EXPECT_GT(play(american), 0U) << "there the zero gives half back, and knows no prison";
}

}  // namespace
}  // namespace talla::games::test

// Goal: the running monitor names the bet whose payment is not as the law has it, with the number
//       of rounds; honest play alarms nobody; who spreads, splits, voids or restarts gains nothing.
// Method: rounds recorded as an appliance records them (paid_house.hpp), each lie valid in every
//   other respect; a whole appliance that plays roulette, punto y banca and craps.
#include <gtest/gtest.h>

#include <cstdlib>

#include "paid_house.hpp"
#include "watched.hpp"

namespace talla::rngd::test {
namespace {

using games::test::catalogue;
using games::test::table_of;

const std::vector<Spins::Stake> cloth = {
    {"pleno", {"17"}, 1000}, {"pleno", {"5"}, 2000}, {"docena", {"2"}, 3000}, {"rojo", {}, 10'000}};

certs::SettlementResult& of_kind(Results& results, const std::string& kind) {
  return *std::ranges::find(results, kind, &certs::SettlementResult::kind);
}

/// One lie about a round, and the beginning of the stream that must name it.
struct PlantedLie {
  const char* what;
  PaidHouse::Lie lie;
  const char* named;
};

std::vector<PlantedLie> lies() {
  return {
      {"a hundredth of the winnings kept back",
       [](Results& all) { of_kind(all, "docena").returned -= 60; }, "docena"},
      {"one unit too much", [](Results& all) { of_kind(all, "docena").returned += 1; }, "docena"},
      {"a bet without a result",
       [](Results& all) { std::erase_if(all, [](auto& one) { return one.kind == "rojo"; }); },
       "rojo"},
      {"a bet with two results", [](Results& all) { all.push_back(of_kind(all, "docena")); },
       "docena"},
      {"a result of nobody's bet",
       [](Results& all) {
         auto one = of_kind(all, "docena");
         one.bet = "nobody";
         all.push_back(one);
       },
       "docena"},
      {"a stake let out of a prison where it never was",
       [](Results& all) {
         auto one = of_kind(all, "rojo");
         one.bet = "freed";
         one.result = "freed";
         one.returned = one.stake;
         all.push_back(one);
       },
       "rojo"},
      {"another stake than was closed",
       [](Results& all) {
         of_kind(all, "docena").stake = 2000;
         of_kind(all, "docena").returned = 6000;
       },
       "docena"},
      {"one bet void, its neighbours not",
       [](Results& all) {
         of_kind(all, "pleno").result = "void";
         of_kind(all, "pleno").returned = of_kind(all, "pleno").stake;
       },
       "pleno"},
  };
}

TEST(Payments, a_payment_that_no_law_has_is_named_in_the_round_in_which_it_is_made) {
  const auto table = table_of(catalogue(), "french-roulette");
  for (const PlantedLie& planted : lies()) {
    PaidHouse house;
    const auto id = house.open("Mesa 7", table);
    Spins spins(table, 3);
    for (int i = 0; i < 20; ++i) house.spin(id, spins, cloth, spins.pocket());
    house.step();
    EXPECT_TRUE(house.alarms().empty()) << planted.what;
    house.spin(id, spins, cloth, "14", planted.lie);  // the second dozen, red
    house.step();
    const auto alarms = house.alarms();
    ASSERT_EQ(alarms.size(), 2U) << planted.what << ": of the place and of all places";
    const std::string beginning =
        "e-process:Mesa%207/french-roulette/" + std::string(planted.named);
    EXPECT_TRUE(alarms[0].starts_with(beginning)) << planted.what << ": " << alarms[0];
    EXPECT_TRUE(std::ranges::any_of(house.said, [](const std::string& line) {
      return line.find("after 21 rounds") != std::string::npos;
    })) << planted.what;
    EXPECT_EQ(house.monitors->status().at("alarms_standing").integer(), 4) << "detectors too";
  }
}

/// Who hides it among larger stakes of the same bet hides nothing.
TEST(Payments, one_bet_among_many_is_named_as_soon) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  const auto id = house.open("Mesa 7", table);
  Spins spins(table, 3);
  std::vector<Spins::Stake> stakes(9, {"pleno", {"5"}, 2000});
  stakes.push_back({"pleno", {"14"}, 1000});
  house.spin(id, spins, stakes, "14", [](Results& all) {
    std::ranges::find(all, std::string("win"), &certs::SettlementResult::result)->returned -= 1;
  });
  house.step();
  EXPECT_EQ(house.alarms().size(), 2U);
}

/// Money that leaves a round without a bet.
TEST(Payments, a_result_in_a_round_without_its_bet_is_named) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  const auto id = house.open("Mesa 7", table);
  Spins spins(table, 3);
  auto results = PaidHouse::results_of(spins.play(cloth, "14"));
  std::erase_if(results, [](const auto& one) { return one.kind != "docena"; });
  auto bets = spins.bets();
  std::erase_if(bets, [](const auto& one) { return one.kind != "rojo"; });
  house.round(id, bets, std::move(results));
  house.step();
  const auto alarms = house.alarms();
  EXPECT_EQ(alarms.size(), 4U) << "rojo was not paid, docena was not staked";
}

TEST(Payments, a_bias_spread_over_many_tables_is_found_in_all_of_them_together) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  Spins spins(table, 11);
  std::uint64_t rounds = 0;
  std::string id;
  for (; house.alarms().empty() && rounds < 20'000; ++rounds) {
    if (rounds % 100 == 0) id = house.open("Mesa " + std::to_string(rounds % 3000), table);
    // A zero that never comes: what the house saves on who bets on it.
    auto pocket = spins.pocket();
    while (pocket == "0") pocket = spins.pocket();
    house.spin(id, spins, {{"pleno", {"0"}, 1000}}, pocket);
    if (rounds % 10 == 9) house.step();
  }
  ASSERT_EQ(house.alarms().size(), 1U);
  EXPECT_TRUE(house.alarms()[0].starts_with("e-process:*/french-roulette/pleno"))
      << house.alarms()[0];
  EXPECT_LE(rounds, 2000U);
  std::printf("    %llu rounds at places of 100 rounds each\n",
              static_cast<unsigned long long>(rounds));
}

TEST(Payments, rounds_voided_when_a_number_wins_are_found_in_what_is_left) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  const auto id = house.open("Mesa 7", table);
  Spins spins(table, 5);
  int rounds = 0;
  for (; house.alarms().empty() && rounds < 5000; ++rounds) {
    house.spin(id, spins, {{"pleno", {"17"}, 1000}, {"pleno", {"5"}, 1000}, {"pleno", {"8"}, 1000}},
               spins.pocket(), [](Results& all) {
                 const bool won =
                     std::ranges::any_of(all, [](const auto& one) { return one.result == "win"; });
                 if (!won) return;
                 for (auto& one : all) {
                   one.result = "void";
                   one.returned = one.stake;
                 }
               });
    if (rounds % 10 == 9) house.step();
  }
  EXPECT_FALSE(house.alarms().empty());
  EXPECT_LE(rounds, 1500);
  std::printf("    %d rounds\n", rounds);
}

TEST(Payments, a_missing_commission_is_found_at_the_first_win_of_banca) {
  const auto table = table_of(catalogue(), "punto-banco");
  PaidHouse house;
  const auto id = house.open("Mesa 9", table);
  Coups coups(table, 4);
  int rounds = 0;
  for (; house.alarms().empty() && rounds < 100; ++rounds) {
    house.coup(id, coups, {{"punto", 1000}, {"banca", 2000}}, [](Results& all) {
      auto& banca = of_kind(all, "banca");
      if (banca.result == "win") banca.returned = 2 * banca.stake;
    });
    house.step();
  }
  ASSERT_EQ(house.alarms().size(), 1U);
  EXPECT_TRUE(house.alarms()[0].starts_with("e-process:Mesa%209/punto-banco/banca"));
  EXPECT_LE(rounds, 20);
}

TEST(Payments, a_restart_and_a_crash_change_nothing_of_what_was_seen) {
  const auto wheel = table_of(catalogue(), "french-roulette");
  const auto cards = table_of(catalogue(), "punto-banco");
  for (const bool stored : {true, false}) {
    PaidHouse house;
    const auto mesa = house.open("Mesa 7", wheel);
    const auto shoe = house.open("Mesa 9", cards);
    Spins spins(wheel, 8);
    Coups coups(cards, 8);
    const auto play = [&](int rounds) {
      for (int i = 0; i < rounds; ++i) {
        house.spin(mesa, spins, cloth, spins.pocket());
        house.coup(shoe, coups, {{"punto", 1000}, {"banca", 2000}});
      }
    };
    play(30);
    house.step();
    const auto whole = json::canonical(json::Value(house.monitors->returns()));
    if (stored) {
      ASSERT_TRUE(house.monitors->save());
    } else {
      play(30);  // behind the last save: read again from the log
    }
    house.start();
    if (stored) {
      EXPECT_EQ(json::canonical(json::Value(house.monitors->returns())), whole);
      play(30);
      house.step();
    }
    EXPECT_EQ(house.sums("Mesa 9", "punto").find("rounds")->integer(), 60);
    EXPECT_EQ(house.sums("Mesa 7", "docena").find("rounds")->integer(), 60);
    EXPECT_TRUE(house.alarms().empty());
  }
}

/// Who restarts behind an alarm gets a new epoch with a smaller share, and the old alarm stays
/// recorded.
TEST(Payments, a_restart_behind_an_alarm_begins_the_next_epoch_and_the_lie_is_named_again) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  const auto id = house.open("Mesa 7", table);
  Spins spins(table, 3);
  for (std::size_t epoch = 1; epoch <= 3; ++epoch) {
    house.spin(id, spins, cloth, "14", [](Results& all) { of_kind(all, "docena").returned -= 1; });
    house.step();
    ASSERT_EQ(house.alarms().size(), 2 * epoch);
    EXPECT_TRUE(house.alarms().back().ends_with(":" + std::to_string(epoch)));
    ASSERT_TRUE(house.monitors->save());
    house.start();
  }
}

TEST(Payments, honest_play_of_many_rounds_alarms_nobody_and_stays_in_the_band) {
  const bool whole = std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  const int rounds = whole ? 100'000 : 10'000;
  const auto wheel = table_of(catalogue(), "french-roulette");
  const auto cards = table_of(catalogue(), "punto-banco");
  PaidHouse house;
  const auto mesa = house.open("Mesa 7", wheel);
  const auto shoe = house.open("Mesa 9", cards);
  Spins spins(wheel, 21);
  Coups coups(cards, 21);
  for (int i = 0; i < rounds; ++i) {
    if (i % 10 == 0) {
      house.coup(shoe, coups, {{"punto", 1000}, {"banca", 1010}});
    } else {
      house.spin(mesa, spins, cloth, spins.pocket());
    }
    if (i % 100 == 99) {
      house.step();
      if (house.ledger.size() > 2000) house.ledger.forget_before(house.ledger.size() - 2000);
    }
  }
  EXPECT_TRUE(house.alarms().empty());
  EXPECT_EQ(house.monitors->status().at("alarms_standing").integer(), 0);
  std::size_t bets = 0;
  const auto returns = house.monitors->returns();
  for (const auto& one : returns.at("bets").array()) {
    ++bets;
    EXPECT_TRUE(one.find("within")->boolean()) << json::canonical(one);
  }
  EXPECT_EQ(bets, 5U) << "pleno, docena, rojo, punto, banca";
}

/// Worked by hand: red and a number, each once won and once lost.
TEST(Payments, theory_practice_and_band_are_exact) {
  const auto table = table_of(catalogue(), "french-roulette");
  PaidHouse house;
  const auto id = house.open("Mesa 7", table);
  Spins spins(table, 1);
  house.spin(id, spins, {{"pleno", {"17"}, 1000}, {"pleno", {"5"}, 1000}}, "17");
  house.spin(id, spins, {{"pleno", {"17"}, 1000}, {"pleno", {"5"}, 1000}}, "1");
  house.step();
  const auto sums = house.sums("Mesa 7", "pleno");
  const auto text = [&](const char* member) { return sums.find(member)->string(); };
  EXPECT_EQ(sums.find("rounds")->integer(), 2);
  EXPECT_EQ(sums.find("places")->integer(), 37);
  EXPECT_EQ(text("staked"), "4000.0000");
  EXPECT_EQ(text("paid"), "36000.0000");
  EXPECT_EQ(text("expected"), "3891.8918") << "36/37 of it, cut";
  EXPECT_EQ(text("theory"), "97.2973 %");
  EXPECT_EQ(text("practice"), "900.0000 %");
  // Of one round 2/37 x 36,000^2 - (72,000/37)^2 = 66,267,348.4...; of two its double.
  EXPECT_EQ(text("deviation").substr(0, 6), "11512.");
  EXPECT_TRUE(sums.find("within")->boolean());
  EXPECT_EQ(text("currency"), "EUR");
}

TEST(Payments, games_without_a_law_are_named_and_not_watched) {
  const auto table = table_of(catalogue(), "craps");
  PaidHouse house;
  const auto id = house.open("Mesa 3", table);
  games::Bet bet;
  bet.id = "b";
  bet.seat = 1;
  bet.kind = "pase";
  bet.stake = 1000;
  certs::SettlementResult lost;
  lost.bet = "b";
  lost.seat = 1;
  lost.kind = "pase";
  lost.stake = 1000;
  lost.result = "lose";
  lost.rule = "06";
  house.round(id, {bet}, {lost});
  house.step();
  const auto returns = house.monitors->returns();
  ASSERT_EQ(returns.at("not_watched").array().size(), 1U);
  const auto& other = returns.at("not_watched").array()[0];
  EXPECT_EQ(other.find("place")->string(), "Mesa 3");
  EXPECT_EQ(other.find("game")->string(), "craps");
  EXPECT_TRUE(returns.at("bets").array().empty());
}

/// The records of a real appliance: roulette with stakes in prison, punto y banca from a shoe.
TEST(Payments, of_a_whole_appliance_are_seen_and_right) {
  Watched w;
  const auto mesa = w.rig.open_table(core::test::roulette_table);
  for (int i = 0; i < 120; ++i) {
    const auto round = w.rig.post("/v1/tables/" + mesa + "/rounds").text({"round", "id"});
    const auto name = std::to_string(i);
    const auto closed = w.rig.post("/v1/rounds/" + round + "/close-bets",
                                   R"({"bets":[{"id":"r)" + name +
                                       R"(","seat":1,"kind":"rojo","stake":100},{"id":"n)" + name +
                                       R"(","seat":2,"kind":"pleno","on":["7"],"stake":25}]})");
    ASSERT_EQ(closed.status, 200) << closed.body;
    const auto spun = w.rig.post("/v1/draws", w.rig.draw_body(w.rig.open_batch(mesa, 1), 0, round));
    ASSERT_EQ(spun.status, 200) << spun.body;
  }
  const auto table = w.rig.open_table(core::test::punto_table);
  const auto shoe = w.rig.deal_ready_shoe(table).text({"shoe", "id"});
  auto position = w.rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":"needs"})")
                      .number({"shoe", "position"});
  for (int i = 0; i < 12; ++i) {
    const auto round = w.rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
    ASSERT_EQ(w.rig
                  .post("/v1/rounds/" + round + "/close-bets",
                        R"({"bets":[{"id":"b","seat":1,"kind":"banca","stake":200}]})")
                  .status,
              200);
    const auto dealt =
        w.rig.post("/v1/shoes/" + shoe + "/deal",
                   R"({"expected":)" + std::to_string(position) + R"(,"until":"needs"})");
    ASSERT_EQ(dealt.status, 200) << dealt.body;
    position = dealt.number({"shoe", "position"});
  }
  w.step();
  const auto returns = w.monitors->returns();
  std::map<std::string, std::int64_t> rounds;
  for (const auto& one : returns.at("bets").array()) {
    rounds[one.find("bet")->string()] = one.find("rounds")->integer();
    // Real chance: one of a hundred runs leaves some band; what is in it is another test's matter.
    EXPECT_NE(one.find("within"), nullptr) << json::canonical(one);
  }
  EXPECT_EQ(rounds["rojo"], 120);
  EXPECT_EQ(rounds["pleno"], 120);
  EXPECT_EQ(rounds["banca"], 12);
  EXPECT_EQ(w.monitors->status().at("alarms_standing").integer(), 0);
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
  w.monitors->add_metrics(counters, gauges);
  EXPECT_EQ(counters.at("talla_monitor_payments_unwatched_total"), 0);
  const auto before = json::canonical(json::Value(w.monitors->status()));
  w.rig.restart();
  EXPECT_EQ(json::canonical(json::Value(w.monitors->status())), before);
}

}  // namespace
}  // namespace talla::rngd::test

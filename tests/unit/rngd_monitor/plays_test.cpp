// Goal: the running monitor watches blackjack: honest rounds alarm nobody and stay below the most
//       that best play may expect; what no rule pays is named in its round, what is given away
//       with amounts that the rules know in so many rounds; a restart changes nothing.
// Method: rounds recorded as an appliance records them (paid_house.hpp), from shoes played to the
//   end.
#include <gtest/gtest.h>

#include "paid_house.hpp"

namespace talla::rngd::test {
namespace {

using games::test::Boxes;
using games::test::catalogue;
using games::test::table_of;

/// Plays until an alarm; how many rounds that took, 0: none.
int rounds_until_alarm(PaidHouse& house, const std::string& id, Boxes& boxes, int rounds_max,
                       const PaidHouse::Lie& lie) {
  for (int round = 1; round <= rounds_max; ++round) {
    house.box(id, boxes, {1000, 2000}, games::test::best_play, lie);
    house.step();
    if (!house.alarms().empty()) return round;
    house.ledger.forget_before(0);
  }
  return 0;
}

TEST(PaymentsOfPlay, honest_rounds_alarm_nobody_and_stay_below_the_most_also_over_a_restart) {
  const auto table = table_of(catalogue(), "blackjack");
  PaidHouse house;
  const auto id = house.open("Mesa 3", table);
  Boxes boxes(table, 11);
  EXPECT_EQ(rounds_until_alarm(house, id, boxes, 150, {}), 0);
  ASSERT_TRUE(house.monitors->save());
  house.start();
  EXPECT_EQ(rounds_until_alarm(house, id, boxes, 150, {}), 0);
  const auto sums = house.sums("Mesa 3", "juego-simple");
  ASSERT_NE(sums.find("rounds"), nullptr);
  EXPECT_EQ(sums.find("rounds")->integer(), 300);
  EXPECT_TRUE(sums.find("within")->boolean());
  EXPECT_EQ(std::stod(sums.find("low")->string()), 0);
  EXPECT_NE(sums.find("monitor")->string().find("-most/payments"), std::string::npos);
  EXPECT_TRUE(house.monitors->returns().at("not_watched").array().empty());
}

TEST(PaymentsOfPlay, what_no_rule_pays_is_named_in_the_round_in_which_it_is_paid) {
  const auto table = table_of(catalogue(), "blackjack");
  const std::vector<PaidHouse::Lie> lies = {
      [](Results& all) { all.front().returned += 1; },
      [](Results& all) { all.front().seat = 7; },
      [](Results& all) { all.front().stake += 1000; },
      [](Results& all) { all.front().result = "freed"; },
      [](Results& all) { all.push_back(all.front()); },
      [](Results& all) { all.erase(all.begin()); },
  };
  for (std::size_t i = 0; i < lies.size(); ++i) {
    PaidHouse house;
    const auto id = house.open("Mesa 3", table);
    Boxes boxes(table, 3);
    EXPECT_EQ(rounds_until_alarm(house, id, boxes, 30, {}), 0);
    EXPECT_EQ(rounds_until_alarm(house, id, boxes, 1, lies[i]), 1) << i;
    EXPECT_NE(house.alarms().front().find("blackjack/juego-simple-"), std::string::npos);
  }
}

TEST(PaymentsOfPlay, lost_stakes_given_back_are_named_by_what_is_gained) {
  const auto table = table_of(catalogue(), "blackjack");
  PaidHouse house;
  const auto id = house.open("Mesa 3", table);
  Boxes boxes(table, 5);
  const int rounds = rounds_until_alarm(house, id, boxes, 3000, [](Results& all) {
    for (auto& one : all) {
      if (one.result != "lose" || one.kind != "juego-simple") continue;
      one.result = "push";
      one.returned = one.stake;
    }
  });
  EXPECT_GT(rounds, 0);
  std::printf("    every lost stake given back: %d rounds\n", rounds);
}

}  // namespace
}  // namespace talla::rngd::test

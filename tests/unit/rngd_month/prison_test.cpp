// Goal: a stake counts once, when it is settled first: what becomes of it in prison is returned
//   alone, in whichever month and at whichever table that goes on.
// Method: spins with zeros, played by the engine and recorded as an appliance records them.
#include <gtest/gtest.h>

#include "format/record.hpp"
#include "month/months.hpp"
#include "paid_house.hpp"

namespace talla::rngd::test {
namespace {

constexpr const char* prison_place = "Mesa 4";

games::Table wheel_of_prison() {
  return games::test::table_of(games::test::catalogue(), "french-roulette");
}

/// The records of the house, those from `later_from` on a month later.
json::Value month_of_house(const PaidHouse& house, const std::string& of = "1970-01",
                           std::uint64_t later_from = ~std::uint64_t{0}) {
  constexpr std::int64_t days_40_us = std::int64_t{40} * 24 * 3600 * 1'000'000;
  month::Months months;
  for (std::uint64_t seq = 0; seq < house.ledger.size(); ++seq) {
    auto record = certs::parse_record(house.ledger.record(seq)->bytes);
    EXPECT_TRUE(record.has_value());
    if (seq >= later_from) record->time_us = days_40_us;
    const auto taken = months.take(*certs::write_record(*record));
    EXPECT_TRUE(taken.has_value()) << taken.error().text();
  }
  return months.report(of, {.against = "nothing"});
}

struct Sums {
  std::int64_t staked = 0, returned = 0, rounds = 0, settlements = 0;
  bool operator==(const Sums&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Sums& sums) {
  return out << sums.staked << " staked, " << sums.returned << " returned, " << sums.rounds << "/"
             << sums.settlements << " rounds";
}
Sums sums_of(const json::Value& month, const std::string& table) {
  const json::Value* found = month.find("tables")->find(table);
  if (found == nullptr) return {};
  return {found->find("staked")->integer(), found->find("returned")->integer(),
          found->find("rounds")->integer(), found->find("settlements")->integer()};
}

TEST(MonthOfPrisons, a_stake_counts_once_however_often_it_meets_the_zero) {
  const auto table = wheel_of_prison();
  for (const int zeros : {1, 2, 3}) {
    PaidHouse house;
    const auto id = house.open(prison_place, table);
    Spins spins(table, 3);
    house.spin(id, spins, {{"rojo", {}, 10'000}}, "0");
    for (int i = 1; i < zeros; ++i) house.spin(id, spins, {{"docena", {"2"}, 3000}}, "0");
    const auto waits = sums_of(month_of_house(house), id);
    EXPECT_EQ(waits, (Sums{10'000 + (zeros - 1) * 3000, 0, zeros, zeros})) << zeros;
    house.spin(id, spins, {{"docena", {"3"}, 3000}}, "14");  // red, of the second dozen
    const auto freed = sums_of(month_of_house(house), id);
    EXPECT_EQ(freed.staked, 10'000 + zeros * 3000) << zeros;
    EXPECT_GT(freed.returned, 0) << zeros;
  }
}

TEST(MonthOfPrisons, a_stake_is_lost_out_of_prison_and_a_new_one_of_its_name_counts) {
  const auto table = wheel_of_prison();
  PaidHouse house;
  const auto id = house.open(prison_place, table);
  Spins spins(table, 3);
  house.spin(id, spins, {{"rojo", {}, 10'000}}, "0");
  house.spin(id, spins, {{"docena", {"2"}, 3000}}, "13");  // black: the red stake is lost
  EXPECT_EQ(sums_of(month_of_house(house), id), (Sums{13'000, 9000, 2, 2}));
  // The table's client begins its names anew.
  Spins anew(table, 3);
  house.spin(id, anew, {{"rojo", {}, 10'000}}, "13");
  EXPECT_EQ(sums_of(month_of_house(house), id), (Sums{23'000, 9000, 3, 3}));
}

TEST(MonthOfPrisons, a_stake_counts_in_the_month_of_its_bet_alone) {
  const auto table = wheel_of_prison();
  PaidHouse house;
  const auto id = house.open(prison_place, table);
  Spins spins(table, 3);
  house.spin(id, spins, {{"rojo", {}, 10'000}}, "0");
  const auto later = house.ledger.size();
  house.spin(id, spins, {{"docena", {"3"}, 3000}}, "14");
  EXPECT_EQ(sums_of(month_of_house(house, "1970-01", later), id), (Sums{10'000, 0, 1, 1}));
  EXPECT_EQ(sums_of(month_of_house(house, "1970-02", later), id), (Sums{3000, 10'000, 1, 1}));
}

TEST(MonthOfPrisons, a_prison_goes_on_with_its_table_and_with_no_other_at_its_place) {
  const auto table = wheel_of_prison();
  for (const bool continues : {true, false}) {
    PaidHouse house;
    const auto first = house.open(prison_place, table);
    Spins spins(table, 3);
    house.spin(first, spins, {{"rojo", {}, 10'000}}, "0");
    house.close(prison_place, first);
    const auto second = house.open(prison_place, table, {}, continues ? first : std::string());
    Spins fresh(table, 3);  // of a table that begins anew: bets with the same names
    house.spin(second, continues ? spins : fresh, {{"rojo", {}, 2000}}, "14");
    const auto found = sums_of(month_of_house(house), second);
    EXPECT_EQ(found, (continues ? Sums{2000, 14'000, 1, 1} : Sums{2000, 4000, 1, 1})) << continues;
  }
}

}  // namespace
}  // namespace talla::rngd::test

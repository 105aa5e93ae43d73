// Goal: money that leaves or stays by a way round the bets is named all the same: calls, prisons of
//       tables that go on, parts of long records, voids, more streams than are watched; and none of
//       these ways alarms where it is walked honestly.
// Method: rounds recorded as an appliance records them (paid_house.hpp), each lie valid in every
//   other respect.
#include <gtest/gtest.h>

#include <set>

#include "paid_house.hpp"
#include "watched.hpp"

namespace talla::rngd::test {
namespace {

using games::test::catalogue;
using games::test::table_of;

constexpr const char* hidden_place = "Mesa 7";

games::Table roulette() {
  return table_of(catalogue(), "french-roulette");
}

certs::SettlementResult* result_of(Results& all, const std::string& kind) {
  const auto found = std::ranges::find(all, kind, &certs::SettlementResult::kind);
  return found == all.end() ? nullptr : &*found;
}

void make_void(Results& all, games::Units returned_of_each_unit) {
  for (auto& one : all) {
    one.result = "void";
    one.returned = one.stake * returned_of_each_unit;
    one.remainder.clear();
  }
}

TEST(HiddenPayments, a_round_that_is_void_and_keeps_the_stakes_or_pays_is_named) {
  const auto table = roulette();
  for (const games::Units back : {0, 1, 36}) {
    PaidHouse house;
    const auto id = house.open(hidden_place, table);
    Spins spins(table, 3);
    house.spin(id, spins, {{"docena", {"2"}, 3000}}, "14",
               [back](Results& all) { make_void(all, back); });
    house.step();
    EXPECT_EQ(house.alarms().size(), back == 1 ? 0U : 2U) << back;
  }
}

/// A call's parts are settled one by one, under ids of their own.
TEST(HiddenPayments, a_call_is_the_stakes_that_it_is_made_of) {
  const auto table = table_of(catalogue("es-valencia-2003"), "french-roulette", 100);
  PaidHouse house("es-valencia-2003");
  const auto id = house.open(hidden_place, table);
  Spins spins(table, 3);
  const std::vector<Spins::Stake> stakes = {{"huerfanos", {}, 500}, {"serie-grande", {}, 900}};
  for (int i = 0; i < 200; ++i) house.spin(id, spins, stakes, spins.pocket());
  house.step();
  EXPECT_TRUE(house.alarms().empty()) << house.alarms().front();
  EXPECT_EQ(house.sums(hidden_place, "caballo").find("rounds")->integer(), 200);
  EXPECT_EQ(house.sums(hidden_place, "pleno").find("staked")->string(), "20000.0000");
  EXPECT_EQ(house.monitors->returns().at("unwatched").integer(), 0);
  house.spin(id, spins, stakes, "17", [](Results& all) {
    for (auto& one : all)
      if (one.result == "win") --one.returned;
  });
  house.step();
  ASSERT_FALSE(house.alarms().empty());
  EXPECT_NE(house.alarms().front().find("caballo"), std::string::npos) << house.alarms().front();
}

/// What may be wrong with stakes that come out of a prison.
struct PrisonLie {
  const char* what;
  PaidHouse::Lie lie;
};

std::vector<PrisonLie> prison_lies() {
  return {
      {"paid twice its stake", [](Results& all) { result_of(all, "rojo")->returned *= 2; }},
      {"a third kept back",
       [](Results& all) {
         result_of(all, "rojo")->returned = 6666;
         result_of(all, "rojo")->remainder = "2/3";
       }},
      {"let out twice", [](Results& all) { all.push_back(*result_of(all, "rojo")); }},
      {"of another amount",
       [](Results& all) {
         result_of(all, "rojo")->stake = 20'000;
         result_of(all, "rojo")->returned = 20'000;
       }},
      {"lost, and paid",
       [](Results& all) {
         result_of(all, "rojo")->result = "lose";
         result_of(all, "rojo")->returned = 10'000;
       }},
      {"of another seat", [](Results& all) { result_of(all, "rojo")->seat = 9; }},
  };
}

TEST(HiddenPayments, a_stake_let_out_of_prison_comes_back_as_a_prison_gives_it) {
  const auto table = roulette();
  for (const PrisonLie& planted : prison_lies()) {
    for (const bool lies : {false, true}) {
      PaidHouse house;
      const auto id = house.open(hidden_place, table);
      Spins spins(table, 3);
      house.spin(id, spins, {{"rojo", {}, 10'000}}, "0");
      house.spin(id, spins, {{"docena", {"2"}, 3000}}, "14", lies ? planted.lie : nullptr);
      house.step();
      EXPECT_EQ(house.alarms().empty(), !lies) << planted.what;
      for (const auto& alarm : house.alarms())
        EXPECT_NE(alarm.find("/rojo-"), std::string::npos) << planted.what << ": " << alarm;
    }
  }
}

/// Limits change between rounds: the table goes on under another id, and its prison with it.
TEST(HiddenPayments, a_prison_goes_on_with_its_table_also_over_tables_without_a_round) {
  const auto table = roulette();
  for (const int tables : {1, 2, 5}) {
    PaidHouse house;
    auto id = house.open(hidden_place, table);
    Spins spins(table, 3);
    house.spin(id, spins, {{"rojo", {}, 10'000}}, "0");
    for (int i = 0; i < tables; ++i) {
      house.close(hidden_place, id);
      id = house.open(hidden_place, table, {}, id);
    }
    house.spin(id, spins, {{"docena", {"2"}, 3000}}, "14");
    house.step();
    EXPECT_TRUE(house.alarms().empty()) << tables;
    house.spin(id, spins, {{"docena", {"2"}, 3000}}, "14", [](Results& all) {
      auto again = *result_of(all, "docena");
      again.kind = "rojo";
      again.bet = "b0";  // that was let out in the round before
      again.stake = 10'000;
      again.result = "freed";
      again.returned = 10'000;
      all.push_back(again);
    });
    house.step();
    EXPECT_FALSE(house.alarms().empty()) << "out of an empty prison";
  }
}

TEST(HiddenPayments, another_table_at_the_same_place_has_nobody_in_prison) {
  const auto table = roulette();
  PaidHouse house;
  const auto first = house.open(hidden_place, table);
  Spins spins(table, 3);
  house.spin(first, spins, {{"rojo", {}, 10'000}}, "0");
  house.close(hidden_place, first);
  const auto second = house.open(hidden_place, table);  // it stands there, it does not go on
  house.spin(second, spins, {{"docena", {"2"}, 3000}}, "14");
  house.step();
  ASSERT_FALSE(house.alarms().empty());
  EXPECT_NE(house.alarms().front().find("rojo"), std::string::npos) << house.alarms().front();
}

/// More bets than one record holds.
TEST(HiddenPayments, rounds_in_numbered_parts_are_one_round_and_a_lie_in_any_part_is_named) {
  const auto table = roulette();
  const std::vector<Spins::Stake> stakes(900, {"pleno", {"17"}, 1000});
  for (const std::size_t liar : {std::size_t{0}, std::size_t{1}, std::size_t{899}}) {
    PaidHouse house;
    const auto id = house.open(hidden_place, table);
    Spins spins(table, 3);
    const auto before = house.ledger.size();
    house.spin(id, spins, stakes, "17");
    ASSERT_GT(house.ledger.size(), before + 4) << "no round of numbered parts";
    house.spin(id, spins, stakes, "5");
    house.step();
    EXPECT_TRUE(house.alarms().empty());
    EXPECT_EQ(house.sums(hidden_place, "pleno").find("rounds")->integer(), 2);
    EXPECT_EQ(house.sums(hidden_place, "pleno").find("staked")->string(), "1800000.0000");
    house.spin(id, spins, stakes, "17", [liar](Results& all) { --all.at(liar).returned; });
    house.step();
    EXPECT_EQ(house.alarms().size(), 2U) << liar;
  }
}

/// Who opens more places than are watched hides no draw: all places together are watched before.
TEST(HiddenPayments, beyond_the_streams_that_are_watched_all_places_together_still_are) {
  const auto table = roulette();
  PaidHouse house;
  Spins spins(table, 3);
  constexpr int places = 600;
  std::string id;
  for (int i = 0; i < places; ++i) {
    id = house.open("Mesa " + std::to_string(i), table);
    house.spin(id, spins, {{"docena", {"2"}, 3000}}, spins.pocket());
  }
  house.step();
  EXPECT_TRUE(house.alarms().empty());
  const auto returns = house.monitors->returns();
  EXPECT_EQ(returns.at("bets").array().size(), 512U);
  EXPECT_EQ(returns.at("together").array().size(), 1U);
  EXPECT_EQ(returns.at("unwatched").integer(), places - 511) << "counted, one for each round";
  ASSERT_TRUE(house.monitors->save());
  house.start();
  EXPECT_EQ(house.monitors->returns().at("bets").array().size(), 512U);
  house.spin(id, spins, {{"docena", {"2"}, 3000}}, "14",
             [](Results& all) { --all.front().returned; });
  house.step();
  ASSERT_EQ(house.alarms().size(), 1U);
  EXPECT_TRUE(house.alarms().front().starts_with("e-process:*/french-roulette/docena"));
}

/// Whose the sums are: of a place where several clients had tables they are nobody's.
TEST(HiddenPayments, sums_are_of_the_client_that_opened_all_tables_of_the_place) {
  const auto table = roulette();
  PaidHouse house;
  Spins spins(table, 3);
  const auto client_of = [&](const char* place) {
    return house.sums(place, "docena").find("client")->string();
  };
  const std::vector<Spins::Stake> stakes = {{"docena", {"2"}, 3000}};
  const auto mine = house.open("Mesa 1", table, "talla:table-1");
  house.spin(mine, spins, stakes, "14");
  house.spin(mine, spins, stakes, "1");
  const auto theirs = house.open("Mesa 2", table, "talla:table-2");
  house.spin(theirs, spins, stakes, "14");
  house.step();
  EXPECT_EQ(client_of("Mesa 1"), "talla:table-1");
  EXPECT_EQ(client_of("Mesa 2"), "talla:table-2");
  house.close("Mesa 1", mine);
  house.spin(house.open("Mesa 1", table, "talla:table-2"), spins, stakes, "14");
  house.step();
  EXPECT_EQ(client_of("Mesa 1"), "") << "who comes after reads nothing of who was there";
  ASSERT_TRUE(house.monitors->save());
  house.start();
  EXPECT_EQ(client_of("Mesa 1"), "");
  EXPECT_EQ(client_of("Mesa 2"), "talla:table-2");
}

/// One round with a bet on a dozen at a table that this client opens at that place.
void bet_and_spin(Rig& rig, const std::string& place) {
  auto asked = *json::parse(core::test::roulette_table);
  asked["place"] = place;
  const auto table = rig.open_table(json::canonical(asked));
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const auto closed =
      rig.post("/v1/rounds/" + round + "/close-bets",
               R"({"bets":[{"id":"d","seat":1,"kind":"docena","on":["1"],"stake":100}]})");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto spun = rig.post("/v1/draws", rig.draw_body(rig.open_batch(table, 1), 0, round));
  ASSERT_EQ(spun.status, 200) << spun.body;
}

/// The places whose bets this client sees.
std::set<std::string> places_seen(Rig& rig, const std::string& query = {}) {
  const auto got = rig.get("/v1/return" + query);
  EXPECT_EQ(got.status, 200) << got.body;
  std::set<std::string> places;
  for (const auto& bet : got.at({"bets"}).array()) places.insert(bet.find("place")->string());
  return places;
}

TEST(Returns, are_for_who_oversees_and_laboratories_and_of_its_own_tables_for_a_table) {
  Watched w;
  Rig& rig = w.rig;
  const auto first = rig.client;
  const auto second = core::test::table_client("talla:table-2");
  bet_and_spin(rig, "Mesa 1");
  rig.client = second;
  bet_and_spin(rig, "Mesa 2");
  w.step();
  const std::set<std::string> both{"Mesa 1", "Mesa 2"};
  for (const auto role : {core::Role::operator_, core::Role::auditor, core::Role::security_officer,
                          core::Role::inspector, core::Role::lab}) {
    rig.client = core::test::person_client("talla:person-1", role);
    EXPECT_EQ(places_seen(rig), both) << core::role_name(role);
    EXPECT_EQ(places_seen(rig, "?table=Mesa%202"), std::set<std::string>{"Mesa 2"});
    EXPECT_FALSE(rig.get("/v1/return").at({"together"}).array().empty());
    EXPECT_TRUE(places_seen(rig, "?table=Mesa%203").empty());
  }
  for (const auto role : {core::Role::seat, core::Role::contributor, core::Role::shuffler}) {
    rig.client = core::test::person_client("talla:person-2", role);
    EXPECT_EQ(rig.get("/v1/return").code(), "forbidden") << core::role_name(role);
  }
  rig.client = second;
  EXPECT_EQ(places_seen(rig), std::set<std::string>{"Mesa 2"});
  EXPECT_TRUE(places_seen(rig, "?table=Mesa%201").empty()) << "named, and another's";
  const auto mine = rig.get("/v1/return");
  EXPECT_EQ(mine.json.find("together"), nullptr);
  EXPECT_EQ(mine.json.find("unwatched"), nullptr);
  const auto own = rig.get("/v1/tables").at({"tables"}).array()[0].find("id")->string();
  EXPECT_EQ(places_seen(rig, "?table=" + own), std::set<std::string>{"Mesa 2"});
  rig.client = first;
  EXPECT_EQ(rig.get("/v1/return?table=" + own).code(), "not_found");
  EXPECT_EQ(rig.get("/v1/return?table=table-999").code(), "not_found");
  const auto status = rig.get("/v1/status");
  EXPECT_EQ(status.body.find("docena"), std::string::npos) << "every machine reads the status";
  EXPECT_EQ(status.body.find("Mesa"), std::string::npos);
  std::map<std::string, double> counters;
  std::map<std::string, double> gauges;
  w.monitors->add_metrics(counters, gauges);
  for (const auto& [name, value] : gauges)
    EXPECT_EQ(name.find("Mesa"), std::string::npos) << "anybody reads " << name;
  EXPECT_EQ(gauges.at("talla_monitor_payments_streams"), 3) << "two places, and both together";
}

TEST(Returns, of_an_appliance_without_monitors_are_none) {
  Rig rig;
  const auto got = rig.get("/v1/return");
  EXPECT_EQ(got.status, 200);
  EXPECT_FALSE(got.at({"watched"}).boolean());
  EXPECT_TRUE(got.at({"bets"}).array().empty());
}

/// Payments have the places of the bits' alpha from the fourth on: three is all they ever take.
TEST(HiddenPayments, share_the_alpha_of_three_monitors_of_bits_and_no_more) {
  Boards boards({.alpha = 0.001, .run_length = 1e9});
  const std::vector<std::uint8_t> bits(512, 0x5A);
  static_cast<void>(boards.see_bits(bits, 0));
  EXPECT_EQ(boards.rows(MonitorClass::bits).size(), 3U);
  ASSERT_NE(boards.payments().group("x/y/z-00000000-2", 0), nullptr);
  EXPECT_EQ(boards.rows(MonitorClass::payments).front().place, 4U);
}

}  // namespace
}  // namespace talla::rngd::test

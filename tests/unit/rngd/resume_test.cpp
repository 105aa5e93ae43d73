// Goal: a restart reads the log from the tables' resume points on, comes to the same state as by
//   reading all of it, and never believes a point that is damaged, of another table or from another
//   time.
// Method: long play on a simulated appliance; the same folder started with its points, with spoiled
//         ones and with none; views compared.
#include <gtest/gtest.h>

#include "rig.hpp"

namespace talla::core::test {
namespace {

Settings every(std::uint64_t records) {
  Settings settings;
  settings.resume_interval = records;
  settings.batch_secrets_default = 4;
  return settings;
}

/// Roulette, punto y banca and a shoe settled by the client, all at rest between calls of `play`.
class House {
 public:
  explicit House(std::uint64_t interval)
      : rig(every(interval)),
        roulette(rig.open_table(roulette_table)),
        punto(rig.open_table(punto_table)),
        plain(rig.open_table(shoe_table)) {
    static_cast<void>(rig.deal_ready_shoe(punto));
    static_cast<void>(rig.deal_ready_shoe(plain));
  }

  std::string member(const std::string& table, const char* name) {
    return rig.get("/v1/tables/" + table).text({"table", name});
  }
  void play() {
    spin();
    coup();
    const auto shoe = member(plain, "shoe");
    rig.post("/v1/shoes/" + shoe + "/deal",
             R"({"expected":)" + std::to_string(dealt++) + R"(,"until":1,"place":"hand"})");
  }
  void spin() {
    const auto round = rig.post("/v1/tables/" + roulette + "/rounds").text({"round", "id"});
    rig.post("/v1/rounds/" + round + "/close-bets", bet("rojo"));
    const auto batch = rig.open_batch(roulette, 2);
    ASSERT_LT(rig.post("/v1/draws", rig.draw_body(batch, 0, round)).status, 300);
    // One secret stays unused: the batch is open at the restart.
    if (batches++ > 8) rig.clock.advance_ns(700'000'000'000);
  }
  void coup() {
    const auto round = rig.post("/v1/tables/" + punto + "/rounds").text({"round", "id"});
    rig.post("/v1/rounds/" + round + "/close-bets", bet("banca"));
    const auto shoe = member(punto, "shoe");
    const auto at = std::to_string(rig.get("/v1/shoes/" + shoe).number({"shoe", "position"}));
    ASSERT_LT(
        rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":)" + at + R"(,"until":"needs"})")
            .status,
        300);
  }
  std::string bet(const std::string& kind) {
    return R"({"bets":[{"id":"b)" + std::to_string(bets++) + R"(","seat":1,"kind":")" + kind +
           R"(","stake":100}]})";
  }
  std::string views() {
    std::string all = rig.get("/v1/tables").body;
    for (const auto& table : {punto, plain})
      all += rig.get("/v1/shoes/" + member(table, "shoe")).body;
    return all;
  }
  double metric(const std::string& name) {
    const auto all = rig.service().metrics();
    const auto found = all.counters.find(name);
    return found == all.counters.end() ? 0 : found->second;
  }
  /// Writes the document of that name anew; empty: removes it.
  void put(const certs::DocumentName& name, const std::string& text) {
    certs::Group group;
    group.documents.push_back({name, text});
    ASSERT_TRUE(rig.ledger().commit(group));
  }
  std::string document(const std::string& table) {
    const auto text = rig.ledger().document(certs::documents::resume_point(table));
    return text && *text ? **text : std::string();
  }

  Rig rig;
  std::string roulette, punto, plain;
  int bets = 0, batches = 0, dealt = 0;
};

TEST(Resume, a_start_reads_no_more_than_what_came_behind_the_points) {
  House house(64);
  for (int i = 0; i < 60; ++i) house.play();
  const auto size = house.rig.log().size();
  const auto before = house.views();
  house.rig.restart();
  EXPECT_EQ(house.views(), before);
  EXPECT_EQ(house.metric("talla_resume_points_refused_total"), 0);
  EXPECT_GT(size, 1000U);
  EXPECT_LT(house.metric("talla_replayed_records_total"), 64 + 200) << "of " << size;
  house.play();  // and play goes on
  house.rig.verify(house.rig.log().size() - 1 - 1);
  house.rig.restart();
  house.play();
}

TEST(Resume, a_table_that_is_busy_in_every_second_group_writes_its_point_in_one_between) {
  for (int before = 0; before < 2;
       ++before) {  // the looks fall on CALL in one case and on DRAW in the other
    Rig rig(every(64));
    const auto table = rig.open_table(wheel_table);
    if (before == 1) static_cast<void>(rig.open_table(shoe_table));
    const auto batch = rig.open_batch(table, 256);
    for (int i = 0; i < 200; ++i)
      ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, i)).status, 200);
    rig.restart();
    const auto counters = rig.service().metrics().counters;
    EXPECT_LT(counters.at("talla_replayed_records_total"), 64 + 10) << before;
  }
}

TEST(Resume, a_clean_stop_leaves_nothing_to_read) {
  House house(1'000'000);
  for (int i = 0; i < 5; ++i) house.play();
  EXPECT_EQ(house.document(house.punto), "") << "the interval is long";
  const auto before = house.views();
  house.rig.service().stop();
  EXPECT_NE(house.document(house.punto), "");
  house.rig.restart();
  EXPECT_EQ(house.views(), before);
  EXPECT_EQ(house.metric("talla_replayed_records_total"), 0);
  house.play();
}

TEST(Resume, points_that_do_not_fit_are_counted_and_the_log_is_read_instead) {
  House house(8);
  for (int i = 0; i < 6; ++i) house.play();
  const auto before = house.views();
  const auto good = house.document(house.punto);
  const auto other = house.document(house.plain);
  ASSERT_FALSE(good.empty());
  ASSERT_FALSE(other.empty());
  auto changed = good;
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  const std::vector<std::string> spoiled{"x",     "12",       "12:",
                                         "12:!!", ":" + good, changed,
                                         other,   "1" + good, good.substr(0, good.size() - 4)};
  for (const auto& text : spoiled) {
    house.put(certs::documents::resume_point(house.punto), text);
    house.rig.restart();
    EXPECT_EQ(house.views(), before) << text;
    EXPECT_EQ(house.metric("talla_resume_points_refused_total"), 1) << text;
  }
  house.put(certs::documents::resume_point(house.punto), good);
  house.rig.restart();
  EXPECT_EQ(house.metric("talla_resume_points_refused_total"), 0);
  EXPECT_EQ(house.views(), before);
}

TEST(Resume, an_old_point_is_as_good_as_a_new_one) {
  House house(8);
  for (int i = 0; i < 3; ++i) house.play();
  const auto old = house.document(house.roulette);
  ASSERT_FALSE(old.empty());
  for (int i = 0; i < 12; ++i) house.play();
  ASSERT_NE(house.document(house.roulette), old);
  const auto before = house.views();
  house.put(certs::documents::resume_point(house.roulette), old);
  house.rig.restart();
  EXPECT_EQ(house.views(), before);
  EXPECT_EQ(house.metric("talla_resume_points_refused_total"), 0);
  house.play();
}

TEST(Resume, a_table_suspended_before_or_behind_its_point_stays_suspended) {
  House house(1);
  house.play();
  house.rig.alarm();
  house.rig.service().run_once();
  const auto before = house.views();
  ASSERT_NE(before.find("\"state\":\"suspended\""), std::string::npos) << before;
  house.rig.restart();
  EXPECT_EQ(house.views(), before);
  house.rig.open_table(wheel_table);  // a group, and with it a point that says suspended
  const auto later = house.views();
  house.rig.restart();
  EXPECT_EQ(house.views(), later);
  EXPECT_EQ(house.rig.post("/v1/tables/" + house.punto + "/rounds").code(), "table_suspended");
}

TEST(Resume, a_table_in_play_is_read_from_the_point_before_its_round_on) {
  House house(1);
  for (int i = 0; i < 3; ++i) house.play();
  const auto round = house.rig.post("/v1/tables/" + house.punto + "/rounds").text({"round", "id"});
  house.rig.post("/v1/rounds/" + round + "/close-bets", house.bet("punto"));
  const auto before = house.views() + house.rig.get("/v1/rounds/" + round).body;
  house.rig.restart();
  EXPECT_EQ(house.views() + house.rig.get("/v1/rounds/" + round).body, before);
  const auto shoe = house.member(house.punto, "shoe");
  const auto at = std::to_string(house.rig.get("/v1/shoes/" + shoe).number({"shoe", "position"}));
  EXPECT_EQ(
      house.rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":)" + at + R"(,"until":"needs"})")
          .text({"round", "state"}),
      "ended");
}

TEST(Resume, the_document_goes_with_its_table) {
  House house(1);
  house.play();
  ASSERT_NE(house.document(house.roulette), "");
  house.rig.post("/v1/tables/" + house.roulette + "/close");
  EXPECT_EQ(house.document(house.roulette), "");
  house.rig.restart();
  EXPECT_EQ(house.rig.get("/v1/tables/" + house.roulette).text({"table", "state"}), "closed");
}

TEST(Resume, without_the_sealing_key_nothing_is_believed) {
  House house(1);
  house.play();
  house.rig.lose_seals();
  house.rig.restart();
  EXPECT_GE(house.metric("talla_resume_points_refused_total"), 3);
  EXPECT_TRUE(house.rig.supply.latched().has_value())
      << "the shoes' own secrets do not open either";
}

}  // namespace
}  // namespace talla::core::test

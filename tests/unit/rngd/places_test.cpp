// Goal: a place of the house has one open table and one history: it goes on over closings, restarts
//   and changes of limits, and its counts are those of what happened (PROTOCOL section 5b).
// Method: a whole simulated appliance; counts kept by hand beside it; every claim through the
//   verifier.
#include <gtest/gtest.h>

#include "format/body_end.hpp"
#include "format/body_table.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string wheel_at_mesa_7 =
    R"({"place":"Mesa 7","settled_by":"client","range":{"kind":"wheel","pockets":37}})";
const std::string shoe_at_mesa_7 =
    R"({"place":"Mesa 7","settled_by":"client","deck":"french52x8"})";

certs::TableOpenBody opened_by(const Got& reply) {
  return *certs::TableOpenBody::from_json(reply.record(Kind::table_open).body);
}
certs::PlaceCounts counts_of(std::uint64_t turns, std::uint64_t voids, std::uint64_t early) {
  return {turns, voids, early};
}

TEST(Places, PROTOCOL_5b_one_table_is_open_at_a_place_and_the_next_goes_on_where_it_closed) {
  Rig rig;
  const auto first = rig.post("/v1/tables", wheel_at_mesa_7);
  ASSERT_EQ(first.status, 201) << first.body;
  const auto table = first.text({"table", "id"});
  EXPECT_EQ(first.text({"table", "place"}), "Mesa 7");
  EXPECT_EQ(first.number({"table", "opened"}), 1);
  EXPECT_EQ(rig.post("/v1/tables", shoe_at_mesa_7).code(), "place_taken");
  const auto batch = rig.open_batch(table, 4);
  for (int i = 0; i < 3; ++i) ASSERT_LT(rig.post("/v1/draws", rig.draw_body(batch, i)).status, 300);
  const auto closed = rig.post("/v1/tables/" + table + "/close");
  ASSERT_EQ(closed.status, 200) << closed.body;

  const auto again = rig.post("/v1/tables", shoe_at_mesa_7);
  ASSERT_EQ(again.status, 201) << again.body;
  const auto close = closed.record(Kind::table_close);
  EXPECT_EQ(opened_by(again).opened, 2U);
  EXPECT_EQ(opened_by(again).counts, counts_of(3, 0, 0));
  EXPECT_EQ(again.record(Kind::table_open).cites, std::vector<std::uint64_t>{close.seq});
  rig.verify(again.record(Kind::table_open).seq);

  // A shoe that is left with cards in it is counted, one that nobody mixed is not.
  const auto second = again.text({"table", "id"});
  static_cast<void>(rig.deal_ready_shoe(second));
  const auto left = rig.post("/v1/tables/" + second + "/close");
  ASSERT_EQ(left.status, 200) << left.body;
  const auto body = *certs::TableCloseBody::from_json(left.record(Kind::table_close).body);
  EXPECT_EQ(body.counts, counts_of(4, 0, 1));
  rig.verify(left.record(Kind::shoe_close).seq);
  const auto third = rig.post("/v1/tables", shoe_at_mesa_7);
  const auto unmixed = rig.post("/v1/tables/" + third.text({"table", "id"}) + "/shoes");
  ASSERT_EQ(unmixed.status, 201) << unmixed.body;
  rig.restart();
  const auto last = rig.post("/v1/tables/" + third.text({"table", "id"}) + "/close");
  ASSERT_EQ(last.status, 200) << last.body;
  EXPECT_EQ(last.record(Kind::shoe_close).body.find("reason")->string(), "ended");
  rig.verify(last.record(Kind::shoe_close).seq);
  rig.restart();
  const auto fourth = rig.post("/v1/tables", wheel_at_mesa_7);
  ASSERT_EQ(fourth.status, 201) << fourth.body;
  EXPECT_EQ(opened_by(fourth).opened, 4U);
  EXPECT_EQ(opened_by(fourth).counts, counts_of(4, 0, 1));
  rig.verify(fourth.record(Kind::table_open).seq);
}

TEST(Places, PROTOCOL_5b_rounds_end_with_the_counts_of_the_place_over_a_restart_too) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  EXPECT_EQ(rig.get("/v1/tables/" + table).text({"table", "place"}), table) << "a place of its own";
  for (std::uint64_t i = 1; i <= 4; ++i) {
    const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
    ASSERT_EQ(rig.post("/v1/rounds/" + round + "/close-bets",
                       R"({"bets":[{"id":"b","seat":1,"kind":"pleno","on":["7"],"stake":25}]})")
                  .status,
              200);
    const auto spun = rig.post("/v1/draws", rig.draw_body(rig.open_batch(table, 1), 0, round));
    ASSERT_LT(spun.status, 300) << spun.body;
    const auto end = *certs::RoundEndBody::from_json(spun.record(Kind::round_end).body);
    EXPECT_EQ(end.counts, counts_of(i, 0, 0));
    rig.verify(spun.record(Kind::settlement).seq);
    if (i % 2 == 0) rig.restart();
  }
}

TEST(Places, PROTOCOL_5b_a_place_is_no_id_of_a_table_and_a_table_that_goes_on_stays_where_it_is) {
  Rig rig;
  EXPECT_EQ(
      rig.post("/v1/tables", R"({"place":"table-3","settled_by":"client","deck":"french52x8"})")
          .code(),
      "malformed_request");
  EXPECT_EQ(
      rig.post("/v1/tables", R"({"place":"","settled_by":"client","deck":"french52x8"})").code(),
      "malformed_request");
  const std::string terms = R"("catalogue":"es-1977","game":"french-roulette",)"
                            R"("table":{"currency":"ESP","unit":1,"min":25})";
  const auto table = rig.open_table(R"({"place":"Ruleta 1",)" + terms + "}");
  EXPECT_EQ(
      rig.post("/v1/tables", R"({"continues":")" + table + R"(","place":"Ruleta 2",)" + terms + "}")
          .code(),
      "malformed_request");
  const auto next = rig.post("/v1/tables", R"({"continues":")" + table + R"(",)" + terms + "}");
  ASSERT_EQ(next.status, 201) << next.body;
  EXPECT_EQ(next.text({"table", "place"}), "Ruleta 1");
  EXPECT_EQ(next.number({"table", "opened"}), 2);
  rig.verify(next.record(Kind::table_open).seq);
}

}  // namespace
}  // namespace talla::core::test

// Goal: what seldom happens at a table: a round whose CALL lost its secret is drawn again, and a
//   table goes on under other limits with what outlives its rounds (PROTOCOL sections 5.4 and 6).
// Method: a whole simulated appliance; the sealing key is changed between CALL and DRAW; roulette
//   until a zero sends a stake to prison; every claim through the verifier.
#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

/// A round of roulette with one bet on red, closed; its id.
std::string closed_round(Rig& rig, const std::string& table, const std::string& bet,
                         int stake = 100) {
  const auto opened = rig.post("/v1/tables/" + table + "/rounds");
  EXPECT_EQ(opened.status, 201) << opened.body;
  auto round = opened.text({"round", "id"});
  const auto closed =
      rig.post("/v1/rounds/" + round + "/close-bets", R"({"bets":[{"id":")" + bet +
                                                          R"(","seat":1,"kind":"rojo","stake":)" +
                                                          std::to_string(stake) + "}]}");
  EXPECT_EQ(closed.status, 200) << closed.body;
  return round;
}

Got spin(Rig& rig, const std::string& table, const std::string& round) {
  return rig.post("/v1/draws", rig.draw_body(rig.open_batch(table, 1), 0, round));
}

TEST(Void, PROTOCOL_5_4_a_CALL_of_a_round_without_its_secret_is_void_and_the_round_is_drawn_again) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto round = closed_round(rig, table, "b1");
  const auto batch = rig.open_batch(table, 1);
  const auto lost = rig.send(rig.request("POST", "/v1/draws", rig.draw_body(batch, 0, round)));
  rig.service().run_once();
  EXPECT_FALSE(lost->has_value()) << "the CALL is durable, the DRAW is not";
  rig.crash();
  rig.lose_seals();
  rig.open();
  std::optional<certs::Record> voided;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    auto record = *certs::parse_record(rig.ledger().record(seq)->bytes);
    if (record.kind == Kind::void_call) voided = std::move(record);
  }
  ASSERT_TRUE(voided.has_value());
  EXPECT_EQ(voided->body.find("cause")->string(), "unrecoverable");
  EXPECT_EQ(voided->body.find("outcome")->string(), "unknown");
  EXPECT_FALSE(rig.service().ready().ready) << "it latches";
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  rig.verify(voided->seq);

  ASSERT_EQ(rig.reset_latch().status, 200);
  const auto again = spin(rig, table, round);
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.text({"round", "state"}), "ended");
  const auto settled = again.record(Kind::settlement);
  EXPECT_TRUE(std::ranges::binary_search(settled.cites, voided->seq))
      << "it rests on the void draw too";
  rig.verify(settled.seq);
}

TEST(Limits, PROTOCOL_6_a_table_goes_on_under_other_limits_and_a_stake_in_prison_goes_along) {
  Rig rig;
  auto table = rig.open_table(roulette_table);
  std::string zero;
  for (int i = 0; zero.empty() && i < 600; ++i) {
    const auto round = closed_round(rig, table, "b" + std::to_string(i));
    const auto spun = spin(rig, table, round);
    ASSERT_EQ(spun.status, 200) << spun.body;
    if (spun.at({"round", "outcome"}).array().at(0).string() == "0") zero = "b" + std::to_string(i);
  }
  ASSERT_FALSE(zero.empty()) << "no zero in 600 spins";
  const auto before = rig.get("/v1/tables/" + table);
  const auto change = [&](const std::string& from, int min) {
    return rig.post(
        "/v1/tables",
        R"({"continues":")" + from +
            R"(","catalogue":"es-1977","game":"french-roulette","table":{"currency":"ESP","unit":1,"min":)" +
            std::to_string(min) + "}}");
  };
  const auto next = change(table, 50);
  ASSERT_EQ(next.status, 201) << next.body;
  const auto closed = next.record(Kind::table_close);
  const auto opened = next.record(Kind::table_open);
  EXPECT_EQ(opened.body.find("continues")->string(), table);
  EXPECT_EQ(opened.body.find("min")->integer(), 50);
  EXPECT_EQ(opened.cites, std::vector<std::uint64_t>{closed.seq});
  EXPECT_EQ(change(table, 25).code(), "table_closed") << "the old table is over";
  const auto old = table;
  table = next.text({"table", "id"});
  rig.restart();
  const auto view = rig.get("/v1/tables/" + table);
  EXPECT_EQ(view.text({"table", "continues"}), old);
  EXPECT_NE(view.body.find("\"" + zero + "\""), std::string::npos)
      << "the stake in prison moved: " << view.body;
  rig.verify(opened.seq);

  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  EXPECT_EQ(change(table, 25).code(), "round_open") << "not in a round";
  const auto low = rig.post("/v1/rounds/" + round + "/close-bets",
                            R"({"bets":[{"id":"low","seat":1,"kind":"rojo","stake":25}]})");
  EXPECT_EQ(low.status, 422) << "the old minimum is too little now: " << low.body;
  const auto high = rig.post("/v1/rounds/" + round + "/close-bets",
                             R"({"bets":[{"id":"high","seat":1,"kind":"rojo","stake":50}]})");
  ASSERT_EQ(high.status, 200) << high.body;
  const auto spun = spin(rig, table, round);
  ASSERT_EQ(spun.status, 200) << spun.body;
  const auto settled = spun.record(Kind::settlement);
  rig.verify(settled.seq);
  EXPECT_EQ(before.text({"table", "state"}), "open");
}

TEST(Limits, PROTOCOL_6_only_limits_and_parameters_change_between_rounds_and_shoes) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  const auto change = [&](const std::string& from, const std::string& game,
                          const std::string& settings) {
    return rig.post("/v1/tables", R"({"continues":")" + from +
                                      R"(","catalogue":"es-1977","game":")" + game +
                                      R"(","table":)" + settings + "}");
  };
  const std::string good = R"({"currency":"ESP","unit":1,"min":200})";
  const auto size = rig.log().size();
  EXPECT_EQ(change(table, "craps", good).code(), "malformed_request");
  EXPECT_EQ(
      change(table, "punto-banco", R"({"currency":"ESP","unit":1,"min":200,"chip":5})").code(),
      "malformed_request");
  EXPECT_EQ(change("table-9999", "punto-banco", good).code(), "not_found");
  EXPECT_EQ(rig.post("/v1/tables", R"({"continues":")" + table +
                                       R"(","settled_by":"client","deck":"french52x8"})")
                .code(),
            "malformed_request")
      << "only a table that the appliance settles goes on as another";
  const auto owner = rig.client;
  rig.client.id = "talla:table-2";
  EXPECT_EQ(change(table, "punto-banco", good).code(), "not_found") << "somebody else's table";
  rig.client = owner;
  EXPECT_EQ(rig.log().size(), size) << "nothing was written";
  const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
  EXPECT_EQ(change(table, "punto-banco", good).code(), "shoe_live")
      << "the last shoe is announced and played first";
  EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/close").code(), "early_close");
  const auto closed =
      rig.confirm_order(rig.operator_, rig.ask_order(rig.inspector, "shoe-close", shoe, table));
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto next = change(table, "punto-banco", good);
  ASSERT_EQ(next.status, 201) << next.body;
  rig.deal_ready_shoe(next.text({"table", "id"}));
}

}  // namespace
}  // namespace talla::core::test

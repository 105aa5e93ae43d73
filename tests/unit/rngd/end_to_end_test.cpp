// Goal: the way of a shoe, a spin, a throw and a coup through the service, each with receipts and a
//       bundle that verifies.
// Method: a whole appliance on simulated time and a fixed stream of bits; bundles go to the offline
//         verifier.
#include <gtest/gtest.h>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

TEST(EndToEnd, shoe_is_sealed_mixed_dealt_and_closed_with_receipts) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto mixed = rig.deal_ready_shoe(table);
  const auto shoe = mixed.text({"shoe", "id"});
  const auto dealt = rig.post("/v1/shoes/" + shoe + "/deal",
                              R"({"expected":0,"until":10,"place":"hand","face":"open"})");
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  EXPECT_EQ(dealt.at({"cards"}).array().size(), 10U);
  EXPECT_EQ(dealt.number({"shoe", "position"}), 10);
  EXPECT_EQ(dealt.records().size(), 10U);
  const auto closed = rig.post("/v1/shoes/" + shoe + "/close");
  ASSERT_EQ(closed.status, 200) << closed.body;
  EXPECT_EQ(closed.text({"shoe", "state"}), "closed");
  rig.verify(dealt.record(Kind::card_deal).seq);
  rig.verify(closed.record(Kind::shoe_close).seq);
}

TEST(EndToEnd, spin_of_a_client_settled_wheel) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.post("/v1/tables/" + table + "/batches", R"({"count":2})");
  ASSERT_EQ(batch.status, 201) << batch.body;
  const auto spin = rig.post(
      "/v1/draws",
      rig.draw_body({table, batch.text({"batch", "id"}), batch.text({"batch", "root"})}, 0));
  ASSERT_EQ(spin.status, 200) << spin.body;
  const auto pocket = spin.number({"draw", "outcome", "pocket"});
  EXPECT_GE(pocket, 0);
  EXPECT_LT(pocket, 37);
  EXPECT_LT(spin.record(Kind::call).seq, spin.record(Kind::draw).seq);
  rig.verify(spin.record(Kind::draw).seq);
}

TEST(EndToEnd, roulette_round_from_bets_to_settlement) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto batch = rig.post("/v1/tables/" + table + "/batches");
  const auto round = rig.post("/v1/tables/" + table + "/rounds");
  ASSERT_EQ(round.status, 201) << round.body;
  const auto id = round.text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + id + "/close-bets",
                               R"({"bets":[{"id":"b1","seat":1,"kind":"rojo","stake":100}]})");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto spin = rig.post(
      "/v1/draws",
      rig.draw_body({table, batch.text({"batch", "id"}), batch.text({"batch", "root"})}, 0, id));
  ASSERT_EQ(spin.status, 200) << spin.body;
  EXPECT_EQ(spin.text({"round", "state"}), "ended") << spin.body;
  rig.verify(spin.record(Kind::settlement).seq);
}

TEST(EndToEnd, the_last_round_of_a_session_is_announced_recorded_and_verified) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto batch = rig.post("/v1/tables/" + table + "/batches");
  const auto round = rig.post("/v1/tables/" + table + "/rounds", R"({"last":true})");
  ASSERT_EQ(round.status, 201) << round.body;
  EXPECT_NE(round.body.find(R"(\"last\":true)"), std::string::npos) << round.body;
  const auto id = round.text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + id + "/close-bets",
                               R"({"bets":[{"id":"b1","seat":1,"kind":"rojo","stake":100}]})");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto spin = rig.post(
      "/v1/draws",
      rig.draw_body({table, batch.text({"batch", "id"}), batch.text({"batch", "root"})}, 0, id));
  ASSERT_EQ(spin.status, 200) << spin.body;
  rig.verify(spin.record(Kind::settlement).seq);
  const auto again = rig.post("/v1/tables/" + table + "/rounds", R"({"last":true})");
  EXPECT_EQ(again.status, 422) << again.body;
}

/// One spin with a stake on red; the seq of its settlement.
std::uint64_t spin_round(Rig& rig, const std::string& table, const std::string& opening) {
  const auto batch = rig.post("/v1/tables/" + table + "/batches");
  const auto round = rig.post("/v1/tables/" + table + "/rounds", opening);
  EXPECT_EQ(round.status, 201) << round.body;
  const auto id = round.text({"round", "id"});
  const auto closed =
      rig.post("/v1/rounds/" + id + "/close-bets",
               R"({"bets":[{"id":"b1","seat":1,"kind":"docena","on":["1"],"stake":100}]})");
  EXPECT_EQ(closed.status, 200) << closed.body;
  const auto spin = rig.post(
      "/v1/draws",
      rig.draw_body({table, batch.text({"batch", "id"}), batch.text({"batch", "root"})}, 0, id));
  EXPECT_EQ(spin.status, 200) << spin.body;
  return spin.record(Kind::settlement).seq;
}

TEST(EndToEnd, three_last_balls_are_announced_and_a_fourth_is_refused_after_a_restart_too) {
  Rig rig;
  const auto table = rig.open_table(
      R"({"catalogue":"es-euskadi-2010","game":"french-roulette","table":{"currency":"EUR","unit":1,"min":10}})");
  const auto rounds = "/v1/tables/" + table + "/rounds";
  const auto five = rig.post(rounds, R"({"last":5})");  // the text announces three
  EXPECT_EQ(five.status, 422) << five.body;
  EXPECT_EQ(five.code(), "not_due");
  EXPECT_EQ(rig.post(rounds, R"({"last":"evening"})").code(), "malformed_request");
  rig.verify(spin_round(rig, table, R"({"last":3})"));
  const auto again = rig.post(rounds, R"({"last":3})");
  EXPECT_EQ(again.code(), "not_due") << again.body;
  rig.verify(spin_round(rig, table, "{}"));
  rig.restart();
  rig.verify(spin_round(rig, table, "{}"));
  const auto fourth = rig.post(rounds);
  EXPECT_EQ(fourth.status, 422) << fourth.body;
  EXPECT_EQ(fourth.code(), "bets_closed");
}

TEST(EndToEnd, coup_of_punto_y_banca_from_burns_to_settlement) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  const auto mixed = rig.deal_ready_shoe(table);
  const auto shoe = mixed.text({"shoe", "id"});
  const auto burns = rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":"needs"})");
  ASSERT_EQ(burns.status, 200) << burns.body;
  const auto round = rig.post("/v1/tables/" + table + "/rounds");
  ASSERT_EQ(round.status, 201) << round.body;
  const auto id = round.text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + id + "/close-bets",
                               R"({"bets":[{"id":"b1","seat":1,"kind":"banca","stake":100}]})");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto coup =
      rig.post("/v1/shoes/" + shoe + "/deal",
               R"({"expected":)" + std::to_string(burns.number({"shoe", "position"})) +
                   R"(,"until":"needs"})");
  ASSERT_EQ(coup.status, 200) << coup.body;
  EXPECT_EQ(coup.text({"round", "state"}), "ended") << coup.body;
  rig.verify(coup.record(Kind::settlement).seq);
}

}  // namespace
}  // namespace talla::core::test

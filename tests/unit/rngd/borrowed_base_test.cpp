// Goal: a game on a borrowed base opens over the API only when the base is named; record,
//       settlement and verifier say so.
// Method: a whole appliance; the bundle of the settlement goes to the offline verifier, which has
//         the one catalogue file.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

std::string aragon(const std::string& params) {
  return R"({"catalogue":"es-aragon-2010","game":"american-roulette-double-zero",)"
         R"("table":{"currency":"EUR","unit":1,"min":10,"params":)" +
         params + "}}";
}

/// One round with these bets; the reply to its spin.
Got spin_with_bets(Rig& rig, const std::string& table, const std::string& bets) {
  const auto batch = rig.open_batch(table);
  const auto round = rig.post("/v1/tables/" + table + "/rounds");
  const auto id = round.text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + id + "/close-bets", R"({"bets":)" + bets + "}");
  EXPECT_EQ(closed.status, 200) << closed.body;
  const auto drawn = rig.post("/v1/draws", rig.draw_body(batch, 0, id));
  EXPECT_EQ(drawn.status, 200) << drawn.body;
  return drawn;
}

TEST(BorrowedBase, a_table_without_it_is_refused_and_the_refusal_names_the_decree) {
  Rig rig;
  const auto size = rig.log().size();
  const auto refused = rig.post("/v1/tables", aragon("{}"));
  EXPECT_EQ(refused.status, 422) << refused.body;
  EXPECT_EQ(refused.code(), "decree_missing");
  EXPECT_NE(refused.body.find("Decreto 159/2002"), std::string::npos) << refused.body;
  EXPECT_EQ(rig.post("/v1/tables", aragon(R"({"base":"es-valencia-2003"})")).code(),
            "parameter_not_allowed");
  const auto game = rig.get("/v1/catalogues/es-aragon-2010/french-roulette");
  EXPECT_EQ(game.status, 422) << game.body;
  EXPECT_EQ(game.code(), "decree_missing");
  EXPECT_EQ(rig.get("/v1/catalogues/es-aragon-2010/monte-carlo").status, 404);
  EXPECT_EQ(rig.log().size(), size) << "a refusal leaves no trace";
}

TEST(BorrowedBase, stands_in_the_record_of_the_table_and_in_every_rule_and_verifies) {
  Rig rig;
  const auto opened = rig.post("/v1/tables", aragon(R"({"base":"es-1977"})"));
  ASSERT_EQ(opened.status, 201) << opened.body;
  const auto body = opened.record(Kind::table_open).body;
  EXPECT_EQ(body.find("parameters")->find("base")->string(), "es-1977");
  const auto drawn =
      spin_with_bets(rig, opened.text({"table", "id"}),
                     R"([{"id":"b1","seat":1,"kind":"rojo","stake":100},)"
                     R"({"id":"b2","seat":1,"kind":"cuadro-especial","stake":100}])");
  const auto settlement = drawn.record(Kind::settlement);
  const auto& results = settlement.body.find("results")->array();
  ASSERT_EQ(results.size(), 2U);
  for (const auto& one : results) {
    const auto& rule = one.find("rule")->string();
    EXPECT_NE(rule.find("provisional"), std::string::npos) << rule;
    EXPECT_NE(rule.find("es-1977"), std::string::npos) << rule;
  }
  rig.verify(settlement.seq);
}

TEST(CallBets, are_settled_part_by_part_and_verify) {
  Rig rig;
  const auto table = rig.open_table(
      R"({"catalogue":"es-valencia-2003","game":"french-roulette","table":{"currency":"EUR","unit":1,"min":10}})");
  const auto drawn =
      spin_with_bets(rig, table, R"([{"id":"c","seat":1,"kind":"serie-pequena","stake":60}])");
  const auto settlement = drawn.record(Kind::settlement);
  const auto& results = settlement.body.find("results")->array();
  ASSERT_EQ(results.size(), 6U);
  std::set<std::string> parts;
  for (const auto& one : results) {
    parts.insert(one.find("bet")->string());
    EXPECT_EQ(one.find("rule")->string(), "01 IV.1.A.b");
  }
  EXPECT_EQ(parts, (std::set<std::string>{"c/1", "c/2", "c/3", "c/4", "c/5", "c/6"}));
  rig.verify(settlement.seq);
}

}  // namespace
}  // namespace talla::core::test

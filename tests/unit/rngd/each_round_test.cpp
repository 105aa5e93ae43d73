// Goal: a table with `mix: round` mixes what is left of its shoe behind the bets of each round,
//   deals nothing before that, and its evidence holds over restarts (PROTOCOL section 4.2).
// Method: coups of punto y banca on a whole simulated appliance; every settlement and the close of
//   the shoe go to the offline verifier.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "format/body_shoe.hpp"
#include "format/domain.hpp"
#include "must.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string each_round_table =
    R"({"catalogue":"es-1977","game":"punto-banco","mix":"round",)"
    R"("max_voids":16,"table":{"currency":"ESP","unit":1,"min":100}})";
const std::string one_bet = R"({"bets":[{"id":"b1","seat":1,"kind":"punto","stake":100}]})";

/// A table with its shoe mixed once and its burns dealt.
struct MixingTable {
  explicit MixingTable(Rig& on, const std::string& body = each_round_table)
      : rig(on), table(on.open_table(body)) {
    shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
    const auto burnt = deal();
    EXPECT_EQ(burnt.status, 200) << burnt.body;
  }
  Got deal() {
    const auto position = rig.get("/v1/shoes/" + shoe).number({"shoe", "position"});
    return rig.post("/v1/shoes/" + shoe + "/deal",
                    R"({"expected":)" + std::to_string(position) + R"(,"until":"needs"})");
  }
  Got mix() { return rig.post("/v1/shoes/" + shoe + "/mix", rig.mix_body(shoe)); }
  [[nodiscard]] bool mix_due() {
    const auto view = rig.get("/v1/tables/" + table);
    const auto* due = view.at({"table"}).find("mix_due");
    EXPECT_EQ(due != nullptr, rig.get("/v1/shoes/" + shoe).at({"shoe"}).find("mix_due") != nullptr);
    return due != nullptr && due->boolean();
  }
  std::string open() {
    const auto opened = rig.post("/v1/tables/" + table + "/rounds");
    EXPECT_EQ(opened.status, 201) << opened.body;
    return opened.text({"round", "id"});
  }
  void close(const std::string& round) {
    const auto closed = rig.post("/v1/rounds/" + round + "/close-bets", one_bet);
    EXPECT_EQ(closed.status, 200) << closed.body;
  }
  /// A whole coup; the seq of its settlement.
  std::uint64_t coup() {
    close(open());
    EXPECT_EQ(mix().status, 200);
    const auto dealt = deal();
    EXPECT_EQ(dealt.status, 200) << dealt.body;
    return dealt.record(Kind::settlement).seq;
  }

  Rig& rig;
  std::string table;
  std::string shoe;
};

TEST(EachRound, PROTOCOL_4_2_is_mixed_behind_its_bets_and_no_card_comes_before) {
  Rig rig;
  MixingTable mesa(rig);
  EXPECT_EQ(rig.get("/v1/tables/" + mesa.table).text({"table", "policy", "mix"}), "round");
  EXPECT_FALSE(mesa.mix_due());
  const auto round = mesa.open();
  const auto early = mesa.mix();
  EXPECT_EQ(early.code(), "wrong_state") << "the order would be known while bets are made";
  EXPECT_TRUE(early.lapsed());
  mesa.close(round);
  EXPECT_TRUE(mesa.mix_due());
  EXPECT_EQ(mesa.deal().code(), "shoe_not_mixed");
  auto all = rig.mix_core(mesa.shoe);
  all["at"] = 0;
  const auto wrong = rig.post("/v1/shoes/" + mesa.shoe + "/mix", rig.signed_core(std::move(all)));
  EXPECT_EQ(wrong.code(), "core_mismatch") << wrong.body;
  auto more = rig.mix_core(mesa.shoe);
  more["specification"] = json::Object{{"candidates", 1}, {"places", 416}};
  EXPECT_EQ(rig.post("/v1/shoes/" + mesa.shoe + "/mix", rig.signed_core(std::move(more))).code(),
            "core_mismatch");
  const auto mixed = mesa.mix();
  ASSERT_EQ(mixed.status, 200) << mixed.body;
  EXPECT_EQ(mixed.text({"shoe", "state"}), "in_play") << "it is the shoe that it was";
  const auto core = must(certs::CallBody::from_json(mixed.record(Kind::call).body)).core;
  EXPECT_EQ(core.round, round);
  EXPECT_EQ(core.at + core.mix().places, 416U);
  EXPECT_FALSE(mesa.mix_due());
  EXPECT_EQ(mesa.mix().code(), "wrong_state") << "one behind the bets, not two";
  const auto dealt = mesa.deal();
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  rig.verify(dealt.record(Kind::settlement).seq);
}

TEST(EachRound, settlements_and_the_close_of_the_shoe_hold_over_restarts_at_each_step) {
  Settings settings;
  settings.resume_interval = 5;
  Rig rig(settings);
  MixingTable mesa(rig);
  std::vector<std::uint64_t> settled{mesa.coup()};
  rig.restart();  // between rounds: a resume point has the mix
  EXPECT_FALSE(mesa.mix_due());
  settled.push_back(mesa.coup());
  mesa.close(mesa.open());
  rig.restart();
  EXPECT_TRUE(mesa.mix_due());
  EXPECT_EQ(mesa.deal().code(), "shoe_not_mixed");
  EXPECT_EQ(mesa.mix().status, 200);
  rig.restart();
  EXPECT_FALSE(mesa.mix_due());
  settled.push_back(mesa.deal().record(Kind::settlement).seq);
  const auto closed = rig.post("/v1/shoes/" + mesa.shoe + "/close");
  if (closed.status == 200) settled.push_back(closed.record(Kind::shoe_close).seq);
  EXPECT_EQ(rig.records(Kind::shoe_mix).size(), 4U);
  for (const auto seq : settled) {
    const auto verdict = rig.judge(seq);
    ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
    EXPECT_TRUE(std::ranges::any_of(verdict->checked, [](const std::string& line) {
      return line.find("mixed again behind the bets of each round") != line.npos;
    }));
  }
}

// What is dealt stays, and the rest is dealt in another order than the mix before had.
TEST(EachRound, another_order_of_the_leaves_that_are_left_is_dealt) {
  Rig rig;
  MixingTable mesa(rig);
  mesa.coup();
  mesa.coup();
  certs::Mix mix;
  std::map<std::uint64_t, certs::CallCore> cores;
  for (const auto& record : rig.records(Kind::call))
    cores[record.seq] = must(certs::CallBody::from_json(record.body)).core;
  for (const auto& record : rig.records(Kind::shoe_mix)) {
    const auto body = must(certs::ShoeMixBody::from_json(record.body));
    const auto& core = cores.at(body.call);
    const auto before = mix;
    mix = must(certs::mix_of(rig.hashes(), core, body, before));
    ASSERT_EQ(mix.size(), 416U);
    auto all = mix;
    std::ranges::sort(all);
    for (std::size_t leaf = 0; leaf < all.size(); ++leaf) ASSERT_EQ(all[leaf], leaf);
    if (before.empty()) continue;
    EXPECT_TRUE(std::equal(before.begin(), before.begin() + core.at, mix.begin()));
    EXPECT_FALSE(std::equal(before.begin(), before.end(), mix.begin()));
  }
  for (const auto& record : rig.records(Kind::card_deal)) {
    const auto body = must(certs::CardDealBody::from_json(record.body));
    if (!body.opening) continue;
    EXPECT_EQ(body.opening->leaf, mix.at(body.position));
  }
}

TEST(EachRound, no_machine_is_given_an_order_that_a_round_mixes_anew) {
  Rig rig;
  const auto table = rig.open_table(each_round_table);
  const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
  const auto released =
      rig.post("/v1/shoes/" + shoe + "/release",
               R"({"machine":"talla:machine-1","key":")" + to_base64(Bytes(91)) + R"("})");
  EXPECT_EQ(released.code(), "wrong_state") << released.body;
  EXPECT_NE(released.body.find("mixes the shoe again in each round"), std::string::npos);
}

TEST(EachRound, a_client_that_settles_itself_has_no_rounds_to_mix_in) {
  Rig rig;
  for (const std::string what :
       {R"("deck":"french52x1")", R"("range":{"kind":"wheel","pockets":37})",
        R"("catalogue":"es-1977","game":"punto-banco")"}) {
    const auto opened =
        rig.post("/v1/tables", R"({"settled_by":"client","mix":"round",)" + what + "}");
    EXPECT_EQ(opened.code(), "malformed_request") << opened.body;
  }
  const auto once = rig.open_table(R"({"settled_by":"client","mix":"shoe","deck":"french52x1"})");
  EXPECT_EQ(rig.get("/v1/tables/" + once).text({"table", "policy", "mix"}), "shoe");
}

}  // namespace
}  // namespace talla::core::test

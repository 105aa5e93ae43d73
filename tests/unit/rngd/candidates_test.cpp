// Goal: a covered shoe is sealed with as many roots as its table asks for; the first call picks one
//   and opens the others, through a crash at every step; a call that ends before the pick spends
//   the shoe, whose close opens all (PROTOCOL sections 4.1, 4.2 and 5b).
// Method: a whole simulated appliance; every claim judged by the verifier from its bundle; files
//   searched for the secrets.
#include "format/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "format/openings.hpp"
#include "must.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

bool told_in(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::any_of(
      list, [&](const auto& line) { return line.find(text) != std::string::npos; });
}

struct Picking {
  explicit Picking(int candidates = 8) {
    table = rig.open_table(R"({"settled_by":"client","deck":"spanish40x1","candidates":)" +
                           std::to_string(candidates) + "}");
  }
  Got seal() {
    auto got = rig.post("/v1/tables/" + table + "/shoes", R"({"disclosure":"covered"})");
    EXPECT_EQ(got.status, 201) << got.body;
    shoe = got.text({"shoe", "id"});
    return got;
  }
  Got mix() { return rig.post("/v1/shoes/" + shoe + "/mix", rig.mix_body(shoe)); }
  Got deal(int from, int to, const std::string& face = "open") {
    return rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":)" + std::to_string(from) +
                                                       R"(,"until":)" + std::to_string(to) +
                                                       R"(,"place":"t","face":")" + face + R"("})");
  }
  Got close() { return rig.post("/v1/shoes/" + shoe + "/close"); }
  json::Value view() { return rig.get("/v1/shoes/" + shoe).at({"shoe"}); }
  Rig rig;
  std::string table, shoe;
};

TEST(Candidates, are_asked_for_where_every_shoe_is_covered) {
  Rig rig;
  const auto opened = [&](const std::string& body) { return rig.post("/v1/tables", body); };
  const auto range = opened(
      R"({"settled_by":"client","range":{"kind":"dice","count":2,"faces":6},"candidates":2})");
  EXPECT_EQ(range.code(), "malformed_request");
  const auto banca = opened(R"({"catalogue":"es-1977","game":"punto-banco","candidates":8,)"
                            R"("table":{"currency":"ESP","unit":1,"min":25}})");
  EXPECT_EQ(banca.code(), "malformed_request") << "its shoes are public";
  EXPECT_NE(banca.body.find("roots are picked from where a shoe is covered"), std::string::npos);
  EXPECT_EQ(opened(R"({"settled_by":"client","deck":"french52x1","candidates":9})").code(),
            "malformed_request");
  EXPECT_EQ(opened(R"({"settled_by":"client","deck":"french52x1","candidates":0})").code(),
            "malformed_request");
  const auto eight = opened(R"({"settled_by":"client","deck":"french52x1","candidates":8})");
  ASSERT_EQ(eight.status, 201) << eight.body;
  EXPECT_EQ(eight.number({"table", "policy", "candidates"}), 8);
  const auto shoe = rig.post("/v1/tables/" + eight.text({"table", "id"}) + "/shoes");
  EXPECT_EQ(shoe.code(), "malformed_request") << "a public shoe, where nobody said covered";
}

TEST(Candidates, PROTOCOL_4_2_one_is_picked_and_the_others_are_opened_through_every_crash) {
  Picking mesa;
  const auto sealed = mesa.seal();
  const auto commit = must(certs::ShoeCommitBody::from_json(sealed.record(Kind::shoe_commit).body));
  EXPECT_EQ(commit.candidates.size(), 8U);
  EXPECT_EQ(mesa.view().find("candidates")->integer(), 8);
  EXPECT_EQ(mesa.deal(0, 1).code(), "shoe_not_mixed");
  const std::string before = mesa.rig.all_files();
  mesa.rig.restart();
  EXPECT_EQ(mesa.view().find("candidates")->integer(), 8);
  const auto mixed = mesa.mix();
  ASSERT_EQ(mixed.status, 200) << mixed.body;
  const auto record = mixed.record(Kind::shoe_mix);
  const auto body = must(certs::ShoeMixBody::from_json(record.body));
  ASSERT_EQ(body.opened.size(), 7U);
  for (const auto& one : body.opened) {
    EXPECT_EQ(before.find(std::string(one.key.begin(), one.key.end())), std::string::npos);
    EXPECT_EQ(before.find(to_hex(one.key)), std::string::npos);
  }
  EXPECT_EQ(mesa.view().find("candidates"), nullptr);
  EXPECT_EQ(mesa.view().find("root")->string(), to_hex(body.root));
  mesa.rig.restart();
  EXPECT_EQ(mesa.view().find("root")->string(), to_hex(body.root)) << "what was picked stays so";
  const auto dealt = mesa.deal(0, 2);
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  mesa.rig.restart();
  ASSERT_EQ(mesa.deal(2, 3, "unseen").status, 200);
  EXPECT_EQ(mesa.mix().code(), "wrong_state") << "once for a root";
  const auto closed = mesa.close();
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto end = closed.record(Kind::shoe_close);
  EXPECT_EQ(end.body.find("key"), nullptr);
  const auto verdict = mesa.rig.judge(end.seq);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_TRUE(told_in(verdict->checked, "picked one of 8 sealed orders"));
  EXPECT_TRUE(told_in(verdict->not_checked,
                      "composition of 38 unopened cards: a wrong one would have been found with "
                      "probability 7/8"));
}

TEST(Candidates, PROTOCOL_4_5_the_auditor_reads_the_one_that_was_picked) {
  Picking mesa(3);
  mesa.seal();
  ASSERT_EQ(mesa.mix().status, 200);
  mesa.deal(0, 2);
  const auto end = mesa.close().record(Kind::shoe_close).seq;
  const Client auditor{"talla:auditor-1", std::string(64, 'c'), {Role::auditor}};
  const auto asked = mesa.rig.post_as(auditor, "/v1/shoes/" + mesa.shoe + "/openings");
  ASSERT_EQ(asked.status, 201) << asked.body;
  const auto self = std::exchange(mesa.rig.client, auditor);
  const auto file = mesa.rig.get("/v1/shoes/" + mesa.shoe +
                                 "/openings?access=" + std::to_string(asked.number({"access"})));
  mesa.rig.client = self;
  ASSERT_EQ(file.status, 200) << file.body;
  EXPECT_EQ(must(certs::Openings::parse(file.body)).roots.size(), 1U);
  const auto verdict = mesa.rig.judge(end, file.body);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_FALSE(told_in(verdict->not_checked, "composition"));
}

TEST(Candidates, a_call_that_ends_before_the_pick_spends_the_shoe) {
  Picking mesa(4);
  mesa.seal();
  auto core = mesa.rig.mix_core(mesa.shoe);
  core["bets"] = std::string(64, '7');
  const auto lapsed =
      mesa.rig.post("/v1/shoes/" + mesa.shoe + "/mix", mesa.rig.signed_core(std::move(core)));
  EXPECT_TRUE(lapsed.lapsed()) << lapsed.body;
  EXPECT_TRUE(mesa.view().find("must_close")->boolean());
  mesa.rig.restart();
  EXPECT_TRUE(mesa.view().find("must_close")->boolean()) << "what a crash does not undo";
  const auto again = mesa.mix();
  EXPECT_EQ(again.code(), "wrong_state");
  EXPECT_NE(again.body.find("close it, which opens all of them"), std::string::npos) << again.body;
  const auto closed = mesa.close();
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto end = closed.record(Kind::shoe_close);
  EXPECT_EQ(must(certs::ShoeCloseBody::from_json(end.body)).candidates.size(), 4U);
  const auto verdict = mesa.rig.judge(end.seq);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_TRUE(told_in(verdict->checked, "none of its 4 sealed orders was picked"));
  EXPECT_FALSE(told_in(verdict->not_checked, "composition"));
  mesa.seal();
  EXPECT_EQ(mesa.mix().status, 200) << "a new shoe follows";
}

TEST(Candidates, a_close_before_the_first_card_opens_what_was_picked) {
  Picking mesa(2);
  mesa.seal();
  ASSERT_EQ(mesa.mix().status, 200);
  mesa.rig.restart();
  const auto closed = mesa.close();
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto end = closed.record(Kind::shoe_close);
  EXPECT_NE(end.body.find("key"), nullptr);
  const auto verdict = mesa.rig.judge(end.seq);
  ASSERT_TRUE(verdict) << verdict.error().text();
  EXPECT_FALSE(told_in(verdict->not_checked, "composition"));
}

TEST(Candidates, without_bits_for_all_of_them_none_is_sealed) {
  Picking mesa;
  mesa.rig.supply.pool_empty = true;
  const auto got =
      mesa.rig.post("/v1/tables/" + mesa.table + "/shoes", R"({"disclosure":"covered"})");
  EXPECT_EQ(got.code(), "entropy_not_ready") << got.body;
  mesa.rig.supply.pool_empty = false;
  EXPECT_EQ(mesa.rig.records(Kind::shoe_commit).size(), 0U);
  mesa.seal();
  mesa.rig.supply.latch(entropy::LatchReason::other);
  EXPECT_EQ(mesa.mix().status, 200) << "what was committed before the latch goes on";
  EXPECT_EQ(mesa.deal(0, 1).status, 200);
}

TEST(Candidates, a_call_for_another_number_of_roots_lapses) {
  Picking mesa(4);
  mesa.seal();
  auto core = mesa.rig.mix_core(mesa.shoe);
  core["specification"] = json::Object{{"candidates", 1}, {"places", 40}};
  const auto one =
      mesa.rig.post("/v1/shoes/" + mesa.shoe + "/mix", mesa.rig.signed_core(std::move(core)));
  EXPECT_EQ(one.code(), "core_mismatch") << one.body;
}

}  // namespace
}  // namespace talla::core::test

// Goal: an auditor, and nobody else, reads the openings of a closed covered shoe, each time with an
//   ACCESS in the log; with them a verifier checks multiset, order and mapping of every card
//   (PROTOCOL section 4.5).
// Method: a whole simulated appliance; covered shoes closed after a few cards; every file searched
//         for the secrets.
#include "format/openings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const Client auditor{"talla:auditor-1", std::string(64, 'c'), {Role::auditor}};

struct Closed {
  Closed(const std::string& disclosure = "covered") {
    table = rig.open_table(R"({"settled_by":"client","deck":"spanish40x1"})");
    const auto made =
        rig.post("/v1/tables/" + table + "/shoes", R"({"disclosure":")" + disclosure + R"("})");
    shoe = made.text({"shoe", "id"});
    EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/mix", rig.mix_body(shoe)).status, 200);
    const auto dealt = rig.post("/v1/shoes/" + shoe + "/deal",
                                R"({"expected":0,"until":3,"place":"t","face":"open"})");
    card = dealt.record(Kind::card_deal).seq;
  }
  void close() {
    const auto got = rig.post("/v1/shoes/" + shoe + "/close");
    EXPECT_EQ(got.status, 200) << got.body;
    seq = got.record(Kind::shoe_close).seq;
  }
  Got ask(const Client& who = auditor) {
    return rig.post_as(who, "/v1/shoes/" + shoe + "/openings");
  }
  Got read(std::int64_t access, const Client& who = auditor) {
    const auto before = std::exchange(rig.client, who);
    auto got = rig.get("/v1/shoes/" + shoe + "/openings?access=" + std::to_string(access));
    rig.client = before;
    return got;
  }
  Rig rig;
  std::string table, shoe;
  std::uint64_t seq = 0, card = 0;
};

bool says(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::any_of(
      list, [&](const auto& line) { return line.find(text) != std::string::npos; });
}

TEST(Openings,
     PROTOCOL_4_5_an_auditor_reads_them_with_an_ACCESS_and_the_verifier_checks_every_card) {
  Closed closed;
  EXPECT_EQ(closed.ask().code(), "wrong_state") << "not before the close";
  closed.close();
  EXPECT_TRUE(says(closed.rig.judge(closed.seq)->not_checked, "composition of 37 unopened cards"));
  const auto asked = closed.ask();
  ASSERT_EQ(asked.status, 201) << asked.body;
  const auto access = asked.record(Kind::access);
  EXPECT_EQ(access.body.find("what")->string(), "openings");
  EXPECT_EQ(access.body.find("object")->string(), closed.shoe);
  EXPECT_EQ(access.cites, std::vector<std::uint64_t>{closed.seq});
  EXPECT_EQ(asked.number({"access"}), static_cast<std::int64_t>(access.seq));
  const auto file = closed.read(asked.number({"access"}));
  ASSERT_EQ(file.status, 200) << file.body;
  const auto parsed = certs::Openings::parse(file.body);
  ASSERT_TRUE(parsed.has_value()) << parsed.error().text();
  EXPECT_EQ(parsed->text(), file.body);

  for (const auto claim : {closed.seq, closed.card}) {
    const auto verdict = closed.rig.judge(claim, file.body);
    ASSERT_TRUE(verdict.has_value()) << verdict.error().text();
    EXPECT_TRUE(says(verdict->checked, "by the auditor's openings the whole shuffle of 40 cards"));
    EXPECT_FALSE(says(verdict->not_checked, "composition"));
  }
  closed.rig.restart();
  EXPECT_EQ(closed.read(asked.number({"access"})).body, file.body);
  const auto& key = parsed->roots.front().key;
  const auto files = closed.rig.all_files();
  EXPECT_EQ(files.find(std::string(key.begin(), key.end())), std::string::npos);
  EXPECT_EQ(files.find(to_hex(key)), std::string::npos) << "no reply is kept that holds it";
}

TEST(Openings, are_for_the_auditor_who_asked_for_an_hour_and_of_no_public_shoe) {
  Closed closed;
  closed.close();
  EXPECT_EQ(closed.ask(closed.rig.client).code(), "forbidden");
  EXPECT_EQ(closed.ask(closed.rig.inspector).code(), "forbidden");
  const auto access = closed.ask().number({"access"});
  const Client second{"talla:auditor-2", std::string(64, 'd'), {Role::auditor}};
  const Client same_id{"talla:auditor-1", std::string(64, 'd'), {Role::auditor}};
  EXPECT_EQ(closed.read(access, second).code(), "forbidden");
  EXPECT_EQ(closed.read(access, same_id).code(), "forbidden") << "another key";
  EXPECT_EQ(closed.read(access, closed.rig.operator_).code(), "forbidden");
  for (const std::int64_t other : {std::int64_t{0}, access - 1, access + 1000})
    EXPECT_EQ(closed.read(other).code(), "forbidden") << other;
  EXPECT_EQ(closed.read(access).status, 200);
  closed.rig.clock.advance_ns(3'600'000'000'000);
  EXPECT_EQ(closed.read(access).code(), "forbidden") << "ask again, and leave a record again";
  EXPECT_EQ(closed.read(closed.ask().number({"access"})).status, 200);
  const auto before = std::exchange(closed.rig.client, auditor);
  EXPECT_EQ(closed.rig.get("/v1/shoes/" + closed.shoe + "/openings").code(), "malformed_request");
  EXPECT_EQ(closed.rig.post("/v1/shoes/shoe-9999/openings").code(), "not_found");
  EXPECT_EQ(closed.rig.post("/v1/shoes/table-1/openings").code(), "not_found");
  closed.rig.client = before;
  Closed open("public");
  open.close();
  EXPECT_EQ(open.ask().code(), "wrong_state");
}

TEST(Openings, that_lie_are_refused_wherever_they_lie) {
  Closed closed;
  closed.close();
  const auto whole = *certs::Openings::parse(closed.read(closed.ask().number({"access"})).body);
  const auto refused = [&](const std::string& what,
                           const std::function<void(certs::Openings&)>& lie) {
    auto changed = whole;
    lie(changed);
    EXPECT_FALSE(closed.rig.judge(closed.seq, changed.text()).has_value()) << what;
  };
  EXPECT_TRUE(closed.rig.judge(closed.seq, whole.text()).has_value());
  refused("key", [](auto& file) { file.roots[0].key[0] ^= 1; });
  refused("tape", [](auto& file) { file.roots[0].tape[0] ^= 1; });
  refused("longer tape",
          [](auto& file) { file.roots[0].tape.resize(file.roots[0].tape.size() + 8); });
  refused("two roots", [](auto& file) { file.roots.push_back(file.roots[0]); });
  refused("origin", [](auto& file) { file.origin += "x"; });
  refused("shoe", [](auto& file) { file.shoe = "shoe-1"; });
  refused("close", [](auto& file) { ++file.close; });
  for (const auto* text : {"", "{}", "[]", "x"}) {
    EXPECT_EQ(closed.rig.judge(closed.seq, text).has_value(), std::string(text).empty()) << text;
  }
}

}  // namespace
}  // namespace talla::core::test

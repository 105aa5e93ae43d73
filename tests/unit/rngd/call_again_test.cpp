// Goal: behind more VOIDs of a round, or outside rounds of a shoe or batch, than its table allows a
//   call stands only by an order that two persons signed for this state of the table; and a call
//   behind a VOID keeps all whom it does not name missing (PROTOCOL section 5b).
// Method: a whole simulated appliance with contributors and two persons; wrong, copied, old and
//   lonely orders; crashes; every bundle verified offline.
#include <gtest/gtest.h>

#include <algorithm>

#include "contributors.hpp"
#include "must.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

constexpr const char* asking_id = "talla:inspector-7";
constexpr const char* second_id = "talla:operator-7";

/// A table of a wheel with two seats, which never open, and two persons with keys.
struct StuckTable {
  explicit StuckTable(int allowed = 0) {
    rig.settings.clients.push_back({asking_id, asking.spki, {"inspector"}});
    rig.settings.clients.push_back({second_id, second.spki, {"operator"}});
    rig.restart();
    table = rig.open_table(R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},)"
                           R"("open_within":5,"max_voids":)" +
                           std::to_string(allowed) + "}");
    batch = rig.open_batch(table);
    for (int seat = 1; seat <= 2; ++seat) {
      players.emplace_back(rig, table, seat);
      EXPECT_EQ(players.back().commit().status, 200);
    }
  }
  [[nodiscard]] std::string body() {
    return with_others(rig, rig.draw_body(batch, index), others_of(rig, table));
  }
  /// A call that those who stay away end in VOID: the seats from `from` on open nothing.
  void voided(std::size_t from = 0) {
    const auto got = rig.post("/v1/draws", body());
    ASSERT_EQ(got.status, 200) << got.body;
    ASSERT_FALSE(got.lapsed()) << got.body;
    const auto call = static_cast<std::uint64_t>(got.number({"call", "seq"}));
    ++index;
    ++t;
    for (std::size_t i = 0; i < from; ++i) ASSERT_EQ(players[i].open(call).status, 200);
    rig.clock.advance_ns(6'000'000'000);
    rig.service().run_until_idle();
    ASSERT_EQ(rig.records(Kind::void_call).back().body.find("call")->integer(),
              static_cast<std::int64_t>(call));
    for (std::size_t i = from; i < players.size(); ++i) ASSERT_EQ(players[i].commit(t).status, 200);
  }
  [[nodiscard]] std::string head() {
    return rig.get("/v1/tables/" + table).text({"table", "head"});
  }
  [[nodiscard]] std::string signature(const Client& who, const std::string& object,
                                      const std::string& at) const {
    return to_base64(table_call_key(who.id)->sign(
        certs::order_statement(rig_origin, object, must(digest_from_hex(at)))));
  }
  Got ask(const Client& who, const std::string& object, const std::string& at,
          const std::string& signed_by) {
    return rig.post_as(
        who, "/v1/acts",
        json::canonical(json::Value(json::Object{
            {"act", "call-again"}, {"head", at}, {"object", object}, {"signature", signed_by}})));
  }
  Got ask(const Client& who) {
    return ask(who, batch.id, head(), signature(who, batch.id, head()));
  }
  Got confirm(const Client& who, const Got& asked, const std::string& signed_by) {
    return rig.post_as(who, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm",
                       json::canonical(json::Value(json::Object{{"signature", signed_by}})));
  }
  Got order() {
    const auto asked = ask(asking);
    EXPECT_EQ(asked.status, 201) << asked.body;
    const auto done = confirm(second, asked, signature(second, batch.id, head()));
    EXPECT_EQ(done.status, 200) << done.body;
    return done;
  }
  /// The next call, and both seats open.
  std::uint64_t drawn() {
    const auto got = rig.post("/v1/draws", body());
    EXPECT_EQ(got.status, 200) << got.body;
    EXPECT_FALSE(got.lapsed()) << got.body;
    const auto call = static_cast<std::uint64_t>(got.number({"call", "seq"}));
    ++index;
    ++t;
    for (auto& player : players) EXPECT_EQ(player.open(call).status, 200);
    rig.service().run_until_idle();
    return rig.records(Kind::draw).back().seq;
  }

  Rig rig;
  Client asking = person_client(asking_id, Role::inspector);
  Client second = person_client(second_id, Role::operator_);
  std::string table;
  Rig::OpenBatch batch;
  std::vector<Player> players;
  int index = 0;
  std::uint32_t t = 1;  // of the next call that names the seats
};

TEST(CallAgain, PROTOCOL_5b_behind_the_limit_two_persons_order_each_further_call) {
  StuckTable scene;
  scene.voided();
  const auto body = scene.body();
  const auto refused = scene.rig.post("/v1/draws", body);
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.code(), "void_limit");
  EXPECT_EQ(refused.text({"ended_by", "act"}), "call-again");
  EXPECT_EQ(refused.text({"object"}), scene.batch.id);
  EXPECT_EQ(refused.text({"head"}), scene.head());
  EXPECT_EQ(scene.rig.records(Kind::void_call).size(), 1U) << "it waits, it does not lapse";
  const auto done = scene.order();
  const auto access = done.record(Kind::access);
  EXPECT_EQ(scene.rig.get("/v1/tables/" + scene.table).text({"table", "again", "object"}),
            scene.batch.id);
  // The same core stands now: nothing of it had to be chosen anew.
  const auto got = scene.rig.post("/v1/draws", body);
  ASSERT_EQ(got.status, 200) << got.body;
  const auto call = scene.rig.records(Kind::call).back();
  EXPECT_TRUE(std::ranges::binary_search(call.cites, access.seq));
  const auto said = must(certs::CallBody::from_json(call.body));
  ASSERT_TRUE(said.order);
  EXPECT_EQ(said.order->by.at(0).id, asking_id);
  EXPECT_EQ(said.order->by.at(1).id, second_id);
  ++scene.index;
  ++scene.t;
  for (auto& player : scene.players) EXPECT_EQ(player.open(call.seq).status, 200);
  scene.rig.service().run_until_idle();
  scene.rig.verify(scene.rig.records(Kind::draw).back().seq);
  EXPECT_FALSE(scene.rig.get("/v1/tables/" + scene.table).at({"table"}).find("again"));
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit")
      << "an order serves one call";
  scene.order();
  scene.rig.verify(scene.drawn());
}

TEST(CallAgain, as_many_voids_as_the_policy_allows_need_nobody) {
  StuckTable scene(2);
  scene.voided();
  scene.voided();
  scene.rig.verify(scene.drawn());
  scene.voided();
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit");
  // Another batch is another object.
  scene.batch = scene.rig.open_batch(scene.table);
  scene.index = 0;
  scene.rig.verify(scene.drawn());
}

TEST(CallAgain, order_signature_head_wrong_and_duplicates_are_refused) {
  StuckTable scene;
  const auto head = scene.head();
  EXPECT_EQ(scene.ask(scene.asking).code(), "wrong_state") << "nothing ended in VOID";
  scene.voided();
  const auto now = scene.head();
  const auto good = scene.signature(scene.asking, scene.batch.id, now);
  EXPECT_EQ(scene
                .ask(scene.asking, scene.batch.id, head,
                     scene.signature(scene.asking, scene.batch.id, head))
                .code(),
            "head_wrong");
  EXPECT_EQ(scene.ask(scene.asking, scene.batch.id, head, good).code(), "order_signature");
  EXPECT_EQ(scene.ask(scene.second, scene.batch.id, now, good).code(), "order_signature")
      << "copied";
  EXPECT_EQ(
      scene.ask(scene.asking, "batch-999", now, scene.signature(scene.asking, "batch-999", now))
          .code(),
      "not_found");
  const Client keyless{"talla:officer-2", std::string(64, '1'), {Role::security_officer}};
  EXPECT_EQ(scene.ask(keyless).code(), "order_signature") << "it has no such key";
  const auto asked = scene.ask(scene.asking);
  ASSERT_EQ(asked.status, 201) << asked.body;
  EXPECT_EQ(scene.ask(scene.asking).code(), "act_pending");
  EXPECT_EQ(scene.confirm(scene.asking, asked, good).code(), "same_person");
  EXPECT_EQ(scene.confirm(scene.second, asked, good).code(), "order_signature");
  EXPECT_EQ(
      scene.rig.post_as(scene.second, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm").code(),
      "order_signature");
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit") << "asked is not done";
  EXPECT_EQ(
      scene.confirm(scene.second, asked, scene.signature(scene.second, scene.batch.id, now)).status,
      200);
  scene.rig.verify(scene.drawn());
  EXPECT_EQ(scene.confirm(scene.second, asked, good).code(), "act_over");
}

TEST(CallAgain, an_order_is_old_once_something_happened_at_the_table) {
  StuckTable scene;
  scene.voided();
  const auto stuck = scene.batch;
  const auto at = scene.index;
  scene.order();
  scene.batch = scene.rig.open_batch(scene.table);
  scene.index = 0;
  scene.drawn();
  scene.batch = stuck;
  scene.index = at;
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit");
  scene.order();
  scene.rig.verify(scene.drawn());
}

TEST(CallAgain, limit_and_order_survive_a_crash) {
  StuckTable scene;
  scene.voided();
  scene.rig.restart();
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit");
  const auto asked = scene.ask(scene.asking);
  scene.rig.restart();
  EXPECT_EQ(
      scene
          .confirm(scene.second, asked, scene.signature(scene.second, scene.batch.id, scene.head()))
          .status,
      200);
  scene.rig.restart();
  scene.rig.verify(scene.drawn());
}

TEST(CallAgain, a_resume_point_keeps_what_ended_in_void) {
  StuckTable scene;
  scene.rig.settings.resume_interval = 1;
  scene.rig.restart();
  scene.voided();
  scene.rig.post("/v1/tables/" + scene.table + "/batches");
  scene.rig.restart();
  EXPECT_EQ(scene.rig.post("/v1/draws", scene.body()).code(), "void_limit");
}

TEST(CallAgain, PROTOCOL_5b_contributor_dropped_lapses_but_by_an_order) {
  StuckTable scene(9);
  scene.voided(1);  // the second seat stays away
  json::Array others = others_of(scene.rig, scene.table);
  std::erase_if(others,
                [](const json::Value& one) { return one.find("id")->string() == "seat-1"; });
  const auto lapsed = scene.rig.post(
      "/v1/draws", with_others(scene.rig, scene.rig.draw_body(scene.batch, scene.index), others));
  EXPECT_EQ(lapsed.code(), "contributor_dropped") << lapsed.body;
  ASSERT_TRUE(lapsed.lapsed());
  ++scene.index;
  scene.rig.verify(scene.rig.records(Kind::void_call).back().seq);
  // Whom the VOID named may stay away.
  others = others_of(scene.rig, scene.table);
  std::erase_if(others,
                [](const json::Value& one) { return one.find("id")->string() == "seat-2"; });
  const auto got = scene.rig.post(
      "/v1/draws", with_others(scene.rig, scene.rig.draw_body(scene.batch, scene.index), others));
  ASSERT_EQ(got.status, 200) << got.body;
  EXPECT_FALSE(got.lapsed()) << got.body;
  scene.players[0].open(static_cast<std::uint64_t>(got.number({"call", "seq"})));
  scene.rig.service().run_until_idle();
  scene.rig.verify(scene.rig.records(Kind::draw).back().seq);
}

/// A seat that lost its key while its call was void would stop a round for ever.
TEST(CallAgain, two_persons_let_a_table_go_on_without_one_who_lost_its_key) {
  StuckTable scene(9);
  scene.voided(1);
  scene.players[0].renew();
  ASSERT_EQ(scene.players[0].commit().status, 200);
  const auto lapsed = scene.rig.post("/v1/draws", scene.body());
  EXPECT_EQ(lapsed.code(), "contributor_dropped") << lapsed.body;
  ++scene.index;
  scene.order();
  scene.rig.verify(scene.drawn());
}

}  // namespace
}  // namespace talla::core::test

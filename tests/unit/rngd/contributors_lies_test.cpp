// Goal: nobody opens for another, twice, early or something else than he committed to; a table
//   names nobody that is not there and leaves out nobody that must be; an invitation opens its own
//   table alone, and as long as it stands (PROTOCOL section 5b, FORMAT.md section 8).
// Method: a whole simulated appliance; each lie is right in everything else; what must stay is
//   looked for afterwards, and what became a record is verified offline.
#include <gtest/gtest.h>

#include <algorithm>

#include "contributors.hpp"
#include "format/body_table.hpp"
#include "machine.hpp"
#include "must.hpp"
#include "seat_pair.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

struct Duel {
  Rig rig;
  std::string table = rig.open_table(wheel_table);
  Rig::OpenBatch batch = rig.open_batch(table);
  Player one{rig, table, 1};
  Player two{rig, table, 2};

  Duel() {
    EXPECT_EQ(one.commit().status, 200);
    EXPECT_EQ(two.commit().status, 200);
  }
  Got draw(int index, json::Value others) {
    return rig.post("/v1/draws", with_others(rig, rig.draw_body(batch, index), std::move(others)));
  }
  std::uint64_t call(int index = 0) {
    return static_cast<std::uint64_t>(draw(index, others_of(rig, table)).number({"call", "seq"}));
  }
  Got send(const Player& who, std::uint64_t call, const std::string& body) {
    return rig.post_as(who.client(), "/v1/calls/" + std::to_string(call) + "/openings", body);
  }
};

/// The other signature that ECDSA on P-256 takes for the same: s is subtracted from the order.
certs::SignatureP256 other_half(certs::SignatureP256 signature) {
  const auto order = *from_hex("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
  int borrow = 0;
  for (std::size_t i = 32; i-- > 0;) {
    const int left = int{order[i]} - int{signature[32 + i]} - borrow;
    borrow = left < 0 ? 1 : 0;
    signature[32 + i] = static_cast<std::uint8_t>(left + 256 * borrow);
  }
  return signature;
}

TEST(ContributorLies, openings_are_taken_from_their_own_contributor_for_the_open_call_alone) {
  Duel duel;
  const auto first = duel.call(0);
  ASSERT_EQ(duel.one.open(first).status, 200);
  ASSERT_EQ(duel.two.open(first).status, 200);
  const auto old = duel.one.opening(core_at(duel.rig, first));
  const auto call = duel.call(1);
  const auto core = core_at(duel.rig, call);
  const auto right = duel.one.opening(core);
  const auto size = duel.rig.log().size();
  const auto refused = [&](const Player& who, const std::string& body, const std::string& code) {
    const auto got = duel.send(who, call, body);
    EXPECT_EQ(got.code(), code) << got.body;
  };
  refused(duel.one, duel.one.opening_body(old), "commit_mismatch");  // of the call before
  auto changed = right;
  changed.value[7] ^= 1;
  refused(duel.one, duel.one.opening_body(changed), "commit_mismatch");
  auto unsigned_one = right;
  unsigned_one.signature = duel.two.opening(core).signature;
  refused(duel.one, duel.one.opening_body(unsigned_one), "opening_signature");
  auto replayed = right;  // the right number, signed for the call before
  replayed.signature = old.signature;
  refused(duel.one, duel.one.opening_body(replayed), "opening_signature");
  refused(duel.two, duel.one.opening_body(right), "not_your_seat");
  refused(duel.two, duel.two.opening_body(right), "commit_mismatch");
  refused(duel.one, R"({"id":"seat-1","value":"00","signature":"AA=="})", "malformed_request");
  EXPECT_EQ(duel.send(duel.one, call + 1, duel.one.opening_body(right)).code(), "not_found");
  EXPECT_EQ(duel.send(duel.one, 0, duel.one.opening_body(right)).code(), "not_found");
  EXPECT_EQ(duel.send(duel.one, first, duel.one.opening_body(right)).code(), "wrong_state")
      << "another number for a call that has its result";
  EXPECT_EQ(duel.send(duel.one, first, duel.one.opening_body(old)).status, 200);
  const auto view = duel.rig.get("/v1/calls/" + std::to_string(call));
  EXPECT_EQ(view.at({"missing"}).array().size(), 2U) << "none of it was taken";
  EXPECT_EQ(duel.rig.log().size(), size);
  ASSERT_EQ(duel.one.open(call).status, 200);
  auto other = right;  // signed as well: other bytes for the same number
  other.signature = other_half(right.signature);
  EXPECT_EQ(duel.send(duel.one, call, duel.one.opening_body(other)).code(), "wrong_state");
  ASSERT_EQ(duel.two.open(call).status, 200);
  duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
}

TEST(ContributorLies, an_opening_before_its_call_is_durable_is_refused) {
  Duel duel;
  const auto body =
      with_others(duel.rig, duel.rig.draw_body(duel.batch, 0), others_of(duel.rig, duel.table));
  const auto seq = duel.rig.log().size();
  const auto core = must(certs::CallCore::from_json(*must(json::parse(body)).find("core")));
  const auto called = duel.rig.send(duel.rig.request("POST", "/v1/draws", body));
  auto early = duel.rig.request("POST", "/v1/calls/" + std::to_string(seq) + "/openings",
                                duel.one.opening_body(duel.one.opening(core)));
  early.client = duel.one.client();
  const auto answer = duel.rig.send(early);
  duel.rig.service().run_until_idle();
  ASSERT_TRUE(called->has_value() && answer->has_value());
  EXPECT_EQ((*called)->status, 200) << (*called)->body;
  EXPECT_EQ((*answer)->status, 404) << (*answer)->body;
  EXPECT_EQ(duel.rig.records(Kind::call).back().seq, seq);
  EXPECT_EQ(duel.one.open(seq).status, 200);
}

TEST(ContributorLies, a_core_that_names_others_than_the_table_has_lapses_and_spends_what_it_names) {
  struct Lie {
    const char* code;
    std::function<void(Duel&, json::Array&)> change;
  };
  const auto set = [](std::size_t at, const char* member, const json::Value& to) {
    return [=](Duel&, json::Array& others) { others.at(at)[member] = to; };
  };
  const std::vector<Lie> lies{
      {"contributor_unknown",
       [](Duel&, json::Array& others) {
         others.at(0)["key"] = to_base64(certs::testing::seat_pair().spki);
       }},
      {"contributor_unknown",
       [](Duel&, json::Array& others) {
         others.emplace_back(json::Object{{"id", "seat-3"},
                                          {"key", to_base64(certs::testing::seat_pair().spki)},
                                          {"t", 1},
                                          {"commit", std::string(64, 'c')}});
       }},
      {"t_gap", set(0, "t", 2)},
      {"commit_mismatch", set(0, "commit", std::string(64, 'a'))},
      {"others_order", [](Duel&, json::Array& others) { std::swap(others.at(0), others.at(1)); }},
      {"others_order", [](Duel&, json::Array& others) { others.push_back(others.at(1)); }},
      {"duplicate",
       [](Duel& duel, json::Array& others) {
         others.at(0)["key"] = to_base64(as_bytes(duel.rig.client.public_key));
       }},
  };
  for (const auto& lie : lies) {
    Duel duel;
    auto others = others_of(duel.rig, duel.table);
    lie.change(duel, others);
    const auto said = json::canonical(json::Value(others));
    SCOPED_TRACE(std::string(lie.code) + " " + said);
    const auto got = duel.draw(0, json::Value(others));
    EXPECT_TRUE(got.lapsed()) << got.body;
    EXPECT_EQ(got.code(), lie.code);
    const auto record = got.record(Kind::void_call);
    EXPECT_NE(record.body.find("secret"), nullptr) << "its secret is spent";
    duel.rig.verify(record.seq);
    duel.rig.restart();
    // Who counted on in it rightly goes on with the next one; verifiers hold it to the same.
    const auto call = duel.call(1);
    const auto core = core_at(duel.rig, call);
    for (const auto& one : core.others) {
      bool spent = false;
      for (const auto& named : others)
        spent = spent || (named.find("key")->string() == to_base64(one.key) &&
                          named.find("id")->string() == one.id && named.find("t")->integer() == 1);
      EXPECT_EQ(one.t, spent ? 2U : 1U) << one.id;
    }
    ASSERT_EQ(duel.one.open(call).status, 200);
    ASSERT_EQ(duel.two.open(call).status, 200);
    duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
  }
}

/// Nobody is asked to open for a second core of a turn: the first stands, whoever opened behind it.
TEST(ContributorLies, of_two_cores_for_a_turn_only_the_first_is_opened_for) {
  Duel duel;
  const auto others = others_of(duel.rig, duel.table);
  const auto one = with_others(duel.rig, duel.rig.draw_body(duel.batch, 0), others);
  const auto two = with_others(duel.rig, duel.rig.draw_body(duel.batch, 0), others);
  const auto first = duel.rig.send(duel.rig.request("POST", "/v1/draws", one));
  const auto second = duel.rig.send(duel.rig.request("POST", "/v1/draws", two));
  duel.rig.service().run_until_idle();
  ASSERT_TRUE(first->has_value() && second->has_value());
  EXPECT_EQ((*first)->status, 200) << (*first)->body;
  EXPECT_NE((*second)->body.find("core_mismatch"), std::string::npos) << (*second)->body;
  const auto call = duel.rig.records(Kind::call).back().seq;
  ASSERT_EQ(duel.one.open(call).status, 200);
  duel.rig.restart();
  EXPECT_EQ(duel.rig.post("/v1/draws", two).code(), "core_mismatch");
  ASSERT_EQ(duel.two.open(call).status, 200);
  EXPECT_EQ(duel.rig.post("/v1/draws", two).code(), "core_mismatch");
  EXPECT_EQ(duel.rig.records(Kind::call).size(), 1U);
  EXPECT_TRUE(duel.rig.records(Kind::void_call).empty());
  duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
}

/// Cores of one key name it under one id: who lapsed with another one has spent the key here.
TEST(ContributorLies, a_key_that_a_lapsed_core_gave_to_another_serves_nobody_at_this_table) {
  Duel duel;
  auto others = others_of(duel.rig, duel.table);
  others.at(1)["id"] = "seat-9";
  const auto got = duel.draw(0, others);
  EXPECT_EQ(got.code(), "contributor_unknown") << got.body;
  EXPECT_TRUE(got.lapsed());
  duel.rig.restart();
  EXPECT_EQ(others_of(duel.rig, duel.table).size(), 1U);
  EXPECT_EQ(duel.two.commit(1, 1).code(), "duplicate");
  duel.two.renew();
  ASSERT_EQ(duel.two.commit().status, 200);
  const auto call = duel.call(1);
  EXPECT_EQ(core_at(duel.rig, call).others.size(), 2U);
  ASSERT_EQ(duel.one.open(call).status, 200);
  ASSERT_EQ(duel.two.open(call).status, 200);
  duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
}

TEST(ContributorLies, a_key_that_a_lapsed_core_has_invented_counts_on_when_it_really_comes) {
  Duel duel;
  Player three(duel.rig, duel.table, 3);
  auto others = others_of(duel.rig, duel.table);
  others.emplace_back(json::Object{{"id", "seat-3"},
                                   {"key", to_base64(three.key())},
                                   {"t", 1},
                                   {"commit", to_hex(three.commit_of(1))}});
  EXPECT_EQ(duel.draw(0, others).code(), "contributor_unknown");
  EXPECT_EQ(three.commit(1, 2).code(), "t_gap");
  EXPECT_EQ(three.commit(1, 2).number({"next"}), 2);
  ASSERT_EQ(three.commit(2, 2).status, 200);
  const auto call = duel.call(1);
  for (auto* player : {&duel.one, &duel.two, &three}) ASSERT_EQ(player->open(call).status, 200);
  duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
}

TEST(ContributorLies, a_table_leaves_out_no_key_that_its_policy_requires) {
  Rig rig;
  const auto needed = certs::testing::seat_pair();
  const auto opened =
      rig.post("/v1/tables",
               R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},"required":[")" +
                   to_base64(needed.spki) + R"("],"open_within":7})");
  ASSERT_EQ(opened.status, 201) << opened.body;
  const auto table = opened.text({"table", "id"});
  const auto body = must(certs::TableOpenBody::from_json(opened.record(Kind::table_open).body));
  EXPECT_EQ(body.policy.required, std::vector<Bytes>{needed.spki});
  EXPECT_EQ(body.policy.open_within, 7U);
  const auto batch = rig.open_batch(table);
  Player one(rig, table, 1);
  ASSERT_EQ(one.commit().status, 200);
  const auto alone = rig.post("/v1/draws", rig.draw_body(batch, 0));
  EXPECT_EQ(alone.code(), "required_missing") << alone.body;
  EXPECT_TRUE(alone.lapsed());
  const auto other =
      rig.post("/v1/draws", with_others(rig, rig.draw_body(batch, 1), others_of(rig, table)));
  EXPECT_EQ(other.code(), "required_missing") << other.body;
  rig.verify(other.record(Kind::void_call).seq);
  const auto twice =
      rig.post("/v1/tables",
               R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},"required":[")" +
                   to_base64(needed.spki) + R"(",")" + to_base64(needed.spki) + R"("]})");
  EXPECT_EQ(twice.code(), "malformed_request") << twice.body;
  const auto none = rig.post(
      "/v1/tables",
      R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},"required":["AAAA"]})");
  EXPECT_EQ(none.code(), "malformed_request") << none.body;
}

TEST(ContributorLies, commitments_count_without_gap_change_or_another_ones_key) {
  Duel duel;
  const auto path = "/v1/tables/" + duel.table + "/commitments";
  EXPECT_EQ(duel.one.commit(1, 16).number({"next"}), 17) << "the same again";
  EXPECT_EQ(duel.one.commit(3, 4).number({"ahead"}), 16);
  EXPECT_EQ(duel.one.commit(17, 1).code(), "limit_exceeded");
  EXPECT_EQ(duel.one.commit(18, 1).code(), "t_gap");
  EXPECT_EQ(duel.one.commit(18, 1).number({"next"}), 17);
  Player other(duel.rig, duel.table, 4);
  auto body = must(json::parse(duel.one.commit_body(2, 1)));
  body["commits"] = json::Array{json::Value(to_hex(duel.two.commit_of(1)))};
  const auto send = [&](const Player& who, const json::Value& said) {
    return duel.rig.post_as(who.client(), path, json::canonical(said)).code();
  };
  EXPECT_EQ(send(duel.one, body), "commit_mismatch");
  EXPECT_EQ(send(duel.two, body), "not_your_seat");
  body = must(json::parse(other.commit_body(1, 1)));
  const auto with_key = [&](const Bytes& key) {
    body["key"] = to_base64(key);
    return send(other, body);
  };
  EXPECT_EQ(with_key(duel.one.key()), "duplicate");
  EXPECT_EQ(with_key({duel.rig.client.public_key.begin(), duel.rig.client.public_key.end()}),
            "duplicate");
  EXPECT_EQ(with_key(certs::testing::seat_pair("P-384").spki), "malformed_request");
  EXPECT_EQ(with_key({1, 2, 3}), "malformed_request");
  const auto second = duel.rig.open_table(wheel_table);
  Player there(duel.rig, second, 1);
  auto copied = must(json::parse(there.commit_body(1, 1)));
  copied["key"] = to_base64(duel.one.key());
  EXPECT_EQ(
      duel.rig
          .post_as(there.client(), "/v1/tables/" + second + "/commitments", json::canonical(copied))
          .code(),
      "duplicate")
      << "a seat's key serves one table";
  // A phone that lost its key begins anew, but not while a call waits for the key before.
  const auto call = duel.call();
  auto lost = duel.one;
  lost.renew();
  EXPECT_EQ(lost.commit(1, 4).code(), "turn_open");
  ASSERT_EQ(duel.one.open(call).status, 200);
  ASSERT_EQ(duel.two.open(call).status, 200);
  ASSERT_EQ(lost.commit(1, 4).status, 200);
  duel.rig.restart();
  EXPECT_EQ(lost.commit(1, 4).number({"ahead"}), 4) << "kept over a restart";
  const auto next = duel.call(1);
  ASSERT_EQ(lost.open(next).status, 200);
  ASSERT_EQ(duel.two.open(next).status, 200);
  duel.rig.verify(duel.rig.records(Kind::draw).back().seq);
}

TEST(ContributorLies, an_invitation_opens_its_own_table_and_ends_with_the_next_or_with_the_table) {
  Duel duel;
  auto& rig = duel.rig;
  const auto other = rig.open_table(wheel_table);
  const auto call = duel.call();
  const auto call_path = "/v1/calls/" + std::to_string(call);
  Player stranger(rig, other, 1);
  EXPECT_EQ(stranger.get("/v1/tables/" + duel.table).code(), "not_found");
  EXPECT_EQ(stranger.get(call_path).code(), "not_found");
  EXPECT_EQ(stranger.get("/v1/receipts/" + std::to_string(call)).code(), "not_found");
  EXPECT_EQ(stranger.get("/v1/bundles/" + std::to_string(call)).code(), "not_found");
  EXPECT_EQ(rig.post_as(stranger.client(), "/v1/tables/" + duel.table + "/commitments",
                        stranger.commit_body(1, 1))
                .code(),
            "not_found");
  EXPECT_EQ(duel.send(stranger, call, stranger.opening_body({})).code(), "not_found");
  // Nothing but a contributor's operations, and of its table alone.
  for (const auto* path : {"/v1/tables", "/v1/status", "/v1/acts", "/v1/incomplete"})
    EXPECT_EQ(duel.one.get(path).code(), "forbidden") << path;
  EXPECT_EQ(rig.post_as(duel.one.client(), "/v1/tables/" + duel.table + "/close").code(),
            "forbidden");
  const auto events = duel.one.get("/v1/events?limit=1000");
  ASSERT_EQ(events.status, 200);
  bool opened = false;
  for (const auto& event : events.at({"events"}).array()) {
    EXPECT_EQ(event.find("table")->string(), duel.table);
    opened = opened || event.find("kind")->string() == "TABLE_OPEN";
  }
  EXPECT_TRUE(opened);
  EXPECT_EQ(duel.one.get("/v1/receipts/" + std::to_string(call)).status, 200);
  EXPECT_EQ(duel.one.get("/v1/log-keys").status, 200);
  EXPECT_EQ(rig.post("/v1/calls/" + std::to_string(call) + "/openings",
                     duel.one.opening_body(duel.one.opening(core_at(rig, call))))
                .code(),
            "forbidden")
      << "the table opens for nobody";

  Player again(rig, duel.table, 1);  // another phone for the seat
  EXPECT_FALSE(rig.service().invited(duel.one.client().invitation->token));
  EXPECT_EQ(duel.one.open(call).code(), "forbidden") << "the first phone's token has ended";
  EXPECT_EQ(duel.one.get("/v1/tables/" + duel.table).code(), "not_found");
  EXPECT_EQ(rig.post("/v1/tables/" + duel.table + "/invitations",
                     json::canonical(json::Value(json::Object{
                         {"seat", 5}, {"token", to_hex(again.client().invitation->token)}})))
                .code(),
            "duplicate");
  const auto token = duel.two.client().invitation->token;
  EXPECT_EQ(rig.post("/v1/tables/" + duel.table + "/invitations", R"({"seat":2})").status, 200);
  EXPECT_FALSE(rig.service().invited(token));
  rig.restart();
  EXPECT_FALSE(rig.service().invited(token));
  EXPECT_TRUE(rig.service().invited(again.client().invitation->token));
  rig.clock.advance_ns(21'000'000'000);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.post("/v1/tables/" + duel.table + "/close").status, 200);
  EXPECT_FALSE(rig.service().invited(again.client().invitation->token));
  const auto left = rig.ledger().document(certs::documents::contributors(duel.table));
  ASSERT_TRUE(left.has_value());
  EXPECT_TRUE(!*left || (*left)->empty()) << "gone with the table";
}

TEST(ContributorLies, partners_contribute_under_their_enrolled_id_and_see_the_tables_before) {
  Rig rig;
  Client partner{"talla:partner-1", std::string(64, '7'), {Role::contributor}};
  const auto table = rig.open_table(wheel_table);
  Player hand(rig, table, 1);
  EXPECT_EQ(
      rig.post_as(partner, "/v1/tables/" + table + "/commitments", hand.commit_body(1, 1)).code(),
      "not_your_seat");
  const auto get = [&](const std::string& path) {
    auto request = rig.request("GET", path);
    request.client = partner;
    return rig.ask(std::move(request));
  };
  // A first commitment binds TABLE_OPEN.
  EXPECT_EQ(get("/v1/tables/" + table).status, 200);
  EXPECT_EQ(get("/v1/tables").at({"tables"}).array().size(), 1U);
  EXPECT_EQ(get("/v1/receipts/" + std::to_string(*certs::object_seq("table", table))).status, 200);
  json::Object body{{"id", partner.id},
                    {"key", to_base64(certs::testing::seat_pair().spki)},
                    {"from", 1},
                    {"commits", json::Array{json::Value(std::string(64, 'b'))}}};
  ASSERT_EQ(rig.post_as(partner, "/v1/tables/" + table + "/commitments",
                        json::canonical(json::Value(body)))
                .status,
            200);
  EXPECT_EQ(get("/v1/tables/" + table).status, 200);
  EXPECT_EQ(get("/v1/receipts/" + std::to_string(*certs::object_seq("table", table))).status, 200);
  Client named{"seat-1", std::string(64, '8'), {Role::contributor}};
  body["id"] = named.id;
  EXPECT_EQ(
      rig.post_as(named, "/v1/tables/" + table + "/commitments", json::canonical(json::Value(body)))
          .code(),
      "forbidden")
      << "an enrolled id that reads as a seat";
  Client seat{"talla:seat-1", std::string(64, '9'), {Role::seat}};
  body["id"] = "seat-1";
  EXPECT_EQ(
      rig.post_as(seat, "/v1/tables/" + table + "/commitments", json::canonical(json::Value(body)))
          .code(),
      "forbidden")
      << "no round names its key";
}

}  // namespace
}  // namespace talla::core::test

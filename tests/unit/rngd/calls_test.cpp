// Goal: a table's call binds all that a draw or a mix follows from; one core a turn, whatever the
//   key of the request, a crash or a second connection; a core that says something wrong lapses: it
//   has shown the table's number, so it is answered, opened and counted (PROTOCOL 5b, FORMAT.md
//   section 8).
// Method: a whole simulated appliance. Honest cores with one member changed, signed anew; the same
//   and other cores of a turn, before and behind crashes at each step; keys of others.
#include <gtest/gtest.h>

#include <algorithm>

#include "format/body_table.hpp"
#include "format/call.hpp"
#include "format/domain.hpp"
#include "format/merkle.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

/// The core that a request's body holds.
json::Object core_in(const std::string& body) {
  return json::parse(body)->find("core")->object();
}

std::int64_t outcome_of(const Got& got) {
  return got.number({"draw", "outcome", "pocket"});
}

TEST(Calls, PROTOCOL_5b_a_table_is_opened_with_the_key_that_signs_its_calls_and_its_certificate) {
  Rig rig;
  const auto opened = rig.post("/v1/tables", wheel_table);
  const auto body = certs::TableOpenBody::from_json(opened.record(Kind::table_open).body);
  ASSERT_TRUE(body.has_value());
  EXPECT_EQ(std::string(body->key.begin(), body->key.end()), rig.client.public_key);
  ASSERT_EQ(body->chain.size(), 1U);
  EXPECT_EQ(std::string(body->chain[0].begin(), body->chain[0].end()), rig.client.chain->at(0));
  certs::CallPolicy policy;
  policy.open_within = 20;
  policy.max_voids = 16;
  EXPECT_EQ(body->policy, policy);
  EXPECT_EQ(opened.number({"table", "turn"}), 1);

  const auto own = rig.client;
  rig.client.chain.reset();
  EXPECT_EQ(rig.post("/v1/tables", wheel_table).code(), "no_table_key");
  rig.client = own;
  const auto other = certs::testing::seat_pair("P-384");
  rig.client.public_key.assign(other.spki.begin(), other.spki.end());
  rig.client.spki = to_hex(other.digest);
  EXPECT_EQ(rig.post("/v1/tables", wheel_table).code(), "no_table_key");
}

TEST(Calls, PROTOCOL_5b_the_same_core_gets_the_reply_that_stands_and_another_core_none) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto body = rig.draw_body(batch, 0);
  const auto first = rig.post("/v1/draws", body, "one");
  ASSERT_EQ(first.status, 200) << first.body;
  const auto size = rig.log().size();
  const auto again = rig.post("/v1/draws", body, "two");
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(json::canonical(again.at({"draw"})), json::canonical(first.at({"draw"})));
  EXPECT_EQ(again.records().size(), first.records().size());
  EXPECT_EQ(rig.post("/v1/draws", body, "two").body, again.body) << "and stands under that key too";

  auto other = core_in(body);
  other["value"] = rig.nonce();
  const auto mismatch = rig.post("/v1/draws", rig.signed_core(other), "three");
  EXPECT_EQ(mismatch.status, 409);
  EXPECT_EQ(mismatch.code(), "core_mismatch");
  EXPECT_EQ(mismatch.number({"turn"}), 2);
  other["object"] = "batch-999999";
  EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(other)).code(), "core_mismatch");
  EXPECT_EQ(rig.log().size(), size) << "no record";

  rig.restart();
  EXPECT_EQ(json::canonical(rig.post("/v1/draws", body, "four").at({"draw"})),
            json::canonical(first.at({"draw"})));
  EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(other)).code(), "core_mismatch");
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1)).status, 200) << "the next turn goes on";
  EXPECT_EQ(json::canonical(rig.post("/v1/draws", body, "five").at({"draw"})),
            json::canonical(first.at({"draw"})))
      << "also of a turn before the last";
}

TEST(Calls, PROTOCOL_5_3_a_crash_at_each_step_of_a_draw_leaves_one_outcome_for_its_core) {
  for (int step = 0; step < 4; ++step) {
    SCOPED_TRACE("crash after step " + std::to_string(step));
    Rig rig;
    const auto batch = rig.open_batch(rig.open_table(wheel_table));
    const auto body = rig.draw_body(batch, 0);
    static_cast<void>(rig.send(rig.request("POST", "/v1/draws", body, "one")));
    for (int turn = 0; turn < step; ++turn) static_cast<void>(rig.service().run_once());
    rig.restart();
    const auto calls = rig.records(Kind::call).size();
    EXPECT_EQ(calls, rig.records(Kind::draw).size()) << "an open CALL is completed at the start";
    auto other = core_in(body);
    other["value"] = rig.nonce();
    if (calls == 1) {
      EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(other)).code(), "core_mismatch");
    }
    const auto got = rig.post("/v1/draws", body, "another");
    ASSERT_EQ(got.status, 200) << got.body;
    EXPECT_EQ(rig.records(Kind::draw).size(), 1U);
    EXPECT_EQ(outcome_of(rig.post("/v1/draws", body, "one")), outcome_of(got));
    rig.verify(got.record(Kind::draw).seq);
  }
}

TEST(Calls, two_connections_with_one_core_get_one_draw_and_with_two_cores_one_gets_none) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto body = rig.draw_body(batch, 0);
  auto other = core_in(body);
  other["value"] = rig.nonce();
  const auto one = rig.send(rig.request("POST", "/v1/draws", body));
  const auto same = rig.send(rig.request("POST", "/v1/draws", body));
  const auto two = rig.send(rig.request("POST", "/v1/draws", rig.signed_core(other)));
  rig.service().run_until_idle();
  ASSERT_TRUE(one->has_value() && same->has_value() && two->has_value());
  EXPECT_EQ((*one)->status, 200) << (*one)->body;
  EXPECT_EQ((*same)->status, 200) << (*same)->body;
  EXPECT_EQ((*two)->status, 409) << (*two)->body;
  EXPECT_NE((*two)->body.find("core_mismatch"), std::string::npos) << (*two)->body;
  EXPECT_EQ(rig.records(Kind::call).size(), 1U);
  EXPECT_EQ(rig.records(Kind::draw).size(), 1U);
}

TEST(Calls, are_taken_from_the_tables_key_alone) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto body = rig.draw_body(batch, 0);
  const auto size = rig.log().size();
  const auto refused = [&](const std::string& what) {
    const auto got = rig.post("/v1/draws", what);
    EXPECT_EQ(got.code(), "call_signature") << got.body;
    EXPECT_EQ(got.status, 422);
  };
  auto core = core_in(body);
  const auto signature = json::parse(body)->find("signature")->string();
  const auto with = [&](const json::Object& said, const std::string& by) {
    return json::canonical(json::Value(json::Object{{"core", said}, {"signature", by}}));
  };
  auto changed = core;
  changed["value"] = rig.nonce();
  refused(with(changed, signature));
  refused(with(core, to_base64(Bytes(64, 0))));
  refused(with(core, to_base64(Bytes(63, 1))));
  refused(with(core, sign_core(table_client("talla:table-2"), json::canonical(json::Value(core)))));
  // The same client with a renewed key.
  const auto own = rig.client;
  const auto renewed = table_client("talla:table-2");
  rig.client = renewed;
  rig.client.id = own.id;
  refused(with(core, sign_core(renewed, json::canonical(json::Value(core)))));
  rig.client = own;
  EXPECT_EQ(rig.log().size(), size);
  EXPECT_EQ(rig.post("/v1/draws", body).status, 200);
}

/// One who would contribute beside the table.
json::Value seat_in_core() {
  return json::Array{
      json::Object{{"commit", std::string(64, 'c')}, {"id", "seat-1"}, {"key", "AAAA"}, {"t", 1}}};
}

/// A core of the next turn shows the table's number: it is never refused without a record.
TEST(Calls, PROTOCOL_5b_with_one_member_changed_and_signed_anew_lapse_or_are_of_no_next_turn) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto batch = rig.open_batch(table);
  const auto other = rig.open_batch(rig.open_table(wheel_table));
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const std::string one_bet = R"({"bets":[{"id":"b","seat":1,"kind":"rojo","stake":100}]})";
  const auto early = core_in(rig.draw_body(batch, 0, round));
  ASSERT_EQ(rig.post("/v1/rounds/" + round + "/close-bets", one_bet).status, 200);
  const auto digest = [&] { return json::Value(rig.nonce()); };
  struct Change {
    std::string member;
    json::Value to;
    std::string code;
    int opens = -1;  // of the next secret where it lapses; -1: it does not
  };
  const std::vector<Change> changes{
      {"v", 1, "malformed_request"},
      {"type", "talla-cal", "malformed_request"},
      {"origin", "talla.test/other", "core_mismatch"},
      {"table", other.table, "core_mismatch", 0},  // it is of that table's next turn
      {"table", "table-999999", "not_found"},
      {"turn", 60, "turn_gap"},
      {"turn", 0, "malformed_request"},
      {"head", digest(), "head_wrong", 1},
      {"head", early.at("head"), "head_wrong", 1},
      {"use", "mix", "malformed_request"},
      {"object", other.id, "not_found", 0},
      {"object", "batch-999999", "not_found", 0},
      {"object", "shoe-4", "malformed_request"},
      {"root", digest(), "wrong_root", 0},
      {"at", 15, "wrong_index", 0},
      {"round", "0", "malformed_request", 1},
      {"round", "round-999999", "not_found", 1},
      {"bets", early.at("bets"), "core_mismatch", 1},
      {"bets", digest(), "core_mismatch", 1},
      {"specification", *json::parse(R"({"kind":"wheel","pockets":36})"), "core_mismatch", 1},
      {"specification", *json::parse(R"({"candidates":1,"places":37})"), "malformed_request"},
      {"game", "craps", "core_mismatch", 1},
      {"variant", "x", "core_mismatch", 1},
      {"catalogue", digest(), "core_mismatch", 1},
      {"parameters", digest(), "core_mismatch", 1},
      {"others", *json::parse("[{}]"), "malformed_request"},
      {"others", seat_in_core(), "contributor_unknown", 1},
      {"more", 1, "malformed_request"}};
  int next = 0;
  int lapsed = 0;
  for (const auto& change : changes) {
    auto core = core_in(rig.draw_body(batch, next, round));
    core[change.member] = change.to;
    const auto size = rig.log().size();
    const auto signed_core = rig.signed_core(std::move(core));
    const auto got = rig.post("/v1/draws", signed_core);
    SCOPED_TRACE(change.member + " " + json::canonical(change.to) + ": " + got.body);
    EXPECT_EQ(got.code(), change.code);
    EXPECT_EQ(got.lapsed(), change.opens >= 0);
    EXPECT_EQ(rig.log().size(), size + (got.lapsed() ? 1 : 0));
    if (!got.lapsed()) continue;
    const bool elsewhere = change.member == "table";
    if (!elsewhere) ++lapsed;
    EXPECT_EQ(got.status, 200);
    const auto record = got.record(Kind::void_call);
    EXPECT_EQ(record.body.find("secret") != nullptr, change.opens == 1);
    EXPECT_EQ(record.body.find("outcome")->is_object(),
              change.opens == 1 && change.member != "others")
        << "of others not every number is known";
    EXPECT_EQ(record.object, change.opens == 1 ? batch.id : elsewhere ? other.table : table);
    next += change.opens;
    EXPECT_EQ(rig.post("/v1/draws", signed_core).at({"lapsed", "seq"}), got.at({"lapsed", "seq"}))
        << "the same core gets the reply that stands";
    rig.verify(record.seq);
  }
  EXPECT_EQ(rig.get("/v1/tables/" + table).number({"table", "turn"}), lapsed + 1);
  const auto body = rig.draw_body(batch, next, round);
  const auto size = rig.log().size();
  for (const auto& [member, value] : core_in(body)) {
    auto core = core_in(body);
    core.erase(member);
    EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(std::move(core))).code(), "malformed_request")
        << "without " << member;
  }
  EXPECT_EQ(rig.log().size(), size);
  const auto got = rig.post("/v1/draws", body);
  ASSERT_EQ(got.status, 200) << got.body;
  const auto call = got.record(Kind::call);
  ASSERT_EQ(call.cites.size(), 1U);
  EXPECT_EQ(rig.ledger().record(call.cites.front())->kind, Kind::void_call);
  const auto settled = got.record(Kind::settlement);
  for (const auto& record : rig.records(Kind::void_call))
    EXPECT_FALSE(std::ranges::binary_search(settled.cites, record.seq))
        << "what lapsed is no event of the round";
  rig.verify(settled.seq);
}

TEST(Calls, PROTOCOL_5b_a_core_whose_batch_has_expired_lapses_also_behind_a_crash_at_each_step) {
  for (int step = 0; step < 3; ++step) {
    SCOPED_TRACE("crash after step " + std::to_string(step));
    Rig rig;
    const auto batch = rig.open_batch(rig.open_table(wheel_table), 2);
    const auto body = rig.draw_body(batch, 0);
    rig.clock.advance_ns(601'000'000'000);
    static_cast<void>(rig.send(rig.request("POST", "/v1/draws", body, "one")));
    for (int turn = 0; turn < step; ++turn) static_cast<void>(rig.service().run_once());
    rig.restart();
    auto other = core_in(body);
    other["value"] = rig.nonce();
    if (!rig.records(Kind::void_call).empty()) {
      EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(other)).code(), "core_mismatch");
    }
    const auto got = rig.post("/v1/draws", body, "two");
    ASSERT_EQ(got.status, 200) << got.body;
    EXPECT_EQ(got.code(), "head_wrong") << "its BATCH_CLOSE stands behind that head";
    EXPECT_EQ(rig.records(Kind::void_call).size(), 1U);
    EXPECT_TRUE(rig.records(Kind::call).empty());
    EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(other)).code(), "core_mismatch")
        << "no other core of the turn is ever answered";
    const auto drawn = rig.post("/v1/draws", rig.draw_body(rig.open_batch(batch.table), 0));
    ASSERT_EQ(drawn.status, 200) << drawn.body;
    EXPECT_EQ(drawn.record(Kind::call).body.find("core")->find("turn")->integer(), 2);
    rig.verify(drawn.record(Kind::draw).seq);
    const auto closed = rig.post("/v1/tables/" + batch.table + "/close");
    EXPECT_EQ(closed.record(Kind::table_close).body.find("voids")->integer(), 1);
    EXPECT_EQ(closed.record(Kind::table_close).body.find("turns")->integer(), 2);
  }
}

TEST(Calls, PROTOCOL_5b_a_lapsed_core_spends_the_secret_that_it_names_for_ever) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table), 2);
  auto core = core_in(rig.draw_body(batch, 0));
  core["game"] = "whist";
  const auto lapsed = rig.post("/v1/draws", rig.signed_core(core));
  ASSERT_TRUE(lapsed.lapsed()) << lapsed.body;
  EXPECT_EQ(rig.service().metrics().counters.at("talla_voids_total{table=\"" + batch.table + "\"}"),
            1.0);
  rig.restart();
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).code(), "wrong_index");
  const auto drawn = rig.post("/v1/draws", rig.draw_body(batch, 1));
  ASSERT_EQ(drawn.status, 200) << drawn.body;
  rig.service().run_until_idle();
  const auto chain = *rig.ledger().chain(batch.id);
  const auto close = certs::parse_record(chain.back().bytes);
  ASSERT_EQ(close->kind, Kind::batch_close) << "used up";
  EXPECT_TRUE(close->body.find("secrets")->array().empty());
  rig.verify(close->seq);
}

/// A secret that does not unseal is a fault, not an answer: the client asks again.
TEST(Calls, a_core_of_a_batch_whose_seal_is_lost_neither_stands_nor_lapses) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table), 2);
  const auto body = rig.draw_body(batch, 0);
  rig.crash();
  rig.lose_seals();
  rig.open();
  const auto got = rig.post("/v1/draws", body);
  EXPECT_EQ(got.code(), "secret_unusable") << got.body;
  EXPECT_FALSE(got.lapsed());
  EXPECT_TRUE(rig.records(Kind::void_call).empty());
}

TEST(Calls, PROTOCOL_5b_rest_on_a_head_behind_which_only_other_objects_begin_and_end) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto one = rig.open_batch(table, 2);
  const auto body = rig.draw_body(one, 0);
  const auto before = core_in(body).at("head");
  const auto two = rig.open_batch(table, 2);
  auto early = core_in(rig.draw_body(two, 0));
  early["head"] = before;
  rig.restart();
  const auto drawn = rig.post("/v1/draws", body);
  ASSERT_EQ(drawn.status, 200) << drawn.body;
  EXPECT_EQ(drawn.record(Kind::call).cites,
            std::vector<std::uint64_t>{*certs::object_seq("batch", one.id)});
  early["turn"] = 2;
  EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(early)).code(), "head_wrong")
      << "of before its own commitment";
  auto late = core_in(rig.draw_body(two, 1));
  late["head"] = before;
  EXPECT_EQ(rig.post("/v1/draws", rig.signed_core(late)).code(), "head_wrong")
      << "a DRAW stands between";
  rig.verify(drawn.record(Kind::draw).seq);
}

TEST(Calls, of_a_mix_stand_with_it_in_one_group_and_once) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto made = rig.post("/v1/tables/" + table + "/shoes");
  const auto shoe = made.text({"shoe", "id"});
  const auto path = "/v1/shoes/" + shoe + "/mix";
  int lapsed = 0;
  const auto refused = [&](const char* member, json::Value to) {
    auto core = rig.mix_core(shoe);
    core[member] = std::move(to);
    const auto got = rig.post(path, rig.signed_core(std::move(core)));
    if (got.lapsed()) {
      ++lapsed;
      const auto record = got.record(Kind::void_call);
      EXPECT_EQ(record.object, table) << "nothing is opened: the shoe stays";
      rig.verify(record.seq);
    }
    return got.code();
  };
  EXPECT_EQ(refused("at", 1), "core_mismatch");
  EXPECT_EQ(refused("round", "round-7"), "core_mismatch");
  EXPECT_EQ(refused("bets", rig.nonce()), "core_mismatch");
  EXPECT_EQ(refused("object", "shoe-999999"), "core_mismatch");
  EXPECT_EQ(refused("root", rig.nonce()), "wrong_root");
  EXPECT_EQ(refused("specification", *json::parse(R"({"candidates":1,"places":415})")),
            "core_mismatch");
  EXPECT_EQ(refused("others", seat_in_core()), "contributor_unknown");
  EXPECT_EQ(lapsed, 6) << "all but that of another shoe than the path's";
  const auto body = rig.mix_body(shoe);
  EXPECT_EQ(rig.post("/v1/draws", body).code(), "core_mismatch") << "a mix is no draw";
  const auto mixed = rig.post(path, body, "one");
  ASSERT_EQ(mixed.status, 200) << mixed.body;
  const auto call = mixed.record(Kind::call);
  const auto mix = mixed.record(Kind::shoe_mix);
  EXPECT_EQ(mix.seq, call.seq + 1);
  EXPECT_EQ(mix.cites, std::vector<std::uint64_t>{call.seq});
  EXPECT_EQ(mixed.body.find("\"nonce\""), std::string::npos);
  const auto again = rig.post(path, body, "two");
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.record(Kind::shoe_mix).seq, mix.seq);
  EXPECT_EQ(rig.post(path, rig.mix_body(shoe)).code(), "wrong_state") << "mixed already";
  rig.restart();
  EXPECT_EQ(rig.post(path, body, "three").record(Kind::shoe_mix).seq, mix.seq);
  EXPECT_EQ(rig.get("/v1/tables/" + table).number({"table", "turn"}), lapsed + 3)
      << "one mix, one core that came too late";
}

TEST(Calls, PROTOCOL_5_3_nothing_of_a_table_ends_while_a_call_is_open) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table, 2);
  const auto spin = rig.send(rig.request("POST", "/v1/draws", rig.draw_body(batch, 0)));
  ASSERT_TRUE(rig.service().run_once());  // CALL is durable, DRAW not yet
  const auto close = rig.send(rig.request("POST", "/v1/tables/" + table + "/close", "{}"));
  rig.clock.advance_ns(601'000'000'000);  // and the batch expires
  rig.service().run_until_idle();
  ASSERT_TRUE(spin->has_value() && close->has_value());
  EXPECT_EQ((*spin)->status, 200) << (*spin)->body;
  EXPECT_EQ((*close)->status, 200) << (*close)->body;
  std::vector<Kind> kinds;
  const auto chain = *rig.ledger().chain(batch.id);
  for (const auto& stored : chain) kinds.push_back(stored.kind);
  EXPECT_EQ(kinds,
            (std::vector<Kind>{Kind::batch_commit, Kind::call, Kind::draw, Kind::batch_close}));
}

TEST(Calls, PROTOCOL_5b_turns_count_from_one_at_each_opening_and_on_at_the_place) {
  Rig rig;
  const std::string here =
      R"({"settled_by":"client","range":{"kind":"wheel","pockets":37},"place":"Mesa 7"})";
  for (int opening = 0; opening < 2; ++opening) {
    const auto batch = rig.open_batch(rig.open_table(here), 3);
    for (int i = 0; i < 2; ++i) {
      const auto body = rig.draw_body(batch, i);
      EXPECT_EQ(core_in(body).at("turn"), json::Value(i + 1));
      ASSERT_EQ(rig.post("/v1/draws", body).status, 200);
    }
    const auto closed = rig.post("/v1/tables/" + batch.table + "/close");
    EXPECT_EQ(closed.record(Kind::table_close).body.find("turns")->integer(), 2 * (opening + 1));
  }
}

}  // namespace
}  // namespace talla::core::test

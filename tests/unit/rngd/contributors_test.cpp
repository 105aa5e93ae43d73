// Goal: seats and partners put numbers of their own into a table's draws and mixes: a call that
//   names them waits for all of them, the last one gives the result, who opens nothing in time is
//   left out by a VOID that names him; nothing that was acknowledged is lost by a crash, and
//   nothing is answered twice (PROTOCOL sections 4, 5, 5b).
// Method: a whole simulated appliance and honest contributors; crashes at every step; every bundle
//   verified offline.
#include "contributors.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "certs/files.hpp"
#include "must.hpp"
#include "seat_pair.hpp"
#include "verify/verify.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;
using certs::VoidBody;

/// A table of a wheel with so many invited players, their commitments there.
struct WheelTable {
  explicit WheelTable(Rig& on, int seats = 2, const std::string& body = wheel_table)
      : rig(on), table(on.open_table(body)), batch(on.open_batch(table)) {
    for (int seat = 1; seat <= seats; ++seat) {
      players.emplace_back(rig, table, seat);
      const auto done = players.back().commit();
      EXPECT_EQ(done.status, 200) << done.body;
    }
  }
  [[nodiscard]] std::string body(int index) {
    return with_others(rig, rig.draw_body(batch, index), others_of(rig, table));
  }
  /// The seq of the CALL, which waits.
  std::uint64_t call(int index = 0) {
    const auto got = rig.post("/v1/draws", body(index));
    EXPECT_EQ(got.status, 200) << got.body;
    return static_cast<std::uint64_t>(got.number({"call", "seq"}));
  }
  [[nodiscard]] std::string view_of(std::uint64_t call) {
    return rig.get("/v1/calls/" + std::to_string(call)).body;
  }

  Rig& rig;
  std::string table;
  Rig::OpenBatch batch;
  std::vector<Player> players;
};

Result<certs::Verdict> judge_mine(Rig& rig, std::uint64_t seq, const Bytes& key) {
  const auto bundle = rig.get("/v1/bundles/" + std::to_string(seq));
  const auto root = must(certs::read_file(Rig::keys() + "/ca.pem"));
  certs::VerifyOptions options;
  options.mine = rig.hashes().sha256({key});
  return certs::verify_bundle(bundle.body, root, options);
}

VoidBody void_at(Rig& rig, std::uint64_t seq) {
  return must(
      VoidBody::from_json(must(certs::parse_record(must(rig.ledger().record(seq)).bytes)).body));
}

TEST(Contributors, PROTOCOL_5b_a_draw_waits_for_all_and_follows_from_the_number_of_each) {
  Rig rig;
  WheelTable scene(rig);
  const auto view = scene.players[0].get("/v1/tables/" + scene.table);
  ASSERT_EQ(view.at({"table", "contributors"}).array().size(), 2U) << view.body;
  const auto body = scene.body(0);
  const auto made = rig.post("/v1/draws", body, "one");
  ASSERT_EQ(made.status, 200) << made.body;
  const auto call = static_cast<std::uint64_t>(made.number({"call", "seq"}));
  EXPECT_EQ(made.record(Kind::call).seq, call);
  EXPECT_EQ(made.number({"call", "until"}), made.record(Kind::call).time_us + 20'000'000);
  EXPECT_EQ(rig.get("/v1/tables/" + scene.table).number({"table", "open_call"}),
            static_cast<std::int64_t>(call));
  EXPECT_EQ(rig.post("/v1/draws", body, "two").at({"call"}), made.at({"call"}))
      << "the same core gets the reply that stands";
  rig.service().run_until_idle();
  EXPECT_TRUE(rig.records(Kind::draw).empty());

  const auto first = scene.players[0].open(call);
  ASSERT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(first.body, R"({"call":)" + std::to_string(call) + R"(,"id":"seat-1","opened":true})");
  const auto waits = rig.get("/v1/calls/" + std::to_string(call));
  EXPECT_EQ(json::canonical(waits.at({"missing"})), R"(["seat-2"])");
  EXPECT_EQ(waits.json.find("ended"), nullptr);
  EXPECT_TRUE(rig.records(Kind::draw).empty());
  const auto last = scene.players[1].open(call);
  ASSERT_EQ(last.status, 200) << last.body;
  const auto draws = rig.records(Kind::draw);
  ASSERT_EQ(draws.size(), 1U);
  EXPECT_EQ(draws[0].key, "one") << "it answers the request of its CALL";
  const auto seen = scene.players[0].get("/v1/calls/" + std::to_string(call));
  EXPECT_EQ(seen.text({"ended", "kind"}), "draw");
  EXPECT_EQ(seen.number({"ended", "seq"}), static_cast<std::int64_t>(draws[0].seq));
  EXPECT_EQ(json::canonical(seen.at({"ended", "receipt"})),
            rig.get("/v1/receipts/" + std::to_string(draws[0].seq)).body);
  EXPECT_EQ(scene.players[1].open(call).body, last.body) << "the same opening again";
  EXPECT_EQ(scene.players[0].open(call).body, first.body) << "also where it was not the last";
  EXPECT_EQ(rig.records(Kind::draw).size(), 1U);
  for (const auto& player : scene.players) {
    const auto verdict = judge_mine(rig, draws[0].seq, player.key());
    EXPECT_TRUE(verdict.has_value()) << verdict.error().text();
  }
  EXPECT_FALSE(judge_mine(rig, draws[0].seq, certs::testing::seat_pair().spki));
  EXPECT_EQ(rig.get("/v1/tables/" + scene.table).json.find("table")->find("open_call"), nullptr);
  // The next turn counts on.
  const auto again = scene.call(1);
  EXPECT_EQ(core_at(rig, again).others[0].t, 2U);
  for (auto& player : scene.players) EXPECT_EQ(player.open(again).status, 200);
  rig.verify(rig.records(Kind::draw).back().seq);
}

TEST(Contributors, PROTOCOL_4_2_a_mix_waits_for_all_and_its_cards_verify_with_each_number) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  Player one(rig, table, 1);
  Player two(rig, table, 2);
  ASSERT_EQ(one.commit().status, 200);
  ASSERT_EQ(two.commit().status, 200);
  const auto shoe = rig.post("/v1/tables/" + table + "/shoes").text({"shoe", "id"});
  const auto path = "/v1/shoes/" + shoe + "/mix";
  const auto body = with_others(rig, rig.mix_body(shoe), others_of(rig, table));
  const auto made = rig.post(path, body);
  ASSERT_EQ(made.status, 200) << made.body;
  const auto call = static_cast<std::uint64_t>(made.number({"call", "seq"}));
  EXPECT_EQ(rig.get("/v1/shoes/" + shoe).text({"shoe", "state"}), "committed");
  const auto early = rig.post("/v1/shoes/" + shoe + "/deal",
                              R"({"expected":0,"until":1,"place":"p","face":"open"})");
  EXPECT_EQ(early.code(), "shoe_not_mixed") << early.body;
  EXPECT_EQ(rig.post("/v1/shoes/" + shoe + "/close").code(), "turn_open");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/close").code(), "turn_open");
  rig.restart();
  EXPECT_EQ(one.open(call).status, 200);
  rig.restart();
  EXPECT_EQ(two.open(call).status, 200);
  const auto mixes = rig.records(Kind::shoe_mix);
  ASSERT_EQ(mixes.size(), 1U);
  EXPECT_EQ(rig.get("/v1/calls/" + std::to_string(call)).text({"ended", "kind"}), "shoe_mix");
  const auto dealt = rig.post("/v1/shoes/" + shoe + "/deal",
                              R"({"expected":0,"until":1,"place":"p","face":"open"})");
  ASSERT_EQ(dealt.status, 200) << dealt.body;
  rig.verify(dealt.record(Kind::card_deal).seq);
  EXPECT_TRUE(judge_mine(rig, dealt.record(Kind::card_deal).seq, one.key()));
  EXPECT_EQ(rig.post(path, body).at({"call"}), made.at({"call"}));
  const auto closed = rig.post("/v1/shoes/" + shoe + "/close");
  rig.verify(closed.record(Kind::shoe_close).seq);
}

/// Steps: sent; CALL written; one opening sent, written; the other.
TEST(Contributors, PROTOCOL_5_3_a_crash_at_each_step_keeps_what_was_acknowledged_and_draws_once) {
  for (int step = 0; step < 7; ++step) {
    SCOPED_TRACE("crash at step " + std::to_string(step));
    Rig rig;
    WheelTable scene(rig);
    const auto body = scene.body(0);
    static_cast<void>(rig.send(rig.request("POST", "/v1/draws", body, "one")));
    if (step > 0) static_cast<void>(rig.service().run_once());
    if (step > 1) rig.service().run_until_idle();
    std::shared_ptr<std::optional<Reply>> opened;
    if (step > 1) {
      const auto call = rig.records(Kind::call).back().seq;
      opened = rig.send(scene.players[0].open_request(call));
      if (step > 2) static_cast<void>(rig.service().run_once());
      if (step > 3) rig.service().run_until_idle();
      if (step > 4) opened = rig.send(scene.players[1].open_request(call));
      if (step > 5) static_cast<void>(rig.service().run_once());
    }
    const bool acknowledged = opened && opened->has_value();
    rig.restart();
    const auto calls = rig.records(Kind::call);
    if (calls.empty()) {
      EXPECT_EQ(step, 0);
      EXPECT_EQ(rig.post("/v1/draws", body, "one").status, 200);
    }
    const auto call = rig.records(Kind::call).back().seq;
    auto view = rig.get("/v1/calls/" + std::to_string(call));
    if (acknowledged && step < 5) {
      EXPECT_EQ(json::canonical(view.at({"missing"})), R"(["seat-2"])") << view.body;
    }
    for (auto& player : scene.players) EXPECT_EQ(player.open(call).status, 200);
    EXPECT_EQ(rig.records(Kind::draw).size(), 1U);
    EXPECT_EQ(rig.records(Kind::call).size(), 1U);
    rig.verify(rig.records(Kind::draw).back().seq);
    EXPECT_EQ(rig.post("/v1/draws", body, "other").number({"call", "seq"}),
              static_cast<std::int64_t>(call));
  }
}

TEST(Contributors, PROTOCOL_5b_a_draw_with_eight_costs_as_many_records_and_groups_as_with_none) {
  const auto cost = [](int seats) {
    Rig rig;
    WheelTable scene(rig, seats);
    const auto body = scene.body(0);
    const auto count = [&](const char* name) { return rig.service().metrics().counters.at(name); };
    const auto groups = count("talla_groups_total");
    const auto records = count("talla_records_total");
    static_cast<void>(rig.send(rig.request("POST", "/v1/draws", body)));
    rig.service().run_until_idle();
    const auto call = rig.records(Kind::call).back().seq;
    for (auto& player : scene.players) static_cast<void>(rig.send(player.open_request(call)));
    rig.service().run_until_idle();
    EXPECT_EQ(rig.records(Kind::draw).size(), 1U);
    return std::pair(count("talla_groups_total") - groups, count("talla_records_total") - records);
  };
  EXPECT_EQ(cost(0), std::pair(2.0, 2.0));
  EXPECT_EQ(cost(8), std::pair(2.0, 2.0)) << "openings that come together share the DRAW's group";
}

TEST(Contributors, the_most_that_a_core_may_name_give_a_draw_that_verifies) {
  Rig rig;
  WheelTable scene(rig, 64);
  const auto call = scene.call();
  for (auto& player : scene.players) EXPECT_EQ(player.open(call).status, 200);
  rig.verify(rig.records(Kind::draw).back().seq);
  Player more(rig, rig.open_table(wheel_table), 1);
  const auto refused = rig.post("/v1/tables/" + scene.table + "/invitations",
                                R"({"seat":65,"token":")" + rig.nonce() + R"("})");
  EXPECT_EQ(refused.code(), "limit_exceeded") << refused.body;
}

TEST(Contributors, PROTOCOL_5b_who_opens_nothing_in_time_is_named_by_a_VOID_and_play_goes_on) {
  Rig rig;
  WheelTable scene(rig);
  const auto call = scene.call();
  ASSERT_EQ(scene.players[0].open(call).status, 200);
  rig.clock.advance_ns(19'000'000'000);
  rig.service().run_until_idle();
  EXPECT_TRUE(rig.records(Kind::void_call).empty());
  rig.restart();
  rig.service().run_until_idle();
  EXPECT_TRUE(rig.records(Kind::void_call).empty()) << "a restart gives nobody less time";
  rig.clock.advance_ns(2'000'000'000);
  rig.service().run_until_idle();
  const auto voids = rig.records(Kind::void_call);
  ASSERT_EQ(voids.size(), 1U);
  const auto body = void_at(rig, voids[0].seq);
  EXPECT_EQ(body.cause, certs::VoidCause::withheld);
  EXPECT_EQ(body.missing, std::vector<std::string>{"seat-2"});
  EXPECT_TRUE(body.secret.has_value());
  EXPECT_FALSE(body.outcome.has_value());
  rig.verify(voids[0].seq);
  const auto seen = scene.players[0].get("/v1/calls/" + std::to_string(call));
  EXPECT_EQ(seen.text({"ended", "kind"}), "void");
  EXPECT_EQ(json::canonical(seen.at({"missing"})), R"(["seat-2"])");
  EXPECT_EQ(scene.players[1].open(call).code(), "wrong_state") << "too late";

  // The next turn goes on without it, also behind a restart.
  rig.restart();
  const auto others = others_of(rig, scene.table);
  ASSERT_EQ(others.size(), 1U);
  EXPECT_EQ(others[0].find("id")->string(), "seat-1");
  const auto got = rig.post("/v1/draws", with_others(rig, rig.draw_body(scene.batch, 1), others));
  const auto next = static_cast<std::uint64_t>(got.number({"call", "seq"}));
  ASSERT_EQ(scene.players[0].open(next).status, 200);
  const auto drawn = rig.records(Kind::draw).back().seq;
  EXPECT_TRUE(judge_mine(rig, drawn, scene.players[0].key()));
  EXPECT_FALSE(judge_mine(rig, drawn, scene.players[1].key()));
  const auto verdict = rig.judge(drawn);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_TRUE(std::ranges::any_of(verdict->not_checked, [](const std::string& line) {
    return line.find("without the numbers of these") != std::string::npos &&
           line.find("seat-2") != std::string::npos;
  })) << "dropped";
  EXPECT_EQ(rig.get("/v1/tables/" + scene.table).number({"table", "turn"}), 3);
  // It comes back by handing in anew, behind what is counted for its key.
  EXPECT_EQ(scene.players[1].commit(1).code(), "t_gap");
  ASSERT_EQ(scene.players[1].commit(2).status, 200);
  EXPECT_EQ(others_of(rig, scene.table).size(), 2U);
}

TEST(Contributors, PROTOCOL_5b_a_withheld_mix_leaves_the_shoe_to_another_call) {
  Rig rig;
  const auto table =
      rig.open_table(R"({"settled_by":"client","deck":"french52x1","open_within":5})");
  Player one(rig, table, 1);
  ASSERT_EQ(one.commit().status, 200);
  const auto shoe = rig.post("/v1/tables/" + table + "/shoes").text({"shoe", "id"});
  const auto path = "/v1/shoes/" + shoe + "/mix";
  ASSERT_EQ(rig.post(path, with_others(rig, rig.mix_body(shoe), others_of(rig, table))).status,
            200);
  rig.clock.advance_ns(5'100'000'000);
  rig.service().run_until_idle();
  const auto voids = rig.records(Kind::void_call);
  ASSERT_EQ(voids.size(), 1U);
  EXPECT_EQ(voids[0].object, shoe);
  rig.verify(voids[0].seq);
  rig.restart();
  EXPECT_EQ(rig.get("/v1/shoes/" + shoe).text({"shoe", "state"}), "committed");
  ASSERT_EQ(rig.post(path, rig.mix_body(shoe)).status, 200);
  const auto dealt = rig.post("/v1/shoes/" + shoe + "/deal",
                              R"({"expected":0,"until":1,"place":"p","face":"open"})");
  rig.verify(dealt.record(Kind::card_deal).seq);
  EXPECT_FALSE(judge_mine(rig, dealt.record(Kind::card_deal).seq, one.key()));
}

TEST(Contributors, a_round_waits_for_its_draw_and_is_drawn_again_behind_a_withheld_number) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto batch = rig.open_batch(table, 4);
  Player one(rig, table, 1);
  ASSERT_EQ(one.commit().status, 200);
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const std::string bets = R"({"bets":[{"id":"b","seat":1,"kind":"rojo","stake":100}]})";
  ASSERT_EQ(rig.post("/v1/rounds/" + round + "/close-bets", bets).status, 200);
  const auto draw = [&](int index) {
    const auto got = rig.post(
        "/v1/draws", with_others(rig, rig.draw_body(batch, index, round), others_of(rig, table)));
    EXPECT_EQ(got.status, 200) << got.body;
    return static_cast<std::uint64_t>(got.number({"call", "seq"}));
  };
  static_cast<void>(draw(0));
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/close").code(), "round_open");
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1, round)).code(), "turn_open");
  rig.clock.advance_ns(700'000'000'000);  // the batch is long due
  rig.service().run_until_idle();
  EXPECT_EQ(rig.records(Kind::void_call).size(), 1U);
  rig.verify(rig.records(Kind::void_call).back().seq);
  const auto fresh = rig.open_batch(table, 4);
  ASSERT_EQ(one.commit(2).status, 200);
  const auto got = rig.post(
      "/v1/draws", with_others(rig, rig.draw_body(fresh, 0, round), others_of(rig, table)));
  const auto call = static_cast<std::uint64_t>(got.number({"call", "seq"}));
  rig.restart();
  ASSERT_EQ(one.open(call).status, 200);
  const auto settled = rig.records(Kind::settlement);
  ASSERT_EQ(settled.size(), 1U);
  rig.verify(settled.back().seq);
  EXPECT_TRUE(judge_mine(rig, settled.back().seq, one.key()));
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/close").status, 200);
}

TEST(Contributors, a_game_that_throws_once_throws_again_behind_a_withheld_number) {
  Rig rig;
  const auto table = rig.open_table(R"({"catalogue":"es-aragon-2010","game":"pai-gow-poker",)"
                                    R"("table":{"currency":"EUR","min":10,"unit":1}})");
  const auto batch = rig.open_batch(table, 4);
  static_cast<void>(rig.deal_ready_shoe(table));
  Player one(rig, table, 1);
  ASSERT_EQ(one.commit().status, 200);
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const auto closed = rig.post("/v1/rounds/" + round + "/close-bets",
                               R"({"bets":[{"id":"b","seat":1,"kind":"apuesta","stake":100}]})");
  ASSERT_EQ(closed.status, 200) << closed.body;
  const auto before = rig.get("/v1/rounds/" + round).text({"round", "state_digest"});
  const auto draw = [&](int index) {
    return rig.post("/v1/draws",
                    with_others(rig, rig.draw_body(batch, index, round), others_of(rig, table)));
  };
  const auto called = draw(0);
  ASSERT_EQ(called.status, 200) << called.body;
  ASSERT_FALSE(called.lapsed()) << called.body;
  rig.clock.advance_ns(21'000'000'000);
  rig.service().run_until_idle();
  ASSERT_EQ(rig.records(Kind::void_call).size(), 1U);
  rig.verify(rig.records(Kind::void_call).back().seq);
  EXPECT_EQ(rig.get("/v1/rounds/" + round).text({"round", "state_digest"}), before);
  rig.restart();
  const auto again = draw(1);
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_EQ(again.at({"draw", "outcome"}).find("dice")->array().size(), 3U) << again.body;
  rig.verify(rig.records(Kind::draw).back().seq);
}

/// What waits when an alarm suspends its table is held, and judged by two persons.
TEST(Contributors, PROTOCOL_5_two_persons_void_a_call_that_waits) {
  for (const bool mix : {false, true}) {
    SCOPED_TRACE(mix ? "mix" : "draw");
    Rig rig;
    const auto table = rig.open_table(mix ? shoe_table : wheel_table);
    Player one(rig, table, 1);
    ASSERT_EQ(one.commit().status, 200);
    std::string object;
    std::string path = "/v1/draws";
    std::string body;
    if (mix) {
      object = rig.post("/v1/tables/" + table + "/shoes").text({"shoe", "id"});
      path = "/v1/shoes/" + object + "/mix";
      body = rig.mix_body(object);
    } else {
      const auto batch = rig.open_batch(table);
      object = batch.id;
      body = rig.draw_body(batch, 0);
    }
    const auto made = rig.post(path, with_others(rig, body, others_of(rig, table)));
    const auto call = made.number({"call", "seq"});
    rig.alarm();
    rig.service().run_until_idle();
    ASSERT_EQ(rig.get("/v1/tables/" + table).text({"table", "state"}), "suspended");
    EXPECT_EQ(one.open(static_cast<std::uint64_t>(call)).status, 200) << "it is kept";
    rig.clock.advance_ns(60'000'000'000);
    rig.service().run_until_idle();
    rig.restart();
    rig.service().run_until_idle();
    EXPECT_TRUE(rig.records(Kind::void_call).empty());
    EXPECT_TRUE(rig.records(mix ? Kind::shoe_mix : Kind::draw).empty()) << "held";
    json::Object more;
    if (!mix) more["call"] = call;
    const auto act = rig.ask_order(rig.officer, mix ? "table-void" : "draw-void",
                                   mix ? table : object, table, std::move(more));
    ASSERT_EQ(act.status, 201) << act.body;
    const auto voided = rig.confirm_order(rig.inspector, act);
    ASSERT_EQ(voided.status, 200) << voided.body;
    const auto record = voided.record(Kind::void_call);
    const auto said = void_at(rig, record.seq);
    EXPECT_EQ(said.cause, certs::VoidCause::order);
    ASSERT_EQ(said.openings.size(), 1U) << "what was opened stands in it";
    EXPECT_EQ(said.openings[0].value, one.value(1));
    EXPECT_EQ(said.outcome.has_value(), !mix) << "every number is known";
    rig.verify(record.seq);
    EXPECT_EQ(rig.get("/v1/calls/" + std::to_string(call)).text({"ended", "kind"}), "void");
  }
}

TEST(Contributors, PROTOCOL_5_two_persons_void_a_mix_that_waits_without_an_alarm) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  Player one(rig, table, 1);
  ASSERT_EQ(one.commit().status, 200);
  const auto shoe = rig.post("/v1/tables/" + table + "/shoes").text({"shoe", "id"});
  const auto made = rig.post("/v1/shoes/" + shoe + "/mix",
                             with_others(rig, rig.mix_body(shoe), others_of(rig, table)));
  const auto call = made.number({"call", "seq"});
  const auto ask = [&](std::int64_t seq) {
    return rig.ask_order(rig.officer, "draw-void", shoe, table, {{"call", seq}});
  };
  EXPECT_EQ(ask(call + 1).code(), "wrong_state");
  const auto act = ask(call);
  ASSERT_EQ(act.status, 201) << act.body;
  const auto voided = rig.confirm_order(rig.inspector, act);
  ASSERT_EQ(voided.status, 200) << voided.body;
  rig.verify(voided.record(Kind::void_call).seq);
  const auto view = rig.get("/v1/calls/" + std::to_string(call));
  EXPECT_EQ(view.text({"ended", "kind"}), "void");
  EXPECT_EQ(view.number({"ended", "seq"}),
            static_cast<std::int64_t>(voided.record(Kind::void_call).seq));
  const auto again = rig.post("/v1/shoes/" + shoe + "/mix",
                              with_others(rig, rig.mix_body(shoe), others_of(rig, table)));
  ASSERT_EQ(again.status, 200) << again.body;
  EXPECT_FALSE(again.lapsed()) << again.body;
}

TEST(Contributors, a_resume_point_keeps_how_far_each_key_has_counted) {
  Settings settings;
  settings.resume_interval = 4;
  Rig rig(settings);
  WheelTable scene(rig, 1);
  for (int index = 0; index < 4; ++index)
    ASSERT_EQ(scene.players[0].open(scene.call(index)).status, 200);
  rig.service().stop();
  rig.restart();
  const auto view = rig.get("/v1/tables/" + scene.table);
  EXPECT_EQ(view.at({"table", "contributors"}).array().at(0).find("t")->integer(), 5);
  const auto replayed = rig.service().metrics().counters;
  EXPECT_FALSE(replayed.contains("talla_resume_points_refused_total"));
  ASSERT_EQ(scene.players[0].open(scene.call(4)).status, 200);
  rig.verify(rig.records(Kind::draw).back().seq);
}

}  // namespace
}  // namespace talla::core::test

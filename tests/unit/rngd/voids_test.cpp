// Goal: what a health alarm overlaps waits for inspector and second person, who finish or void it;
// a voided draw shows the outcome it would have had, and the round goes on as its rules say
// (PROTOCOL sections 5 and 7).
// Method: a whole appliance on simulated time; alarms over commitments, orders, crashes; bundles
//         verified offline.
#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

/// A spin whose CALL is durable as an alarm overlaps its batch: the draw is held.
struct Held {
  std::string table, round, batch;
  std::uint64_t call = 0;
  Request request;
};
Held held_spin(Rig& rig, const std::string& body = roulette_table) {
  Held held;
  held.table = rig.open_table(body);
  const auto batch = rig.open_batch(held.table, 2);
  held.batch = batch.id;
  if (body == roulette_table) {
    held.round = rig.post("/v1/tables/" + held.table + "/rounds").text({"round", "id"});
    EXPECT_EQ(rig.post("/v1/rounds/" + held.round + "/close-bets",
                       R"({"bets":[{"id":"b","seat":1,"kind":"rojo","stake":100}]})")
                  .status,
              200);
  }
  held.request = rig.request("POST", "/v1/draws", rig.draw_body(batch, 0, held.round), "spin");
  const auto reply = rig.send(held.request);
  rig.service().run_once();  // the CALL
  rig.alarm();
  rig.service().run_until_idle();
  EXPECT_TRUE(reply->has_value());
  const std::string told = reply->has_value() ? (*reply)->body : std::string();
  EXPECT_NE(told.find("table_suspended"), std::string::npos) << told;
  held.call = rig.records(Kind::call).back().seq;
  EXPECT_TRUE(rig.records(Kind::draw).empty()) << "nothing is drawn before people have judged it";
  return held;
}

/// The table of a held spin is suspended: two persons judge it, or void its call.
Got order(Rig& rig, const Client& first, const Client& second, const std::string& act,
          const std::string& table) {
  if (act != "table-finish")
    return rig.confirm_order(second, rig.ask_order(first, act, table, table));
  const auto asked =
      rig.post_as(first, "/v1/acts", R"({"act":"table-finish","object":")" + table + R"("})");
  EXPECT_EQ(asked.status, 201) << asked.body;
  return rig.post_as(second, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm");
}

Got ask_void(Rig& rig, const Client& who, const Held& held, const std::string& batch,
             std::uint64_t call) {
  return rig.ask_order(who, "draw-void", batch, held.table, {{"call", call}});
}

TEST(Void, PROTOCOL_5_4_two_persons_void_an_open_CALL_and_everybody_sees_what_it_would_have_been) {
  Rig rig;
  const auto held = held_spin(rig);
  const auto voided =
      rig.confirm_order(rig.inspector, ask_void(rig, rig.officer, held, held.batch, held.call));
  ASSERT_EQ(voided.status, 200) << voided.body;
  const auto record = voided.record(Kind::void_call);
  EXPECT_EQ(record.body.find("cause")->string(), "order");
  EXPECT_TRUE(record.body.find("outcome")->is_object());
  const auto& by = record.body.find("by")->array();
  EXPECT_EQ(by.at(0).string() + " " + by.at(1).string(), "talla:officer-1 talla:inspector-1");
  EXPECT_TRUE(std::ranges::binary_search(record.cites, voided.record(Kind::access).seq));
  rig.verify(record.seq);
  const auto view = rig.get("/v1/calls/" + std::to_string(held.call));
  EXPECT_EQ(view.text({"ended", "kind"}), "void") << view.body;
  EXPECT_EQ(view.number({"ended", "seq"}), static_cast<std::int64_t>(record.seq));
  EXPECT_EQ(json::canonical(view.at({"ended", "receipt"})),
            rig.get("/v1/receipts/" + std::to_string(record.seq)).body);
  const auto told = rig.ask(held.request);
  EXPECT_EQ(told.number({"voided", "seq"}), static_cast<std::int64_t>(record.seq));
  EXPECT_EQ(rig.ask(held.request).body, told.body) << "the key gives the same bytes for ever";
  EXPECT_EQ(rig.service().metrics().counters.at("talla_voids_total{table=\"" + held.table + "\"}"),
            1.0);
  // The round is not settled by it: it is drawn again when the table goes on.
  EXPECT_EQ(rig.post("/v1/tables/" + held.table + "/batches").code(), "table_suspended");
  ASSERT_EQ(order(rig, rig.inspector, rig.operator_, "table-finish", held.table).status, 200);
  const auto again =
      rig.post("/v1/draws", rig.draw_body(rig.open_batch(held.table, 1), 0, held.round));
  ASSERT_EQ(again.status, 200) << again.body;
  const auto settled = again.record(Kind::settlement);
  EXPECT_TRUE(std::ranges::binary_search(settled.cites, record.seq))
      << "the settlement rests on the void draw too";
  rig.verify(settled.seq);
}

TEST(Void, an_order_names_an_open_CALL_and_comes_from_officer_and_inspector) {
  Rig rig;
  const auto held = held_spin(rig);
  EXPECT_EQ(ask_void(rig, rig.operator_, held, held.batch, held.call).code(), "forbidden");
  EXPECT_EQ(ask_void(rig, rig.officer, held, held.batch, held.call + 1).code(), "wrong_state");
  EXPECT_EQ(ask_void(rig, rig.officer, held, "batch-999999", held.call).code(), "not_found");
  EXPECT_EQ(rig.ask_order(rig.officer, "draw-void", held.batch, held.table).code(),
            "malformed_request");
  const auto finish = [&](const std::string& table) {
    return rig
        .post_as(rig.officer, "/v1/acts", R"({"act":"table-finish","object":")" + table + R"("})")
        .code();
  };
  EXPECT_EQ(finish("table-999999"), "not_found");
  const auto other = rig.open_table(wheel_table);
  EXPECT_EQ(finish(other), "wrong_state") << "it is not suspended";
  EXPECT_EQ(rig.ask_order(rig.officer, "table-void", other, other).code(), "wrong_state");
  // Two of the staff without the inspector do not judge a table.
  const auto asked = rig.post_as(rig.officer, "/v1/acts",
                                 R"({"act":"table-finish","object":")" + held.table + R"("})");
  const auto confirm = "/v1/acts/" + asked.text({"act", "id"}) + "/confirm";
  EXPECT_EQ(rig.post_as(rig.operator_, confirm).code(), "forbidden");
  EXPECT_TRUE(rig.records(Kind::void_call).empty());
}

TEST(Finish,
     PROTOCOL_7_a_table_that_is_finished_completes_the_held_draw_with_its_committed_secret) {
  Rig rig;
  const auto held = held_spin(rig);
  EXPECT_EQ(rig.ask(held.request).code(), "table_suspended")
      << "the key waits, it is not used again";
  ASSERT_EQ(order(rig, rig.operator_, rig.inspector, "table-finish", held.table).status, 200);
  const auto drawn = rig.ask(held.request);
  ASSERT_EQ(drawn.status, 200) << drawn.body;
  EXPECT_EQ(drawn.number({"draw", "call"}), static_cast<std::int64_t>(held.call));
  EXPECT_EQ(drawn.text({"round", "state"}), "ended");
  rig.verify(drawn.record(Kind::settlement).seq);
  EXPECT_EQ(ask_void(rig, rig.officer, held, held.batch, held.call).code(), "wrong_state")
      << "a known outcome is not void any more";
}

TEST(Finish, a_held_draw_is_held_after_a_crash_too_and_so_is_the_judgement) {
  Rig rig;
  const auto held = held_spin(rig);
  rig.restart();
  EXPECT_TRUE(rig.records(Kind::draw).empty());
  EXPECT_EQ(rig.ask(held.request).code(), "table_suspended");
  ASSERT_EQ(order(rig, rig.inspector, rig.officer, "table-finish", held.table).status, 200);
  EXPECT_EQ(rig.ask(held.request).status, 200);
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + held.table + "/batches").status, 201)
      << "the suspension stays ended";
}

TEST(TableVoid, open_draws_are_void_batches_opened_and_the_table_plays_on) {
  Rig rig;
  const auto held = held_spin(rig, wheel_table);
  const auto done = order(rig, rig.inspector, rig.officer, "table-void", held.table);
  ASSERT_EQ(done.status, 200) << done.body;
  rig.verify(done.record(Kind::void_call).seq);
  rig.verify(done.record(Kind::batch_close).seq);
  EXPECT_TRUE(rig.ask(held.request).at({"voided"}).is_object());
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(rig.open_batch(held.table), 0)).status, 200);
  rig.restart();
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(rig.open_batch(held.table), 0)).status, 200);
}

TEST(TableVoid, a_shoe_is_opened_and_void_and_a_client_settled_table_takes_a_new_one) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  static_cast<void>(rig.deal_ready_shoe(table));
  rig.alarm();
  rig.service().run_until_idle();
  const auto done = order(rig, rig.inspector, rig.operator_, "table-void", table);
  ASSERT_EQ(done.status, 200) << done.body;
  const auto closed = done.record(Kind::shoe_close);
  EXPECT_EQ(closed.body.find("reason")->string(), "voided");
  rig.verify(closed.seq);
  EXPECT_EQ(rig.deal_ready_shoe(table).number({"shoe", "number"}), 2);
}

TEST(TableVoid, a_round_that_cannot_go_on_ends_unsettled_with_its_table) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
  const auto burnt = rig.post("/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":"needs"})");
  ASSERT_EQ(burnt.status, 200) << burnt.body;
  const auto round = rig.post("/v1/tables/" + table + "/rounds");
  ASSERT_EQ(round.status, 201) << round.body;
  const auto id = round.text({"round", "id"});
  ASSERT_EQ(rig.post("/v1/rounds/" + id + "/close-bets",
                     R"({"bets":[{"id":"b","seat":1,"kind":"punto","stake":100}]})")
                .status,
            200);
  rig.alarm();
  rig.service().run_until_idle();
  const auto done = order(rig, rig.inspector, rig.officer, "table-void", table);
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.record(Kind::table_close).body.find("reason")->string(), "voided");
  EXPECT_EQ(done.record(Kind::round_end).object, id);
  EXPECT_TRUE(rig.records(Kind::settlement).empty()) << "nobody is paid by chance that was doubted";
  rig.verify(done.record(Kind::shoe_close).seq);
  EXPECT_EQ(rig.get("/v1/rounds/" + id).text({"round", "state"}), "ended");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds").code(), "table_closed");
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds").code(), "table_closed");
}

/// A shoe that the rules play from.
struct Shoe {
  explicit Shoe(Rig& rig) : table(rig.open_table(punto_table)) { next(rig); }
  void next(Rig& rig) { id = rig.deal_ready_shoe(table).text({"shoe", "id"}); }
  [[nodiscard]] Got close(Rig& rig) const { return rig.post("/v1/shoes/" + id + "/close"); }
  [[nodiscard]] Got ask(Rig& rig, const Client& who) const {
    return rig.ask_order(who, "shoe-close", id, table);
  }
  std::string table, id;
};

TEST(EarlyClose, PROTOCOL_4_5_two_persons_sign_that_a_shoe_ends_which_the_rules_would_play_on) {
  Rig rig;
  Shoe shoe(rig);
  const auto refused = shoe.close(rig);
  EXPECT_EQ(refused.status, 409);
  EXPECT_EQ(refused.code(), "early_close");
  EXPECT_EQ(refused.text({"ended_by", "act"}), "shoe-close");
  EXPECT_EQ(refused.text({"head"}), rig.get("/v1/tables/" + shoe.table).text({"table", "head"}));
  const auto asked = shoe.ask(rig, rig.inspector);
  ASSERT_EQ(asked.status, 201) << asked.body;
  EXPECT_EQ(rig.confirm_order(rig.inspector, asked).code(), "same_person");
  rig.restart();
  const auto done = rig.confirm_order(rig.operator_, asked);
  ASSERT_EQ(done.status, 200) << done.body;
  const auto closed = done.record(Kind::shoe_close);
  EXPECT_EQ(closed.body.find("reason")->string(), "closed");
  EXPECT_TRUE(std::ranges::binary_search(closed.cites, done.record(Kind::access).seq));
  rig.verify(closed.seq);
  // The first call of the next shoe rests on that end, over a restart too, and no other does.
  rig.restart();
  shoe.next(rig);
  const auto call = rig.records(Kind::call).back();
  EXPECT_EQ(call.cites.size(), 2U);
  EXPECT_EQ(call.cites.front(), closed.seq);
  rig.verify(rig.records(Kind::shoe_mix).back().seq);
  const auto ended = rig.post("/v1/tables/" + shoe.table + "/close");
  ASSERT_EQ(ended.status, 200) << "with its table a shoe ends, and both are counted";
  EXPECT_EQ(ended.record(Kind::table_close).body.find("early_closes")->integer(), 2);
  rig.verify(ended.record(Kind::shoe_close).seq);
}

TEST(EarlyClose, is_signed_by_both_for_this_shoe_and_this_state_of_its_table) {
  Rig rig;
  const Shoe shoe(rig);
  const auto head = rig.get("/v1/tables/" + shoe.table).text({"table", "head"});
  const auto ask = [&](const std::string& act, const std::string& object) {
    return rig
        .post_as(rig.inspector, "/v1/acts",
                 json::canonical(json::Value(json::Object{
                     {"act", "shoe-close"},
                     {"object", shoe.id},
                     {"head", head},
                     {"signature", Rig::order_signature(rig.inspector, act, object, head)}})))
        .code();
  };
  EXPECT_EQ(ask("call-again", shoe.id), "order_signature");
  EXPECT_EQ(ask("shoe-close", "shoe-999999"), "order_signature");
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts",
                        R"({"act":"shoe-close","object":")" + shoe.id + R"("})")
                .code(),
            "malformed_request");
  EXPECT_EQ(shoe.ask(rig, rig.client).code(), "forbidden");
  const auto asked = shoe.ask(rig, rig.officer);
  ASSERT_EQ(asked.status, 201) << asked.body;
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + asked.text({"act", "id"}) + "/confirm").code(),
            "order_signature");
  EXPECT_EQ(rig.confirm_order(rig.operator_, asked).code(), "forbidden") << "no inspector";
  ASSERT_EQ(rig.post("/v1/shoes/" + shoe.id + "/deal", R"({"expected":0,"until":"needs"})").status,
            200);
  EXPECT_EQ(rig.confirm_order(rig.inspector, asked).code(), "head_wrong") << "the table moved on";
  EXPECT_TRUE(rig.records(Kind::shoe_close).empty());
}

TEST(EarlyClose, where_the_client_settles_it_says_itself_when_its_game_is_over) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto shoe = rig.deal_ready_shoe(table).text({"shoe", "id"});
  EXPECT_EQ(rig.ask_order(rig.inspector, "shoe-close", shoe, table).code(), "not_settled_here");
  const auto closed = rig.post("/v1/shoes/" + shoe + "/close");
  ASSERT_EQ(closed.status, 200) << closed.body;
  EXPECT_EQ(closed.record(Kind::shoe_close).body.find("reason")->string(), "closed");
}

}  // namespace
}  // namespace talla::core::test

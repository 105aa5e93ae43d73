// Goal: what must always hold (design section 9, rules 1 to 12), as far as it is the service's to
//       keep.
// Method: one test per rule on a whole simulated appliance; faults come from the fake generator and
//         the clock.
#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

/// A shoe of a client-settled table, mixed; its id.
std::string ready_shoe(Rig& rig) {
  return rig.deal_ready_shoe(rig.open_table(shoe_table)).text({"shoe", "id"});
}
Got deal(Rig& rig, const std::string& shoe, int expected, int count, const std::string& key = {}) {
  return rig.post("/v1/shoes/" + shoe + "/deal",
                  R"({"expected":)" + std::to_string(expected) + R"(,"until":)" +
                      std::to_string(count) + R"(,"place":"hand","face":"open"})",
                  key);
}

TEST(Rule1, no_commitment_while_the_generator_is_latched_and_what_is_committed_goes_on) {
  Rig rig;
  const auto shoe = ready_shoe(rig);
  const auto wheel = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(wheel);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto refused = rig.post("/v1/tables/" + rig.open_table(shoe_table) + "/shoes");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.code(), "entropy_latched");
  EXPECT_EQ(refused.text({"retry"}), "after");
  EXPECT_TRUE(refused.retry_after_s.has_value());
  EXPECT_EQ(rig.post("/v1/tables/" + wheel + "/batches").code(), "entropy_latched");
  EXPECT_EQ(deal(rig, shoe, 0, 5).status, 200);
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  EXPECT_FALSE(rig.service().ready().ready);
}

TEST(Rule1, an_empty_pool_is_refused_for_later_and_leaves_no_trace) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto size = rig.log().size();
  rig.supply.pool_empty = true;
  const auto refused = rig.post("/v1/tables/" + table + "/shoes", "{}", "k1");
  EXPECT_EQ(refused.code(), "entropy_not_ready");
  EXPECT_EQ(rig.log().size(), size);
  rig.supply.pool_empty = false;
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes", "{}", "k1").status, 201)
      << "a refusal leaves the key free";
}

TEST(Rule1, an_alarm_whose_window_overlaps_a_commitment_suspends_its_table_for_good) {
  Rig rig;
  const auto early = ready_shoe(rig);
  rig.clock.advance_ns(60'000'000'000);
  const auto late = ready_shoe(rig);
  entropy::Event alarm;
  alarm.kind = entropy::EventKind::health;
  alarm.level = 1;
  alarm.test = entropy::HealthTest::repetition_count;
  alarm.monotonic_ns = rig.clock.monotonic_ns() + 1000;
  alarm.suspect_from_ns = rig.clock.monotonic_ns() - 1'000'000'000;
  alarm.utc_us = rig.clock.utc_us();
  rig.supply.events.push_back(alarm);
  rig.service().run_until_idle();
  EXPECT_EQ(deal(rig, early, 0, 1).status, 200);
  EXPECT_EQ(deal(rig, late, 0, 1).code(), "table_suspended");
  rig.restart();
  EXPECT_EQ(deal(rig, late, 0, 1).code(), "table_suspended");
  EXPECT_EQ(deal(rig, early, 1, 1).status, 200);
}

TEST(Rule2, sequence_numbers_are_contiguous_and_keep_their_content_over_restarts) {
  Rig rig;
  const auto shoe = ready_shoe(rig);
  deal(rig, shoe, 0, 3);
  std::vector<std::string> before;
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq)
    before.push_back(rig.ledger().record(seq)->bytes);
  rig.restart();
  ASSERT_GT(rig.log().size(), before.size());
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    const auto record = certs::parse_record(rig.ledger().record(seq)->bytes);
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->seq, seq);
    if (seq < before.size()) {
      EXPECT_EQ(rig.ledger().record(seq)->bytes, before[seq]);
    }
  }
}

TEST(Rule3, an_acknowledged_reply_is_given_again_byte_for_byte_after_a_crash) {
  Rig rig;
  const auto shoe = ready_shoe(rig);
  const auto first = deal(rig, shoe, 0, 4, "deal-1");
  ASSERT_EQ(first.status, 200);
  deal(rig, shoe, 4, 1);
  rig.restart();
  EXPECT_EQ(deal(rig, shoe, 0, 4, "deal-1").body, first.body);
  EXPECT_EQ(rig.get("/v1/requests/deal-1").body, first.body);
  EXPECT_EQ(deal(rig, shoe, 5, 1).status, 200) << "the shoe resumes at the logged position";
}

TEST(Rule4, an_unopened_shoe_is_in_no_file_and_no_reply) {
  Rig rig;
  rig.supply.given.clear();
  const auto table = rig.open_table(shoe_table);
  const auto mixed = rig.deal_ready_shoe(table);
  const auto shoe = mixed.text({"shoe", "id"});
  // K and tape, the order of leaf bytes: none may appear, raw, in hex or in base64.
  const Bytes secret(rig.supply.given.begin(), rig.supply.given.end());
  std::string seen = mixed.body + rig.get("/v1/tables/" + table).body +
                     rig.get("/v1/shoes/" + shoe).body +
                     rig.get("/v1/events?after=-1&limit=1000").body + deal(rig, shoe, 0, 3).body;
  seen += rig.all_files();
  std::size_t windows = 0;
  for (std::size_t at = 0; at + 16 <= secret.size(); ++at) {
    const ByteView part(secret.data() + at, 16);
    const auto hex = to_hex(part);
    ++windows;
    ASSERT_EQ(seen.find(as_text(part)), std::string::npos) << "raw, at " << at;
    ASSERT_EQ(seen.find(hex), std::string::npos) << "hex, at " << at;
  }
  EXPECT_GT(windows, 400U);
  const auto closed = rig.post("/v1/shoes/" + shoe + "/close");
  EXPECT_NE(closed.body.find(to_hex(ByteView(secret.data(), 32))), std::string::npos)
      << "the scan can find it";
}

TEST(Rule5, PROTOCOL_5_2_a_call_is_durable_before_its_secret_is_opened) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto spin = rig.post("/v1/draws", rig.draw_body(batch, 0));
  ASSERT_EQ(spin.status, 200);
  const auto call = spin.record(Kind::call).seq;
  const auto draw = spin.record(Kind::draw).seq;
  EXPECT_LT(*rig.ledger().group_end(call), draw + 1)
      << "CALL is durable in an earlier group than DRAW";
}

TEST(Rule6, a_repeated_request_never_draws_twice) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto body = rig.draw_body(batch, 0);
  const auto one = rig.send(rig.request("POST", "/v1/draws", body, "spin"));
  const auto two = rig.send(rig.request("POST", "/v1/draws", body, "spin"));
  rig.service().run_until_idle();
  ASSERT_TRUE(one->has_value() && two->has_value());
  EXPECT_EQ((*one)->status, 200) << (*one)->body;
  EXPECT_EQ((*one)->body, (*two)->body) << "a retry joins the first while it runs";
  EXPECT_EQ(rig.post("/v1/draws", body, "spin").body, (*one)->body);
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1), "spin").code(), "key_reused");
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).code(), "wrong_index");
}

TEST(Rule6, an_open_call_left_open_by_a_crash_is_completed_with_its_committed_secret) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto body = rig.draw_body(batch, 0);
  const auto lost = rig.send(rig.request("POST", "/v1/draws", body, "spin"));
  ASSERT_TRUE(rig.service().run_once());  // CALL is durable, DRAW not yet
  ASSERT_FALSE(lost->has_value());
  rig.restart();
  const auto found = rig.post("/v1/draws", body, "spin");
  ASSERT_EQ(found.status, 200) << found.body;
  EXPECT_EQ(found.records().size(), 2U);
  rig.verify(found.record(Kind::draw).seq);
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1)).status, 200);
}

TEST(Rule9, every_acknowledged_claim_verifies_offline) {
  Rig rig;
  const auto shoe = ready_shoe(rig);
  deal(rig, shoe, 0, 2);
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  rig.post("/v1/draws", rig.draw_body(batch, 0));
  rig.post("/v1/shoes/" + shoe + "/close");
  for (std::uint64_t seq = 0; seq < rig.log().size(); ++seq) {
    const auto kind = rig.ledger().record(seq)->kind;
    if (kind == Kind::card_deal || kind == Kind::draw || kind == Kind::shoe_close ||
        kind == Kind::shoe_commit) {
      rig.verify(seq);
    }
  }
}

TEST(Rule10, bad_input_gets_a_clear_error_and_changes_nothing) {
  Rig rig;
  const auto shoe = ready_shoe(rig);
  const auto table = rig.open_table(roulette_table);
  const auto size = rig.log().size();
  const auto wrong = deal(rig, shoe, 7, 1);
  EXPECT_EQ(wrong.status, 409);
  EXPECT_EQ(wrong.number({"position"}), 0);
  struct Case {
    std::string path, body, code;
  };
  const std::vector<Case> cases{
      {"/v1/tables", "{", "malformed_request"},
      {"/v1/tables", "[]", "malformed_request"},
      {"/v1/tables", R"({"settled_by":"client"})", "malformed_request"},
      {"/v1/tables", R"({"settled_by":"client","deck":"french52x9"})", "malformed_request"},
      {"/v1/tables", R"({"settled_by":"client","deck":"french52x8","extra":1})",
       "malformed_request"},
      {"/v1/tables",
       R"({"catalogue":"es-2099","game":"craps","table":{"currency":"ESP","unit":1,"min":25}})",
       "catalogue_unknown"},
      {"/v1/shoes/shoe-999/deal", "{}", "malformed_request"},
      {"/v1/shoes/shoe-999/deal", R"({"expected":0,"until":1})", "not_found"},
      {"/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":0,"place":"a","face":"open"})",
       "malformed_request"},
      {"/v1/shoes/" + shoe + "/deal", R"({"expected":0,"until":1,"place":"a","face":"hidden"})",
       "malformed_request"},
      {"/v1/shoes/" + shoe + "/deal",
       R"({"expected":0,"until":1,"place":"a","face":"open","seat":1})", "malformed_request"},
      {"/v1/shoes/" + shoe + "/deal",
       R"({"expected":0,"until":1,"place":"a","face":"covered","seat":0})", "malformed_request"},
      {"/v1/shoes/" + shoe + "/open", R"({"position":3})", "card_not_covered"},
      {"/v1/shoes/" + shoe + "/mix", R"({"nonce":"00","root":"00"})", "malformed_request"},
      {"/v1/tables/" + table + "/shoes", "{}", "wrong_state"},
      {"/v1/nothing", "{}", "not_found"},
  };
  for (const auto& one : cases) {
    const auto reply = rig.post(one.path, one.body);
    EXPECT_EQ(reply.code(), one.code) << one.path << " " << one.body << " " << reply.body;
    EXPECT_GE(reply.status, 400);
  }
  auto renewed = table_client("talla:table-2");
  renewed.id = rig.client.id;
  EXPECT_EQ(rig.post_as(renewed, "/v1/shoes/" + shoe + "/deal",
                        R"({"expected":0,"until":1,"place":"a","face":"covered","seat":1})")
                .code(),
            "no_seat_key")
      << "the table was opened with another key";
  EXPECT_EQ(rig.ask(rig.request("DELETE", "/v1/tables")).code(), "method_not_allowed");
  auto keyless = rig.request("POST", "/v1/tables", shoe_table);
  keyless.idempotency_key.clear();
  EXPECT_EQ(rig.ask(keyless).code(), "key_missing");
  EXPECT_EQ(rig.post("/v1/tables", shoe_table, "bad key").code(), "key_malformed");
  EXPECT_EQ(rig.log().size(), size);
}

TEST(Rule10, bets_and_results_that_no_record_could_hold_come_in_numbered_parts) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto round = rig.post("/v1/tables/" + table + "/rounds");
  const auto id = round.text({"round", "id"});
  const auto bets = [](int count) {
    std::string text = R"({"bets":[)";
    for (int i = 1; i <= count; ++i) {
      text += (i == 1 ? "" : ",") + std::string(R"({"id":"b)") + std::to_string(i) +
              R"(","seat":)" + std::to_string(i) + R"(,"kind":"rojo","stake":25})";
    }
    return text + "]}";
  };
  const auto foreign = R"({"bets":[{"id":"b","seat":4294967297,"kind":"rojo","stake":25}]})";
  EXPECT_EQ(rig.post("/v1/rounds/" + id + "/close-bets", foreign).status, 400);
  EXPECT_EQ(rig.post("/v1/rounds/" + id + "/close-bets", bets(700)).status, 200);
  rig.restart();
  const auto spin = rig.post("/v1/draws", rig.draw_body(rig.open_batch(table), 0, id));
  ASSERT_EQ(spin.status, 200) << spin.body;
  const auto last = static_cast<std::uint64_t>(spin.number({"round", "settlement"}));
  EXPECT_LT(spin.record(Kind::settlement).seq, last) << "the first part is not the last";
  rig.verify(last);
}

TEST(Rule11, bets_are_closed_and_durable_before_the_outcome_they_bet_on) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto batch = rig.open_batch(table);
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0, round)).code(), "bets_open");
  const auto draft = rig.post("/v1/rounds/" + round + "/bets",
                              R"({"bets":[{"id":"b1","seat":1,"kind":"rojo","stake":100}]})");
  ASSERT_EQ(draft.status, 200) << draft.body;
  rig.restart();
  // The draw rests on BETS_CLOSED, which is durable.
  const auto close = rig.send(rig.request("POST", "/v1/rounds/" + round + "/close-bets", "{}"));
  const auto spin = rig.send(rig.request("POST", "/v1/draws", rig.draw_body(batch, 1, round)));
  rig.service().run_until_idle();
  ASSERT_EQ((*close)->status, 200) << (*close)->body;
  ASSERT_EQ((*spin)->status, 200) << (*spin)->body;
  Got got{(*spin)->status, (*spin)->body, *json::parse((*spin)->body), {}};
  const auto call = got.record(Kind::call);
  ASSERT_EQ(call.cites.size(), 1U);
  EXPECT_LE(*rig.ledger().group_end(call.cites.front()), call.seq);
  EXPECT_EQ(rig.ledger().record(call.cites.front())->kind, Kind::bets_closed);
  EXPECT_EQ(rig.post("/v1/rounds/" + round + "/bets", R"({"bets":[]})").status, 409)
      << "the round is over";
  rig.verify(got.record(Kind::settlement).seq);
}

TEST(Rule12, unused_secrets_are_opened_at_expiry_and_never_while_a_call_is_open) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table), 4);
  const auto spin = rig.send(rig.request("POST", "/v1/draws", rig.draw_body(batch, 0), "spin"));
  ASSERT_TRUE(rig.service().run_once());
  rig.clock.advance_ns(601'000'000'000);
  rig.service().run_until_idle();
  ASSERT_EQ((*spin)->status, 200) << (*spin)->body;
  const auto chain = *rig.ledger().chain(batch.id);
  const auto close = std::ranges::find(chain, Kind::batch_close, &certs::LedgerRecord::kind);
  ASSERT_NE(close, chain.end());
  const auto body = certs::parse_record(close->bytes)->body;
  EXPECT_EQ(body.find("reason")->string(), "expired");
  EXPECT_EQ(body.find("secrets")->array().size(), 3U);
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 1)).code(), "batch_expired");
}

TEST(Rule12, a_batch_expires_by_the_logs_time_where_the_clock_was_set_back) {
  Settings settings;
  settings.batch_lifetime_us = settings.clock_step_us_max / 2;
  Rig rig(settings);
  const auto table = rig.open_table(wheel_table);
  rig.clock.step_utc_us(1 - settings.clock_step_us_max);
  const auto batch = rig.open_batch(table, 4);
  const auto got = rig.post("/v1/draws", rig.draw_body(batch, 0));
  ASSERT_EQ(got.status, 200) << got.body;
  rig.verify(got.record(Kind::draw).seq);
}

}  // namespace
}  // namespace talla::core::test

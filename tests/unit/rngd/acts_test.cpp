// Goal: what needs two persons happens only by two, of the right roles, in time, and the log tells
// every step; a latch ends by nothing else, not even by a restart (PROTOCOL sections 7 and 8).
// Method: a whole appliance on simulated time whose generator latches, passes or fails its tests on
//         demand.
#include <gtest/gtest.h>

#include <algorithm>

#include "rig.hpp"

namespace talla::core::test {
namespace {

using certs::Kind;

const std::string reset_body = R"({"act":"latch-reset"})";

/// "latch-reset.asked allowed talla:officer-1" of every ACCESS.
std::vector<std::string> steps(Rig& rig) {
  std::vector<std::string> all;
  for (const auto& record : rig.records(Kind::access)) {
    std::string text =
        record.body.find("what")->string() + " " + record.body.find("result")->string();
    for (const auto& id : record.body.find("by")->array()) text += " " + id.string();
    all.push_back(std::move(text));
  }
  return all;
}

std::string ask(Rig& rig, const Client& who) {
  const auto asked = rig.post_as(who, "/v1/acts", reset_body);
  EXPECT_EQ(asked.status, 201) << asked.body;
  return asked.text({"act", "id"});
}

std::string state(Rig& rig, const std::string& act) {
  rig.client = rig.inspector;
  const auto got = rig.get("/v1/acts/" + act);
  return got.status == 200 ? got.text({"act", "state"}) : got.code();
}

TEST(LatchReset,
     PROTOCOL_8_officer_asks_inspector_confirms_tests_pass_and_commitments_are_taken_again) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  const auto act = ask(rig, rig.officer);
  EXPECT_EQ(rig.supply.resets, 0) << "one person resets nothing";
  const auto confirmed = rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm");
  ASSERT_EQ(confirmed.status, 200) << confirmed.body;
  EXPECT_EQ(confirmed.text({"act", "state"}), "confirmed");
  EXPECT_EQ(confirmed.record(Kind::access).cites,
            std::vector<std::uint64_t>{*certs::object_seq("act", act)});
  EXPECT_EQ(rig.supply.resets, 1);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
  EXPECT_EQ(state(rig, act), "done");
  EXPECT_EQ(steps(rig), (std::vector<std::string>{
                            "latch-reset.asked allowed talla:officer-1",
                            "latch-reset.confirmed allowed talla:officer-1 talla:inspector-1",
                            "latch-reset.done allowed talla:officer-1 talla:inspector-1"}));
  // Tests and seed stand between the confirmation and the end.
  const auto access = rig.records(Kind::access);
  const auto seeded = rig.records(Kind::reseed).back();
  EXPECT_GT(seeded.seq, access[1].seq);
  EXPECT_LT(seeded.seq, access[2].seq);
  EXPECT_EQ(seeded.body.find("cause")->string(), "startup");
  EXPECT_TRUE(rig.service().ready().ready);
}

std::string what_of(const certs::Record& record, std::string_view member) {
  const auto* found = record.body.find(member);
  return found == nullptr ? std::string() : found->string();
}

TEST(TestOnDemand, SP_800_90B_4_3_an_operator_or_a_laboratory_has_it_done_and_the_log_names_who) {
  Rig rig;
  rig.open_table(wheel_table);
  const Client lab{"talla:lab-1", std::string(64, '7'), {Role::lab}};
  for (const Client& client : {rig.operator_, lab}) {
    const auto tested = rig.post_as(client, "/v1/generator/test");
    ASSERT_EQ(tested.status, 200) << tested.body;
    const auto access = tested.record(Kind::access);
    EXPECT_EQ(what_of(access, "what"), "generator-test");
    EXPECT_EQ(access.client->id, client.id);
    rig.service().run_until_idle();
    const auto found = rig.records(Kind::selftest).back();
    EXPECT_EQ(what_of(found, "test"), "generator-known-answers");
    EXPECT_EQ(what_of(found, "result"), "pass");
    EXPECT_GT(found.seq, access.seq);
    EXPECT_EQ(rig.post_as(client, "/v1/generator/test").code(), "wrong_state")
        << "one test at a time";
    rig.supply.testing = false;
  }
  EXPECT_EQ(rig.supply.tests, 2);
  for (const Client& client : {rig.client, rig.officer, rig.inspector})
    EXPECT_EQ(rig.post_as(client, "/v1/generator/test").code(), "forbidden");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/generator/test", R"({"deep":true})").code(),
            "malformed_request");
  EXPECT_EQ(rig.supply.tests, 2);
}

TEST(TestOnDemand,
     SP_800_90A_11_3_a_wrong_known_answer_latches_and_a_latched_generator_is_reset_instead) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.answers_hold = false;
  ASSERT_EQ(rig.post_as(rig.operator_, "/v1/generator/test").status, 200);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  const auto found = rig.records(Kind::selftest);
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(what_of(found[found.size() - 2], "result"), "fail");
  EXPECT_EQ(what_of(found.back(), "test"), "generator-self_test_failed");
  rig.restart();
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/generator/test").code(), "wrong_state");
  rig.supply.answers_hold = true;
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched")
      << "a restart ends nothing";
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
}

TEST(Latch, one_person_stops_new_commitments_at_once_and_what_is_committed_goes_on) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  const auto batch = rig.open_batch(table);
  EXPECT_EQ(rig.post("/v1/generator/latch").code(), "forbidden");
  const auto stopped = rig.post_as(rig.operator_, "/v1/generator/latch");
  ASSERT_EQ(stopped.status, 200) << stopped.body;
  EXPECT_EQ(stopped.record(Kind::access).body.find("what")->string(), "generator-latch");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/generator/latch").code(), "wrong_state");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  for (const auto& record : rig.records(Kind::selftest))
    EXPECT_NE(what_of(record, "test"), "generator-operator_request") << "no test has failed";
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched")
      << "the ACCESS alone says it, over a restart too";
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
}

TEST(Latch, the_status_says_who_why_since_when_and_what_ends_it) {
  Rig rig;
  const auto latch = [&rig] {
    const auto got = rig.get("/v1/status");
    const auto* found = got.json.find("latch");
    return found == nullptr ? json::Value() : *found;
  };
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/generator/latch", R"({"reason":""})").code(),
            "malformed_request");
  for (const char* words : {"a\\nb", "\\u001b[2J", "\\u007f", "\\u009b2J"}) {
    const auto refused = rig.post_as(rig.operator_, "/v1/generator/latch",
                                     R"({"reason":")" + std::string(words) + R"("})");
    EXPECT_EQ(refused.code(), "malformed_request") << words;
    EXPECT_FALSE(rig.supply.latched()) << "a refusal changes nothing";
  }
  const auto since = [&rig](const char* reason, const char* by) {
    const auto gauges = rig.service().metrics().gauges;
    const auto found = gauges.find(std::string("talla_latch_since_seconds{reason=\"") + reason +
                                   "\",by=\"" + by + "\"}");
    return found == gauges.end() ? -1.0 : found->second;
  };
  EXPECT_EQ(since("operator_request", "person"), -1.0);
  const auto before = rig.clock.utc_us();
  const auto stopped =
      rig.post_as(rig.operator_, "/v1/generator/latch", R"({"reason":"humo en la sala \u00f1"})");
  ASSERT_EQ(stopped.status, 200) << stopped.body;
  const auto seq = stopped.record(Kind::access).seq;
  for (int i = 0; i < 3; ++i) {
    const auto said = latch();
    ASSERT_TRUE(said.is_object()) << i;
    EXPECT_EQ(said.find("by")->string(), rig.operator_.id);
    EXPECT_EQ(said.find("reason")->string(), "operator_request");
    EXPECT_EQ(said.find("note")->string(), "humo en la sala \xC3\xB1");
    EXPECT_EQ(said.find("record")->integer(), static_cast<std::int64_t>(seq));
    EXPECT_GE(said.find("since")->integer(), before);
    EXPECT_EQ(said.find("ended_by")->find("act")->string(), "latch-reset");
    EXPECT_EQ(since("operator_request", "person"),
              static_cast<double>(said.find("since")->integer()) / 1e6);
    rig.restart();
  }
  ASSERT_EQ(rig.reset_latch().status, 200);
  rig.supply.latch(entropy::LatchReason::source_failed);
  static_cast<void>(rig.get("/v1/status"));
  const auto by_itself = latch();
  ASSERT_TRUE(by_itself.is_object());
  EXPECT_EQ(by_itself.find("by"), nullptr);
  EXPECT_EQ(since("operator_request", "person"), -1.0);
  EXPECT_GT(since("source_failed", "appliance"), 0.0);
  EXPECT_EQ(by_itself.find("reason")->string(), "source_failed");
}

TEST(LatchReset, the_roles_count_not_who_comes_first) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::source_failed);
  const auto act = ask(rig, rig.inspector);
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + act + "/confirm").status, 200);
  EXPECT_TRUE(rig.service().ready().ready);
}

TEST(LatchReset, nobody_confirms_his_own_request_with_the_same_id_or_the_same_certificate) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto act = ask(rig, rig.officer);
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + act + "/confirm").code(), "same_person");
  Client same_id = rig.inspector;
  same_id.id = rig.officer.id;
  EXPECT_EQ(rig.post_as(same_id, "/v1/acts/" + act + "/confirm").code(), "same_person");
  Client same_key = rig.inspector;
  same_key.spki = rig.officer.spki;
  EXPECT_EQ(rig.post_as(same_key, "/v1/acts/" + act + "/confirm").code(), "same_person");
  EXPECT_EQ(rig.supply.resets, 0);
  EXPECT_EQ(steps(rig).size(), 1U);
}

TEST(LatchReset, two_officers_or_an_operator_are_not_enough_and_tables_have_no_say) {
  Rig rig;
  rig.settings.clients.push_back({"talla:officer-2", std::string(64, '4'), {"security-officer"}});
  rig.restart();
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const Client second{"talla:officer-2", std::string(64, '4'), {Role::security_officer}};
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/acts", reset_body).code(), "forbidden");
  EXPECT_EQ(rig.post("/v1/acts", reset_body).code(), "forbidden");
  const auto act = ask(rig, rig.officer);
  EXPECT_EQ(rig.post_as(second, "/v1/acts/" + act + "/confirm").code(), "forbidden");
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/acts/" + act + "/confirm").code(), "forbidden");
  EXPECT_EQ(rig.post("/v1/acts/" + act + "/confirm").code(), "forbidden");
  EXPECT_EQ(rig.supply.resets, 0);
  EXPECT_EQ(state(rig, act), "asked");
}

TEST(LatchReset, a_person_with_both_roles_still_needs_another) {
  Rig rig;
  rig.settings.clients.push_back(
      {"talla:chief", std::string(64, '5'), {"security-officer", "inspector"}});
  rig.restart();
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const Client chief{
      "talla:chief", std::string(64, '5'), {Role::security_officer, Role::inspector}};
  const auto act = ask(rig, chief);
  EXPECT_EQ(rig.post_as(chief, "/v1/acts/" + act + "/confirm").code(), "same_person");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + act + "/confirm").status, 200);
}

TEST(LatchReset, who_asked_must_be_enrolled_still_when_it_is_confirmed) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto act = ask(rig, rig.officer);
  std::erase_if(rig.settings.clients,
                [&](const auto& client) { return client.id == rig.officer.id; });
  rig.restart();
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "forbidden");
  EXPECT_EQ(rig.supply.resets, 0);
}

TEST(LatchReset, a_request_expires_and_says_so_in_the_log) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto act = ask(rig, rig.officer);
  rig.clock.advance_ns(rig.settings.act_lifetime_us * 1000);
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "act_over");
  EXPECT_EQ(state(rig, act), "expired");
  EXPECT_EQ(steps(rig).back(), "latch-reset.expired refused talla:officer-1");
  EXPECT_EQ(rig.supply.resets, 0);
  ASSERT_EQ(rig.reset_latch().status, 200) << "a new request is taken";
}

TEST(LatchReset, a_request_is_withdrawn_once_and_confirmed_once) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  auto act = ask(rig, rig.officer);
  EXPECT_EQ(rig.post_as(rig.operator_, "/v1/acts/" + act + "/withdraw").code(), "forbidden");
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/withdraw").status, 200);
  EXPECT_EQ(steps(rig).back(), "latch-reset.withdrawn refused talla:officer-1 talla:inspector-1");
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "act_over");
  act = ask(rig, rig.officer);
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", reset_body).code(), "act_pending");
  const auto first = rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm", "{}", "once");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm", "{}", "once").body,
            first.body)
      << "the same key gets the same bytes";
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "act_over");
  EXPECT_EQ(rig.supply.resets, 1);
}

TEST(LatchReset, PROTOCOL_7_the_latch_is_in_the_log_and_no_document_or_file_beside_it_ends_it) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::software_mismatch);
  rig.service().run_until_idle();
  certs::Group forgotten;
  forgotten.documents.push_back({certs::DocumentName("latch"), {}});  // where it was kept once
  ASSERT_TRUE(rig.ledger().commit(std::move(forgotten)));
  for (int start = 0; start < 3; ++start) {
    rig.supply.forget_latch();
    rig.restart();  // killed: nothing is said before
    EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::software_mismatch) << start;
    EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched") << start;
  }
  const auto starts = rig.records(Kind::selftest);
  EXPECT_EQ(std::ranges::count_if(
                starts,
                [](const auto& one) { return what_of(one, "test") == "latch:software_mismatch"; }),
            3)
      << "each start says what stands";
  ASSERT_EQ(rig.reset_latch().status, 200);
  for (int start = 0; start < 2; ++start) {
    rig.restart();
    EXPECT_EQ(rig.supply.latched(), std::nullopt);
    EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
  }
  EXPECT_EQ(what_of(rig.records(Kind::selftest).back(), "test"), "latch:none");
}

TEST(LatchReset, what_is_not_latched_is_not_reset_and_what_is_unknown_is_refused) {
  Rig rig;
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", reset_body).code(), "wrong_state");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", R"({"act":"open-the-safe"})").code(),
            "malformed_request");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", R"({"act":"latch-reset","why":1})").code(),
            "malformed_request");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/act-1/confirm").code(), "not_found");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/table-1/confirm").code(), "not_found");
  EXPECT_TRUE(steps(rig).empty());
}

TEST(LatchReset, PROTOCOL_7_tests_that_fail_leave_the_latch) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::source_failed);
  rig.supply.reset_passes = false;
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(steps(rig).back(), "latch-reset.failed refused talla:officer-1 talla:inspector-1");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  rig.supply.reset_passes = true;
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
}

TEST(LatchReset, while_the_tests_run_nothing_is_committed_to_and_no_second_reset_is_asked_for) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  rig.supply.reset_passes.reset();
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", reset_body).code(), "act_pending");
  EXPECT_FALSE(rig.service().ready().ready);
  rig.supply.reset_passes = true;
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
}

TEST(LatchReset, PROTOCOL_5_4_a_secret_that_does_not_open_keeps_the_latch_whoever_asks) {
  Rig rig;
  static_cast<void>(rig.deal_ready_shoe(rig.open_table(shoe_table)));
  rig.crash();
  rig.lose_seals();
  rig.open();
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts", reset_body).code(), "cause_persists");
  EXPECT_EQ(rig.supply.resets, 0);
}

TEST(LatchReset, a_clock_step_is_reset_too_and_the_next_one_latches_again) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.clock.step_utc_us(3'600'000'000);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "clock_stepped");
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
  rig.clock.step_utc_us(3'600'000'000);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "clock_stepped");
}

TEST(Restart, a_latch_outlives_the_process_with_another_generator_too) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  rig.service().run_until_idle();
  rig.supply.forget_latch();  // the generator of the next start has passed its tests
  rig.restart();
  EXPECT_EQ(rig.supply.latched(), entropy::LatchReason::health_permanent);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "entropy_latched");
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").status, 201);
  rig.restart();
  EXPECT_TRUE(rig.service().ready().ready) << "a reset outlives it as well";
}

TEST(Restart, a_pending_request_is_the_same_after_a_crash_and_is_confirmed_there) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto act = ask(rig, rig.officer);
  rig.client = rig.inspector;
  const auto before = rig.get("/v1/acts").body;
  rig.restart();
  EXPECT_EQ(rig.get("/v1/acts").body, before) << "the log alone gives the same state";
  EXPECT_EQ(rig.post_as(rig.officer, "/v1/acts/" + act + "/confirm").code(), "same_person");
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").status, 200);
  EXPECT_TRUE(rig.service().ready().ready);
}

TEST(Restart, a_request_that_expired_while_the_appliance_was_off_is_over) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  const auto act = ask(rig, rig.officer);
  rig.crash();
  rig.clock.advance_ns(rig.settings.act_lifetime_us * 1000);
  rig.open();
  EXPECT_EQ(rig.post_as(rig.inspector, "/v1/acts/" + act + "/confirm").code(), "act_over");
  EXPECT_EQ(state(rig, act), "expired");
}

TEST(Restart, a_reset_that_a_crash_interrupts_has_failed) {
  Rig rig;
  rig.supply.latch(entropy::LatchReason::health_permanent);
  rig.supply.reset_passes.reset();
  ASSERT_EQ(rig.reset_latch().status, 200);
  rig.crash();
  rig.supply.forget_latch();
  rig.open();
  EXPECT_EQ(steps(rig).back(), "latch-reset.failed refused talla:officer-1 talla:inspector-1");
  EXPECT_TRUE(rig.supply.latched().has_value());
  EXPECT_FALSE(rig.service().ready().ready);
}

TEST(Metrics, acts_and_latch_are_counted) {
  Rig rig;
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_latched"), 0.0);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  static_cast<void>(ask(rig, rig.officer));
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_latched"), 1.0);
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_acts_open"), 1.0);
  rig.clock.advance_ns(rig.settings.act_lifetime_us * 1000);
  rig.service().run_until_idle();
  EXPECT_EQ(rig.service().metrics().gauges.at("talla_acts_open"), 0.0);
  ASSERT_EQ(rig.reset_latch().status, 200);
  EXPECT_EQ(rig.service().metrics().counters.at("talla_latch_resets_total{result=\"done\"}"), 1.0);
}

}  // namespace
}  // namespace talla::core::test

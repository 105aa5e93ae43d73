// Goal: who may do and see what, how fast, and what happens when the appliance must not go on.
// Method: the role matrix row by row; clients of each role against one appliance; limits and faults
//         on simulated time.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>
#include <thread>

#include "rig.hpp"

namespace talla::core::test {
namespace {

TEST(Roles, matrix_lets_tables_act_and_everybody_enrolled_read) {
  for (const auto& row : operations()) {
    const bool reads = row.method == "GET";
    const bool card = row.id == "getCard";
    const bool acts = row.id == "action";
    const bool lists = row.id == "listTables" || row.id == "getEvents" || row.id == "listRounds" ||
                       row.id == "getIncomplete" || row.id == "listMeters" ||
                       row.id == "getMeter" || row.id == "getReturn" || row.id == "getMonth";
    const bool meters = row.id == "openMeter" || row.id == "closeMeter";
    const bool machine =
        row.id == "getRelease" || row.id == "nextTarget" || row.id == "reportShuffle";
    const bool openings = row.id == "askOpenings" || row.id == "getOpenings";
    const bool anybody = row.id == "getShoe" || row.id == "getRequest" || row.id == "getStatus" ||
                         row.id == "getCheckpoint" || row.id == "getLogKeys" ||
                         row.id == "getMonitorHistory";
    const bool challenge = row.id == "challengeSoftware";
    const bool contributes = row.id == "handInCommitments" || row.id == "openContribution";
    const bool plain = row.id == "bets" || row.id == "nextTarget" || row.id == "invite" ||
                       contributes || challenge;
    EXPECT_EQ(row.makes_record, !reads && !plain) << row.id;
    EXPECT_EQ(may({Role::shuffler}, row.id), machine || anybody) << row.id;
    const bool test = row.id == "testGenerator";
    const bool examines = challenge || row.id == "getSoftware" || row.id == "getCatalogues" ||
                          row.id == "getGame" || row.id == "getCosignedCheckpoint";
    EXPECT_EQ(may({Role::lab}, row.id),
              test || examines || row.id == "getEvents" || row.id == "getReturn" ||
                  row.id == "getMonth" || row.id == "getConsistency" || row.id == "getReceipt" ||
                  row.id == "getProof" || row.id == "getSamples" || row.id == "getBundle" ||
                  (anybody && row.id != "getShoe"))
        << row.id;
    if (row.id == "recordAnswer") {  // of a partner's program, in the partner's own log
      for (const Role role : every_role)
        EXPECT_EQ(may({role}, row.id), role == Role::contributor || role == Role::operator_);
      continue;
    }
    if (row.id == "getSamples") {  // that two persons ordered for it
      for (const Role role : every_role)
        EXPECT_EQ(may({role}, row.id), role == Role::lab) << row.id;
      continue;
    }
    if (contributes) {
      for (const Role role : every_role)
        EXPECT_EQ(may({role}, row.id), contributors.has(role)) << row.id;
      continue;
    }
    if (test) {
      EXPECT_TRUE(may({Role::operator_}, row.id));
      for (const Role role :
           {Role::table, Role::seat, Role::auditor, Role::security_officer, Role::inspector})
        EXPECT_FALSE(may({role}, row.id));
      continue;
    }
    if (challenge) {
      for (const Role role : {Role::table, Role::seat}) EXPECT_FALSE(may({role}, row.id));
      for (const Role role :
           {Role::auditor, Role::operator_, Role::security_officer, Role::inspector})
        EXPECT_TRUE(may({role}, row.id));
      continue;
    }
    if (machine || openings) {
      for (const Role role :
           {Role::table, Role::seat, Role::operator_, Role::security_officer, Role::inspector})
        EXPECT_FALSE(may({role}, row.id)) << row.id;
      EXPECT_EQ(may({Role::auditor}, row.id), openings) << row.id;
      continue;
    }
    const bool person =
        row.path.starts_with("/v1/acts") || row.id == "latchGenerator" || row.id == "getSoftware";
    EXPECT_EQ(may({Role::table}, row.id), !person && !meters && row.id != "getMonth") << row.id;
    EXPECT_EQ(may({Role::auditor}, row.id), reads && !card) << row.id;
    EXPECT_EQ(may({Role::operator_}, row.id), (reads && !card) || person || meters ||
                                                  row.id == "misdeal" || row.id == "confirmHand")
        << row.id;
    EXPECT_EQ(may({Role::security_officer}, row.id), (reads && !card) || person) << row.id;
    EXPECT_EQ(may({Role::inspector}, row.id), (reads && !card) || person) << row.id;
    const bool events = row.id == "getEvents";
    EXPECT_EQ(may({Role::seat}, row.id), ((reads && !lists) || events || acts) && !person)
        << row.id;
    EXPECT_FALSE(may({}, row.id)) << row.id;
  }
}

TEST(Roles, a_table_sees_only_its_own_tables_and_an_auditor_all) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  const auto own = rig.client;
  rig.client = table_client("talla:table-2");
  EXPECT_EQ(rig.get("/v1/tables/" + table).code(), "not_found");
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "not_found");
  EXPECT_TRUE(rig.get("/v1/tables").at({"tables"}).array().empty());
  const auto events = rig.get("/v1/events?after=-1&limit=1000");
  for (const auto& event : events.at({"events"}).array()) {
    EXPECT_EQ(event.find("object")->string(), "");
  }
  rig.client = {"talla:auditor-1", std::string(64, 'c'), {Role::auditor}};
  EXPECT_EQ(rig.get("/v1/tables/" + table).status, 200);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "forbidden");
  rig.client = own;
  EXPECT_EQ(rig.get("/v1/tables/" + table).status, 200);
  rig.client.roles = {};
  EXPECT_EQ(rig.get("/v1/tables/" + table).code(), "forbidden");
}

TEST(Limits, a_client_beyond_its_rate_is_told_to_wait_and_others_are_not) {
  Rig rig;
  rig.settings.client_rate_per_s = 1;
  rig.settings.client_burst = 2;
  rig.restart();
  EXPECT_EQ(rig.get("/v1/tables").status, 200);
  EXPECT_EQ(rig.get("/v1/tables").status, 200);
  const auto refused = rig.get("/v1/tables");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.retry_after_s, 1U);
  const auto first = rig.client;
  rig.client.id = "talla:table-2";
  EXPECT_EQ(rig.get("/v1/tables").status, 200);
  rig.client = first;
  rig.clock.advance_ns(1'000'000'000);
  EXPECT_EQ(rig.get("/v1/tables").status, 200);
}

TEST(Limits, a_table_has_one_live_shoe_and_shoes_are_numbered_without_gaps) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  for (int number = 1; number <= 3; ++number) {
    const auto mixed = rig.deal_ready_shoe(table);
    EXPECT_EQ(mixed.number({"shoe", "number"}), number);
    EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "shoe_live");
    EXPECT_EQ(rig.post("/v1/shoes/" + mixed.text({"shoe", "id"}) + "/close").status, 200);
  }
}

TEST(Limits, batches_are_bounded_and_sixteen_by_default) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").number({"batch", "count"}), 16);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches", R"({"count":0})").status, 400);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches", R"({"count":257})").status, 400);
  const auto most = rig.open_batch(table, 256);
  rig.clock.advance_ns(601'000'000'000);
  rig.service().run_until_idle();
  const auto chain = *rig.ledger().chain(most.id);
  EXPECT_EQ(chain.back().kind, certs::Kind::batch_close)
      << "the largest batch closes in one record";
}

TEST(Faults, a_clock_step_beyond_the_bound_latches_and_disk_below_the_reserve_refuses) {
  Rig rig;
  const auto table = rig.open_table(shoe_table);
  rig.settings.disk_reserve_bytes = ~std::uint64_t{0};
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "disk_reserve");
  rig.settings.disk_reserve_bytes = 0;
  rig.restart();
  rig.clock.step_utc_us(3'600'000'000);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "clock_stepped");
  EXPECT_TRUE(rig.supply.latched().has_value());
}

/// Results of every SELFTEST of that name.
std::vector<std::string> told(Rig& rig, const std::string& test) {
  std::vector<std::string> all;
  for (const auto& record : rig.records(certs::Kind::selftest)) {
    if (record.body.find("test")->string() == test)
      all.push_back(record.body.find("result")->string());
  }
  return all;
}

TEST(Faults, PROTOCOL_1_what_stops_commitments_is_in_the_log_and_so_is_its_end) {
  Rig rig;
  rig.settings.anchor_interval_us = 1'000'000;
  rig.settings.anchor_lost_us = 60'000'000;
  rig.restart();
  const auto table = rig.open_table(shoe_table);
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const std::filesystem::path anchor = rig.folder() + "/anchor.json";
  std::filesystem::remove(anchor);
  std::filesystem::create_directory(anchor);  // nothing can be written there
  int drawn = 0;
  const auto turn = [&] {
    EXPECT_EQ(rig.post("/v1/draws", rig.draw_body(batch, drawn++)).status, 200)
        << "what is committed goes on";
    rig.service().run_until_idle();
  };
  turn();
  for (int minute = 0; minute < 2; ++minute) {
    rig.clock.advance_ns(60'000'000'000);
    turn();
  }
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").code(), "anchor_lost");
  turn();
  EXPECT_EQ(told(rig, "rollback-anchor"), std::vector<std::string>{"fail"});
  std::filesystem::remove(anchor);
  rig.clock.advance_ns(2'000'000'000);
  for (int i = 0; i < 3; ++i) turn();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/shoes").status, 201);
  EXPECT_EQ(told(rig, "rollback-anchor"), (std::vector<std::string>{"fail", "pass"}));

  rig.settings.disk_reserve_bytes = ~std::uint64_t{0};
  rig.restart();
  for (int i = 0; i < 3; ++i) turn();
  EXPECT_EQ(told(rig, "disk-reserve"), std::vector<std::string>{"fail"})
      << "once, not in every turn";
}

TEST(Faults, a_failed_commit_latches_and_nothing_is_answered_as_done_any_more) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(wheel_table));
  const auto spin = rig.post("/v1/draws", rig.draw_body(batch, 0));
  EXPECT_EQ(spin.status, 200) << spin.body;
  const auto next = rig.draw_body(batch, 1);
  const auto size = rig.log().size();
  for (int i = 0; i < 2; ++i)  // the ledger refuses a group that holds it twice
    rig.log().group().replies.push_back(
        {.id = {rig.client.id, "POST", "/v1/x", "twice"}, .head = "{}", .seqs = {}});
  const auto lost = rig.post("/v1/tables", shoe_table, "lost");
  EXPECT_EQ(lost.status, 503);
  EXPECT_EQ(lost.code(), "ledger_failed");
  EXPECT_EQ(lost.text({"retry"}), "same");
  EXPECT_TRUE(rig.service().failed());
  EXPECT_EQ(rig.post("/v1/draws", next).code(), "ledger_failed");
  EXPECT_EQ(rig.log().size(), size);
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables", shoe_table, "lost").status, 201)
      << "the same request is taken after the restart";
}

TEST(Faults, after_stop_nothing_is_taken_and_every_waiting_request_was_answered) {
  Rig rig;
  const auto waiting = rig.send(rig.request("POST", "/v1/tables", shoe_table));
  rig.service().stop();
  ASSERT_TRUE(waiting->has_value());
  EXPECT_EQ((*waiting)->status, 201);
  const auto late = rig.send(rig.request("POST", "/v1/tables", shoe_table));
  ASSERT_TRUE(late->has_value());
  EXPECT_EQ((*late)->status, 503);
  EXPECT_NE((*late)->body.find("stopping"), std::string::npos);
}

TEST(Threads, many_clients_at_once_are_all_answered_once) {
  Settings settings;
  settings.tables_per_client_max = 60;
  Rig rig(settings);
  std::vector<std::string> spins;  // one of each table
  for (int i = 0; i < 50; ++i)
    spins.push_back(rig.draw_body(rig.open_batch(rig.open_table(wheel_table), 1), 0));
  std::vector<std::shared_ptr<std::optional<Reply>>> replies;
  rig.service().start();
  for (const auto& spin : spins)
    replies.push_back(rig.send(rig.request("POST", "/v1/draws", spin)));
  rig.service().stop();
  for (const auto& reply : replies) {
    ASSERT_TRUE(reply->has_value());
    EXPECT_EQ((*reply)->status, 200) << (*reply)->body;
  }
}

TEST(Faults, health_names_every_commitment_of_the_window_however_many_and_what_was_wiped) {
  Rig rig;
  rig.settings.batches_per_table_max = 2000;
  rig.restart();
  const auto table = rig.open_table(wheel_table);
  constexpr std::size_t batches = 1100;
  std::vector<std::shared_ptr<std::optional<Reply>>> replies;
  for (std::size_t i = 0; i < batches; ++i)
    replies.push_back(
        rig.send(rig.request("POST", "/v1/tables/" + table + "/batches", R"({"count":1})")));
  rig.service().run_until_idle();
  const auto from = rig.log().size();
  rig.clock.advance_ns(5'000'000'000);
  rig.alarm();
  // What is suspect began at 1 ns of the machine's clock, and the alarm came 1,000 ns from now.
  const std::int64_t alarm_us = rig.clock.utc_us();
  const std::int64_t stood_us = (rig.clock.monotonic_ns() + 999) / 1000;
  ASSERT_GE(stood_us, 5'000'000);
  rig.service().run_until_idle();
  std::set<std::string> named;
  std::int64_t dropped = 0;
  for (auto seq = from; seq < rig.log().size(); ++seq) {
    const auto record = certs::parse_record(rig.ledger().record(seq)->bytes);
    ASSERT_EQ(record->kind, certs::Kind::health);
    EXPECT_EQ(record->body.find("alarm_us")->integer(), alarm_us);
    EXPECT_EQ(record->body.find("last_good_us")->integer(), alarm_us - stood_us);
    for (const auto& id : record->body.find("overlapping")->array()) named.insert(id.string());
    dropped += record->body.find("dropped")->integer();
  }
  EXPECT_EQ(named.size(), batches);
  EXPECT_EQ(dropped, 8192);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "table_suspended");
  rig.restart();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "table_suspended");
}

TEST(Faults, an_alarm_that_cannot_be_recorded_stops_everything) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  static_cast<void>(rig.open_batch(table));
  const auto size = rig.log().size();
  rig.supply.model = "no\nname";  // no record can hold it
  rig.alarm();
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/batches").code(), "ledger_failed");
  EXPECT_TRUE(rig.service().failed());
  EXPECT_TRUE(rig.supply.latched().has_value());
  EXPECT_EQ(rig.log().size(), size);
}

TEST(Status, an_uncertified_source_is_never_called_credited) {
  Rig rig;
  const auto status = rig.get("/v1/status");
  EXPECT_TRUE(status.at({"generator", "uncertified"}).boolean());
  EXPECT_FALSE(status.at({"generator", "sources"}).array().front().find("credited")->boolean());
}

TEST(Limits, a_request_that_waits_for_the_next_group_spends_one_token) {
  Rig rig;
  rig.settings.client_rate_per_s = 1;
  rig.settings.client_burst = 100;
  rig.restart();
  const auto spin = rig.draw_body(rig.open_batch(rig.open_table(wheel_table)), 0);
  rig.settings.client_burst = 2;
  rig.restart();
  // The same call under another key waits for what the first one gets.
  const auto first = rig.send(rig.request("POST", "/v1/draws", spin));
  const auto again = rig.send(rig.request("POST", "/v1/draws", spin));
  rig.service().run_until_idle();
  ASSERT_TRUE(first->has_value() && again->has_value());
  EXPECT_EQ((*first)->status, 200) << (*first)->body;
  EXPECT_EQ((*again)->status, 200) << (*again)->body;
}

TEST(Threads, proofs_are_given_while_the_sequencer_works) {
  Settings settings;
  settings.tables_per_client_max = 60;
  Rig rig(settings);
  std::vector<std::string> spins;  // one of each table
  for (int i = 0; i < 60; ++i)
    spins.push_back(rig.draw_body(rig.open_batch(rig.open_table(wheel_table), 1), 0));
  const auto first = rig.post("/v1/draws", spins.front());
  const auto seq = std::to_string(first.number({"draw", "seq"}));
  const auto receipt = rig.get("/v1/receipts/" + seq).body;
  rig.service().start();
  std::atomic<int> same{0};
  std::thread reader([&] {
    for (int i = 0; i < 200; ++i) {
      for (const auto* path : {"/v1/receipts/", "/v1/bundles/"}) {
        rig.service().submit({"GET", path + seq, {}, rig.client, {}}, [&](const Reply& reply) {
          same += reply.status == 200 && (path[4] == 'b' || reply.body == receipt) ? 1 : 0;
        });
      }
      rig.service().submit({"GET", "/v1/checkpoint", {}, rig.client, {}},
                           [&](const Reply& reply) { same += reply.status == 200 ? 1 : 0; });
    }
  });
  std::vector<std::shared_ptr<std::optional<Reply>>> replies;
  for (int i = 1; i < 60; ++i)
    replies.push_back(
        rig.send(rig.request("POST", "/v1/draws", spins[static_cast<std::size_t>(i)])));
  reader.join();
  rig.service().stop();
  EXPECT_EQ(same, 600);
  for (const auto& reply : replies) EXPECT_EQ((*reply)->status, 200);
}

}  // namespace
}  // namespace talla::core::test

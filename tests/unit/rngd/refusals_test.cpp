// Goal: a refusal says what would be right: the member that is wrong, the values there are, the
//       roles that may, who ends a latch; events are for whom they concern, of what was asked for.
// Method: one wrong request each against a whole appliance, its problem document read member by
//         member.
#include <gtest/gtest.h>

#include "core/methods.hpp"
#include "rig.hpp"

namespace talla::core::test {
namespace {

std::string detail(const Got& got) {
  return got.text({"detail"});
}

/// The texts of an array.
std::vector<std::string> texts(const json::Value& array) {
  std::vector<std::string> all;
  for (const auto& one : array.array()) all.push_back(one.string());
  return all;
}

TEST(Refusal, a_bet_is_named_by_its_place_and_member) {
  Rig rig;
  const auto table = rig.open_table(roulette_table);
  const auto round = rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  const std::string good = R"({"id":"a","seat":1,"kind":"rojo","stake":100})";
  const auto put = [&](const std::string& third) {
    return rig.post("/v1/rounds/" + round + "/bets",
                    R"({"bets":[)" + good + "," + good + "," + third + "]}");
  };
  for (const auto& [bet, where] : std::vector<std::pair<std::string, std::string>>{
           {R"({"id":"b","seat":1,"kind":"rojo","stake":"100"})", "bets[2].stake"},
           {R"({"id":"b","seat":1,"kind":"rojo","stake":-1})", "bets[2].stake"},
           {R"({"id":"b","seat":1,"kind":"rojo"})", "bets[2].stake"},
           {R"({"id":"b","seat":"one","kind":"rojo","stake":100})", "bets[2].seat"},
           {R"({"id":"b","seat":1,"kind":"","stake":100})", "bets[2].kind"},
           {"{\"id\":\"b\",\"seat\":1,\"kind\":\"r\x7fjo\",\"stake\":100}", "bets[2].kind"},
           {R"({"id":"b","seat":1,"kind":"pleno","on":["1","ñ"],"stake":100})", "bets[2].on[1]"},
           {R"({"id":"b","seat":1,"kind":"rojo","stake":100,"more":1})", "bets[2].more"},
           {"17", "bets[2]"}}) {
    const auto got = put(bet);
    EXPECT_EQ(got.code(), "malformed_request") << bet;
    EXPECT_TRUE(detail(got).starts_with(where)) << detail(got);
  }
}

TEST(Refusal, a_draw_without_its_round_is_told_which_is_open) {
  Rig rig;
  const auto batch = rig.open_batch(rig.open_table(roulette_table));
  auto got = rig.post("/v1/draws", rig.draw_body(batch, 0));
  EXPECT_EQ(got.code(), "wrong_state");
  EXPECT_EQ(got.text({"lapsed", "detail"}), "open a round first: this table draws in rounds alone");
  const auto round = rig.post("/v1/tables/" + batch.table + "/rounds").text({"round", "id"});
  got = rig.post("/v1/draws", rig.draw_body(batch, 1));
  EXPECT_EQ(got.code(), "malformed_request");
  EXPECT_EQ(got.text({"lapsed", "detail"}), "round: is missing; open is " + round);
  EXPECT_EQ(got.text({"lapsed", "now", "round"}), round);
}

TEST(Refusal, a_shoe_that_is_there_but_not_mixed_is_named) {
  Rig rig;
  const auto table = rig.open_table(punto_table);
  EXPECT_EQ(rig.post("/v1/tables/" + table + "/rounds").code(), "no_shoe");
  const auto shoe = rig.post("/v1/tables/" + table + "/shoes").text({"shoe", "id"});
  const auto got = rig.post("/v1/tables/" + table + "/rounds");
  EXPECT_EQ(got.code(), "shoe_not_mixed");
  EXPECT_EQ(got.text({"shoe"}), shoe);
}

TEST(Refusal, a_missing_role_is_named_beside_those_one_has) {
  Rig rig;
  const auto got = rig.post_as(rig.operator_, "/v1/tables", wheel_table);
  EXPECT_EQ(got.code(), "forbidden");
  EXPECT_EQ(texts(got.at({"needed_roles"})), std::vector<std::string>{"table"});
  EXPECT_EQ(texts(got.at({"own_roles"})), std::vector<std::string>{"operator"});
  rig.supply.latch(entropy::LatchReason::operator_request);
  const auto act = rig.post_as(rig.operator_, "/v1/acts", R"({"act":"latch-reset"})");
  EXPECT_EQ(act.code(), "forbidden");
  EXPECT_EQ(texts(act.at({"needed_roles"})),
            (std::vector<std::string>{"security-officer", "inspector"}));
}

TEST(Refusal, a_latched_generator_says_who_ends_it) {
  Rig rig;
  const auto table = rig.open_table(wheel_table);
  rig.supply.latch(entropy::LatchReason::health_permanent);
  for (int i = 0; i < 2; ++i) {
    const auto got = rig.post("/v1/tables/" + table + "/batches");
    EXPECT_EQ(got.code(), "entropy_latched");
    EXPECT_EQ(got.text({"ended_by", "act"}), "latch-reset");
    EXPECT_EQ(json::canonical(got.at({"ended_by", "roles"})),
              R"([["security-officer"],["inspector"]])");
    EXPECT_NE(detail(got).find("security-officer and inspector"), std::string::npos) << detail(got);
    rig.restart();  // now the log says that it is latched
  }
}

TEST(Refusal, values_that_are_not_known_come_with_those_that_are) {
  Rig rig;
  const auto listed = [](const Got& got, const std::string& one) {
    EXPECT_NE(detail(got).find(one), std::string::npos) << detail(got);
  };
  for (const char* act : {"latch-reset", "log-key-rotate", "draw-void", "table-finish", "restore"})
    listed(rig.post_as(rig.officer, "/v1/acts", R"({"act":"reset"})"), act);
  listed(rig.post_as(rig.officer, "/v1/acts",
                     R"({"act":"client-enrol","client":{"id":"talla:x","spki":")" +
                         std::string(64, '9') + R"(","roles":["boss"]}})"),
         "table, auditor, operator");
  const std::string money = R"(,"table":{"currency":"ESP","unit":1,"min":25}})";
  listed(rig.post("/v1/tables", R"({"catalogue":"es-1900","game":"craps")" + money), "es-1977");
  listed(rig.post("/v1/tables", R"({"catalogue":"es-1977","game":"whist")" + money), "craps");
  listed(rig.post("/v1/tables", R"({"settled_by":"client","catalogue":"es-1900","game":"craps"})"),
         "es-1977");
  listed(rig.post("/v1/tables", R"({"settled_by":"client","catalogue":"es-1977","game":"whist"})"),
         "craps");
  listed(rig.get("/v1/events?kind=CARD"), "CARD_DEAL");
}

TEST(Query, what_nobody_reads_is_refused_everywhere_alike) {
  Rig rig;
  for (const Role role : all_roles) rig.client.roles.add(role);
  for (const auto& row : operations()) {
    std::string path(row.path);
    for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
      path.replace(open, path.find('}') - open + 1, "1");
    const auto got = row.method == "GET" ? rig.get(path + "?such=1") : rig.post(path + "?such=1");
    EXPECT_EQ(got.status, 400) << row.id << got.body;
    EXPECT_EQ(got.code(), "malformed_request") << row.id;
    EXPECT_EQ(detail(got), "query.such: is not known here") << row.id;
  }
}

TEST(Query, every_name_that_the_description_has_is_taken) {
  Rig rig;
  rig.client.roles = {Role::table, Role::auditor};
  const auto table = rig.open_table(wheel_table);
  for (const std::string& path : std::vector<std::string>{
           "/v1/events?after=1&limit=2&table=" + table + "&kind=TABLE_OPEN",
           "/v1/tables/" + table + "/rounds?limit=1", std::string("/v1/catalogues?language=es")})
    EXPECT_EQ(rig.get(path).status, 200) << path;
  for (const std::string path : {"/v1/events?limit=0", "/v1/events?limit=1001",
                                 "/v1/events?table=9", "/v1/events?table=round-9",
                                 "/v1/events?kind=draw", "/v1/events?kind=", "/v1/events?after=-2"})
    EXPECT_EQ(rig.get(path).code(), "malformed_request") << path;
}

TEST(Methods, a_path_says_what_it_takes) {
  EXPECT_EQ(allowed_methods("/v1/tables"), "POST, GET");
  EXPECT_EQ(allowed_methods("/v1/draws"), "POST");
  EXPECT_EQ(allowed_methods("/v1/rounds/round-9"), "GET");
  EXPECT_EQ(allowed_methods("/v1/nothing"), "");
}

TEST(EventsAsked, table_and_kind_narrow_what_is_found_and_pages_go_on_behind_what_was_looked_at) {
  Rig rig;
  const auto one = rig.open_table(wheel_table);
  const auto other = rig.open_table(wheel_table);
  for (const auto& table : {one, other}) {
    const auto batch = rig.open_batch(table);
    ASSERT_EQ(rig.post("/v1/draws", rig.draw_body(batch, 0)).status, 200);
  }
  const auto kinds = [&rig](const std::string& query) {
    std::vector<std::string> all;
    const auto got = rig.get("/v1/events?limit=1000" + query);
    for (const auto& event : got.at({"events"}).array())
      all.push_back(event.find("kind")->string() + " " + event.find("table")->string());
    return all;
  };
  EXPECT_EQ(kinds("&kind=DRAW"), (std::vector<std::string>{"DRAW " + one, "DRAW " + other}));
  EXPECT_EQ(kinds("&kind=DRAW&table=" + other), std::vector<std::string>{"DRAW " + other});
  EXPECT_EQ(kinds("&table=" + one),
            (std::vector<std::string>{"TABLE_OPEN " + one, "BATCH_COMMIT " + one, "CALL " + one,
                                      "DRAW " + one}));
  EXPECT_TRUE(kinds("&table=table-999999").empty());
  EventQuery query{.after = -1, .limit = 100, .table = {}, .kinds = {certs::Kind::void_call}};
  const auto page = rig.service().events(rig.client, query);
  EXPECT_TRUE(page.events.empty());
  EXPECT_EQ(page.next + 1, static_cast<std::int64_t>(rig.log().size()))
      << "nobody looks through the same records again";
  EXPECT_FALSE(page.more);
}

TEST(EventsAsked, one_reply_looks_at_so_many_records_and_says_where_the_next_goes_on) {
  Rig rig;
  const auto first = rig.open_table(wheel_table);
  for (int turn = 0; turn < 22; ++turn) {  // 11,000 records of the machine
    for (int i = 0; i < 500; ++i) {
      rig.supply.events.push_back(
          {.kind = entropy::EventKind::reseed,
           .monotonic_ns = rig.clock.monotonic_ns(),
           .utc_us = rig.clock.utc_us(),
           .reseed_counter = static_cast<std::uint64_t>(turn * 500 + i + 2)});
    }
    rig.service().run_until_idle();
  }
  const auto last = rig.open_table(wheel_table);
  std::vector<std::string> found;
  std::int64_t after = -1;
  int pages = 0;
  for (bool more = true; more; ++pages) {
    ASSERT_LT(pages, 10);
    const auto got =
        rig.get("/v1/events?kind=TABLE_OPEN&limit=1000&after=" + std::to_string(after));
    for (const auto& event : got.at({"events"}).array())
      found.push_back(event.find("table")->string());
    EXPECT_LE(got.number({"next"}) - after, 5000);
    EXPECT_GT(got.number({"next"}), after);
    after = got.number({"next"});
    more = got.at({"more"}).boolean();
  }
  EXPECT_EQ(found, (std::vector<std::string>{first, last}));
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(after + 1, static_cast<std::int64_t>(rig.log().size()));
  const auto full = rig.get("/v1/events?limit=7&after=3");
  EXPECT_EQ(full.at({"events"}).array().size(), 7U);
  EXPECT_EQ(full.number({"next"}), 10);
  EXPECT_TRUE(full.at({"more"}).boolean());
  const auto beyond = rig.get("/v1/events?after=" + std::to_string(after + 50));
  EXPECT_TRUE(beyond.at({"events"}).array().empty());
  EXPECT_EQ(beyond.number({"next"}), after + 50) << "what comes later is not told twice";
  EXPECT_FALSE(beyond.at({"more"}).boolean());
}

TEST(EventsAsked, they_are_answered_outside_of_the_sequencers_turn) {
  Rig rig;
  static_cast<void>(rig.open_table(wheel_table));
  const auto reply = rig.send(rig.request("GET", "/v1/events?kind=TABLE_OPEN"));
  ASSERT_TRUE(reply->has_value()) << "nobody has run a turn";
  EXPECT_EQ((*reply)->status, 200);
}

}  // namespace
}  // namespace talla::core::test

// Goal: who may do what, and what goes on while new commitments are stopped or a table is
//   suspended, is exactly the table of rngd/docs/access.md (PROTOCOL section 7).
// Method: the document is read row by row; every role against every operation; every operation that
//   changes something is done on an appliance of its own in each state, with everything in place
//   that it needs.
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "contributors.hpp"
#include "core/openapi.hpp"
#include "fake_watch.hpp"
#include "machine.hpp"
#include "rig.hpp"
#include "seat_pair.hpp"
#include "support/source_tree.hpp"

namespace talla::core::test {
namespace {

const std::vector<std::string> columns = {
    "operation",        "request",   "table",    "seat", "contributor", "operator", "auditor",
    "security-officer", "inspector", "shuffler", "lab",  "stopped",     "suspended"};
constexpr std::size_t first_role = 2;
constexpr std::size_t stopped_at = 11;
constexpr std::size_t suspended_at = 12;

using Row = std::vector<std::string>;

std::string trimmed(const std::string& text) {
  const auto from = text.find_first_not_of(" `");
  return from == std::string::npos ? std::string()
                                   : text.substr(from, text.find_last_not_of(" `") + 1 - from);
}

/// Rows below the heading, by operation.
std::map<std::string, Row> documented() {
  std::ifstream in(talla::test::source_tree() / "rngd/docs/access.md");
  std::map<std::string, Row> rows;
  bool begun = false;
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("| ")) continue;
    Row row;
    std::istringstream cells(line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) row.push_back(trimmed(cell));
    if (row == columns) {
      begun = true;
    } else if (begun && !row.front().starts_with("-")) {
      EXPECT_EQ(row.size(), columns.size()) << line;
      EXPECT_TRUE(rows.emplace(row.front(), row).second) << line;
    }
  }
  EXPECT_TRUE(begun) << "no table with the columns of this test";
  return rows;
}

TEST(AccessTable, every_operation_and_every_role_as_the_document_says) {
  const auto rows = documented();
  for (const auto& operation : operations()) {
    const auto found = rows.find(std::string(operation.id));
    ASSERT_NE(found, rows.end()) << operation.id;
    const Row& row = found->second;
    EXPECT_EQ(row.at(1), std::string(operation.method) + " " + std::string(operation.path));
    for (std::size_t i = first_role; i < stopped_at; ++i) {
      const auto role = role_from(columns[i]);
      ASSERT_TRUE(role.has_value()) << columns[i];
      EXPECT_EQ(may({*role}, operation.id), row.at(i) == "yes")
          << operation.id << " " << columns[i];
      EXPECT_TRUE(row.at(i) == "yes" || row.at(i) == "-") << row.at(i);
    }
    EXPECT_FALSE(may({}, operation.id)) << operation.id;
  }
  EXPECT_EQ(rows.size(), operations().size()) << "a row of no operation";
}

TEST(AccessTable, who_has_no_role_for_it_is_refused_before_anything_else_is_looked_at) {
  Rig rig;
  for (const auto& operation : operations()) {
    std::string path(operation.path);
    for (auto open = path.find('{'); open != std::string::npos; open = path.find('{'))
      path.replace(open, path.find('}') - open + 1, "1");
    for (std::size_t i = first_role; i < stopped_at; ++i) {
      const RoleSet roles{*role_from(columns[i])};
      if (may(roles, operation.id)) continue;
      rig.client.roles = roles;
      const auto got = operation.method == "GET" ? rig.get(path) : rig.post(path, "no JSON");
      EXPECT_EQ(got.code(), "forbidden") << operation.id << " " << columns[i];
    }
  }
}

// Every operation that changes something, with what it needs in place.

enum class State : std::uint8_t { serving, stopped, suspended };

/// What is asked.
struct Ask {
  Client who;
  std::string path, body;
};

struct Stage {
  explicit Stage(State wanted) : state(wanted) {
    rig.settings.clients.push_back(machine.enrolment());
    rig.restart();
  }
  Ask ask(std::string path, std::string body = "{}") {
    return {rig.client, std::move(path), std::move(body)};
  }
  std::string shoe(const std::string& table_body = shoe_table) {
    table = rig.open_table(table_body);
    return rig.deal_ready_shoe(table).text({"shoe", "id"});
  }
  /// A shoe that nobody has mixed: its id and root.
  std::pair<std::string, std::string> unmixed() {
    table = rig.open_table(shoe_table);
    const auto made = rig.post("/v1/tables/" + table + "/shoes");
    return {made.text({"shoe", "id"}), made.text({"shoe", "root"})};
  }
  /// A shoe given to the machine.
  std::string given(const std::string& more = {}) {
    const auto id = shoe(R"({"settled_by":"client","deck":"french52x1"})");
    EXPECT_EQ(rig.post("/v1/shoes/" + id + "/release", machine.wish(more)).status, 200);
    machine.read(machine.get(rig, id));
    return id;
  }
  /// A round at roulette whose bets are open.
  std::string spin_round() {
    table = rig.open_table(roulette_table);
    batch = rig.open_batch(table);
    return rig.post("/v1/tables/" + table + "/rounds").text({"round", "id"});
  }
  /// The same meter for everybody who asks.
  static std::string meter_body() {
    return R"({"meter":"carrusel","catalogue":"es-aragon-2010","game":"caribbean-stud","table":)"
           R"({"currency":"EUR","unit":1,"min":10,"params":{"carrousel":true,"deal_mode":"blocks"}}})";
  }
  std::string act() { return rig.post_as(rig.officer, "/v1/acts", revoke).text({"act", "id"}); }
  static constexpr const char* revoke = R"({"act":"client-revoke","object":"talla:shuffler-1"})";

  State state;
  FakeWatch watch;
  Rig rig;
  Machine machine;
  std::string table;
  Rig::OpenBatch batch;
};

/// Synthetic poker, four who check, up to some step of it.
class Poker {
 public:
  explicit Poker(Stage& stage, const std::string& more = {}) : rig_(stage.rig) {
    table_ =
        rig_.open_table(R"({"catalogue":"es-aragon-2010","game":"circle-synthetic",)"
                        R"("table":{"currency":"EUR","unit":1,"min":20,"params":{"fee_rate":"0")" +
                        more + "}}}");
  }
  /// What the rules ask for.
  std::string due() {
    const auto view = rig_.get("/v1/tables/" + table_);
    std::map<std::string, bool> needs;
    for (const auto& need : view.at({"table", "needs"}).array()) {
      const auto name = need.find("need")->string();
      needs[name] = name != "decide" || need.find("required")->boolean();
    }
    if (needs.contains("shuffle")) return "shuffle";
    if (needs.contains("shoe")) return "shoe";
    if (round_.empty()) return "round";
    if (needs.contains("deal") || needs.contains("reveal")) return "deal";
    if (needs.contains("confirm")) return "confirm";
    return needs["decide"] ? "decide" : "bets";
  }
  void step() {
    const auto now = due();
    Got got;
    if (now == "shoe") {
      got = rig_.deal_ready_shoe(table_);
      shoe_ = got.text({"shoe", "id"});
    } else if (now == "round") {
      got = rig_.post("/v1/tables/" + table_ + "/rounds");
      round_ = got.text({"round", "id"});
    } else if (now == "bets") {
      json::Array bets;
      for (int seat = 1; seat <= 4; ++seat) {
        bets.emplace_back(json::Object{
            {"id", "r" + std::to_string(seat)}, {"seat", seat}, {"kind", "resto"}, {"stake", 400}});
      }
      got = rig_.post("/v1/rounds/" + round_ + "/close-bets",
                      json::canonical(json::Value(json::Object{{"bets", std::move(bets)}})));
    } else if (now == "deal") {
      const auto position = rig_.get("/v1/shoes/" + shoe_).number({"shoe", "position"});
      got = rig_.post("/v1/shoes/" + shoe_ + "/deal",
                      R"({"expected":)" + std::to_string(position) + R"(,"until":"needs"})");
    } else {
      const Ask next = decision();
      got = rig_.post(next.path, next.body);
    }
    ASSERT_LT(got.status, 300) << now << ": " << got.body;
  }
  void go_to(const std::string& wanted) {
    for (int i = 0; i < 60 && due() != wanted; ++i) step();
    ASSERT_EQ(due(), wanted);
  }
  Ask decision() {
    const auto view = rig_.get("/v1/rounds/" + round_);
    for (const auto& need : view.at({"round", "needs"}).array()) {
      if (need.find("need")->string() != "decide" || !need.find("required")->boolean()) continue;
      std::string says = "mostrar";
      for (const auto& choice : need.find("choices")->array())
        if (choice.find("do")->string() == "pasar") says = "pasar";
      return {rig_.client, "/v1/rounds/" + round_ + "/actions",
              R"({"expected_state":")" + view.text({"round", "state_digest"}) + R"(","seat":)" +
                  std::to_string(need.find("seat")->integer()) + R"(,"do":")" + says + R"("})"};
    }
    ADD_FAILURE() << "nobody decides";
    return {};
  }
  /// A common card turned while somebody may speak.
  Ask too_early() {
    return {rig_.client, "/v1/rounds/" + round_ + "/misdeal",
            R"({"expected_state":")" +
                rig_.get("/v1/rounds/" + round_).text({"round", "state_digest"}) +
                R"(","code":"common-too-early"})"};
  }
  Ask confirmation() {
    return {rig_.client, "/v1/rounds/" + round_ + "/confirm",
            R"({"expected_state":")" +
                rig_.get("/v1/rounds/" + round_).text({"round", "state_digest"}) + R"("})"};
  }
  Ask recommit() { return {rig_.client, "/v1/shoes/" + shoe_ + "/recommit", "{}"}; }

 private:
  Rig& rig_;
  std::string table_, shoe_, round_;
};

using Scene = std::function<Ask(Stage&)>;

std::string mix_body(Stage& stage, const std::string& shoe) {
  return stage.rig.mix_body(shoe);
}
const std::string first_card = R"({"expected":0,"until":1,"place":"hand","face":"open"})";
const std::string red = R"({"bets":[{"id":"b1","seat":1,"kind":"rojo","stake":100}]})";

/// A table is suspended only for what is committed and lives: each scene has such a shoe or batch.
const std::map<std::string, Scene> scenes = {
    {"openTable",
     [](Stage& stage) {
       stage.shoe();
       return stage.ask("/v1/tables", shoe_table);
     }},
    {"closeTable",
     [](Stage& stage) {
       stage.shoe();
       return stage.ask("/v1/tables/" + stage.table + "/close");
     }},
    {"newShoe",
     [](Stage& stage) {
       const auto id = stage.shoe();
       if (stage.state != State::suspended) stage.rig.post("/v1/shoes/" + id + "/close");
       return stage.ask("/v1/tables/" + stage.table + "/shoes");
     }},
    {"mixShoe",
     [](Stage& stage) {
       const auto [id, root] = stage.unmixed();
       return stage.ask("/v1/shoes/" + id + "/mix", mix_body(stage, id));
     }},
    {"recommitShoe",
     [](Stage& stage) {
       Poker poker(stage);
       poker.go_to("decide");
       const auto early = poker.too_early();
       EXPECT_EQ(stage.rig.post(early.path, early.body).status, 200);
       poker.go_to("shuffle");
       return poker.recommit();
     }},
    {"deal",
     [](Stage& stage) {
       const auto id = stage.shoe();
       return stage.ask("/v1/shoes/" + id + "/deal", first_card);
     }},
    {"openCard",
     [](Stage& stage) {
       const auto id = stage.shoe();
       const auto dealt =
           stage.rig.post("/v1/shoes/" + id + "/deal",
                          R"({"expected":0,"until":1,"place":"hand","face":"covered","seat":3})");
       EXPECT_EQ(dealt.status, 200) << dealt.body;
       return stage.ask("/v1/shoes/" + id + "/open", R"({"position":0})");
     }},
    {"releaseShoe",
     [](Stage& stage) {
       const auto id = stage.shoe(R"({"settled_by":"client","deck":"french52x1"})");
       return stage.ask("/v1/shoes/" + id + "/release", stage.machine.wish());
     }},
    {"nextTarget",
     [](Stage& stage) {
       const auto id = stage.given(R"(,"form":"targets")");
       auto ask = stage.ask("/v1/shoes/" + id + "/targets", R"({"target":0})");
       ask.who = stage.machine.client;
       return ask;
     }},
    {"reportShuffle",
     [](Stage& stage) {
       const auto id = stage.given();
       auto ask =
           stage.ask("/v1/shoes/" + id + "/report",
                     stage.machine.signed_report(stage.machine.report(stage.machine.order())));
       ask.who = stage.machine.client;
       return ask;
     }},
    {"askOpenings",
     [](Stage& stage) {
       stage.table = stage.rig.open_table(R"({"settled_by":"client","deck":"spanish40x1"})");
       const auto made =
           stage.rig.post("/v1/tables/" + stage.table + "/shoes", R"({"disclosure":"covered"})");
       const auto id = made.text({"shoe", "id"});
       const auto mix = mix_body(stage, made.text({"shoe", "id"}));
       EXPECT_EQ(stage.rig.post("/v1/shoes/" + id + "/mix", mix).status, 200);
       EXPECT_EQ(stage.rig.post("/v1/shoes/" + id + "/deal", first_card).status, 200);
       EXPECT_EQ(stage.rig.post("/v1/shoes/" + id + "/close").status, 200);
       stage.rig.deal_ready_shoe(stage.table);
       auto ask = stage.ask("/v1/shoes/" + id + "/openings");
       ask.who = {"talla:auditor-1", std::string(64, 'c'), {Role::auditor}};
       return ask;
     }},
    {"closeShoe",
     [](Stage& stage) {
       const auto id = stage.shoe();
       return stage.ask("/v1/shoes/" + id + "/close");
     }},
    {"newRound",
     [](Stage& stage) {
       stage.shoe(punto_table);
       return stage.ask("/v1/tables/" + stage.table + "/rounds");
     }},
    {"bets",
     [](Stage& stage) {
       const auto id = stage.spin_round();
       return stage.ask("/v1/rounds/" + id + "/bets", red);
     }},
    {"closeBets",
     [](Stage& stage) {
       const auto id = stage.spin_round();
       return stage.ask("/v1/rounds/" + id + "/close-bets", red);
     }},
    {"action",
     [](Stage& stage) {
       Poker poker(stage);
       poker.go_to("decide");
       return poker.decision();
     }},
    {"misdeal",
     [](Stage& stage) {
       Poker poker(stage);
       poker.go_to("decide");
       return poker.too_early();
     }},
    {"confirmHand",
     [](Stage& stage) {
       Poker poker(stage, R"(,"settle_on":"confirmation")");
       poker.go_to("confirm");
       return poker.confirmation();
     }},
    {"newBatch",
     [](Stage& stage) {
       stage.table = stage.rig.open_table(wheel_table);
       stage.rig.open_batch(stage.table);
       return stage.ask("/v1/tables/" + stage.table + "/batches");
     }},
    {"draw",
     [](Stage& stage) {
       stage.table = stage.rig.open_table(wheel_table);
       stage.batch = stage.rig.open_batch(stage.table);
       return stage.ask("/v1/draws", stage.rig.draw_body(stage.batch, 0));
     }},
    {"invite",
     [](Stage& stage) {
       stage.shoe();
       return stage.ask("/v1/tables/" + stage.table + "/invitations", R"({"seat":1})");
     }},
    {"handInCommitments",
     [](Stage& stage) {
       stage.shoe();
       Player player(stage.rig, stage.table, 1);
       auto ask = stage.ask("/v1/tables/" + stage.table + "/commitments", player.commit_body(1, 1));
       ask.who = player.client();
       return ask;
     }},
    {"openContribution",
     [](Stage& stage) {
       stage.table = stage.rig.open_table(wheel_table);
       stage.batch = stage.rig.open_batch(stage.table);
       Player player(stage.rig, stage.table, 1);
       EXPECT_EQ(player.commit().status, 200);
       const auto made =
           stage.rig.post("/v1/draws", with_others(stage.rig, stage.rig.draw_body(stage.batch, 0),
                                                   others_of(stage.rig, stage.table)));
       const auto request =
           player.open_request(static_cast<std::uint64_t>(made.number({"call", "seq"})));
       auto ask = stage.ask(request.path, request.body);
       ask.who = player.client();
       return ask;
     }},
    {"recordAnswer",
     [](Stage& stage) {
       const auto document = json::parse(openapi_document());
       const auto* post = document->find("paths")->find("/v1/answers")->find("post");
       const auto* body = post->find("requestBody")->find("content")->find("application/json");
       auto ask = stage.ask("/v1/answers", json::canonical(*body->find("example")));
       ask.who.roles = {Role::contributor};
       return ask;
     }},
    {"askAct",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/acts", Stage::revoke);
       ask.who = stage.rig.officer;
       return ask;
     }},
    {"confirmAct",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/acts/" + stage.act() + "/confirm");
       ask.who = stage.rig.inspector;
       return ask;
     }},
    {"withdrawAct",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/acts/" + stage.act() + "/withdraw");
       ask.who = stage.rig.officer;
       return ask;
     }},
    {"latchGenerator",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/generator/latch");
       ask.who = stage.rig.operator_;
       return ask;
     }},
    {"testGenerator",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/generator/test");
       ask.who = stage.rig.operator_;
       return ask;
     }},
    {"challengeSoftware",
     [](Stage& stage) {
       stage.rig.software = &stage.watch;
       stage.rig.restart();
       stage.shoe();
       auto ask =
           stage.ask("/v1/software/challenge", R"({"nonce":"000102030405060708090a0b0c0d0e0f"})");
       ask.who = stage.rig.inspector;
       return ask;
     }},
    {"openMeter",
     [](Stage& stage) {
       stage.shoe();
       auto ask = stage.ask("/v1/meters", Stage::meter_body());
       ask.who = stage.rig.operator_;
       return ask;
     }},
    {"closeMeter",
     [](Stage& stage) {
       stage.shoe();
       const auto made = stage.rig.post_as(stage.rig.operator_, "/v1/meters", Stage::meter_body());
       auto ask = stage.ask("/v1/meters/" + made.text({"meter", "id"}) + "/close");
       ask.who = stage.rig.operator_;
       return ask;
     }},
};

/// What the appliance says in that state: "goes on", or status and code.
std::string said(const Scene& scene, State state) {
  Stage stage(state);
  const Ask ask = scene(stage);
  if (state == State::stopped) stage.rig.supply.latch(entropy::LatchReason::health_permanent);
  if (state == State::suspended) {
    stage.rig.alarm();
    stage.rig.service().run_until_idle();
  }
  const auto got = stage.rig.post_as(ask.who, ask.path, ask.body);
  return got.status < 300 ? "goes on" : std::to_string(got.status) + " " + got.code();
}

class AccessState : public ::testing::TestWithParam<std::pair<const std::string, Scene>> {};

TEST_P(AccessState, is_as_the_document_says) {
  const auto& [id, scene] = GetParam();
  const Row row = documented().at(id);
  EXPECT_EQ(said(scene, State::serving), "goes on") << "the scene has what it needs";
  EXPECT_EQ(said(scene, State::stopped), row.at(stopped_at));
  EXPECT_EQ(said(scene, State::suspended), row.at(suspended_at));
}

INSTANTIATE_TEST_SUITE_P(Operations, AccessState, ::testing::ValuesIn(scenes.begin(), scenes.end()),
                         [](const auto& about) { return about.param.first; });

TEST(AccessTable,
     every_operation_that_changes_something_is_done_in_every_state_and_no_question_depends_on_it) {
  for (const auto& [id, row] : documented()) {
    const bool asks = row.at(1).starts_with("GET ");
    EXPECT_NE(asks, scenes.contains(id)) << id;
    if (!asks) continue;
    EXPECT_EQ(row.at(stopped_at), "goes on") << id;
    EXPECT_EQ(row.at(suspended_at), "goes on") << id;
  }
}

}  // namespace
}  // namespace talla::core::test

// Goal: rngd/openapi.json is written from the rows of the operations, each of them whole; who may
//       do what.
// Method: the file against the document; every row's words and examples; roles asked one by one.
#include "core/openapi.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "base/json.hpp"
#include "core/roles.hpp"
#include "operations.hpp"
#include "support/source_tree.hpp"

using namespace talla;  // NOLINT: test file

namespace {

using core::every_role;

/// Acts of two persons and the latch that one of them may set: for people, not for tables.
bool of_persons(const core::OperationRow& row) {
  return row.path.starts_with("/v1/acts") || row.id == "latchGenerator" || row.id == "getSoftware";
}
/// What two persons ordered for a laboratory.
bool of_laboratories(const core::OperationRow& row) {
  return row.id == "getSamples";
}

/// What the machine that has a shoe's order does, and what an auditor reads with an ACCESS.
bool of_machines(const core::OperationRow& row) {
  return row.id == "getRelease" || row.id == "nextTarget" || row.id == "reportShuffle";
}
/// Whoever oversees the appliance, and a laboratory, may challenge its software.
bool of_examiners(const core::OperationRow& row) {
  return row.id == "challengeSoftware";
}
/// Operators and laboratories have the generator tested.
bool of_testers(const core::OperationRow& row) {
  return row.id == "testGenerator";
}
/// What one does who puts numbers of its own into a table's calls.
bool of_contributors(const core::OperationRow& row) {
  return row.id == "handInCommitments" || row.id == "openContribution";
}
bool of_auditors(const core::OperationRow& row) {
  return row.id == "askOpenings" || row.id == "getOpenings";
}

std::string whole_file(const char* name) {
  std::ifstream file(talla::test::source_tree() / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST(OpenApi, the_file_is_what_the_rows_say) {
  EXPECT_EQ(whole_file("rngd/openapi.json"), core::openapi_document())
      << "write it again: build/bin/rngd --openapi > rngd/openapi.json";
}

TEST(OpenApi, every_operation_has_words_a_tag_and_examples_that_fit_its_schemas) {
  std::set<std::string> tags;
  const auto document = json::parse(core::openapi_document());
  ASSERT_TRUE(document);
  for (const auto& tag : document->find("tags")->array()) tags.insert(tag.find("name")->string());
  for (const auto& one : core::all_operations()) {
    const std::string id(one.row.id);
    EXPECT_TRUE(tags.contains(std::string(one.words.tag))) << id;
    EXPECT_GT(one.words.summary.size(), 10U) << id;
    EXPECT_GT(one.words.description.size(), 10U) << id;
    EXPECT_NE(one.words.summary.back(), '.') << id;
    ASSERT_FALSE(one.replies.empty()) << id;
    EXPECT_EQ(one.body.has_value(), one.row.method == "POST") << id;
    if (one.body) {
      const auto body = json::parse(one.example_body);
      ASSERT_TRUE(body) << id;
      const auto fits = one.body->check(*body, "example");
      EXPECT_TRUE(fits) << id << " " << fits.error().text();
    }
    if (one.replies.front().content_type != "application/json") continue;
    const auto reply = json::parse(one.example_reply);
    ASSERT_TRUE(reply) << id << " " << one.example_reply;
    const auto fits = one.replies.front().body.check(*reply, "example");
    EXPECT_TRUE(fits) << id << " " << fits.error().text();
  }
}

TEST(OpenApi, calls_and_records_are_named_by_their_numbers_and_objects_by_their_ids) {
  const auto document = json::parse(core::openapi_document());
  ASSERT_TRUE(document);
  const std::set<std::string> numbers{"call", "seq", "position"};
  const std::set<std::string> texts{"key", "catalogue", "game"};
  std::set<std::string> seen;
  for (const auto& [path, methods] : document->find("paths")->object()) {
    for (const auto& [method, operation] : methods.object()) {
      const auto* parameters = operation.find("parameters");
      if (parameters == nullptr) continue;
      for (const auto& one : parameters->array()) {
        if (one.find("in") == nullptr || one.find("in")->string() != "path") continue;
        const auto& name = one.find("name")->string();
        const auto& schema = *one.find("schema");
        const auto* pattern = schema.find("pattern");
        EXPECT_EQ(schema.find("type")->string(), numbers.contains(name) ? "integer" : "string")
            << path;
        EXPECT_EQ(pattern == nullptr ? std::string() : pattern->string(),
                  numbers.contains(name) || texts.contains(name) ? std::string()
                                                                 : "^" + name + "-(0|[1-9][0-9]*)$")
            << path;
        seen.insert(name);
      }
    }
  }
  EXPECT_TRUE(seen.contains("call") && seen.contains("seq") && seen.contains("table"));
}

TEST(OpenApi, every_operation_is_named_once_and_only_records_need_a_key) {
  std::set<std::string_view> ids;
  std::set<std::string> routes;
  for (const auto& row : core::operations()) {
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    EXPECT_TRUE(routes.insert(std::string(row.method) + " " + std::string(row.path)).second)
        << row.id;
    // A draft of bets is no record, a target for a machine neither; a challenge is always hashed
    // anew: they need no key.
    const bool plain = row.id == "bets" || row.id == "nextTarget" || row.id == "invite" ||
                       of_contributors(row) || of_examiners(row);
    EXPECT_EQ(row.makes_record, row.method == "POST" && !plain) << row.id;
  }
}

TEST(Roles, only_table_clients_play_and_every_role_reads_but_covered_cards) {
  for (const auto& row : core::operations()) {
    if (of_examiners(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.id), core::overseers.has(role) || role == core::Role::lab);
      continue;
    }
    if (of_laboratories(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.id), role == core::Role::lab);
      continue;
    }
    if (of_testers(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.id),
                  role == core::Role::operator_ || role == core::Role::lab);
      continue;
    }
    EXPECT_EQ(core::may({core::Role::auditor}, row.id) && row.method == "POST",
              of_auditors(row) && row.method == "POST");
    if (of_contributors(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.id),
                  role == core::Role::seat || role == core::Role::contributor);
      continue;
    }
    if (row.id == "recordAnswer") {  // of a partner's program, in the partner's own log
      for (const auto role : core::all_roles)
        EXPECT_EQ(core::may({role}, row.id),
                  role == core::Role::contributor || role == core::Role::operator_);
      continue;
    }
    if (of_machines(row) || of_auditors(row)) {
      EXPECT_FALSE(core::may({core::Role::table}, row.id)) << row.id;
      EXPECT_FALSE(core::may({core::Role::operator_}, row.id)) << row.id;
      EXPECT_EQ(core::may({core::Role::auditor}, row.id), of_auditors(row)) << row.id;
      EXPECT_EQ(core::may({core::Role::shuffler}, row.id), of_machines(row)) << row.id;
      continue;
    }
    const bool covered = row.id == "getCard";      // for the seat and its table alone
    const bool misdeal = row.id == "misdeal" ||    // an error may be stated by the operator too,
                         row.id == "confirmHand";  // and that there was none
    const bool meters = row.id == "openMeter" || row.id == "closeMeter";
    const bool reads = row.method == "GET" && !covered;
    const bool person = of_persons(row);
    EXPECT_EQ(core::may({core::Role::table}, row.id), !person && !meters && row.id != "getMonth")
        << row.id;
    EXPECT_EQ(core::may({core::Role::auditor}, row.id), reads) << row.id;
    EXPECT_EQ(core::may({core::Role::operator_}, row.id), reads || misdeal || person || meters)
        << row.id;
    for (const auto role : {core::Role::security_officer, core::Role::inspector}) {
      EXPECT_EQ(core::may({role}, row.id), reads || person) << row.id;
    }
    EXPECT_FALSE(core::may({}, row.id)) << row.id;
  }
}

TEST(Roles, a_seat_acts_reads_its_cards_and_its_round_and_nothing_else) {
  for (const auto& row : core::operations()) {
    if (!core::may({core::Role::seat}, row.id)) continue;
    EXPECT_TRUE(row.method == "GET" || row.id == "action" || of_contributors(row)) << row.id;
  }
  EXPECT_TRUE(core::may({core::Role::seat}, "getCard"));
}

TEST(Roles, a_machine_reads_its_release_reports_and_nothing_else) {
  std::set<std::string_view> allowed;
  for (const auto& row : core::operations()) {
    if (core::may({core::Role::shuffler}, row.id)) allowed.insert(row.id);
  }
  EXPECT_EQ(allowed, (std::set<std::string_view>{
                         "getShoe", "getRelease", "nextTarget", "reportShuffle", "getRequest",
                         "getStatus", "getMonitorHistory", "getCheckpoint", "getLogKeys"}));
}

TEST(Roles, who_contributes_commits_opens_reads_its_tables_records_and_nothing_else) {
  std::set<std::string_view> allowed;
  for (const auto& row : core::operations()) {
    if (core::may({core::Role::contributor}, row.id)) allowed.insert(row.id);
  }
  std::set<std::string_view> expected{core::invited_operations.begin(),
                                      core::invited_operations.end()};
  EXPECT_EQ(expected.size(), core::invited_operations.size());
  for (const auto* more : {"listTables", "getRequest", "getStatus", "getMonitorHistory",
                           "getCheckpoint", "recordAnswer"})
    expected.insert(more);
  EXPECT_EQ(allowed, expected) << "a certificate finds tables and reads what the appliance says of "
                                  "itself too";
}

TEST(Roles,
     a_laboratory_tests_generator_and_software_gets_its_samples_and_reads_log_rules_and_returns) {
  std::set<std::string_view> allowed;
  for (const auto& row : core::operations()) {
    if (core::may({core::Role::lab}, row.id)) allowed.insert(row.id);
  }
  EXPECT_EQ(allowed,
            (std::set<std::string_view>{
                "testGenerator", "getEvents", "getRequest", "getReturn", "getMonth",
                "getConsistency", "getStatus", "getMonitorHistory", "getCheckpoint", "getLogKeys",
                "getCosignedCheckpoint", "getSoftware", "challengeSoftware", "getCatalogues",
                "getGame", "getReceipt", "getProof", "getSamples", "getBundle"}));
}

TEST(Roles, names_and_roles_are_the_same_both_ways) {
  for (const auto role : every_role) {
    EXPECT_EQ(core::role_from(core::role_name(role)), role);
  }
  for (const auto* name :
       {"", "Table", "seats", "shuffling", "operator ", "inspectors", "security officer"}) {
    EXPECT_FALSE(core::role_from(name)) << name;
  }
}

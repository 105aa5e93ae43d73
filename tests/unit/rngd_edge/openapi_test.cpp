// Goal: every operation that the service knows stands in rngd/openapi.json as it is, and nothing
//       else stands there.
// Method: the table of core::operations() against the file: method, path, operationId, roles, key;
//         roles asked one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>

#include "base/json.hpp"
#include "core/roles.hpp"

using namespace talla;  // NOLINT: test file

namespace {

json::Value document() {
  std::ifstream file(std::string(TALLA_SOURCE_DIR) + "/rngd/openapi.json", std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto parsed = json::parse(text);
  EXPECT_TRUE(parsed) << parsed.error().text();
  return parsed ? std::move(*parsed) : json::Value();
}

constexpr std::array every_role{core::Role::table,
                                core::Role::seat,
                                core::Role::auditor,
                                core::Role::operator_,
                                core::Role::security_officer,
                                core::Role::inspector,
                                core::Role::shuffler,
                                core::Role::lab};

/// Acts of two persons and the latch that one of them may set: for people, not for tables.
bool of_persons(const core::OperationRow& row) {
  return row.path.starts_with("/v1/acts") || row.operation == core::Operation::latch_generator ||
         row.operation == core::Operation::get_software;
}

/// What the machine that has a shoe's order does, and what an auditor reads with an ACCESS.
bool of_machines(const core::OperationRow& row) {
  using core::Operation;
  return row.operation == Operation::get_release || row.operation == Operation::next_target ||
         row.operation == Operation::report_shuffle;
}
/// Whoever oversees the appliance may challenge its software.
bool of_overseers(const core::OperationRow& row) {
  return row.operation == core::Operation::challenge_software;
}
/// Operators and laboratories have the generator tested.
bool of_testers(const core::OperationRow& row) {
  return row.operation == core::Operation::test_generator;
}
bool of_auditors(const core::OperationRow& row) {
  return row.operation == core::Operation::ask_openings ||
         row.operation == core::Operation::get_openings;
}

struct Described {
  std::string id;
  std::string method;
  std::string path;
  std::set<std::string> roles;
  bool makes_record = false;
  bool operator<(const Described& other) const { return id < other.id; }
};

std::vector<Described> described() {
  std::vector<Described> all;
  const json::Value api = document();
  for (const auto& [path, methods] : api.find("paths")->object()) {
    for (const auto& [method, operation] : methods.object()) {
      Described one;
      one.id = operation.find("operationId")->string();
      one.path = path;
      std::transform(method.begin(), method.end(), std::back_inserter(one.method),
                     [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      for (const auto& role : operation.find("x-talla-roles")->array())
        one.roles.insert(role.string());
      one.makes_record = operation.find("x-talla-record")->boolean();
      all.push_back(std::move(one));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<Described> known() {
  std::vector<Described> all;
  for (const auto& row : core::operations()) {
    Described one{
        std::string(row.id), std::string(row.method), std::string(row.path), {}, row.makes_record};
    for (const auto role : every_role) {
      if (row.roles.has(role)) one.roles.insert(std::string(core::role_name(role)));
    }
    all.push_back(std::move(one));
  }
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

TEST(OpenApi, DescribesEveryOperationOfTheServiceAndNoOther) {
  const auto file = described();
  const auto code = known();
  ASSERT_EQ(file.size(), code.size());
  for (std::size_t i = 0; i < file.size(); ++i) {
    EXPECT_EQ(file[i].id, code[i].id);
    EXPECT_EQ(file[i].method, code[i].method) << code[i].id;
    EXPECT_EQ(file[i].path, code[i].path) << code[i].id;
    EXPECT_EQ(file[i].roles, code[i].roles) << code[i].id;
    EXPECT_EQ(file[i].makes_record, code[i].makes_record) << code[i].id;
  }
}

TEST(OpenApi, EveryOperationIsInTheOrderOfItsEnumAndNamedOnce) {
  std::set<std::string_view> ids;
  std::size_t index = 0;
  for (const auto& row : core::operations()) {
    EXPECT_EQ(static_cast<std::size_t>(row.operation), index++) << row.id;
    EXPECT_TRUE(ids.insert(row.id).second) << row.id;
    // A draft of bets is no record, a target for a machine neither; a challenge is always hashed
    // anew: they need no key.
    const bool plain = row.operation == core::Operation::bets ||
                       row.operation == core::Operation::next_target || of_overseers(row);
    EXPECT_EQ(row.makes_record, row.method == "POST" && !plain) << row.id;
  }
}

TEST(Roles, OnlyTableClientsPlayAndEveryRoleReadsButCoveredCards) {
  for (const auto& row : core::operations()) {
    if (of_overseers(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.operation), core::overseers.has(role));
      continue;
    }
    if (of_testers(row)) {
      for (const auto role : every_role)
        EXPECT_EQ(core::may({role}, row.operation),
                  role == core::Role::operator_ || role == core::Role::lab);
      continue;
    }
    EXPECT_EQ(core::may({core::Role::auditor}, row.operation) && row.method == "POST",
              of_auditors(row) && row.method == "POST");
    if (of_machines(row) || of_auditors(row)) {
      EXPECT_FALSE(core::may({core::Role::table}, row.operation)) << row.id;
      EXPECT_FALSE(core::may({core::Role::operator_}, row.operation)) << row.id;
      EXPECT_EQ(core::may({core::Role::auditor}, row.operation), of_auditors(row)) << row.id;
      EXPECT_EQ(core::may({core::Role::shuffler}, row.operation), of_machines(row)) << row.id;
      continue;
    }
    const bool covered =
        row.operation == core::Operation::get_card;  // for the seat and its table alone
    const bool misdeal =
        row.operation == core::Operation::misdeal ||  // an error may be stated by the operator too,
        row.operation == core::Operation::confirm_hand;  // and that there was none
    const bool meters = row.operation == core::Operation::open_meter ||
                        row.operation == core::Operation::close_meter;
    const bool reads = row.method == "GET" && !covered;
    const bool person = of_persons(row);
    EXPECT_EQ(core::may({core::Role::table}, row.operation), !person && !meters) << row.id;
    EXPECT_EQ(core::may({core::Role::auditor}, row.operation), reads) << row.id;
    EXPECT_EQ(core::may({core::Role::operator_}, row.operation),
              reads || misdeal || person || meters)
        << row.id;
    for (const auto role : {core::Role::security_officer, core::Role::inspector}) {
      EXPECT_EQ(core::may({role}, row.operation), reads || person) << row.id;
    }
    EXPECT_FALSE(core::may({}, row.operation)) << row.id;
  }
}

TEST(Roles, ASeatActsReadsItsCardsAndItsRoundAndNothingElse) {
  for (const auto& row : core::operations()) {
    if (!core::may({core::Role::seat}, row.operation)) continue;
    EXPECT_TRUE(row.method == "GET" || row.operation == core::Operation::action) << row.id;
  }
  EXPECT_TRUE(core::may({core::Role::seat}, core::Operation::get_card));
}

TEST(Roles, AMachineReadsItsReleaseReportsAndNothingElse) {
  std::set<std::string_view> allowed;
  for (const auto& row : core::operations()) {
    if (core::may({core::Role::shuffler}, row.operation)) allowed.insert(row.id);
  }
  EXPECT_EQ(allowed,
            (std::set<std::string_view>{"getShoe", "getRelease", "nextTarget", "reportShuffle",
                                        "getRequest", "getStatus", "getCheckpoint", "getLogKeys"}));
}

TEST(Roles, ALaboratoryHasTheGeneratorTestedReadsTheLogAndSeesNoTable) {
  std::set<std::string_view> allowed;
  for (const auto& row : core::operations()) {
    if (core::may({core::Role::lab}, row.operation)) allowed.insert(row.id);
  }
  EXPECT_EQ(allowed, (std::set<std::string_view>{"testGenerator", "getEvents", "getRequest",
                                                 "getStatus", "getCheckpoint", "getLogKeys"}));
}

TEST(Roles, NamesAndRolesAreTheSameBothWays) {
  for (const auto role : every_role) {
    EXPECT_EQ(core::role_from(core::role_name(role)), role);
  }
  for (const auto* name :
       {"", "Table", "seats", "shuffling", "operator ", "inspectors", "security officer"}) {
    EXPECT_FALSE(core::role_from(name)) << name;
  }
}

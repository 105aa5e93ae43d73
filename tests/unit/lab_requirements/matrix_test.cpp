// Goal: the matrix of requirements is true of the tree: what it names is there, and what has no
//   test or no evidence is said to be open.
// Method: every file, folder, page, command and test that it names is looked for in the sources; a
//   planted name that does not exist is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "lab_requirements/requirements.hpp"
#include "support/source_tree.hpp"

namespace talla::lab::requirements {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path root = talla::test::source_tree();

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// The cases of each suite, from the sources of the tests.
std::map<std::string, std::set<std::string>> suites() {
  std::map<std::string, std::set<std::string>> out;
  const std::regex test(R"((?:TEST|TEST_F|TEST_P|RC_GTEST_PROP)\(\s*(\w+),\s*(\w+)\s*[),])");
  for (const auto& entry : fs::recursive_directory_iterator(root / "tests")) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = content(entry.path());
    for (auto at = std::sregex_iterator(text.begin(), text.end(), test);
         at != std::sregex_iterator(); ++at)
      out[(*at)[1]].insert((*at)[2]);
  }
  return out;
}

/// Commands of the program, as its sources add them.
std::set<std::string> commands() {
  std::set<std::string> out;
  const std::regex command(R"(root\.add_subcommand\(\s*"(\w+)\")");
  for (const auto& entry : fs::directory_iterator(root / "rngd/tools/talla-lab/src")) {
    const std::string text = content(entry.path());
    for (auto at = std::sregex_iterator(text.begin(), text.end(), command);
         at != std::sregex_iterator(); ++at)
      out.insert((*at)[1]);
  }
  return out;
}

/// What a clause names and the tree does not have.
std::vector<std::string> missing(const Clause& clause) {
  static const auto known = suites();
  static const auto programs = commands();
  std::vector<std::string> out;
  for (const std::string& path : clause.code) {
    if (!fs::exists(root / path)) out.push_back(path);
  }
  for (const std::string& test : clause.tests) {
    const std::size_t dot = test.find('.');
    const std::string suite = test.substr(0, dot);
    const std::string name = dot == std::string::npos ? "" : test.substr(dot + 1);
    const auto found = known.find(suite);
    const bool there = suite == "e2e"
                           ? fs::exists(root / "tests/e2e" / (name + ".py"))
                           : found != known.end() && (name.empty() || found->second.contains(name));
    if (!there) out.push_back(test);
  }
  for (const std::string& evidence : clause.evidence) {
    const std::string program = "talla-lab ";
    const bool there = evidence.starts_with(program)
                           ? programs.contains(evidence.substr(program.size()))
                           : fs::exists(root / evidence);
    if (!there) out.push_back(evidence);
  }
  return out;
}

TEST(Requirements, every_code_test_page_and_command_that_is_named_is_there) {
  std::size_t clauses = 0;
  for (const Group& group : groups()) {
    for (const Clause& clause : group.clauses) {
      ++clauses;
      EXPECT_THAT(missing(clause), testing::IsEmpty()) << group.name << ": " << clause.clause;
    }
  }
  EXPECT_GT(clauses, 60U);
}

TEST(Requirements, what_is_named_and_not_there_is_found) {
  Clause clause{
      .clause = "planted",
      .mark = "R",
      .asks = "",
      .code = {"shuffle/src/never.cpp"},
      .tests = {"UniformExhaustive", "UniformExhaustive.never", "NeverSuite", "e2e.never"},
      .evidence = {"talla-lab never", "certs/NEVER.md", "talla-lab acvp"},
      .open = ""};
  EXPECT_THAT(missing(clause),
              testing::ElementsAre("shuffle/src/never.cpp", "UniformExhaustive.never", "NeverSuite",
                                   "e2e.never", "talla-lab never", "certs/NEVER.md"));
}

TEST(Requirements, there_are_24_groups_in_order_each_with_clauses_of_known_marks) {
  ASSERT_EQ(groups().size(), 24U);
  std::set<std::string> seen;
  for (std::size_t i = 0; i < groups().size(); ++i) {
    EXPECT_EQ(groups()[i].number, static_cast<std::int64_t>(i) + 1);
    EXPECT_FALSE(groups()[i].clauses.empty()) << groups()[i].name;
    for (const Clause& clause : groups()[i].clauses) {
      EXPECT_THAT(clause.mark, testing::AnyOf("R", "X", "2", "rec")) << clause.clause;
      EXPECT_TRUE(seen.insert(groups()[i].name + clause.clause).second) << clause.clause;
    }
  }
}

TEST(Requirements, every_text_of_the_list_has_a_clause) {
  std::string all;
  for (const Group& group : groups()) {
    for (const Clause& clause : group.clauses) all += clause.clause + "\n";
  }
  for (const char* text : {"DGOJ", "GLI-19", "GLI-11", "25 CFR 547.14", "SP 800-90A", "SP 800-90B",
                           "SP 800-90C", "AIS 20/31"})
    EXPECT_THAT(all, HasSubstr(text));
}

std::string refusal(const std::string& clause) {
  const auto made =
      read(R"({"groups": [{"number": 1, "name": "x", "clauses": [)" + clause + "]}]}");
  return made ? "read" : made.error().detail;
}

TEST(Requirements, a_clause_without_test_or_evidence_must_say_that_it_is_open) {
  const std::string head = R"("clause": "c", "mark": "R", "asks": "a", "code": [])";
  EXPECT_EQ(refusal("{" + head + R"(, "tests": ["T"], "evidence": ["e"]})"), "read");
  EXPECT_THAT(refusal("{" + head + R"(, "tests": [], "evidence": ["e"]})"), HasSubstr("says why"));
  EXPECT_THAT(refusal("{" + head + R"(, "tests": ["T"], "evidence": []})"), HasSubstr("says why"));
  EXPECT_EQ(refusal("{" + head + R"(, "tests": [], "evidence": [], "open": "w"})"), "read");
  EXPECT_THAT(refusal("{" + head + R"(, "tests": [], "evidence": [], "never": "w"})"),
              HasSubstr("never"));
}

}  // namespace
}  // namespace talla::lab::requirements

// Goal: every scenario file gives exactly what it expects; what is settled or refused by a section
// is settled or refused by a section of that game; every refusal can be said in Spanish.
// Method: each *.jsonl and *.json below this folder is one test; each line is run and its
//         differences reported.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>

#include "games/refusal.hpp"
#include "scenario_files.hpp"
#include "sections.hpp"
#include "support/source_tree.hpp"

namespace talla::games {
namespace {

using test::lookup;
using test::scenario_files;

/// The first word that is English in any sentence; codes are single words with hyphens, values
/// stand in quotes.
std::string english_left(const std::string& text) {
  static const std::set<std::string, std::less<>> english = {
      "the",  "is",    "are",  "not",   "has",   "have",  "may",   "must",  "only", "of",
      "and",  "with",  "who",  "which", "what",  "when",  "while", "until", "than", "from",
      "for",  "takes", "was",  "there", "steps", "stays", "your",  "its",   "this", "that",
      "name", "names", "bets", "cards", "would", "to",    "at",    "or",    "by"};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto first = word.find_first_not_of("(«");
    const auto last = word.find_last_not_of(".,;:)»");
    if (first == std::string::npos || last == std::string::npos) continue;
    const auto bare = word.substr(first, last + 1 - first);
    if (english.contains(bare)) return bare;
  }
  return {};
}

/// Labels of what came out: each stands in the rules of the game, whatever the scenario expected.
void expect_own_labels(const Scenario& scenario, const ScenarioOutcome& outcome, std::size_t line) {
  const auto rules = lookup(scenario.catalogue);
  const auto* game = rules ? (*rules)->game(scenario.game) : nullptr;
  if (game == nullptr) return;
  static std::map<std::string, test::Sections> known;
  const auto& sections =
      known.try_emplace(scenario.catalogue + " " + scenario.game, *game).first->second;
  for (const auto& one : outcome.settlements) {
    EXPECT_TRUE(sections.has(one.rule))
        << "line " << line << " settles " << one.bet << " by " << one.rule;
  }
  if (!outcome.error) return;
  const auto facts = facts_of(outcome.error->detail);
  EXPECT_TRUE(facts) << "line " << line << ": no form says " << outcome.error->detail;
  const auto spanish = refusal_text(outcome.error->code, outcome.error->detail, "es");
  EXPECT_EQ(english_left(spanish), "") << "line " << line << " in Spanish: " << spanish;
  if (!facts) return;
  for (const auto& cited : {facts->before, facts->after}) {
    EXPECT_TRUE(cited.empty() || sections.has(cited))
        << "line " << line << " refuses by " << cited << ": " << outcome.error->detail;
  }
}

class ScenarioFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(ScenarioFiles, give_what_they_expect) {
  const auto lines = read_scenarios(test::read_file(GetParam()));
  EXPECT_FALSE(lines.empty());
  for (const auto& line : lines) {
    if (!line.scenario) {
      ADD_FAILURE() << "line " << line.line << ": " << line.scenario.error().text();
      continue;
    }
    const auto outcome = run_scenario(*line.scenario, &lookup);
    EXPECT_TRUE(outcome.passed()) << "line " << line.line << " (" << line.scenario->source << ")\n"
                                  << to_text(outcome);
    EXPECT_TRUE(!line.scenario->expect.empty() || line.scenario->expect_error)
        << "line " << line.line << " expects nothing";
    expect_own_labels(*line.scenario, outcome, line.line);
  }
}

std::string name_of(const ::testing::TestParamInfo<std::string>& file) {
  std::string name =
      std::filesystem::relative(file.param, talla::test::source_tree() / "tests/scenarios")
          .string();
  for (auto& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ScenarioFiles, ::testing::ValuesIn(scenario_files()), name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ScenarioFiles);

TEST(Scenarios, exist_for_every_playable_game_of_every_catalogue) {
  std::set<std::string> seen;
  for (const auto& file : scenario_files()) {
    for (const auto& line : read_scenarios(test::read_file(file))) {
      if (line.scenario) seen.insert(line.scenario->catalogue + " " + line.scenario->game);
    }
  }
  for (const auto& file : embedded_catalogues()) {
    const auto catalogue = lookup(file.id);
    ASSERT_TRUE(catalogue) << catalogue.error().text();
    for (const auto& game : (*catalogue)->games) {
      EXPECT_TRUE(seen.contains((*catalogue)->id + " " + game.id)) << game.id << " has no scenario";
    }
  }
}

}  // namespace
}  // namespace talla::games

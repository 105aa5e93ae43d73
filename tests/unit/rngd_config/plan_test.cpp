// Goal: a laboratory's plan is read strictly: what is not known, missing, twice or out of range is
//   refused with its line and what would be right.
// Method: one good plan, and the same with one thing changed.
#include <gtest/gtest.h>

#include "config/plan_file.hpp"

namespace talla::rngd {
namespace {

const std::string good_plan = R"(title = "Type T, run 1"
tree = "source"
tests = ["source/build/tests.xml"]
seed = "0000000000000000000000000000000000000000000000000000000000000001"
[laboratory]
name = "Example Laboratory"
key = "lab.key"
key_name = "lab.example/runs"
[device]
select = "chaoskey:0123"
restart = "reopen"
[generator]
vectors = ["ctrDRBG-1.0"]
[[game]]
catalogue = "es-1977"
game = "french-roulette"
results = 100000
[evidence]
manifest = "software.manifest"
signers = ["maker.example/talla+00000000+AA"]
vulnerabilities = "tracker.json"
figures = ["source/build/figures/kills.json"]
[builds]
first = "one/"
second = "/srv/other"
first_by = "maker"
second_by = "laboratory"
)";

std::string with(const std::string& from, const std::string& to) {
  std::string text = good_plan;
  text.replace(text.find(from), from.size(), to);
  return text;
}

std::string refusal_of_plan(const std::string& text) {
  const auto plan = parse_plan_file(text, "/lab/plan.toml");
  return plan ? "read" : plan.error().detail;
}

void expect_says(const std::string& text, const std::string& words) {
  const std::string said = refusal_of_plan(text);
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

}  // namespace

TEST(PlanFile, a_good_plan_is_read_and_its_paths_begin_at_its_folder) {
  const auto plan = parse_plan_file(good_plan, "/lab/plan.toml");
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->tree, "/lab/source");
  EXPECT_EQ(plan->tests, std::vector<std::string>{"/lab/source/build/tests.xml"});
  EXPECT_EQ(plan->laboratory.key, "/lab/lab.key");
  EXPECT_EQ(plan->device.samples, 1'000'000U);
  EXPECT_EQ(plan->games.at(0).results, 100'000U);
  EXPECT_EQ(plan->generator.bits, 80'000'000U);
  EXPECT_EQ(plan->evidence.vulnerabilities, "/lab/tracker.json");
  EXPECT_EQ(plan->evidence.figures,
            std::vector<std::string>{"/lab/source/build/figures/kills.json"});
  EXPECT_EQ(plan->builds.first, "/lab/one");
  EXPECT_EQ(plan->builds.second, "/srv/other");
}

TEST(PlanFile, an_unknown_key_is_refused_with_its_line_and_the_keys_that_there_are) {
  expect_says(with("restart =", "restarting ="),
              "plan.toml:11: device.restarting: is not known; there are select, raw, restarts, "
              "settings, assessed_millibits, samples, rows, columns, restart, iid_rounds");
  expect_says(with("results =", "count ="), "game.count: is not known; there are catalogue");
  expect_says(with("[generator]", "[generators]"), "generators: is not known; there are title");
}

TEST(PlanFile, without_a_number_of_results_it_asks_for_as_many_as_laboratories_look_at) {
  const auto plan = parse_plan_file(with("results = 100000", ""), "/lab/plan.toml");
  ASSERT_TRUE(plan) << plan.error().text();
  EXPECT_EQ(plan->games.at(0).results, 0U) << "talla-lab sample without --count";
}

TEST(PlanFile, what_is_missing_twice_or_out_of_range_is_refused) {
  expect_says(good_plan +
                  "[[game]]\ncatalogue = \"es-1977\"\ngame = \"french-roulette\"\n"
                  "results = 1\n",
              "stands here twice");
  expect_says(with("restart = \"reopen\"", "restart = \"kick\""), "port-power, port-reset, reopen");
  expect_says(with("signers = [\"maker.example/talla+00000000+AA\"]", ""), "goes with manifest");
  expect_says(with("0001\"", "000G\""), "64 hex digits");
  expect_says(with("restart = \"reopen\"", "raw = \"raw.bin\""), "either a generator is selected");
  expect_says(with("restart = \"reopen\"", "restarts = \"rows.bin\""), "goes with raw");
  expect_says(with("key_name = \"lab.example/runs\"", ""), "laboratory.key_name: is missing");
  expect_says(with("\"ctrDRBG-1.0\"", "\"../keys\""), "no name of a folder");
  expect_says(with("vectors = [", "bits = 1000\nvectors = ["), "0, or 1,000,000 and more");
  expect_says(with("second_by = \"laboratory\"\n", ""), "builds.second_by: is missing");
  expect_says(with("first_by", "built_by"), "builds.");
  expect_says(with("game = \"french-roulette\"", "game = \"../x\""),
              "ids of a catalogue and a game");
}

}  // namespace talla::rngd

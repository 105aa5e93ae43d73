// Goal: every parameter of every game is shown at work in a scenario of that game: a table that
// sets it otherwise than its default comes out otherwise, or shows everybody something else.
// Method: each scenario that names a parameter is run again without it; then it must fail, or end
//         with another public view or other needs, so that naming it is not enough. A table that is
//         refused its value shows only where the bound lies; that counts for parameters that take
//         one value alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "scenario_files.hpp"

namespace talla::games::test {
namespace {

/// Catalogue, game, parameter.
using Shown = std::set<std::tuple<std::string, std::string, std::string>>;

bool takes_one_value(const ParameterRule& rule) {
  return rule.allowed.size() == 1 || (rule.min && rule.max && *rule.min == *rule.max);
}

/// Where all must show their hands, who shows first settles nothing: unit tests hold that order.
bool orders_the_showing_alone(const GameRules& game, const ParameterRule& rule) {
  return rule.id == "show_first" &&
         std::ranges::find(game.actions, "mostrar", &Named::id) == game.actions.end();
}

/// The same table, the parameter at its default.
Scenario without(const Scenario& scenario, const std::string& parameter) {
  Scenario out = scenario;
  auto params = scenario.table.find("params")->object();
  params.erase(parameter);
  out.table["params"] = std::move(params);
  return out;
}

/// The other fails where the one passes, or ends with another public view or other needs.
bool differs(const Scenario& one, const Scenario& other) {
  const auto outcome = run_scenario(one, &lookup, Viewer{});
  const auto changed = run_scenario(other, &lookup, Viewer{});
  return !changed.passed() || changed.view != outcome.view || changed.needs != outcome.needs;
}

/// Adds the parameters of the scenario's table that decide how it comes out.
void add_shown(const Scenario& scenario, Shown& shown) {
  const auto* params = scenario.table.find("params");
  const auto catalogue = lookup(scenario.catalogue);
  const auto* game = catalogue ? (*catalogue)->game(scenario.game) : nullptr;
  if (params == nullptr || game == nullptr) return;
  const bool refused = scenario.expect_error == "parameter_not_allowed";
  for (const auto& [id, value] : params->object()) {
    const auto rule = std::ranges::find(game->parameters, id, &ParameterRule::id);
    if (rule == game->parameters.end() || (refused && !takes_one_value(*rule))) continue;
    const auto key = std::tuple(scenario.catalogue, scenario.game, id);
    if (shown.contains(key)) continue;
    if (differs(scenario, without(scenario, id))) shown.insert(key);
  }
}

TEST(ScenarioParameters, each_decides_a_scenario_of_its_own_game) {
  Shown shown;
  for (const auto& file : scenario_files()) {
    for (const auto& line : read_scenarios(read_file(file))) {
      if (line.scenario) add_shown(*line.scenario, shown);
    }
  }
  std::size_t parameters = 0;
  for (const auto& file : embedded_catalogues()) {
    const auto catalogue = lookup(file.id);
    ASSERT_TRUE(catalogue) << catalogue.error().text();
    for (const auto& game : (*catalogue)->games) {
      for (const auto& rule : game.parameters) {
        ++parameters;
        if (orders_the_showing_alone(game, rule)) continue;
        EXPECT_TRUE(shown.contains(std::tuple(std::string(file.id), game.id, rule.id)))
            << file.id << ' ' << game.id << ": no scenario turns on " << rule.id;
      }
    }
  }
  EXPECT_GT(parameters, 500U);
}

}  // namespace
}  // namespace talla::games::test

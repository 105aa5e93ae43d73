/// \file
/// Scenario files: one table, steps in order, and what must come out (`talla settle`,
/// tests/scenarios). Run through the same engine and driver as a live table.
///
/// Format: one JSON object a line (JSON lines), or one object spread over lines; `scenario_schema`
///         is its JSON schema.
/// Shoe:   a scenario that does not begin with a `shoe` step starts with a new shoe; when only `at`
///         names cards, that shoe is in play already (its burns are done).
/// Errors: Errc::scenario_malformed with line and member; a refusal of the table carries its own
///         code and the step.
/// Threads: pure functions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/engine.hpp"
#include "games/rules.hpp"
#include "games/shown_hands.hpp"

namespace talla::games {

/// Gives the catalogue of that id. Errors: catalogue_unknown, catalogue_malformed.
using CatalogueLookup =
    std::function<Result<std::shared_ptr<const Catalogue>>(std::string_view id)>;

/// What a scenario expects of one bet; only the members given are compared.
struct ExpectedBet {
  std::string bet;
  std::optional<std::string> result;
  std::optional<Units> returned;
  std::optional<std::string> rule;
  std::optional<std::string> kind;
  std::optional<Units> stake;
  std::optional<Seat> seat;
  std::optional<std::string> remainder;
};

/// One table, its steps in order, and what must come out.
struct Scenario {
  std::string catalogue;
  std::string game;
  json::Value table;
  std::vector<json::Value> steps;
  std::vector<ExpectedBet> expect;
  std::optional<std::string> expect_error;
  std::string source;  ///< section of the official text it tests; may be empty
  std::string name;    ///< may be empty
};

/// What came out.
struct ScenarioOutcome {
  /// In the order they were made; a bet may have several (prison, then freed).
  std::vector<Settlement> settlements;
  json::Value carried;
  json::Value needs;             ///< array
  std::string due;               ///< the same in words (due_words)
  std::vector<ShownHand> hands;  ///< poker hands that the last round has shown
  std::optional<json::Value> view;
  std::vector<std::string> warnings;     ///< of the table (Table::warnings)
  std::optional<Error> error;            ///< the refusal that stopped it
  std::size_t error_step = 0;            ///< 1-based step of the refusal; 0: not at a step
  std::vector<std::string> differences;  ///< what expect or expect_error wanted and did not get

  /// As expected: nothing refused (or exactly what was expected to be), no difference.
  [[nodiscard]] bool passed() const { return differences.empty(); }
};

/// Reads a scenario; unknown members are refused. Errors: Errc::scenario_malformed.
[[nodiscard]] Result<Scenario> scenario_from_json(const json::Value& value);
/// Splits a file into scenarios: JSON lines (blank lines allowed), or the whole text as one object.
/// Each with the line on which it starts; a malformed one stands as its error.
struct ScenarioLine {
  std::size_t line = 1;  ///< from 1
  Result<Scenario> scenario;
};
[[nodiscard]] std::vector<ScenarioLine> read_scenarios(std::string_view text);

/// Runs one. `viewer` asks for a view at the end. Refusals are in the outcome, not in a Result.
[[nodiscard]] ScenarioOutcome run_scenario(const Scenario& scenario, const CatalogueLookup& lookup,
                                           std::optional<Viewer> viewer = {});

///
/// {"settlements":[..],"carried":..,"needs":[..],"hands"?,"view"?,"warnings"?,
/// "error"?:{"code","detail","step"},"passed","differences"?}
[[nodiscard]] json::Value to_json(const ScenarioOutcome& outcome, std::string_view language = "en");
/// The same for people, in "es" or "en": a line for each settlement, then hands, what is carried,
/// what is due, view, refusal and differences.
[[nodiscard]] std::string to_text(const ScenarioOutcome& outcome, std::string_view language = "en");
/// Why it did not come out as expected, each thing once; empty when it did.
[[nodiscard]] std::string why_not(const ScenarioOutcome& outcome, std::string_view language);

/// JSON schema (draft 2020-12) of one scenario.
[[nodiscard]] std::string_view scenario_schema();

}  // namespace talla::games

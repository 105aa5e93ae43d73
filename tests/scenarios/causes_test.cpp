// Goal: the same cause of a refusal has the same code in every game of every catalogue.
// Method: a table of causes, each one step put into scenarios that play: where bets lie and are
// open, after the close, in a round, after the last round. Every cause must have met every game
// that can meet it.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>

#include "scenario_files.hpp"

namespace talla::games::test {
namespace {

enum class Moment : std::uint8_t { betting, drawing, deciding, over };

struct Cause {
  std::string_view name;
  Moment moment;
  std::string_view code;
  /// The step that is refused; `bet` is the last one that was accepted. Nothing: this game cannot
  /// meet the cause.
  std::optional<json::Value> (*step)(const GameRules& rules, const json::Value& bet);
};

using Step = std::optional<json::Value>;

void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.name;
}

json::Value with(const json::Value& bet, std::string_view key, json::Value value) {
  json::Object changed = bet.object();
  changed[std::string(key)] = std::move(value);
  return json::Object{{"bet", std::move(changed)}};
}
Step fresh(const GameRules& /*rules*/, const json::Value& bet) {
  return with(bet, "id", "otra");
}
Step same_id(const GameRules& /*rules*/, const json::Value& bet) {
  return json::Object{{"bet", bet}};
}
Step no_kind(const GameRules& /*rules*/, const json::Value& bet) {
  return with(with(bet, "id", "otra").object().at("bet"), "kind", "ninguna");
}
Step no_seat(const GameRules& /*rules*/, const json::Value& bet) {
  return with(with(bet, "id", "otra").object().at("bet"), "seat", 0);
}
Step no_bet(const GameRules& /*rules*/, const json::Value& /*bet*/) {
  return json::Object{{"withdraw", json::Object{{"bet", "ninguna"}}}};
}
Step take_back(const GameRules& /*rules*/, const json::Value& bet) {
  return json::Object{{"withdraw", json::Object{{"bet", *bet.find("id")}}}};
}
Step no_action(const GameRules& /*rules*/, const json::Value& bet) {
  return json::Object{{"act", json::Object{{"seat", *bet.find("seat")}, {"do", "nada"}}}};
}
Step no_error(const GameRules& /*rules*/, const json::Value& /*bet*/) {
  return json::Object{{"misdeal", json::Object{{"code", "nada"}}}};
}
Step null_draw(const GameRules& rules, const json::Value& /*bet*/) {
  return rules.draw ? Step() : Step(json::Object{{"void", true}});
}
Step confirmed(const GameRules& /*rules*/, const json::Value& /*bet*/) {
  return json::Object{{"confirm", true}};
}
Step close(const GameRules& /*rules*/, const json::Value& /*bet*/) {
  return json::Object{{"close", true}};
}
Step last(const GameRules& /*rules*/, const json::Value& /*bet*/) {
  return json::Object{{"session", "last"}};
}

constexpr auto causes = std::to_array<Cause>({
    {"a bet that the game does not have", Moment::betting, "bet_kind_unknown", &no_kind},
    {"a bet under a name that is taken", Moment::betting, "bet_duplicate", &same_id},
    {"a bet from a seat that is none", Moment::betting, "seat_invalid", &no_seat},
    {"taking back what nobody placed", Moment::betting, "bet_unknown", &no_bet},
    {"an action that the game does not have", Moment::betting, "action_unknown", &no_action},
    {"an error that the game does not have", Moment::betting, "misdeal_unknown", &no_error},
    {"a null draw where nothing is drawn", Moment::betting, "not_due", &null_draw},
    {"a confirmation where no hand is complete", Moment::betting, "not_due", &confirmed},
    {"a bet after the close", Moment::drawing, "bets_closed", &fresh},
    {"closing twice", Moment::drawing, "bets_closed", &close},
    {"taking back after the close", Moment::drawing, "bets_closed", &take_back},
    {"a bet while somebody decides", Moment::deciding, "bets_closed", &fresh},
    {"closing while somebody decides", Moment::deciding, "bets_closed", &close},
    {"taking back while somebody decides", Moment::deciding, "bets_closed", &take_back},
    {"a bet after the last round", Moment::over, "bets_closed", &fresh},
    {"closing after the last round", Moment::over, "bets_closed", &close},
    {"the last round announced after it", Moment::over, "not_due", &last},
});

/// Where that moment is in the scenario: the steps before it, and the bet that was placed last.
/// Nothing: it has none.
struct Played {
  std::vector<json::Value> steps;
  std::optional<json::Value> bet;
};

std::optional<Played> until(const Scenario& scenario, Moment moment) {
  Played out;
  bool closed = false;
  for (const auto& step : scenario.steps) {
    const auto& name = step.object().begin()->first;
    if (name == "close" && moment == Moment::betting) return out;
    const bool drawn = name == "wheel" || name == "dice";
    if (closed && moment == Moment::drawing && drawn) return out;
    if (closed && moment == Moment::deciding && name == "act") return out;
    if (closed && moment != Moment::over && name == "close") return std::nullopt;
    out.steps.push_back(step);
    closed = closed || name == "close";
    if (name == "bet" && !closed) out.bet = *step.find("bet");
  }
  if (moment == Moment::over && closed) return out;
  return std::nullopt;
}

/// One round and no more, so that the session may end with it.
bool one_round(const Scenario& scenario) {
  std::size_t closes = 0;
  for (const auto& step : scenario.steps) {
    const auto& name = step.object().begin()->first;
    if (name == "session") return false;
    if (name == "close") ++closes;
  }
  return closes == 1;
}

/// The scenario's own steps up to there are accepted, and lead to that moment; every bet still
/// lies.
bool plays(Scenario scenario, const Played& played, Moment moment) {
  for (const auto& step : played.steps)
    if (step.find("withdraw") != nullptr) return false;
  scenario.steps = played.steps;
  scenario.expect.clear();
  const auto outcome = run_scenario(scenario, &lookup);
  if (outcome.error) return false;
  const bool only_settled = outcome.needs.array().size() == 1 &&
                            *outcome.needs.array().front().find("need") == json::Value("settled");
  return moment != Moment::over || only_settled;
}

/// The games of families that know the moment: those that draw, or deal and ask, or any.
std::set<std::string> games_of(Moment moment) {
  static const std::set<std::string> forced{"baccarat", "trente", "monte",
                                            "bingo",    "wheel",  "dice"};
  std::set<std::string> out;
  for (const auto& file : embedded_catalogues()) {
    for (const auto& game : (*lookup(file.id))->games) {
      const bool drawn = game.family == "wheel" || game.family == "dice";
      if (moment == Moment::drawing && !drawn) continue;
      if (moment == Moment::deciding && forced.contains(game.family)) continue;
      // The session of dice ends with a series, the last deal of monte has two rounds.
      if (moment == Moment::over && (game.family == "dice" || game.family == "monte")) continue;
      out.insert(std::string(file.id) + " " + game.id);
    }
  }
  return out;
}

void check(Scenario scenario, const GameRules& rules, const Cause& cause, Played played,
           const std::string& where) {
  auto step = cause.step(rules, *played.bet);
  if (!step) return;
  scenario.steps = std::move(played.steps);
  scenario.steps.push_back(*std::move(step));
  scenario.expect.clear();
  const auto outcome = run_scenario(scenario, &lookup);
  ASSERT_TRUE(outcome.error) << where << ": " << cause.name << " is accepted";
  EXPECT_EQ(outcome.error->code, cause.code)
      << where << ": " << cause.name << ": " << outcome.error->text();
}

class Causes : public ::testing::TestWithParam<Cause> {};

TEST_P(Causes, have_one_code_in_every_game) {
  const auto& cause = GetParam();
  std::set<std::string> met;
  for (const auto& file : scenario_files()) {
    for (const auto& line : read_scenarios(read_file(file))) {
      if (!line.scenario || line.scenario->expect_error) continue;
      auto scenario = *line.scenario;
      const auto game = scenario.catalogue + " " + scenario.game;
      if (met.contains(game) || !games_of(cause.moment).contains(game)) continue;
      if (cause.moment == Moment::over) {
        if (!one_round(scenario)) continue;
        const auto at =
            std::find_if(scenario.steps.begin(), scenario.steps.end(),
                         [](const auto& step) { return step.object().begin()->first == "close"; });
        scenario.steps.insert(at, json::Value(json::Object{{"session", "last"}}));
      }
      auto played = until(scenario, cause.moment);
      if (!played || !played->bet || !plays(scenario, *played, cause.moment)) continue;
      const auto catalogue = lookup(scenario.catalogue);
      const auto* rules = (*catalogue)->game(scenario.game);
      met.insert(game);
      check(scenario, *rules, cause, *std::move(played), file + ":" + std::to_string(line.line));
    }
  }
  for (const auto& game : games_of(cause.moment)) {
    EXPECT_TRUE(met.contains(game)) << game << " has no scenario in which that could happen";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Causes, ::testing::ValuesIn(causes));

}  // namespace
}  // namespace talla::games::test

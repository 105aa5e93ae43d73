/// \file
/// The parts of talla odds and talla advise, and what they have in common.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app.hpp"
#include "games/table.hpp"

namespace talla::cli {

/// The game that such a command is asked about, and the language it answers in.
struct GameAsked {
  std::string catalogue;
  std::string game;
  std::vector<std::string> params;
  std::string language = "es";
};

/// Becomes true when a part was given: the command it belongs to then does nothing.
using PartTaken = std::shared_ptr<bool>;

/// talla odds equity: what part of a pot hands win, all in.
void add_equity(commandline::Command& odds, App& app, const PartTaken& taken);
/// talla advise: what every choice for one hand is worth.
void add_advise(commandline::Command& root, App& app);
/// talla odds chart: how blackjack is played.
void add_chart(commandline::Command& odds, App& app, const PartTaken& taken);
/// talla odds readings: what other readings of the law do to the odds.
void add_odds_readings(commandline::Command& odds, App& app, const PartTaken& taken);
/// talla odds ends: how stakes end, and in how many rounds.
void add_odds_ends(commandline::Command& odds, App& app, const PartTaken& taken);
/// talla odds sheet: the mathematics report of a game on paper.
void add_odds_sheet(commandline::Command& odds, App& app, const PartTaken& taken);

/// Adds CATALOGUE, GAME, --param and --language. `catalogue`, `game`: examples for the help.
void add_game_asked(commandline::Command& command, GameAsked& asked, const std::string& catalogue,
                    const std::string& game);

/// A table to ask about, with its parameters ("NAME=VALUE").
/// Errors: those of the catalogue and of games::odds_table, CliErrc::usage.
[[nodiscard]] Result<games::Table> odds_table_of(const GameAsked& asked);

}  // namespace talla::cli

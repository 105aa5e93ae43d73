/// \file
/// The parts of talla odds and talla advise, and what they have in common.
///
/// `taken` becomes true when such a command was given: the one it belongs to then does nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app.hpp"
#include "games/table.hpp"

namespace talla::cli {

/// talla odds equity: what part of a pot hands win, all in.
void add_equity(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);
/// talla advise: what every choice for one hand is worth.
void add_advise(commandline::Command& root, App& app);
/// talla odds chart: how blackjack is played.
void add_chart(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);
/// talla odds readings: what other readings of the law do to the odds.
void add_odds_readings(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);
/// talla odds ends: how stakes end, and in how many rounds.
void add_odds_ends(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);
/// talla odds sheet: the mathematics report of a game on paper.
void add_odds_sheet(commandline::Command& odds, App& app, std::shared_ptr<bool> taken);

/// A table to ask about, with these parameters ("NAME=VALUE").
/// Errors: those of the catalogue and of games::odds_table, CliErrc::usage.
[[nodiscard]] Result<games::Table> odds_table_of(const std::string& catalogue, std::string game,
                                                 const std::vector<std::string>& params);

}  // namespace talla::cli

/// \file
/// Odds of a game, with the words of their plays in both languages: what the appliance's page is
/// served (at the game's own defaults) and what the engines of the playground answer.
///
/// Threads: pure functions.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "base/json.hpp"
#include "base/result.hpp"
#include "games/catalogue.hpp"
#include "games/table.hpp"

namespace talla::web {

/// The languages of the pages.
inline constexpr std::array languages = {"en", "es"};

/// A table to ask about. `params`: what differs from the game's own defaults. A game on a borrowed
/// base gets the base that its catalogue names.
/// Errors: game_unknown; those of games::odds_table.
[[nodiscard]] Result<games::Table> table_to_ask(
    const std::shared_ptr<const games::Catalogue>& catalogue, const std::string& game,
    json::Object params = {});

/// {"bets","others"} as games/odds.hpp gives them, {"plays"}: the words of their plays by language.
/// Errors: those of games::bet_odds.
[[nodiscard]] Result<json::Value> game_odds(const games::Table& table);

}  // namespace talla::web

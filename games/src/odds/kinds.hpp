/// \file
/// Odds by the kind of game. Private to games.
///
/// Errors: game_not_available. Threads: pure functions.
#pragma once

#include "games/odds.hpp"

namespace talla::games {

/// Of a game with this draw (wheel, dice; at most a million outcomes).
[[nodiscard]] Result<TableOdds> draw_odds(const Table& table, const Draw& draw);
/// Of punto y banca, from full decks.
[[nodiscard]] Result<TableOdds> coup_odds(const Table& table);

}  // namespace talla::games

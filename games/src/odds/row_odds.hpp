/// \file
/// Odds of trente et quarante from any cards. Private to games.
///
/// Threads: pure functions.
#pragma once

#include "engines/trente/census.hpp"
#include "games/odds.hpp"

namespace talla::games {

/// Each chance alone, and insured. The cards are half red and half black, value by value.
/// Errors: game_not_available (rows that are not counted).
[[nodiscard]] Result<TableOdds> row_odds_of(const Table& table, const trente::Points& cards);

}  // namespace talla::games

/// \file
/// The law of draw poker against the house, as its odds and advice read it off a table. Private to
/// games.
///
/// Errors: game_not_available for a table that the count does not know. Threads: pure functions.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "odds/poker/draw.hpp"

namespace talla::games {

/// Precondition: the game draws. `law` must outlive it.
[[nodiscard]] Result<poker::DrawLaw> draw_law(const second_bet::Law& law);

}  // namespace talla::games

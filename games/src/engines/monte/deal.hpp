/// \file
/// Cards of a deal: the four of the layout, and those turned against the bets.
#pragma once

#include "engines/monte/annul.hpp"

namespace talla::games::monte {

/// The next card of the layout. Precondition: phase layout.
void place_card(const Table& table, State& state, Card card);
/// The next card against the bets: settles what it decides, and ends the round when it is valid in
/// its own row.
/// Precondition: phase primeras or segundas.
void turn_card(const Table& table, State& state, Card card);
/// The last card of the round lies there: it decides a row, or the deck is out. Nothing that it
/// decides is settled yet.
[[nodiscard]] bool round_complete(const Rules& rules, const State& state);
/// Settles a complete round, and goes on to Segundas or ends the deal.
void settle_round(const Table& table, State& state);

}  // namespace talla::games::monte

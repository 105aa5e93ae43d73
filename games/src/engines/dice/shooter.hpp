/// \file
/// Who throws the dice, and that he stakes on a line before he opens a series.
///
/// Sources: es-1977 06, es-valencia-2003 09, es-euskadi-2010 06, IV.1.A (the 7 that loses passes
/// the dice), IV.3 (offered clockwise; who refuses leaves them to the next; he must stake on Win or
/// Don't Win). Seats are numbered clockwise from the croupiers' left, and a table of dice has as
/// many as come: at the table are those with a stake on the cloth. The dice are offered to the next
/// of them behind the last shooter; the first closing without a word makes him the shooter. Before
/// any stake lies there whoever speaks is there.
/// Errors: action_refused, bets_closed, not_due.
/// Threads: plain functions.
#pragma once

#include <optional>

#include "engines/dice/state.hpp"
#include "games/engine.hpp"

namespace talla::games::dice {

/// Whether this table knows its shooter (parameter shooter_stake).
[[nodiscard]] bool asks_shooter(const Table& table);
/// The seat whose word about the dice counts now: who has them, or is offered them. 0: nobody.
[[nodiscard]] Seat seat_with_dice(const DiceState& state);
/// What that seat may do while bets are open, as a need.
[[nodiscard]] std::optional<Decide> dice_choices(const Table& table, const DiceState& state);
/// "tomar-dados" and "pasar-dados". Changes nothing when it refuses.
[[nodiscard]] Status act_on_dice(const Table& table, DiceState& state, const Act& event);
/// Silence passes the dice on.
[[nodiscard]] Status time_out_dice(const Table& table, DiceState& state, const TimeOut& event);
/// Before a first throw the shooter stands and has staked. Changes nothing when it refuses.
[[nodiscard]] Status fix_shooter(const Table& table, DiceState& state);
/// After a throw that was settled: the losing 7 passes the dice, and the last shooter's ends the
/// session.
void pass_dice(const Table& table, DiceState& state, int point_before, int total);

}  // namespace talla::games::dice

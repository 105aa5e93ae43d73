/// \file
/// Chips of a seat's own colour: a seat says what one is worth, and stakes whole chips from then
/// on.
///
/// Sources: es-1977 02 I.b, es-valencia-2003 02 I.b, es-euskadi-2010 02 I.b and V. A seat that says
/// nothing plays chips whose value is printed on them.
/// Errors: action_refused, chip_step. Threads: pure functions.
#pragma once

#include "engines/wheel/state.hpp"
#include "games/event.hpp"
#include "games/table.hpp"

namespace talla::games::wheel {

inline constexpr std::string_view colour_action = "fichas";

/// `fichas`: with an amount the seat takes chips worth that, without one it gives them back. Only
/// while none of its stakes lies on the cloth. Changes nothing when it refuses.
[[nodiscard]] Status choose_colour(const Table& table, WheelState& state, const Act& event);
/// Whether a stake of that seat, and each part of a call bet, is made of whole chips of its own.
[[nodiscard]] Status check_colour(const Table& table, const WheelState& state,
                                  const PlaceBet& event);
[[nodiscard]] Status check_colour(const Table& table, const WheelState& state,
                                  const WithdrawBet& event);
/// Whether a restored state's colours are some that this table gives.
[[nodiscard]] Status check_colours(const Table& table, const WheelState& state);

}  // namespace talla::games::wheel

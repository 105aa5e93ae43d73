/// \file
/// What players say: go (`voy`, with the second bet) or pass (`paso`), buy a card (`comprar`),
/// change cards (`descartar`, `servido`). The holder of a hand decides; others with stakes on a
/// hand that goes say whether theirs goes along. Silence passes, and changes no card.
///
/// Errors: action_unknown, action_refused, amount_invalid; time_out: not_due.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

/// The choices of every seat that is asked.
[[nodiscard]] std::vector<Decide> choices(const Law& law, const State& state);
[[nodiscard]] Status act(const Law& law, State& state, const Act& event);
[[nodiscard]] Status time_out(const Law& law, State& state, Seat seat);
/// An error of the catalogue's table has happened. Errors: misdeal_unknown, not_due, place_unknown.
[[nodiscard]] Status misdeal(const Law& law, State& state, const Misdeal& event);

}  // namespace talla::games::second_bet

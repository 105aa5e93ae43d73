/// \file
/// What may be taken beside the play of the cards: insurance, even money on a blackjack, surrender.
///
/// Insurance and even money belong to each stake and its owner; surrender to the holder of the
/// hand.
#pragma once

#include <map>

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

[[nodiscard]] bool is_option(std::string_view action);
/// Id of the insurance of a bet.
[[nodiscard]] std::string insurance_id(const Law& law, std::string_view bet);
/// Whether the owner may insure that stake on that hand now.
[[nodiscard]] bool can_insure(const Law& law, const State& state, const Hand& hand, const Bet& bet);
[[nodiscard]] bool can_take_even_money(const Law& law, const State& state, const Hand& hand,
                                       const Bet& bet);
[[nodiscard]] bool can_surrender(const Law& law, const State& state, const Hand& hand);
/// Puts the open options of every seat beside its other choices.
void add_options(const Law& law, const State& state, std::map<Seat, Decide>& out);
/// Precondition: `is_option(event.action)`, hands are played, no card is due.
[[nodiscard]] Status take_option(const Law& law, State& state, const Act& event);

}  // namespace talla::games::blackjack

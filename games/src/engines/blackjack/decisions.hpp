/// \file
/// What people may say while hands are played: hit, stand, double, split (the holder of the hand in
/// turn), and whether other stakes on the hand go along.
///
/// Silence: the holder in turn stands; another stake does not go along; insurance, even money and
/// surrender are not taken. Errors: action_unknown, action_refused, not_due.
#pragma once

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

/// Whether the hand in turn has anything to say; otherwise it is done.
[[nodiscard]] bool waits_for_player(const Law& law, const State& state, std::size_t index);
/// One for each seat, ascending; empty while a card is due or no hand is played.
[[nodiscard]] std::vector<Decide> choices(const Law& law, const State& state);
[[nodiscard]] Status act(const Law& law, State& state, const Act& event);
[[nodiscard]] Status time_out(const Law& law, State& state, Seat seat);

}  // namespace talla::games::blackjack

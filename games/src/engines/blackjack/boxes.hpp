/// \file
/// Stakes before the deal: who may bet on which box, what goes with what, who will decide.
///
/// A seat whose number is that of a box sits in front of it and decides there once he has a stake
/// on it. On a vacant box the first or the largest stake of a seated player decides. Seats beyond
/// the boxes stand: they bet with others.
/// Errors: bets_closed, no_shoe, shoe_finished, seat_invalid, bet_unknown (form of the id),
/// withdrawal_refused, and those of BetBook.
#pragma once

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

[[nodiscard]] Status place_bet(const Law& law, State& state, const PlaceBet& event);
[[nodiscard]] Status withdraw_bet(const Law& law, State& state, const WithdrawBet& event);
/// Fixes the hands of the round, in the order of the deal, and who decides on each.
[[nodiscard]] Status close_bets(const Law& law, State& state);
/// Why bets are not open now.
[[nodiscard]] Status check_open(const State& state);
/// Engine::unplayable.
[[nodiscard]] std::optional<std::string> no_stake_on(const Law& law, const BetRule& bet);
/// What a bet's `covers` says: hand, insurance, pair, under, over, combination.
[[nodiscard]] const std::string& form_of(const Law& law, const Bet& bet);

}  // namespace talla::games::blackjack

/// \file
/// Stakes before the deal: which bets go on which box, what goes with what, who will decide.
///
/// Errors: bets_closed, no_shoe, bet_unknown (form of the id), bet_not_offered, amount_invalid,
/// below_minimum, above_maximum, withdrawal_refused, and those of the boxes and the BetBook.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

[[nodiscard]] Status place_bet(const Law& law, State& state, const PlaceBet& event);
[[nodiscard]] Status withdraw_bet(const Law& law, State& state, const WithdrawBet& event);
/// Fixes the hands of the round and who decides on each.
[[nodiscard]] Status close_bets(const Law& law, State& state);
/// The hands that the stakes of a closed table make, without cards.
[[nodiscard]] std::vector<Hand> hands_of(const Law& law, const State& state);
/// Engine::unplayable.
[[nodiscard]] std::optional<std::string> no_stake_on(const Law& law, const BetRule& bet);
/// Whether a stake that people have placed may stand where it does, with the others that are there.
[[nodiscard]] Status check_placed(const Law& law, const State& state, const Bet& bet);

}  // namespace talla::games::second_bet

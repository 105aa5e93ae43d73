/// \file
/// The end of a hand: bank against players, bonus, side bets, jackpots; and the hand that counts
///                    for nothing.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

/// Which cards of a hand its living stakes need: those dealt first, those it ends with.
struct CardsNeeded {
  bool first = false;
  bool last = false;
};
/// Meaningful when the bank's cards lie open, or are not needed.
[[nodiscard]] CardsNeeded cards_needed(const Law& law, const State& state, const Hand& hand);
/// Everything is settled, the round is over. Precondition: all cards that `cards_needed` names lie
/// open.
void settle_round(const Law& law, State& state);
/// All stakes of the hand come back; jackpots are as if nothing had been staked.
void void_round(const Law& law, State& state, const Citation& cite);

}  // namespace talla::games::second_bet

/// \file
/// What the stakes of a round are worth, and when each is decided.
#pragma once

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

/// The payout that the first two cards of a box earn such a bet. nullopt: not a bet on two cards.
/// "": it loses.
[[nodiscard]] std::optional<std::string_view> two_card_payout(const Law& law, std::string_view kind,
                                                              std::span<const Card> two);

/// Side bets on the first two cards of a box: pairs, under and over.
void settle_two_cards(const Law& law, State& state, const Hand& hand);
/// A hand beyond the target loses all its stakes at once, and its insurances where the table reads
/// it so.
void lose_hand(const Law& law, State& state, Hand& hand);
/// The dealer's second card decides the insurances of the stage.
void settle_insurance(const Law& law, State& state);
/// The stakes of the dealer's stage against his hand, from right to left.
void settle_stage(const Law& law, State& state);

/// Takes the stake off the table with that settlement; `hand` forgets it.
void settle_one(State& state, Settlement settlement, Hand* hand);

}  // namespace talla::games::blackjack

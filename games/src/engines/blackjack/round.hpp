/// \file
/// The course of a round: which card is due, what a card does, when the dealer plays, when it is
/// over.
#pragma once

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

/// The first event of a round clears what the last one left to look at.
void begin_round(State& state);
/// Index of the player's hand that gets the next card, while hands are played; hands.size(): none.
[[nodiscard]] std::size_t owed_hand(const Law& law, const State& state);
/// Whether the dealer takes a card now.
[[nodiscard]] bool dealer_owed(const Law& law, const State& state);
/// The card that is due now, if any.
[[nodiscard]] std::optional<DealPlace> due_card(const Law& law, const State& state);
/// All cards that are forced whatever their values are; empty when none is due.
[[nodiscard]] Deal forced_cards(const Law& law, const State& state);
/// The shared jackpot that is to be read now: the dealer's (first) hand is complete.
[[nodiscard]] std::optional<std::string> due_meter(const Law& law, const State& state);
[[nodiscard]] Status meter_read(const Law& law, State& state, const MeterRead& event);
/// Every card of the round has come and nobody has anything to say: it waits to be settled.
[[nodiscard]] bool round_complete(const Law& law, const State& state);
/// Settles a complete round, or asks for the jackpots that it moves.
void conclude_round(const Law& law, State& state);
/// What goes back into a continuous shuffler: the cards of the round, but for those taken out of
/// play.
[[nodiscard]] Shuffle cards_to_shuffle(const Law& law, const State& state);
/// Errors: not_due, place_unknown, card_invalid.
[[nodiscard]] Status card_dealt(const Law& law, State& state, const CardDealt& event);
/// Goes on until people must say something, a card is due, or the round is settled.
void advance(const Law& law, State& state);
/// A card is due and the reserve behind the stop card is used up.
[[nodiscard]] bool out_of_cards(const Law& law, const State& state);
/// Every stake still on the table goes back; the round is over.
void void_round(const Law& law, State& state, const Citation& cite);

}  // namespace talla::games::blackjack

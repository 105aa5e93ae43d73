/// \file
/// The course of a hand: which cards are due, what is turned and when, and what follows by itself.
///
/// The bank's cards are turned when all have spoken and somebody plays against it; a player's cards
/// are turned only when a stake of his needs them: those of who has passed never, unless a side bet
/// of his lives on.
/// Errors: not_due, place_unknown, card_invalid.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

/// What is gone of the round before; nothing when it is not over.
void begin_round(State& state);
/// Whether any stake of that kind, or of any kind, on the box is alive. `kind` empty: any.
[[nodiscard]] bool has_live(const State& state, Box box, std::string_view kind = {});
/// Whether somebody plays against the bank.
[[nodiscard]] bool bank_needed(const Law& law, const State& state);
/// Index of the hand whose holder says whether he goes, or hands.size().
[[nodiscard]] std::size_t turn(const State& state);
/// Index of the hand whose holder says which cards he changes, or hands.size().
[[nodiscard]] std::size_t changing_turn(const Law& law, const State& state);
/// Main stakes on hands that go, whose owners have not said whether theirs goes along.
[[nodiscard]] std::vector<const Bet*> waiting(const Law& law, const State& state);
/// The hand's cards without those given back; some may lie covered.
[[nodiscard]] poker::house::Cards final_cards(const Hand& hand);
/// The bank's cards likewise. Precondition: none lies covered.
[[nodiscard]] std::vector<Card> bank_hand(const Law& law, const State& state);

/// Cards that are forced now, in order; of those of the opening deal the first `most`.
[[nodiscard]] std::vector<DealPlace> due_cards(const Law& law, const State& state,
                                               std::size_t most = poker::house::all_cards);
/// The covered card that is to be turned now.
[[nodiscard]] std::optional<std::string> due_reveal(const Law& law, const State& state);
[[nodiscard]] Status card_dealt(const Law& law, State& state, const CardDealt& event);
[[nodiscard]] Status card_revealed(const Law& law, State& state, const CardRevealed& event);
/// The shared jackpot that is to be read now: everything else of the hand is done.
[[nodiscard]] std::optional<std::string> due_meter(const Law& law, const State& state);
[[nodiscard]] Status meter_read(const Law& law, State& state, const MeterRead& event);
/// Every card of the hand has come or is turned: it waits to be settled.
[[nodiscard]] bool hand_complete(const Law& law, const State& state);
/// Settles a complete hand, or asks for the jackpots that it moves.
void conclude_hand(const Law& law, State& state);
/// Goes on as far as nothing is due and nobody is asked; settles at the end.
void advance(const Law& law, State& state);

}  // namespace talla::games::second_bet

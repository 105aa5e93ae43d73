/// \file
/// Advice by the kind of game. Private to games.
///
/// Errors: game_not_available, card_invalid. Threads: pure functions.
#pragma once

#include "games/advice.hpp"

namespace talla::games {

/// So many cards of the hand and of the bank, and no card more often than the decks hold it.
/// Errors: card_invalid.
[[nodiscard]] Status check_cards(const AdviceCards& cards, std::size_t decks);
/// A choice with the section of the text that opens it.
[[nodiscard]] Choice choice_of(const Table& table, std::string_view action, const Ratio& gain);

/// Of blackjack.
[[nodiscard]] Result<Advice> box_advice(const Table& table, const AdviceCards& cards);
/// Of poker against the house with one further bet and no draw.
[[nodiscard]] Result<Advice> second_bet_advice(const Table& table, const AdviceCards& cards);

}  // namespace talla::games

/// \file
/// What advice and charts of blackjack have in common: the law of a table's hands, and the codes of
/// what is done with them. Private to games.
///
/// Errors: game_not_available. Threads: pure functions.
#pragma once

#include <string_view>

#include "games/table.hpp"
#include "odds/blackjack/best_play.hpp"

namespace talla::games {

/// As the catalogue's actions are called.
[[nodiscard]] std::string_view action_code(blackjack::Action action);
/// Of a blackjack table with full decks.
[[nodiscard]] Result<blackjack::HandLaw> law_of_hands(const Table& table);

}  // namespace talla::games

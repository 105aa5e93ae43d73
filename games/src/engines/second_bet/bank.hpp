/// \file
/// The bank's fixed rules of changing cards: the first row of data.draw.bank whose combination its
/// five cards hold says how many of the cards beside that combination go, the lowest first.
///
/// Rows: {holds, discards}. `holds`: a category ("pair": a pair or better, since better ones stand
/// before), "four-suited", "four-in-sequence" (consecutive ranks; with a low ace only where the
/// table reads it so), "nothing" (last row).
/// Threads: pure functions.
#pragma once

#include "engines/second_bet/rules.hpp"

namespace talla::games::second_bet {

/// Which of the bank's five cards go, from 1, ascending. Precondition: the game draws.
[[nodiscard]] std::vector<std::size_t> bank_discards(const Law& law, std::span<const Card> cards);
/// Errors: catalogue_malformed.
[[nodiscard]] Status check_bank_draw(const json::Value& draw);

}  // namespace talla::games::second_bet

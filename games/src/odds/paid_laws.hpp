/// \file
/// Laws of payment by the kind of game, and how they are put together. Private to games.
///
/// Errors: game_not_available, card_invalid. Threads: pure functions.
#pragma once

#include <span>
#include <vector>

#include "engines/baccarat/census.hpp"
#include "games/payment_law.hpp"

namespace talla::games {

/// The engine driven through every pocket, for each bet alone.
[[nodiscard]] Result<std::vector<PaymentLaw>> wheel_laws(const Table& table, const Draw& draw);
/// Every coup from the cards of full decks that are not gone, by its end.
[[nodiscard]] Result<baccarat::Census> census_behind(const Table& table,
                                                     std::span<const shuffle::Card> gone);
/// Laws of every coup from the cards that are not gone.
[[nodiscard]] Result<std::vector<PaymentLaw>> coup_laws(const Table& table,
                                                        std::span<const shuffle::Card> gone);

/// A law of one position joins those of the same bet that are the same; of a bet without positions
/// it stands alone.
void add_law(std::vector<PaymentLaw>& laws, PaymentLaw law);
/// One more chance of that end; probabilities of the same ways are added.
void add_end(std::vector<PaidEnd>& ends, const std::vector<Paid>& ways, const Ratio& probability);

}  // namespace talla::games

/// \file
/// The data block `hands`: how a game ranks its hands.
///
/// Keys: `order` (categories from low to high), `ace_low` (a straight may begin with the ace), and
/// where the game has them `kickers` (`full`: all cards compare; `combination`: those that the text
/// names), `wheel` (A-2-3-4-5 is the `lowest` straight or the `second`), `joker` (`none`,
/// `ace-or-completer`, `ace-only`).
/// Errors: Errc::catalogue_malformed. Threads: pure functions.
#pragma once

#include <span>

#include "engines/shared/data_check.hpp"
#include "engines/shared/data_law.hpp"
#include "games/poker_hand.hpp"

namespace talla::games::poker {

[[nodiscard]] std::span<const DataKey> hand_order_keys();
/// The block is there, its keys are known, and a Ranker can be made of every table's order.
[[nodiscard]] Status check_hand_order(const GameRules& rules);
/// Precondition: the rules passed check_hand_order.
[[nodiscard]] HandOrder hand_order(const DataLaw& law);
/// The same as a Ranker.
[[nodiscard]] Ranker hand_ranker(const DataLaw& law);

}  // namespace talla::games::poker

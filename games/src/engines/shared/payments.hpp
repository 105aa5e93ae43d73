/// \file
/// Settlements in the order in which the text has the croupier pay (PaymentOrder).
///
/// Threads: no state.
#pragma once

#include <vector>

#include "games/rules.hpp"
#include "games/settlement.hpp"

namespace talla::games {

/// Nothing changes where the text gives no order. Settlements with equal turns keep theirs.
void put_in_payment_order(const GameRules& rules, std::vector<Settlement>& settled);

}  // namespace talla::games

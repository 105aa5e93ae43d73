/// \file
/// Whether a restored state can be one of this table. What passes here cannot bring the engine to a
/// state it does not know. Errors: state_malformed.
#pragma once

#include "engines/blackjack/rules.hpp"
#include "engines/blackjack/state.hpp"

namespace talla::games::blackjack {

[[nodiscard]] Status check_restored(const Law& law, const State& state);
/// The jackpots are those of the table.
[[nodiscard]] Status check_meters(const Law& law, const State& state);

}  // namespace talla::games::blackjack

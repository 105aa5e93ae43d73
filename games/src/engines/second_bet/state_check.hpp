/// \file
/// Whether a restored state can be one of this table: the rest of the engine relies on it.
///
/// Errors: state_malformed.
#pragma once

#include "engines/second_bet/rules.hpp"
#include "engines/second_bet/state.hpp"

namespace talla::games::second_bet {

[[nodiscard]] Status check_restored(const Law& law, const State& state);
/// The jackpots are those of the table.
[[nodiscard]] Status check_meters(const Law& law, const State& state);

}  // namespace talla::games::second_bet

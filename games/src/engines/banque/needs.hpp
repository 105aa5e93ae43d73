/// \file
/// Family "banque": what may come next at a table.
#pragma once

#include "engines/banque/play.hpp"

namespace talla::games::banque {

[[nodiscard]] Needs needs_of(const Table& table, const Law& law, const State& state);
/// Stakes may be placed and withdrawn.
[[nodiscard]] bool bets_open(const State& state);
/// The session is over: nothing more happens at this table.
[[nodiscard]] bool session_over(const State& state);

}  // namespace talla::games::banque

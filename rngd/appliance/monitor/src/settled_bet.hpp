/// \file
/// A result as a record says it, as the settlement of a bet.
/// Threads: pure function.
#pragma once

#include <optional>

#include "format/body_table.hpp"
#include "games/settlement.hpp"

namespace talla::rngd {

/// Nothing: a word, a seat, an amount or a remainder that no settlement has.
[[nodiscard]] std::optional<games::Settlement> settlement_of(const certs::SettlementResult& result);

}  // namespace talla::rngd

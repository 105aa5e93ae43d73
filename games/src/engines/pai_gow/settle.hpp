/// \file
/// Payments of pai gow poker.
///
/// Threads: pure functions.
#pragma once

#include "engines/pai_gow/state.hpp"

namespace talla::games::pai_gow {

/// What a client has against the bank: win (both hands better), void (one better, whatever the
/// other), lose.
enum class Outcome : std::uint8_t { win, void_, lose };
[[nodiscard]] Outcome against(const Hands& client, const Hands& bank, bool whole_foul);

/// The stake that all clients and the dealer's hand ask of a player's bank.
[[nodiscard]] Units bank_needed(const Table& table, const State& state);
/// Every bet, when all cards lie open; the round is over.
void settle_hand(const Table& table, State& state);

}  // namespace talla::games::pai_gow

/// \file
/// The book of refusals: every form in English and in Spanish. A form stands once; the engine says
/// the English one.
#pragma once

#include <span>

#include "games/refusal.hpp"

namespace talla::games::speech {

/// Stakes: amounts, kinds, positions, seats and boxes.
[[nodiscard]] std::span<const RefusalForm> stake_refusals();
/// Turns, cards, draws, errors of the deal.
[[nodiscard]] std::span<const RefusalForm> play_refusals();
/// Tables, parameters, catalogues, scenarios.
[[nodiscard]] std::span<const RefusalForm> table_refusals();
/// Poker among players.
[[nodiscard]] std::span<const RefusalForm> circle_refusals();
/// Chemin de fer and banque.
[[nodiscard]] std::span<const RefusalForm> bank_refusals();
/// Tournaments.
[[nodiscard]] std::span<const RefusalForm> tournament_refusals();
/// The words that stand in slots ending in "~".
[[nodiscard]] std::span<const RefusalForm> refusal_words();

}  // namespace talla::games::speech

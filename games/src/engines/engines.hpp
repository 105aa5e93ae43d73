/// \file
/// The engines, one function each; the object has static storage. The registry lists them.
#pragma once

#include "games/engine.hpp"

namespace talla::games {

/// Punto y banca and its kin (family "baccarat").
[[nodiscard]] const Engine& baccarat_engine();
/// Chemin de fer and banque (family "banque").
[[nodiscard]] const Engine& banque_engine();
/// Roulettes (family "wheel").
[[nodiscard]] const Engine& wheel_engine();
/// Craps (family "dice").
[[nodiscard]] const Engine& dice_engine();
/// Monte (family "monte").
[[nodiscard]] const Engine& monte_engine();
/// Blackjack and triple black jack (family "blackjack").
[[nodiscard]] const Engine& blackjack_engine();
/// Trente et quarante (family "trente").
[[nodiscard]] const Engine& trente_engine();
/// Poker among players (family "circle-poker").
[[nodiscard]] const Engine& circle_engine();
/// Bingo (family "bingo").
[[nodiscard]] const Engine& bingo_engine();
/// Trijoker (family "trijoker").
[[nodiscard]] const Engine& trijoker_engine();
/// Hold'em against the house (family "texas-holdem").
[[nodiscard]] const Engine& texas_engine();
/// Pai gow poker (family "pai-gow").
[[nodiscard]] const Engine& pai_gow_engine();
/// Tournaments on games of the casino (family "tournament").
[[nodiscard]] const Engine& tournament_engine();

/// Three card poker, Caribbean stud, draw poker against the house (family "second-bet").
[[nodiscard]] const Engine& second_bet_engine();

}  // namespace talla::games

/// \file
/// Odds by the kind of game. Private to games.
///
/// Errors: game_not_available. Threads: pure functions.
#pragma once

#include <cstdint>

#include "games/odds.hpp"

namespace talla::games {

/// What a shoe of French cards is counted in.
inline constexpr std::uint32_t french_deck_cards = 52;

/// Of a game with this draw (wheel, dice; at most a million outcomes).
[[nodiscard]] Result<TableOdds> draw_odds(const Table& table, const Draw& draw);
/// Of punto y banca, from full decks.
[[nodiscard]] Result<TableOdds> coup_odds(const Table& table);
/// Of chemin de fer and two cloths: stakes against the bank, and the bank (`banca`).
[[nodiscard]] Result<TableOdds> bank_odds(const Table& table);
/// Of trente et quarante: each chance alone, and insured.
[[nodiscard]] Result<TableOdds> row_odds(const Table& table);
/// Of blackjack: a hand at its best play, the bets on the first cards of a box, insurance. `only`:
/// of this bet alone; empty: of all.
[[nodiscard]] Result<TableOdds> box_odds(const Table& table, std::string_view only);
/// Of bingo: a card, by how many are sold.
[[nodiscard]] Result<TableOdds> called_odds(const Table& table);
/// Of monte: every bet on each kind of layout; those of Segundas whenever they are taken.
/// `only`: of this bet alone; empty: of all.
[[nodiscard]] Result<TableOdds> layout_odds(const Table& table, std::string_view only);
/// Of poker against the house with one further bet (three cards, Caribbean, draw poker). `only`: of
/// this bet alone; empty: of all.
[[nodiscard]] Result<TableOdds> second_bet_odds(const Table& table, OddsTime time,
                                                std::string_view only);
/// Of the three bets of trijoker, each by itself.
[[nodiscard]] Result<TableOdds> spot_odds(const Table& table);
/// Of pai gow: the client by each house way and by his best against the bank's.
[[nodiscard]] Result<TableOdds> set_odds(const Table& table, OddsTime time);
/// Of hold'em against the house.
[[nodiscard]] Result<TableOdds> stage_odds(const Table& table, OddsTime time);

}  // namespace talla::games

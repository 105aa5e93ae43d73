/// \file
/// Odds by the kind of game. Private to games.
///
/// Errors: game_not_available. Threads: pure functions.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "games/odds.hpp"
#include "odds/stake_chain.hpp"
#include "shuffle/card.hpp"

namespace talla::games {

/// What a shoe of French cards is counted in.
inline constexpr std::uint32_t french_deck_cards = 52;

/// Of a game with this draw (wheel, dice; at most a million outcomes).
[[nodiscard]] Result<TableOdds> draw_odds(const Table& table, const Draw& draw);
/// A stake that is laid down alone, or behind what it waits for.
struct LoneStake {
  const ChainGame& game;
  const std::string& bet;
  const std::vector<std::string>& on;
  const std::vector<std::string>& shown;  ///< what people are told of the place
};
/// Calls `follow` of each of a game with this draw. Those bets of which it refuses every place.
[[nodiscard]] Result<std::vector<BetWithoutOdds>> each_lone_stake(
    const Table& table, const Draw& draw, const std::function<Status(const LoneStake&)>& follow);
/// The same of trente et quarante, each chance alone, as the first coups of a shoe.
[[nodiscard]] Status each_row_stake(const Table& table,
                                    const std::function<Status(const LoneStake&)>& follow);
/// A wheel's or dice table without what binds its stakes to other people's: a bet of dice is worth
/// the same whoever throws.
[[nodiscard]] Result<Table> lone_table(const Table& table);
/// Positions as arrays of codes.
[[nodiscard]] json::Value positions_json(const std::vector<std::vector<std::string>>& on);

/// Of punto y banca, from the cards of full decks that are not gone.
[[nodiscard]] Result<TableOdds> coup_odds(const Table& table,
                                          std::span<const shuffle::Card> gone = {});
/// Of chemin de fer and two cloths: stakes against the bank, and the bank (`banca`).
[[nodiscard]] Result<TableOdds> bank_odds(const Table& table);
/// Of trente et quarante: each chance alone, and insured.
[[nodiscard]] Result<TableOdds> row_odds(const Table& table);
/// Of blackjack: a hand at its best play, the bets on the first cards of a box, insurance. `only`:
/// of this bet alone; empty: of all. `gone`: cards that are no longer in the shoe.
[[nodiscard]] Result<TableOdds> box_odds(const Table& table, std::string_view only,
                                         std::span<const shuffle::Card> gone = {});
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

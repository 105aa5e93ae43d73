/// \file
/// Exact odds of bets: wheels, dice, punto y banca. No sampling, no floating point.
///
/// A bet on a draw is put down alone and followed by the engine that settles it through every
/// outcome, and every decision of its owner, until it is settled: states of the table are the
/// states of a Markov chain, whose equations are solved in fractions. Where the player decides, the
/// choice that returns most is taken (the first one offered among equals). Punto y banca: every
/// coup of full decks counted.
/// Errors:  game_not_available (any other game). Threads: a pure function.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "games/table.hpp"

namespace talla::games {

/// What becomes of a stake, of 1. win, lose and other add up to 1.
struct Odds {
  Fraction win;       ///< probability of a settlement that pays more than the stake
  Fraction lose;      ///< of one that gives nothing back
  Fraction other;     ///< of all else: the stake comes back, whole or in part
  Fraction returned;  ///< expected payment, the stake included
  [[nodiscard]] Fraction house_edge() const { return Fraction(1) - returned; }
  bool operator==(const Odds&) const = default;
};

/// Positions of one bet that have the same odds.
struct BetOdds {
  std::string bet;
  std::vector<std::vector<std::string>> on;  ///< empty: the bet has no positions
  Odds odds;
};

/// A bet that cannot be put down on an empty cloth: it accompanies another, or waits for a point.
struct BetWithoutOdds {
  std::string bet;
  std::string reason;  ///< the table's refusal
};

/// The exact odds of a table's bets, and the bets that have none by themselves.
struct TableOdds {
  std::vector<BetOdds> bets;  ///< in the catalogue's order; a bet's positions in theirs
  std::vector<BetWithoutOdds> others;
};

/// {"bet","on"?,"win","lose","other","returned","house_edge"}, fractions as "n/d".
[[nodiscard]] json::Value to_json(const BetOdds& bet);
/// {"bet","without_odds"}
[[nodiscard]] json::Value to_json(const BetWithoutOdds& bet);

/// A table of this game to ask about: with a minimum of so many units that every figure of a
/// catalogue fits.
/// Errors: those of Table::open.
[[nodiscard]] Result<Table> odds_table(std::shared_ptr<const Catalogue> catalogue, std::string game,
                                       json::Value params);
/// Of every bet that the table offers; call bets are their parts and are left out.
[[nodiscard]] Result<TableOdds> bet_odds(const Table& table);

}  // namespace talla::games

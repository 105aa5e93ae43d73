/// \file
/// The course of one game of bingo: which claims are open after a ball, and what the end settles.
/// Pure functions of state and figures.
///
/// Source: es-1977 10 I (prizes), IV (claims), V (void games).
#pragma once

#include <string>
#include <vector>

#include "engines/bingo/rules.hpp"
#include "engines/bingo/state.hpp"

namespace talla::games::bingo {

/// A combination that the last ball completed and that is not announced yet.
struct Claim {
  std::string bet;
  Seat seat = 0;
  bool line = false;  ///< false: bingo
  bool operator==(const Claim&) const = default;
};

/// All open claims, in the order of the cards, line before bingo. The line prize goes to the first
/// ball on which a line is announced. `all`: those of silent seats as well.
[[nodiscard]] std::vector<Claim> open_claims(const Figures& figures, const BingoState& state,
                                             bool all = false);

/// Nothing can come any more: every claim is answered, and bingo was announced or no ball is left.
[[nodiscard]] bool is_decided(const Figures& figures, const BingoState& state,
                              std::size_t balls_count);

/// Settles every card with its part of the prizes and ends the game.
void settle_game(const Table& table, const Figures& figures, BingoState& state);

/// Gives every price back and ends the game.
void void_game(const Table& table, const Figures& figures, BingoState& state, const Citation& cite);

/// Whether a restored state could have come about at this table. Errors: state_malformed.
[[nodiscard]] Status check_course(const Table& table, const Figures& figures,
                                  const BingoState& state);

}  // namespace talla::games::bingo

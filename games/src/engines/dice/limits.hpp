/// \file
/// Maxima of dice bets that hang on a number, on another stake or on the possible win (es-1977 06
/// IV.2). Maxima that are plain multiples of the table minimum are the catalogue's ordinary limits
/// and are checked by the BetBook.
#pragma once

#include "engines/dice/rules.hpp"
#include "engines/dice/state.hpp"
#include "games/table.hpp"

namespace talla::games::dice {

/// The bet with that id has just been put into the book: may it be there? `known` is what the table
/// knows of its kind.
/// Errors: bets_closed (an associated bet without its simple bet), above_maximum.
[[nodiscard]] Status check_dice_limits(const Table& table, const DiceState& state, const Bet& bet,
                                       const PreparedBet& known);

/// Where stakes on a number must win whole chips (parameter stake_multiples): does this one?
/// Errors: chip_step.
[[nodiscard]] Status check_multiple(const Table& table, const DiceState& state, const Bet& bet,
                                    const PreparedBet& known);

/// After a stake was reduced: do the associated bets still fit the simple ones?
/// Errors: withdrawal_refused.
[[nodiscard]] Status check_companions(const Table& table, const DiceState& state,
                                      const Bet& reduced);

/// The largest stake of a multiple bet: the largest whose win does not pass `factor` times that of
/// the simple bets' maximum, and never less than the smallest whose win reaches it; in chips.
[[nodiscard]] Units multiple_maximum(const Fraction& simple_maximum, const Fraction& pays,
                                     const Fraction& factor, Units chip);

}  // namespace talla::games::dice

/// \file
/// Errors of games/, numbered and stable. The codes are what `talla settle` prints and
/// `expect_error` names.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.hpp"

namespace talla::games {

enum class Errc : std::uint16_t {
  // Catalogue and table configuration.
  catalogue_malformed = 300,    ///< the file is not TOML, or breaks the schema
  catalogue_unknown = 301,      ///< no catalogue of that id
  game_unknown = 302,           ///< the catalogue has no such game
  game_not_available = 303,     ///< the catalogue has the game, no engine plays its family
  parameter_unknown = 304,      ///< the game has no such parameter
  parameter_not_allowed = 305,  ///< value outside what the catalogue allows
  parameter_missing = 306,      ///< a parameter without default was not given
  table_invalid = 307,          ///< currency, unit, chip, minimum or maximum is wrong
  decree_missing = 308,  ///< the rules stand in a text that is not at hand, and no base was chosen
  // Bets.
  bets_closed = 320,       ///< no bet of this kind may be placed, changed or closed now
  bet_unknown = 321,       ///< no bet with that id
  bet_duplicate = 322,     ///< the id is taken
  bet_kind_unknown = 323,  ///< the game has no such bet
  /// The bet exists, but not at this table, or not without a stake that it goes with.
  bet_not_offered = 324,
  bet_position = 325,  ///< `on` is missing, superfluous or names no position of the bet
  below_minimum = 326,
  above_maximum = 327,
  chip_step = 328,           ///< not a multiple of the chip step
  withdrawal_refused = 329,  ///< the rules forbid taking this bet back now
  seat_invalid = 330,        ///< seat or box outside the table
  amount_invalid = 331,      ///< not positive, or beyond what an amount can be
  not_multiple = 332,  ///< the rules ask for multiples of the bet's minimum, or for equal chips
  // Play.
  not_due = 340,         ///< the event is well formed, but is not among the needs
  action_unknown = 341,  ///< the game has no such action
  /// The action exists, but not now, not for this seat, or not with this amount.
  action_refused = 342,
  place_unknown = 343,    ///< no such place, or not the next one
  card_invalid = 344,     ///< not a card of this game's deck, or more of it than the deck has
  outcome_invalid = 345,  ///< no such pocket, face, ball or lot
  cards_exhausted = 346,  ///< a card is forced and the source has none
  no_shoe = 347,          ///< a card is asked for and no shoe is open
  misdeal_unknown = 348,  ///< the catalogue's error table has no such code
  shoe_finished = 349,    ///< the stop card is out and the last hand is played
  // State and scenario.
  state_malformed = 360,     ///< a serialised state, event or carried state does not fit this game
  scenario_malformed = 361,  ///< the scenario breaks its schema
  expectation_failed = 362,  ///< the scenario ran, and gave something else
  arithmetic_range = 363,    ///< an exact amount leaves the range of 128 bits
};

/// The stable name of an error.
[[nodiscard]] std::string_view errc_name(Errc errc);

}  // namespace talla::games

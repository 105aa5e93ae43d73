/// \file
/// What every other value of every parameter does to the odds of a table: how much a reading of the
/// law is worth, and which values let the player win.
///
/// Errors: those of bet_odds for the table itself. Threads: pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "games/odds.hpp"

namespace talla::games {

/// A row of odds that the table has with another value and does not have as it is.
struct ChangedOdds {
  BetOdds now;                  ///< with the other value
  std::optional<Ratio> before;  ///< the edge of the same bet, position and play as the table is
};

/// One value that a parameter does not have at the table.
struct OtherValue {
  std::string parameter;
  json::Value value;
  std::vector<ChangedOdds> changed;  ///< empty: no odds of any bet change
  std::vector<std::string> gone;     ///< bets without odds now, or not offered
  std::string refused;               ///< why no table opens with it; else empty
};

/// The bet returns more than is laid down for it: whoever plays it long enough wins.
[[nodiscard]] bool player_wins(const BetOdds& bet);

/// Every value that is listed for a parameter and that the table does not have; of a range its
/// ends. In the catalogue's order of parameters, then in that of values. `parameters`: of these
/// alone; empty: of all.
/// Errors: those of bet_odds, parameter_unknown.
[[nodiscard]] Result<std::vector<OtherValue>> other_values(
    const Table& table, std::span<const std::string> parameters = {},
    OddsTime time = OddsTime::seconds);

/// {"parameter","value","changed":[BetOdds with "before"?],"gone":[..],"refused"?}
[[nodiscard]] json::Value to_json(const OtherValue& other);

}  // namespace talla::games

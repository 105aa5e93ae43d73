/// \file
/// What became of one bet, with the rule that says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/money.hpp"
#include "games/need.hpp"

namespace talla::games {

/// win, lose: decided. push: decided and equal, the stake is free. half: half given up. prison:
/// interim, the stake waits. freed: out of prison without winnings. void: the hand or draw counts
/// for nothing, the stake is free.
enum class BetResult : std::uint8_t { win, lose, push, half, prison, freed, void_ };
[[nodiscard]] std::string_view bet_result_name(BetResult result);
[[nodiscard]] Result<BetResult> bet_result_from(std::string_view name);

/// What one bet came to, exact and in units.
struct Settlement {
  std::string bet;
  Seat seat = 0;
  std::string kind;
  Units stake = 0;  ///< what stood on the cloth, at its original value
  BetResult result = BetResult::lose;
  Units returned = 0;  ///< everything the player gets back, the stake included
  /// Exact amount minus `returned`: what the rounding took (or, negative, gave).
  Fraction remainder;
  std::string rule;  ///< game number and section path of the official text: "07 V", "01 IV.1.B.b"
  bool operator==(const Settlement&) const = default;
};

/// {"bet","kind","result","returned","rule","seat","stake"} and "remainder" when it is not zero.
[[nodiscard]] json::Value to_json(const Settlement& settlement);
[[nodiscard]] Result<Settlement> settlement_from_json(const json::Value& value);

}  // namespace talla::games

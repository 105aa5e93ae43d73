/// \file
/// How a stake at a wheel, a table of dice or trente et quarante comes to its end, which may take
/// several rounds: with what chance it ends how, how many rounds that takes, and how often a stake
/// leaves prison.
///
/// The engine itself is driven as for odds (games/odds.hpp); exact, no sampling.
/// Errors:  game_not_available (any other game). Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "games/odds.hpp"
#include "games/settlement.hpp"

namespace talla::games {

/// One way in which a stake of 1 may end.
struct StakeEnd {
  BetResult result = BetResult::lose;
  Ratio probability;
  Ratio paid;  ///< what this end adds to the expected payment
};

/// What becomes of a stake of 1 on positions that are alike.
struct StakeCourse {
  std::string bet;
  std::vector<std::vector<std::string>> on;  ///< empty: the bet has no positions
  /// What its owner always chooses where that choice is open, a code of the game's actions; empty:
  /// what returns most.
  std::string choice;
  bool from_prison = false;    ///< as it has just gone into prison; else as it is laid down
  std::vector<StakeEnd> ends;  ///< in the order of results; probabilities add up to 1
  Ratio rounds;                ///< draws until the end, on average
  std::vector<Ratio> over;     ///< chance that it has ended behind the first draw, the second ...
};

/// The most draws of which `over` tells.
inline constexpr std::size_t course_rounds_max = 100;
/// Of every bet that odds are known of, in their order; `only`: of this one. `rounds`: so many
/// entries of `over`, at most `course_rounds_max` (checked).
[[nodiscard]] Result<std::vector<StakeCourse>> stake_courses(const Table& table, std::size_t rounds,
                                                             std::string_view only = {});

/// {"bet","on"?,"choice"?,"from_prison"?,"ends": [{"result","probability","paid"}],"rounds",
/// "over"?: [...]}, fractions as "n/d".
[[nodiscard]] json::Value to_json(const StakeCourse& course);

}  // namespace talla::games

/// \file
/// What a dice table remembers: where the throw stands, the point, who has the dice, and every
/// stake on the cloth. A stake that has moved to a number (come) carries that number as its
/// position.
///
/// Canonical form: {"phase"} and, while they hold something, "point", "shooter", "before",
/// "refused", "last", "bets", "settled".
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "games/bets.hpp"
#include "games/settlement.hpp"

namespace talla::games::dice {

/// betting: stakes come and go. over: the same, and the last throw is just settled. closed: the
/// dice are due. rethrow: a throw was void; the dice are due again, or bets open again until the
/// next "no more". finished: the last shooter has thrown his last.
enum class Phase : std::uint8_t { betting, over, closed, rethrow, finished };

/// Who throws. Nobody is tracked where the table does not ask for his stake.
struct Shooter {
  Seat seat = 0;              ///< has the dice; 0: they are offered
  Seat before = 0;            ///< had them before; 0: nobody yet
  std::vector<Seat> refused;  ///< of those to whom they are offered now, ascending
  bool last = false;          ///< the session ends with him
};

struct DiceState {
  Phase phase = Phase::betting;
  int point = 0;  ///< 0: the next throw opens a series
  Shooter shooter;
  BetBook book;
  std::vector<Settlement> settled;

  [[nodiscard]] bool bets_open() const {
    return phase != Phase::closed && phase != Phase::finished;
  }
  [[nodiscard]] bool draw_due() const { return phase == Phase::closed || phase == Phase::rethrow; }
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<DiceState> from_json(const json::Value& value);
  /// What outlives a throw: all but phase and settlements; "finished" when nothing more comes.
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<DiceState> from_carried(const json::Value& value);
};

[[nodiscard]] std::string_view phase_name(Phase phase);

}  // namespace talla::games::dice

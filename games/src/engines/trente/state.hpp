/// \file
/// What a trente et quarante table remembers: where shoe and coup stand, the two rows, the cloth,
/// and the stakes in prison.
///
/// Canonical form: {"shoe", "phase"} and, while they hold something, "negra", "roja", "bets",
/// "prison", "last", "settled". Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shared/prison.hpp"
#include "games/bets.hpp"
#include "games/settlement.hpp"
#include "shuffle/card.hpp"

namespace talla::games::trente {

/// none: no shoe is open. over: the stop card is out.
enum class Shoe : std::uint8_t { none, in_play, over };
/// betting: stakes come and go. over: the same, and a coup is just settled. dealing: bets are
/// closed, cards come. finished: the session's last coup is settled.
enum class Phase : std::uint8_t { betting, over, dealing, finished };

struct TrenteState {
  Shoe shoe = Shoe::none;
  Phase phase = Phase::betting;
  bool last = false;  ///< the next coup that counts is the last of the session
  std::vector<Card> negra;
  std::vector<Card> roja;
  BetBook book;
  Prison prison;
  std::vector<Settlement> settled;

  [[nodiscard]] bool between_coups() const {
    return phase == Phase::betting || phase == Phase::over;
  }
  [[nodiscard]] bool bets_open() const { return between_coups() && shoe == Shoe::in_play; }
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TrenteState> from_json(const json::Value& value);
  /// What outlives a coup: "shoe", "prison", "last", "finished".
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<TrenteState> from_carried(const json::Value& value);
};

/// The member of a stake in prison that counts how often it met 31-31 in a row.
inline constexpr std::string_view prison_count = "times";

}  // namespace talla::games::trente

/// \file
/// What a trente et quarante table remembers: where shoe and coup stand, the two rows, the cloth, and the stakes in
/// prison.
///
/// Canonical form: {"shoe", "phase"} and, while they hold something, "negra", "roja", "bets", "prison", "last",
/// "settled". Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <vector>

#include "games/bets.hpp"
#include "games/settlement.hpp"
#include "shuffle/card.hpp"

namespace talla::games::trente {

/// none: no shoe is open. over: the stop card is out.
enum class Shoe : std::uint8_t { none, in_play, over };
/// betting: stakes come and go. over: the same, and a coup is just settled. dealing: bets are closed, cards come.
/// finished: the session's last coup is settled.
enum class Phase : std::uint8_t { betting, over, dealing, finished };

/// A stake that met 31-31 and waits.
struct Imprisoned {
  Bet bet;                  ///< at its original stake
  std::uint32_t times = 1;  ///< how often it met 31-31 in a row, at least 1
  bool chosen = false;      ///< it stays: its owner has chosen so since, or has no choice
  bool operator==(const Imprisoned&) const = default;
};

struct TrenteState {
  Shoe shoe = Shoe::none;
  Phase phase = Phase::betting;
  bool last = false;  ///< the next coup that counts is the last of the session
  std::vector<Card> negra;
  std::vector<Card> roja;
  BetBook book;
  std::vector<Imprisoned> prison;
  std::vector<Settlement> settled;

  [[nodiscard]] bool between_coups() const { return phase == Phase::betting || phase == Phase::over; }
  [[nodiscard]] bool bets_open() const { return between_coups() && shoe == Shoe::in_play; }
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TrenteState> from_json(const json::Value& value);
  /// What outlives a coup: "shoe", "prison", "last", "finished".
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<TrenteState> from_carried(const json::Value& value);
};

[[nodiscard]] json::Value prison_json(const std::vector<Imprisoned>& prison);
[[nodiscard]] json::Array cards_json(const std::vector<Card>& cards);

}  // namespace talla::games::trente

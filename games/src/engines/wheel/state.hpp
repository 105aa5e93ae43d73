/// \file
/// What a wheel table remembers: where the spin stands, the cloth, and the stakes in prison.
///
/// Canonical form: {"phase"} and, while they hold something, "bets", "prison", "last", "settled".
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "engines/shared/prison.hpp"
#include "games/bets.hpp"
#include "games/settlement.hpp"

namespace talla::games::wheel {

/// betting: stakes come and go. over: the same, and the last spin is just settled. closed: the ball
/// is due. rethrow: a spin was void; the ball is due again, or bets open again until the next "no
/// more". finished: the session's last spin is settled.
enum class Phase : std::uint8_t { betting, over, closed, rethrow, finished };

struct WheelState {
  Phase phase = Phase::betting;
  bool last = false;  ///< the next settled spin is the last of the session
  BetBook book;       ///< stakes of the coming spin
  /// What one chip is worth of each seat that plays chips of its own colour.
  std::map<Seat, Units> colours;
  Prison prison;  ///< stakes that met the zero and wait (es-1977 01 IV.1.B.b)
  std::vector<Settlement> settled;

  [[nodiscard]] bool bets_open() const {
    return phase == Phase::betting || phase == Phase::over || phase == Phase::rethrow;
  }
  [[nodiscard]] bool draw_due() const { return phase == Phase::closed || phase == Phase::rethrow; }
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<WheelState> from_json(const json::Value& value);
  /// What outlives a spin: "prison", "colours", "last", "finished".
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<WheelState> from_carried(const json::Value& value);
};

[[nodiscard]] std::string_view phase_name(Phase phase);
/// Member "colours" [{"seat", "value"}], in a state or a view; left out when there are none.
void put_colours(json::Value& value, const std::map<Seat, Units>& colours);
/// The member of a stake in prison that counts the zeros it met in a row.
inline constexpr std::string_view prison_count = "zeros";

}  // namespace talla::games::wheel

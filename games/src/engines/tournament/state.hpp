/// \file
/// What a tournament remembers: who entered, the chips of each, and in which hand who lost the last
/// of them.
///
/// A round is a hand. What lives between two hands is carried; prizes are settled when the
/// tournament is over.
/// Canonical form: members stand there only while they differ from their default.
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "games/bets.hpp"
#include "games/settlement.hpp"

namespace talla::games::tournament {

struct Player {
  Seat seat = 0;
  Units stack = 0;             ///< chips now; while a hand is played, as reported so far
  Units start = 0;             ///< chips when the hand began; 0: no part in a hand
  std::uint32_t out_hand = 0;  ///< the hand that took the last chip, the latest one; 0: none has
  Units out_stack = 0;         ///< chips when that hand began
  bool operator==(const Player&) const = default;
};

/// Seats that share a place of the final order.
struct Place {
  std::vector<Seat> seats;  ///< ascending
  bool operator==(const Place&) const = default;
};

struct TournamentState {
  bool round_over = false;      ///< the last hand is over, nothing has happened since
  bool closing = false;         ///< the hand that is played or comes next is the last
  bool playing = false;         ///< a hand is played
  std::uint32_t hand = 0;       ///< hands begun; 0: the tournament has not begun
  std::uint32_t level = 0;      ///< of the blinds; 0: the tournament has not begun
  std::vector<Player> players;  ///< by seat, ascending
  BetBook bets;                 ///< entries and all chips bought later, at their price
  std::vector<Place> standing;  ///< final order of the tournament just settled, best first
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<TournamentState> from_json(const json::Value& value);
  /// What outlives a hand. Precondition: no hand is played.
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<TournamentState> from_carried(const json::Value& value);
};

}  // namespace talla::games::tournament

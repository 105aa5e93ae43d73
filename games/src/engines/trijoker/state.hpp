/// \file
/// State of one trijoker table, and what a hand waits for.
///
/// The three bets of a player are parts of one call bet, "ID/1" to "ID/3"; who plays is who has a
/// bet 3.
#pragma once

#include <string>
#include <vector>

#include "engines/poker/table_round.hpp"
#include "engines/trijoker/rules.hpp"

namespace talla::games::trijoker {

struct State {
  poker::TableRound round;
  std::uint32_t decided = 0;  ///< decisions made, on bet 1 by each player and then on bet 2
  std::uint32_t exposed = 0;  ///< cards shown by mistake
  std::string exposing;       ///< place of the card that was shown and is to be turned now
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);

  /// Who plays, from the dealer's left.
  [[nodiscard]] std::vector<Seat> players() const;
};

/// What the hand waits for.
struct Due {
  enum class Kind : std::uint8_t { deal, decide, reveal, settle } kind = Kind::settle;
  std::vector<DealPlace> cards;  ///< deal
  std::string place;             ///< reveal
  Seat seat = 0;                 ///< decide
  std::size_t spot = 0;          ///< decide: 0 about bet 1, 1 about bet 2
};
/// Precondition: a hand is played.
[[nodiscard]] Due due_of(const State& state);
/// The five cards of a player. Precondition (checked): all lie open.
[[nodiscard]] std::vector<Card> hand_of(const State& state, Seat seat);
[[nodiscard]] Status check_state(const Table& table, const State& state);

}  // namespace talla::games::trijoker

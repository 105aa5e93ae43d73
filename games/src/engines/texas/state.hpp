/// \file
/// State of one table of hold'em against the house, and what a hand waits for.
///
/// All stakes stand in one BetBook: an ante keeps the id it was placed with, the bets made with it
/// are `id.flop`, `id.turn`... A stake of who has retired stays there until the hand is settled.
#pragma once

#include <string>
#include <vector>

#include "engines/poker/table_round.hpp"
#include "engines/texas/rules.hpp"

namespace talla::games::texas {

/// Who has an ante on a box: its holder first, then those who bet with him.
struct Player {
  Box box = 0;
  Seat seat = 0;
  bool out = false;  ///< retired, or his hand is annulled
  bool operator==(const Player&) const = default;
};

struct State {
  poker::TableRound round;
  std::vector<Player> players;  ///< in the order in which they speak
  std::size_t stage = 0;        ///< index of the stage in progress
  std::size_t turn = 0;         ///< players before this one have spoken in it
  bool removing = false;        ///< the next card lies face up in the deck and is set aside
  std::string exposing;         ///< place of a closed card that was shown and is to be turned now
  Box touched = 0;  ///< its cards have met those of another box, which is still to be named
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);

  [[nodiscard]] bool anybody_in() const;
  [[nodiscard]] bool box_in(Box box) const;
  [[nodiscard]] const Player* player(Seat seat, Box box) const;
};

/// What the hand waits for. side, next, settle: for nobody; the engine does it at once.
struct Due {
  enum class Kind : std::uint8_t { deal, decide, reveal, side, next, settle } kind = Kind::settle;
  std::vector<DealPlace> cards;  ///< deal
  std::string place;             ///< reveal
  std::size_t player = 0;        ///< decide: index into players
};
/// Precondition: a hand is played.
[[nodiscard]] Due due_of(const Rules& rules, const State& state);
/// All cards up to the stage in progress, in dealing order.
[[nodiscard]] std::vector<DealPlace> cards_until(const Rules& rules, const State& state,
                                                 std::size_t stage, std::size_t from = 0);
/// Common places laid until that stage, itself included.
[[nodiscard]] std::vector<std::string> common_places(const Rules& rules, std::size_t stage);
[[nodiscard]] std::vector<std::string> own_places(Box box);
[[nodiscard]] std::vector<std::string> bank_places();

[[nodiscard]] Status check_state(const Table& table, const State& state);

}  // namespace talla::games::texas

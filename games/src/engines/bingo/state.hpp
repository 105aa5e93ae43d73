/// \file
/// What a bingo table remembers: the cards sold, the balls called, and who has claimed what.
///
/// Canonical form: {"first_card"} and, while they hold something, "shoe", "drawing", "round_over",
/// "closing", "cards", "balls", "line", "line_ball", "bingo", "silent", "forfeited", "settled".
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engines/bingo/card.hpp"
#include "games/bets.hpp"
#include "games/settlement.hpp"

namespace talla::games::bingo {

struct BingoState {
  /// Number, in its series, of the first card of this game or the next one.
  std::uint32_t first_card = 1;
  bool shoe = false;                   ///< the balls are in the cage, or some of them called
  bool drawing = false;                ///< the sale is over, balls are called
  bool round_over = false;             ///< the last game is settled, nothing of the next is sold
  bool closing = false;                ///< the session ends after this game
  BetBook cards;                       ///< in the order of their numbers
  std::vector<Ball> balls;             ///< called, in order
  std::vector<std::string> line;       ///< cards whose line was announced
  std::uint32_t line_ball = 0;         ///< how many balls were out then; 0: no line yet
  std::vector<std::string> bingo;      ///< cards whose bingo was announced
  std::vector<Seat> silent;            ///< seats whose time since the last ball is over
  std::vector<std::string> forfeited;  ///< cards with a combination that was not announced in time
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<BingoState> from_json(const json::Value& value);
  /// What outlives a game: "first_card", "shoe", "closing".
  [[nodiscard]] json::Value carried() const;
  [[nodiscard]] static Result<BingoState> from_carried(const json::Value& value);
};

}  // namespace talla::games::bingo

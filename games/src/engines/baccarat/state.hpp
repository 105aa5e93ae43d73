/// \file
/// Punto y banca: the state of a table, and its JSON.
///
/// Errors: Errc::state_malformed. Threads: plain values.
#pragma once

#include <vector>

#include "engines/baccarat/rules.hpp"

namespace talla::games::baccarat {

enum class ShoeState : std::uint8_t { none, burning, in_play, last_hand, over };

struct State {
  ShoeState shoe = ShoeState::none;
  std::uint32_t burns_left = 0;  ///< unseen cards to the basket
  bool burn_exposed = false;     ///< the first card of the shoe is out
  bool dealing = false;          ///< bets are closed, a hand is being dealt
  bool round_over = false;       ///< the last hand is settled, nothing of the next has happened
  bool closing = false;          ///< the session ends after this round
  std::vector<Card> punto;
  std::vector<Card> banca;
  BetBook bets;
  std::vector<Settlement> settled;

  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static Result<State> from_json(const json::Value& value);
};

/// The part of a state that outlives a round, and back.
[[nodiscard]] json::Value shoe_json(const State& state);
[[nodiscard]] Result<State> state_from_shoe(const json::Value& value);

}  // namespace talla::games::baccarat

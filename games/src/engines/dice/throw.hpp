/// \file
/// One throw: what becomes of each stake and of the point. Pure functions of the stakes before the
///            throw.
#pragma once

#include <cstdint>

#include "engines/dice/rules.hpp"
#include "engines/dice/state.hpp"
#include "games/table.hpp"

namespace talla::games::dice {

/// win, lose: decided. push: decided equal, the stake is free. stay: goes on. move: goes to the
/// number thrown.
enum class Verdict : std::uint8_t { win, lose, push, stay, move };

struct Throw {
  int first = 1;
  int second = 1;
  [[nodiscard]] int total() const { return first + second; }
  [[nodiscard]] bool is_double() const { return first == second; }
};

/// The number a bet stands on: its own position, or for odds beside a line bet the point. 0: none.
[[nodiscard]] int number_of(const Bet& bet, const Form& form, int point);

/// `point` is the one before the throw. `null_pushes`: a null first throw frees the stake (es-1977
/// 06, dont_12).
[[nodiscard]] Verdict judge(const Form& form, const Bet& bet, int point, Throw thrown,
                            bool null_pushes);

/// The point after the throw.
[[nodiscard]] int next_point(int point, int total);

/// Settles everything the throw decides into state.settled, moves what moves, and sets the point.
[[nodiscard]] Status settle_throw(const Table& table, DiceState& state, Throw thrown);

}  // namespace talla::games::dice

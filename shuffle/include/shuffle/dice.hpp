/// \file
/// Dice: k dice of s faces, each showing 1 to s.
///
/// Mapping: `talla-map-v1`, one digit below s per die, in the order of the dice; the face is the
///          digit plus one.
/// Range:   k in [1, 127], s in [1, 2^16), s^k below 2^128.
/// Errors:  count_out_of_range, outcome_space_too_large (nothing drawn), and the tape's.
#pragma once

#include <cstdint>
#include <vector>

#include "shuffle/tape.hpp"

namespace talla::shuffle {

struct DiceSpec {
  std::uint32_t dice_count = 2;
  std::uint32_t faces_count = 6;
};
[[nodiscard]] Result<std::vector<std::uint32_t>> roll_dice(Tape& tape, const DiceSpec& dice);

}  // namespace talla::shuffle

/// \file
/// A draw: the pocket of a wheel, the faces of dice, or lots. Which pocket an index names is the
/// caller's order (the catalogue's wheel).
///
/// Mapping: `talla-map-v1`, one digit below each bound, in order. Wheel: one bound, its pockets.
///          Dice: one bound a die, its faces; a face is the digit plus one. Lots: those stated.
/// Range:   bounds in [1, 2^32), fewer than 2^128 outcomes; what records may ask for stands in
///          format/draw_format.hpp.
/// Errors:  bound_out_of_range, outcome_space_too_large (nothing drawn), and the tape's.
/// Threads: pure functions. Secrecy: values are secret until the draw is open.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "shuffle/tape.hpp"

namespace talla::shuffle {

struct WheelDraw {
  std::uint32_t pockets = 37;  ///< 1 or more
  bool operator==(const WheelDraw& other) const = default;
};
/// Throws of `count` dice of `faces` faces.
struct DiceDraw {
  std::uint32_t count = 2;  ///< 1 or more
  std::uint32_t faces = 6;  ///< 1 or more
  bool operator==(const DiceDraw& other) const = default;
};
/// One lot below each of these bounds.
struct LotsDraw {
  std::vector<std::uint32_t> bounds;
  bool operator==(const LotsDraw& other) const = default;
};
using DrawSpecification = std::variant<WheelDraw, DiceDraw, LotsDraw>;

/// Refuses a bound of 0 and 2^128 outcomes or more.
[[nodiscard]] Status check_outcome_space(const DrawSpecification& specification);
/// A pocket's index from 0; faces from 1, in the order of the dice; lots from 0.
[[nodiscard]] Result<std::vector<std::uint32_t>> draw_values(
    Tape& tape, const DrawSpecification& specification);

}  // namespace talla::shuffle

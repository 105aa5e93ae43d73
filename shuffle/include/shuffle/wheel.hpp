/// \file
/// A wheel: one of n pockets. Which pocket an index names is the caller's order (the catalogue's
///          wheel).
///
/// Mapping: `talla-map-v1`, one digit below n.
/// Range:   n in [1, 2^16).
/// Errors:  count_out_of_range (nothing drawn), and the tape's.
#pragma once

#include <cstdint>

#include "shuffle/tape.hpp"

namespace talla::shuffle {

/// The pocket's index, in [0, pockets_count).
[[nodiscard]] Result<std::uint32_t> spin_wheel(Tape& tape, std::uint32_t pockets_count);

}  // namespace talla::shuffle

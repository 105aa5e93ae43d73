/// \file
/// One spin settled: fresh stakes, stakes in prison, and what a zero makes of either.
///
/// Value of a stake S after k zeros in a row (es-1977 01 IV.1.B.b and its readings): taken back
/// now, S / 2^k; set free by a later win, S / 2^(k-1) ("residual"), S / 2^k from k = 2 on
/// ("literal"), or S ("whole").
#pragma once

#include <cstddef>

#include "engines/wheel/rules.hpp"
#include "engines/wheel/state.hpp"
#include "games/table.hpp"

namespace talla::games::wheel {

/// Settles everything the pocket decides into state.settled; the cloth is empty afterwards.
/// `pocket` is its place among Prepared::pockets.
[[nodiscard]] Status settle_spin(const Table& table, WheelState& state, std::size_t pocket);

/// Half of what the stake is still worth comes back, the rest is the bank's.
[[nodiscard]] Status settle_half(const Table& table, WheelState& state, const ZeroRule& zero,
                                 const Imprisoned& stake);

}  // namespace talla::games::wheel

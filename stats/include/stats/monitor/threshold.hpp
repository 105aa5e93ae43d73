/// \file
/// How the false-alarm probability is shared out: over classes, over the monitors of a class, over
/// the epochs of a monitor.
///
/// Ville's inequality: an e-process that starts at 1 ever reaches 1 / a with probability at most a,
/// however often one looks. The monitor at place j (1, 2, ... in the order they came up) has the
/// share 1 / (j (j + 1)), epoch k of it the share 6 / (pi^2 k^2); both add up to 1, so all alarms
/// of all epochs of all monitors together have probability at most alpha in the whole life of the
/// appliance. Places that a board can never give (it knows three monitors, and no more ever come)
/// may be another's: from place j on they hold 1 / j of its alpha. Threads: pure functions.
#pragma once

#include <cstdint>

namespace talla::stats::monitor {

/// Share of the monitor at `place` (from 1) in `epoch` (from 1).
[[nodiscard]] double alpha_share(std::uint32_t place, std::uint32_t epoch);
/// Natural logarithm of the value that means an alarm. Precondition: 0 < alpha < 1.
[[nodiscard]] double log_threshold(double alpha, std::uint32_t place, std::uint32_t epoch);

}  // namespace talla::stats::monitor

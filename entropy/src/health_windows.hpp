/// \file
/// Sizes of the windows that the gate and the battery look through, in samples.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talla::entropy::windows {

/// One quarantined window, and the length of the start-up test (SP 800-90B 4.3 asks for 1,024 at least).
inline constexpr std::uint32_t gate_samples = 4096;
/// Guesses are counted in the second half of a window; the first half is the past they rest on.
inline constexpr std::uint32_t half_samples = 2048;
/// Lags 1 to 2,047 fit into the first half.
inline constexpr std::uint32_t lags_all = 2047;
inline constexpr unsigned lag_bits = 11;
/// Bias drift is judged over four gate windows.
inline constexpr std::uint32_t long_samples = 4 * gate_samples;

}  // namespace talla::entropy::windows

/// \file
/// Sizes of the windows that the gate and the battery look through, in samples.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talla::entropy::windows {

/// One quarantined window.
inline constexpr std::uint32_t gate_samples = 4096;
/// Guesses are counted in the second half of a window; the first half is the past they rest on.
inline constexpr std::uint32_t half_samples = 2048;
/// Lags 1 to 2,047 fit into the first half.
inline constexpr std::uint32_t lags_all = 2047;
inline constexpr unsigned lag_bits = 11;
/// Bias drift is judged over four gate windows.
inline constexpr std::uint32_t long_samples = 4 * gate_samples;
/// Repeated words are looked for in so many samples; it is also the length of the start-up test (SP
/// 800-90B 4.3 asks for 1,024 samples at least).
inline constexpr std::uint32_t history_samples = 32 * gate_samples;
/// Words are remembered at the multiples of one and looked for at the multiples of the other. They
/// have no common divisor, so of two equal stretches of their product and one word a remembered
/// word meets a looked-for one.
inline constexpr std::uint32_t duplicate_store_every = 31;
inline constexpr std::uint32_t duplicate_look_every = 32;
/// 2^8 pairs of places for each sample, and 2^6 for its share of the false alarms.
inline constexpr unsigned duplicate_bits = 14;
static_assert(std::uint64_t{history_samples} <
              (std::uint64_t{1} << 8U) * duplicate_store_every * duplicate_look_every);
inline constexpr std::uint32_t duplicate_word_max = 2 * gate_samples;

}  // namespace talla::entropy::windows

/// \file
/// The suffixes of a string in sorted order, seen only through what neighbours have in common.
///
/// Method: places are spread over buckets by their first bits, each bucket is sorted by windows of 64 bits, ties by the windows
///         behind them. Random data need no more; strings with long repeats go to libdivsufsort and Kasai's lengths instead.
/// Memory: 4 bytes a symbol and the string; 9 bytes a symbol for strings with long repeats.
#pragma once

#include <span>

#include "repeats.hpp"
#include "stats/bits.hpp"

namespace talla::stats::sp800_90b {

[[nodiscard]] Repeats repeats_of(const Bits& bits);
[[nodiscard]] Repeats repeats_of(std::span<const std::uint8_t> symbols);

}  // namespace talla::stats::sp800_90b

/// \file
/// The suffixes of a string in sorted order, seen only through what neighbours have in common.
///
/// Method: places are spread over buckets by their first bits, each bucket is sorted by windows of
///         64 bits, ties by the windows behind them. Random data need no more; strings with long
///         repeats go to libdivsufsort instead.
/// Memory: the string and 4 bytes a symbol; for strings with long repeats 5 bytes a symbol, at last
///         4 and a fixed 15 MB.
#pragma once

#include <functional>
#include <span>

#include "repeats.hpp"
#include "stats/bits.hpp"

namespace talla::stats::sp800_90b {

/// Takes the repeated substrings part by part, shorter ones first; at least one part comes.
using TakeRepeats = std::function<void(const Repeats&)>;

void repeats_of(const Bits& bits, const TakeRepeats& take);
void repeats_of(std::span<const std::uint8_t> symbols, const TakeRepeats& take);

}  // namespace talla::stats::sp800_90b

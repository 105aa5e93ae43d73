/// \file
/// The statistics of 5.1 on data that were permuted.
#pragma once

#include <span>

#include "stats/sp800_90b/iid.hpp"

namespace talla::stats::sp800_90b {

using Bytes = std::span<const std::uint8_t>;

/// `symbols` numbered, `raw` as given, in the same order; `median` of the symbols.
[[nodiscard]] Statistics statistics_of(Bytes symbols, Bytes raw, unsigned alphabet, double median,
                                       const Wanted& wanted);
[[nodiscard]] double median_of(Bytes symbols, unsigned alphabet);

}  // namespace talla::stats::sp800_90b

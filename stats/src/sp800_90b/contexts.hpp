/// \file
/// Bounds of the predictors that learn what follows a context: 6.3.9 MultiMMC, 6.3.10 LZ78Y.
#pragma once

#include <cstddef>
#include <cstdint>

namespace talla::stats::sp800_90b {

/// Contexts are of 1 to 16 samples.
inline constexpr std::size_t depths_count = 16;
inline constexpr std::uint64_t entries_most = 100'000;  ///< of one depth, 6.3.9
inline constexpr std::uint64_t contexts_most = 65'536;  ///< of all depths together, 6.3.10

}  // namespace talla::stats::sp800_90b

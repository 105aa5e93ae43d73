/// \file
/// One verdict over many p-values: S. Holm, "A simple sequentially rejective multiple test
/// procedure" (1979).
///
/// The chance that a family of true hypotheses is rejected anywhere is at most the level, whatever
/// the dependence.
/// Threads: pure functions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace talla::stats {

/// Adjusted p-values, in the order given: reject those below the level. NaN stays NaN and counts
/// for nothing.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);
/// The least of them: the family is rejected when it is below the level. 1 for an empty family.
[[nodiscard]] double holm_smallest(std::span<const double> p_values);

}  // namespace talla::stats

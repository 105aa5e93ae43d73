/// \file
/// What the estimators share: the confidence bound, and the estimate of a predictor from its hits.
#pragma once

#include <cmath>
#include <cstdint>

#include "stats/sp800_90b/non_iid.hpp"

namespace talla::stats::sp800_90b {

/// Z(1 - 0.005): the upper end of a 99 % interval (6.3.1).
inline constexpr double z_alpha = 2.5758293035489008;

/// What a predictor did (6.3.7 to 6.3.10): correct predictions, the longest run of them, and
/// predictions in all.
struct Hits {
  std::uint64_t correct = 0;
  std::uint64_t longest_run = 0;
  std::uint64_t total = 0;
};
/// P_global', P_local and the estimate. `alphabet`: symbols there are.
[[nodiscard]] Estimate from_hits(std::string name, const Hits& hits, unsigned alphabet);

/// An estimate that the data do not allow.
[[nodiscard]] inline Estimate not_estimated(std::string name, std::string why) {
  return {std::move(name), std::numeric_limits<double>::quiet_NaN(), {}, std::move(why)};
}

}  // namespace talla::stats::sp800_90b

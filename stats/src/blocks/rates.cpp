// Failure rates of the tests on 20,000 ideal bits. tests/unit/stats/blocks_exact.cpp computes the
// exact ones again from the limits. `any` adds to the exact rate of monobit, runs and long run
// together that part of the poker test's which no other test caught: 9,879 of 10,129 and 101 of 102
// among 10^8 blocks (AES-256 in counter mode).
#include "stats/blocks/twenty_thousand.hpp"

namespace talla::stats::blocks {

const Rates& failure_rates(Bounds bounds) {
  static constexpr Rates fips_140_2 = {.monobit = 1.034970030e-4,
                                       .poker = 9.97366e-5,
                                       .runs = 2.986760198e-4,
                                       .long_run = 2.976214111e-4,
                                       .any = 6.979661453e-4 + 0.97532 * 9.97366e-5,
                                       .any_error = 0.0002};
  static constexpr Rates fips_140_1 = {.monobit = 1.026059048e-6,
                                       .poker = 1.036894e-6,
                                       .runs = 1.999258e-6,
                                       .long_run = 1.162290e-6,
                                       .any = 4.186032e-6 + 0.990 * 1.036894e-6,
                                       .any_error = 0.002};
  return bounds == Bounds::fips_140_2 ? fips_140_2 : fips_140_1;
}

}  // namespace talla::stats::blocks

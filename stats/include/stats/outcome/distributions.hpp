/// \file
/// p-values of the outcome tests from their statistics.
///
/// Two-sided: twice the smaller tail, at most 1: a fit that is too good is a fault too. For
///            discrete statistics both tails hold the value itself, so that P(p <= a) <= a.
/// Sources:   A. Wald, J. Wolfowitz (1940) for runs; G. Marsaglia, W. Tsang, J. Wang, J. Stat.
///            Softw. 8(18), 2003, and Z. Birnbaum, F. Tingey (1951) for Kolmogorov-Smirnov; the
///            limit with its next term above 4,000 values.
/// Threads:   pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "stats/outcome/row.hpp"

namespace talla::stats::outcome {

/// So many outcomes, and a sum over them is judged by the normal limit.
inline constexpr std::uint64_t normal_least = 50;

/// From the two tails, each with the observed value in it.
[[nodiscard]] double two_sided(double below, double above);
[[nodiscard]] double chi_square_two_sided(double statistic, double degrees);
[[nodiscard]] double normal_two_sided(double z);
/// Of `k` successes in `n` trials. Exact.
[[nodiscard]] double binomial_two_sided(double k, double n, double probability);
[[nodiscard]] double poisson_two_sided(double k, double mean);
/// The same for a count of this mean and variance: binomial where the variance is below the mean,
/// else Poisson.
[[nodiscard]] double count_two_sided(double count, double mean, double variance);
/// The same with half the weight of the observed count in each tail: for counts that are summed up
/// from many trials.
[[nodiscard]] double count_mid_two_sided(double count, double mean, double variance);
/// P(the least of so many independent p-values is at most p) (Sidak).
[[nodiscard]] double least_of(double p, double count);
/// Of so many runs in a row of `first` things of one kind and `second` of the other, all orders
/// being equally likely. Exact.
/// Precondition: both counts above 0, runs from 2 to what is possible.
[[nodiscard]] double runs_two_sided(std::uint64_t runs, std::uint64_t first, std::uint64_t second);

/// Largest distance between the values and the uniform distribution on [0, 1].
struct KolmogorovSmirnov {
  double distance = 0.0;  ///< 0 to 1
  double p = 1.0;         ///< P(a distance at least as large)
  Basis basis = Basis::exact;
};
/// Takes the values in any order. Precondition: at least one value, all in [0, 1].
[[nodiscard]] KolmogorovSmirnov kolmogorov_smirnov(std::vector<double> values);
/// P(distance >= d) for n values.
[[nodiscard]] double kolmogorov_smirnov_tail(double distance, std::size_t n);

}  // namespace talla::stats::outcome

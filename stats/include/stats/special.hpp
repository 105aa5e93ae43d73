/// \file
/// The special functions of the tests, in double precision: relative error below 1e-12 in the range
/// that is used.
///
/// Source: Boost.Math. Threads: pure functions.
#pragma once

namespace talla::stats {

/// Regularised upper incomplete gamma function Q(a, x) = Gamma(a, x) / Gamma(a); 1 for x <= 0.
/// Precondition: a > 0.
[[nodiscard]] double gamma_upper(double a, double x);
/// Regularised lower incomplete gamma function P(a, x) = 1 - Q(a, x), precise where it is small; 0
/// for x <= 0. Precondition: a > 0.
[[nodiscard]] double gamma_lower(double a, double x);
/// Natural logarithm of Gamma(x). Precondition: x > 0. (std::lgamma writes a global variable.)
[[nodiscard]] double log_gamma(double x);
/// Natural logarithm of the binomial coefficient. Precondition: 0 <= k <= n.
[[nodiscard]] double log_choose(double n, double k);
/// Upper tail of the chi-square distribution. Precondition: degrees > 0.
[[nodiscard]] inline double chi_square_tail(double statistic, double degrees) {
  return gamma_upper(degrees / 2.0, statistic / 2.0);
}
/// Lower tail of the chi-square distribution. Precondition: degrees > 0.
[[nodiscard]] inline double chi_square_below(double statistic, double degrees) {
  return gamma_lower(degrees / 2.0, statistic / 2.0);
}
/// Distribution function of the standard normal.
[[nodiscard]] double normal_below(double x);
/// Quantile of the standard normal. Precondition: 0 < probability < 1.
[[nodiscard]] double normal_quantile(double probability);
/// P(X <= k) for a binomial of `n` trials with probability `p`; 0 for k < 0.
[[nodiscard]] double binomial_below(double k, double n, double p);

}  // namespace talla::stats

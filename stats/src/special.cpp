#include "stats/special.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <numbers>

namespace talla::stats {
namespace {

namespace policy = boost::math::policies;
/// No exceptions: an overflow gives infinity, a domain error NaN, an underflow zero.
using Quiet = policy::policy<
    policy::domain_error<policy::ignore_error>, policy::overflow_error<policy::ignore_error>,
    policy::underflow_error<policy::ignore_error>, policy::evaluation_error<policy::ignore_error>,
    policy::pole_error<policy::ignore_error>, policy::promote_double<false>>;

}  // namespace

double gamma_upper(double a, double x) {
  if (x <= 0.0) return 1.0;
  return boost::math::gamma_q(a, x, Quiet());
}

double gamma_lower(double a, double x) {
  if (x <= 0.0) return 0.0;
  return boost::math::gamma_p(a, x, Quiet());
}

double log_gamma(double x) {
  return boost::math::lgamma(x, Quiet());
}

double log_choose(double n, double k) {
  return log_gamma(n + 1.0) - log_gamma(k + 1.0) - log_gamma(n - k + 1.0);
}

double normal_below(double x) {
  return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}

double normal_quantile(double probability) {
  return -std::numbers::sqrt2 * boost::math::erfc_inv(2.0 * probability, Quiet());
}

double binomial_below(double k, double n, double p) {
  if (k < 0.0) return 0.0;
  if (k >= n) return 1.0;
  return boost::math::cdf(boost::math::binomial_distribution<double, Quiet>(n, p), k);
}

}  // namespace talla::stats

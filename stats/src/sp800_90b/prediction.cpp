// SP 800-90B, 6.3.7 to 6.3.10, last steps: from the hits of a predictor to its estimate.
#include <algorithm>
#include <cmath>

#include "estimate.hpp"

namespace talla::stats::sp800_90b {
namespace {

/// ln P(no run of r hits in N trials) for hits of probability p: Feller's approximation (step 6),
/// in extended precision.
double log_no_run(long double p, std::uint64_t r, std::uint64_t n) {
  const long double q = 1.0L - p, length = static_cast<long double>(r),
                    trials = static_cast<long double>(n);
  const long double tail = q * std::pow(p, length);
  long double x = 1.0L, last = 0.0L;
  for (int i = 0; i <= 65 && x - last > std::numeric_limits<long double>::epsilon() * x; ++i) {
    last = x;
    x = 1.0L + tail * std::pow(x, length + 1.0L);
  }
  return static_cast<double>(std::log(1.0L - p * x) - std::log((length + 1.0L - length * x) * q) -
                             (trials + 1.0L) * std::log(x));
}

/// The p above `low` for which the longest run would be reached with probability 1 %.
double local_probability(double low, std::uint64_t r, std::uint64_t n) {
  double high = 1.0;
  const double target = std::log(0.99);
  for (;;) {
    const double middle = low + (high - low) / 2.0;
    if (middle <= low || middle >= high) return high;
    if (log_no_run(middle, r, n) > target) {
      low = middle;
    } else {
      high = middle;
    }
  }
}

}  // namespace

Estimate from_hits(std::string name, const Hits& hits, unsigned alphabet) {
  const auto n = static_cast<double>(hits.total);
  const double global = static_cast<double>(hits.correct) / n;
  const double bound =
      hits.correct > 0
          ? std::min(1.0, global + z_alpha * std::sqrt(global * (1.0 - global) / (n - 1.0)))
          : 1.0 - std::pow(0.01, 1.0 / n);
  const std::uint64_t r = hits.longest_run + 1;
  Estimate estimate;
  estimate.name = std::move(name);
  estimate.figures = {{"C", static_cast<double>(hits.correct)},
                      {"r", static_cast<double>(r)},
                      {"N", n},
                      {"P_global", global},
                      {"P_global'", bound}};
  double p = std::max(1.0 / alphabet, bound);
  if (p < 1.0 && log_no_run(p, r, hits.total) > std::log(0.99)) {
    p = local_probability(p, r, hits.total);
    estimate.figures.push_back({"P_local", p});
  }
  estimate.min_entropy = -std::log2(p);
  return estimate;
}

}  // namespace talla::stats::sp800_90b

#include "stats/outcome/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/special.hpp"

namespace talla::stats::outcome {
namespace {

/// P(exactly so many runs).
double runs_probability(double runs, double first, double second) {
  const double all = log_choose(first + second, first);
  const auto term = [&](double a,
                        double b) {  // C(first - 1, a) C(second - 1, b) / C(first + second, first)
    if (a < 0.0 || b < 0.0 || a > first - 1.0 || b > second - 1.0) return 0.0;
    return std::exp(log_choose(first - 1.0, a) + log_choose(second - 1.0, b) - all);
  };
  const double half = std::floor(runs / 2.0);
  if (runs == 2.0 * half) return 2.0 * term(half - 1.0, half - 1.0);
  return term(half, half - 1.0) + term(half - 1.0, half);
}

/// P(D+ >= d) of n values (Birnbaum and Tingey).
double one_sided_tail(double d, std::size_t n) {
  const auto count = static_cast<double>(n);
  const double last = std::floor(count * (1.0 - d));
  double sum = std::exp(count * std::log1p(-d));
  for (double j = 1.0; j <= last; j += 1.0) {  // NOLINT(cert-flp30-c): whole numbers
    const double rest = 1.0 - d - j / count;
    if (rest <= 0.0) break;
    sum += std::exp(log_choose(count, j) + (count - j) * std::log(rest) +
                    (j - 1.0) * std::log(d + j / count) + std::log(d));
  }
  return std::min(1.0, sum);
}

/// Square matrices with a common power of ten, so that nothing overflows.
struct Scaled {
  std::size_t size = 0;
  std::vector<double> at;
  int exponent = 0;
};

Scaled product(const Scaled& a, const Scaled& b) {
  Scaled c{a.size, std::vector<double>(a.size * a.size), a.exponent + b.exponent};
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) {
      const double factor = a.at[i * a.size + k];
      for (std::size_t j = 0; j < a.size; ++j)
        c.at[i * a.size + j] += factor * b.at[k * a.size + j];
    }
  }
  if (c.at[(c.size / 2) * c.size + c.size / 2] > 1e140) {
    for (double& value : c.at) value *= 1e-140;
    c.exponent += 140;
  }
  return c;
}

/// P(D < d) of n values by Durbin's matrix, as Marsaglia, Tsang and Wang compute it.
double below_by_matrix(double d, std::size_t n) {
  const double scaled = static_cast<double>(n) * d;
  const auto k = static_cast<std::size_t>(scaled) + 1;
  const double h = static_cast<double>(k) - scaled;
  Scaled base{2 * k - 1, std::vector<double>((2 * k - 1) * (2 * k - 1)), 0};
  const std::size_t m = base.size;
  const auto cell = [&](std::size_t i, std::size_t j) -> double& { return base.at[i * m + j]; };
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < std::min(m, i + 2); ++j) cell(i, j) = 1.0;
  }
  for (std::size_t i = 0; i < m; ++i) {
    cell(i, 0) -= std::pow(h, static_cast<double>(i + 1));
    cell(m - 1, i) -= std::pow(h, static_cast<double>(m - i));
  }
  if (2.0 * h - 1.0 > 0.0) cell(m - 1, 0) += std::pow(2.0 * h - 1.0, static_cast<double>(m));
  for (std::size_t i = 0; i < m; ++i) {
    double factorial = 1.0;
    for (std::size_t j = i + 1; j-- > 0;) {
      factorial *= static_cast<double>(i - j + 1);
      cell(i, j) /= factorial;
    }
  }
  Scaled power{m, std::vector<double>(m * m), 0};
  for (std::size_t i = 0; i < m; ++i) power.at[i * m + i] = 1.0;
  for (std::size_t left = n; left != 0; left >>= 1) {
    if ((left & 1) != 0) power = product(power, base);
    if (left > 1) base = product(base, base);
  }
  double value = power.at[(k - 1) * m + (k - 1)];
  int exponent = power.exponent;
  for (std::size_t i = 1; i <= n; ++i) {
    value *= static_cast<double>(i) / static_cast<double>(n);
    if (value < 1e-140) {
      value *= 1e140;
      exponent -= 140;
    }
  }
  return value * std::pow(10.0, exponent);
}

constexpr std::size_t matrix_most = 4000;

}  // namespace

double two_sided(double below, double above) {
  return std::min(1.0, 2.0 * std::min(below, above));
}

double chi_square_two_sided(double statistic, double degrees) {
  return two_sided(chi_square_below(statistic, degrees), chi_square_tail(statistic, degrees));
}

double normal_two_sided(double z) {
  return std::min(1.0, 2.0 * normal_below(-std::abs(z)));
}

double binomial_two_sided(double k, double n, double probability) {
  return two_sided(binomial_below(k, n, probability), binomial_below(n - k, n, 1.0 - probability));
}

double poisson_two_sided(double k, double mean) {
  return two_sided(gamma_upper(k + 1.0, mean), k > 0.0 ? gamma_lower(k, mean) : 1.0);
}

double count_two_sided(double count, double mean, double variance) {
  const double probability = 1.0 - variance / mean;
  if (!(probability > 1e-9)) return poisson_two_sided(count, mean);
  return binomial_two_sided(count, mean / probability, probability);
}

double count_mid_two_sided(double count, double mean, double variance) {
  const double probability = 1.0 - variance / mean;
  const auto below = [&](double k) {  // P(X <= k)
    if (k < 0.0) return 0.0;
    return probability > 1e-9 ? binomial_below(k, mean / probability, probability)
                              : gamma_upper(k + 1.0, mean);
  };
  const double middle = 0.5 * (below(count) + below(count - 1.0));
  return std::min(1.0, 2.0 * std::min(middle, 1.0 - middle));
}

double least_of(double p, double count) {
  return p >= 1.0 ? 1.0 : -std::expm1(count * std::log1p(-p));
}

double runs_two_sided(std::uint64_t runs, std::uint64_t first, std::uint64_t second) {
  const auto a = static_cast<double>(first), b = static_cast<double>(second),
             seen = static_cast<double>(runs);
  const double mean = 1.0 + 2.0 * a * b / (a + b);
  const double step = seen < mean ? -1.0 : 1.0;
  double tail = 0.0;  // the side away from the mean falls off fast
  const double most = 2.0 * std::min(a, b) + 1.0;
  for (double r = seen; r >= 2.0 && r <= most; r += step) {  // NOLINT(cert-flp30-c): the same
    const double term = runs_probability(r, a, b);
    tail += term;
    if (term < 1e-18 * tail || term == 0.0) break;
  }
  const double other = 1.0 - tail + runs_probability(seen, a, b);
  return two_sided(tail, other);
}

double kolmogorov_smirnov_tail(double distance, std::size_t n) {
  const auto count = static_cast<double>(n);
  if (distance <= 0.5 / count) return 1.0;
  if (distance >= 1.0) return 0.0;
  // Beyond this the chance that both sides are that far is below 10^-6 of the tail.
  if (count * distance * distance > 2.5) return std::min(1.0, 2.0 * one_sided_tail(distance, n));
  if (n <= matrix_most) return std::clamp(1.0 - below_by_matrix(distance, n), 0.0, 1.0);
  const double x =
      distance * std::sqrt(count) + 1.0 / (6.0 * std::sqrt(count));  // next term of the expansion
  double sum = 0.0;
  for (int j = 1; j <= 200; ++j) sum += (j % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * j * j * x * x);
  return x < 0.2 ? 1.0 : std::clamp(sum, 0.0, 1.0);
}

KolmogorovSmirnov kolmogorov_smirnov(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto n = static_cast<double>(values.size());
  KolmogorovSmirnov result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double above = static_cast<double>(i + 1) / n - values[i];
    const double below = values[i] - static_cast<double>(i) / n;
    result.distance = std::max({result.distance, above, below});
  }
  result.p = kolmogorov_smirnov_tail(result.distance, values.size());
  result.basis = values.size() <= matrix_most ? Basis::exact : Basis::approximate;
  return result;
}

}  // namespace talla::stats::outcome

// SP 800-22 Rev. 1a: 2.11 serial, 2.12 approximate entropy.
#include <cmath>
#include <numbers>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

/// psi^2 of 2.11.4 for windows of `width` bits; 0 for none.
double psi_square(const Windows& windows, unsigned width, double n) {
  if (width == 0) return 0.0;
  std::uint64_t squares = 0;
  for (const std::uint32_t count : narrowed(windows, width))
    squares += std::uint64_t{count} * count;
  return static_cast<double>(squares) * std::ldexp(1.0, static_cast<int>(width)) / n - n;
}

/// phi of 2.12.4.
double phi(const Windows& windows, unsigned width, double n) {
  double sum = 0.0;
  for (const std::uint32_t count : narrowed(windows, width)) {
    if (count != 0) sum += count * std::log(count / n);
  }
  return sum / n;
}

}  // namespace

void serial(const Plan& plan, const Windows& windows, const Sink& sink) {
  const auto m = static_cast<unsigned>(plan.parameters.serial);
  const auto n = static_cast<double>(plan.bits_count);
  const double psi_m = psi_square(windows, m, n);
  const double psi_1 = psi_square(windows, m - 1, n);
  const double psi_2 = psi_square(windows, m - 2, n);
  const double delta = psi_m - psi_1;
  const double delta_2 = psi_m - 2.0 * psi_1 + psi_2;
  sink.figure("psi^2 of m", psi_m);
  sink.figure("psi^2 of m - 1", psi_1);
  sink.figure("psi^2 of m - 2", psi_2);
  sink.p[0] = gamma_upper(std::ldexp(1.0, static_cast<int>(m) - 2), delta / 2.0);
  sink.p[1] = gamma_upper(std::ldexp(1.0, static_cast<int>(m) - 3), delta_2 / 2.0);
}

void approximate_entropy(const Plan& plan, const Windows& windows, const Sink& sink) {
  const auto m = static_cast<unsigned>(plan.parameters.approximate_entropy);
  const auto n = static_cast<double>(plan.bits_count);
  const double entropy = phi(windows, m, n) - phi(windows, m + 1, n);
  const double chi_square = 2.0 * n * (std::numbers::ln2 - entropy);
  sink.figure("ApEn", entropy);
  sink.figure("chi-square", chi_square);
  sink.p[0] = gamma_upper(std::ldexp(1.0, static_cast<int>(m) - 1), chi_square / 2.0);
}

}  // namespace talla::stats::sp800_22

// SP 800-22 Rev. 1a, 2.6: discrete Fourier transform (spectral).
#include <cmath>
#include <numbers>

#include "plan.hpp"

namespace talla::stats::sp800_22 {

void fft(const Plan& plan, const Bits& bits, Spectrum& spectrum, const Sink& sink) {
  const auto n = static_cast<double>(bits.size());
  // ln(1 / 0.05), the suite's digits or all of them.
  const double threshold = std::sqrt((plan.nist() ? 2.995732274 : -std::log(0.05)) * n);
  const auto below = static_cast<double>(spectrum.count_below(bits, threshold));
  // The frequencies are not independent: Pareschi, Rovatti and Setti (IEEE TIFS 7, 2012) give 3.8
  // where 2.6.4 has 4.
  const double spread = plan.nist() ? 4.0 : 3.8;
  const double expected = 0.95 * n / 2.0;
  const double d = (below - expected) / std::sqrt(n / spread * 0.95 * 0.05);
  sink.figure("peaks below the threshold", below);
  sink.figure("expected", expected);
  sink.figure("d", d);
  sink.p[0] = std::erfc(std::fabs(d) / std::numbers::sqrt2);
}

}  // namespace talla::stats::sp800_22

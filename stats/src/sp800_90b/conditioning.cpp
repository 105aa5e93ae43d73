#include "stats/sp800_90b/conditioning.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

namespace talla::stats::sp800_90b {
namespace {

constexpr std::uint32_t bits_most = 1U << 20;

Result<bool> check_component(const Conditioning& component) {
  struct Named {
    const char* name;
    std::uint32_t value;
  };
  for (const Named& named : {Named{"n_in", component.n_in}, Named{"n_out", component.n_out},
                             Named{"nw", component.nw}}) {
    if (named.value == 0 || named.value > bits_most) {
      return refuse(std::string(named.name) + " = " + std::to_string(named.value) +
                    ": 1 to 1,048,576 bits are allowed");
    }
  }
  if (!(component.h_in > 0.0) || component.h_in > component.n_in) {
    return refuse("h_in = " + std::to_string(component.h_in) + ": above 0 and at most n_in");
  }
  if (component.h_prime && (!(*component.h_prime > 0.0) || *component.h_prime > 1.0)) {
    return refuse("h' = " + std::to_string(*component.h_prime) + ": above 0 and at most 1");
  }
  return true;
}

}  // namespace

Result<OutputEntropy> output_entropy(const Conditioning& component) {
  if (auto ok = check_component(component); !ok) return tl::unexpected<Error>(ok.error());
  // All is taken relative to 2^-n: the formula is n - log2(1 + excess), so that small gaps keep
  // their digits.
  const long double n = std::min(component.n_out, component.nw);
  const long double n_in = component.n_in, h_in = component.h_in;
  const long double p_high = std::exp2(-h_in);
  const long double none = std::exp2(-n_in);  // one input of 2^n_in
  const long double rest = -std::expm1(-n_in * std::numbers::ln2_v<long double>);  // 1 - 2^-n_in
  const long double psi = (p_high * (std::exp2(n) * rest - 1.0L) + none) / rest;
  const long double spread =
      std::sqrt(2.0L * n * std::numbers::ln2_v<long double> * std::exp2(n - n_in));
  const long double omega = (spread - p_high - p_high * spread + none) / rest;
  // 2^n alone may overflow, together with P_high it does not.
  const long double psi_safe =
      std::isfinite(psi) ? psi : (std::exp2(n - h_in) * rest - p_high + none) / rest;
  const long double gap = std::log1p(std::max(psi_safe, omega)) / std::numbers::ln2_v<long double>;
  OutputEntropy out;
  out.formula = static_cast<double>(std::max(0.0L, n - gap));
  out.log2_epsilon = static_cast<double>(std::log2(gap / n));
  out.h_out = out.formula;
  if (component.h_prime) {
    out.h_out =
        std::min({out.formula, 0.999 * component.n_out, *component.h_prime * component.n_out});
  }
  return out;
}

}  // namespace talla::stats::sp800_90b

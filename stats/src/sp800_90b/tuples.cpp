// SP 800-90B: 6.3.5 t-tuple, 6.3.6 longest repeated substring.
#include <algorithm>
#include <cmath>

#include "estimate.hpp"
#include "suffixes.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::uint64_t frequent = 35;  // occurrences of a tuple that 6.3.5 asks for

double bound_of(long double p, std::size_t n) {
  const long double wide =
      p + 2.575829303548900384158L * std::sqrt(p * (1.0L - p) / static_cast<long double>(n - 1));
  return static_cast<double>(std::min(1.0L, wide));
}

Estimate t_tuple(const Repeats& repeats, std::size_t longest_frequent, std::size_t n) {
  if (longest_frequent == 0) return not_estimated("t-Tuple", "no symbol occurs 35 times");
  long double most = 0.0L;
  for (std::size_t i = 1; i <= longest_frequent; ++i) {
    const long double share = static_cast<long double>(repeats.most(i)) / static_cast<long double>(n - i + 1);
    most = std::max(most, std::pow(share, 1.0L / static_cast<long double>(i)));
  }
  const double bound = bound_of(most, n);
  return {"t-Tuple",
          -std::log2(bound),
          {{"t", static_cast<double>(longest_frequent)},
           {"p-hat_max", static_cast<double>(most)},
           {"p_u", bound}},
          {}};
}

Estimate longest_repeated(const Repeats& repeats, std::size_t u, std::size_t n) {
  const std::size_t v = repeats.longest();
  if (v < u) return not_estimated("LRS", "no substring repeats that occurs fewer than 35 times");
  long double most = 0.0L;
  for (std::size_t w = u; w <= v; ++w) {
    const long double all = static_cast<long double>(n - w + 1) * static_cast<long double>(n - w) / 2.0L;
    most = std::max(
        most, std::pow(static_cast<long double>(repeats.pairs(w)) / all, 1.0L / static_cast<long double>(w)));
  }
  const double bound = bound_of(most, n);
  return {"LRS",
          -std::log2(bound),
          {{"u", static_cast<double>(u)},
           {"v", static_cast<double>(v)},
           {"p-hat", static_cast<double>(most)},
           {"p_u", bound}},
          {}};
}

std::vector<Estimate> from_repeats(const Repeats& repeats, std::size_t n) {
  std::size_t t = 0;
  while (t < repeats.longest() && repeats.most(t + 1) >= frequent) ++t;
  return {t_tuple(repeats, t, n), longest_repeated(repeats, t + 1, n)};
}

}  // namespace

std::vector<Estimate> tuples(const Bits& bits) {
  return from_repeats(repeats_of(bits), bits.size());
}
std::vector<Estimate> tuples(std::span<const std::uint8_t> symbols) {
  return from_repeats(repeats_of(symbols), symbols.size());
}

}  // namespace talla::stats::sp800_90b

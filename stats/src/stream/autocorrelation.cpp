#include "stats/stream/autocorrelation.hpp"

#include <algorithm>

#include "wide.hpp"

namespace talla::stats {
namespace {

/// Sum of x(i) y(i); chunks of 2^16 keep 32 bits.
TALLA_STATS_COUNTING std::uint64_t sum_of_products(const std::uint8_t* x, const std::uint8_t* y,
                                                   std::size_t count) {
  std::uint64_t total = 0;
  for (std::size_t begin = 0; begin < count; begin += 65'536) {
    const std::size_t end = std::min(count, begin + 65'536);
    std::uint32_t sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<std::uint32_t>(x[i]) * y[i];
    total += sum;
  }
  return total;
}

}  // namespace

std::vector<double> autocorrelation(std::span<const std::uint8_t> samples, std::size_t lags) {
  const std::size_t n = samples.size();
  std::vector<std::uint64_t> sums(n + 1);
  for (std::size_t i = 0; i < n; ++i) sums[i + 1] = sums[i] + samples[i];
  __extension__ using Whole = __int128;
  const auto count = static_cast<Whole>(n), all = static_cast<Whole>(sums[n]);
  const auto squares = static_cast<Whole>(sum_of_products(samples.data(), samples.data(), n));
  const Whole spread = count * squares - all * all;  // n times the sum of squared deviations
  std::vector<double> out;
  if (spread <= 0) return out;
  for (std::size_t lag = 1; lag <= lags && lag < n; ++lag) {
    const auto products =
        static_cast<Whole>(sum_of_products(samples.data(), samples.data() + lag, n - lag));
    const auto heads = static_cast<Whole>(sums[n - lag]),
               tails = static_cast<Whole>(sums[n] - sums[lag]);
    // n^2 times the sum of products of deviations.
    const Whole shared = count * (count * products - all * (heads + tails)) +
                         static_cast<Whole>(n - lag) * all * all;
    out.push_back(static_cast<double>(shared) /
                  (static_cast<double>(count) * static_cast<double>(spread)));
  }
  return out;
}

}  // namespace talla::stats

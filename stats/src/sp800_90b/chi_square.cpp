// SP 800-90B, 5.2: chi-square tests of independence and goodness of fit, length of the longest
// repeated substring.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "stats/sp800_90b/iid.hpp"
#include "stats/special.hpp"
#include "suffixes.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr double alpha = 0.001;
constexpr double expected_least = 5.0;

ChiSquare judged(double statistic, int degrees) {
  // No degrees of freedom: the samples are too few or too uneven for a test (5.2.3).
  const double p = degrees > 0 ? chi_square_tail(statistic, degrees) : 1.0;
  return {statistic, degrees, p, p >= alpha};
}

/// Summed up one sample at a time, as NIST's program does: its rounding decides which of two
/// equally rare outcomes comes first.
std::vector<double> shares_of(const Samples& samples) {
  std::vector<double> shares(samples.alphabet());
  const double one = 1.0 / static_cast<double>(samples.size());
  for (const std::uint8_t symbol : samples.symbols()) shares[symbol] += one;
  return shares;
}

/// Outcomes joined, the rarest first, until each bin expects five (5.2.1, 5.2.2).
struct Bins {
  std::vector<std::size_t> bin_of;
  std::vector<double> expected;

  explicit Bins(const std::vector<double>& expectations) : bin_of(expectations.size()) {
    std::vector<std::size_t> order(expectations.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return expectations[a] < expectations[b];
    });
    double current = 0.0;
    std::size_t bin = 0;
    for (const std::size_t outcome : order) {
      if (current >= expected_least) {
        expected.push_back(current);
        ++bin;
        current = 0.0;
      }
      bin_of[outcome] = bin;
      current += expectations[outcome];
    }
    if (bin != 0 && current < expected_least) {  // what is left joins the last one
      std::replace(bin_of.begin(), bin_of.end(), bin, bin - 1);
      expected.back() += current;
    } else {
      expected.push_back(current);
    }
  }
};

double distance(const std::vector<std::size_t>& observed, const std::vector<double>& expected) {
  double sum = 0.0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double off = static_cast<double>(observed[i]) - expected[i];
    sum += off * off / expected[i];
  }
  return sum;
}

/// Tuples of `size` samples in so many, without overlap.
double whole_tuples(std::size_t samples, std::size_t size) {
  const std::size_t whole = samples / size;
  return static_cast<double>(whole);
}

/// 5.2.3: tuples of m bits, m as long as every one is expected five times, at most 11.
ChiSquare binary_independence(const Samples& samples) {
  const auto bits = samples.symbols();
  const double p1 = shares_of(samples)[1], p0 = 1.0 - p1;
  std::size_t m = 11;
  while (m > 1 &&
         std::pow(std::min(p0, p1), static_cast<double>(m)) * whole_tuples(bits.size(), m) <
             expected_least)
    --m;
  if (m < 2) return judged(0.0, 0);
  const std::size_t tuples_count = bits.size() / m;
  std::vector<std::size_t> observed(std::size_t{1} << m);
  for (std::size_t i = 0; i < tuples_count; ++i) {
    std::size_t tuple = 0;
    for (std::size_t k = 0; k < m; ++k) tuple = tuple << 1 | bits[i * m + k];
    ++observed[tuple];
  }
  std::vector<double> expected(observed.size());
  for (std::size_t tuple = 0; tuple < expected.size(); ++tuple) {
    const auto ones = static_cast<double>(__builtin_popcountll(tuple));
    expected[tuple] = std::pow(p1, ones) * std::pow(p0, static_cast<double>(m) - ones) *
                      static_cast<double>(tuples_count);
  }
  return judged(distance(observed, expected), static_cast<int>(observed.size()) - 2);
}

/// 5.2.4: ones in each of ten parts.
ChiSquare binary_goodness_of_fit(const Samples& samples) {
  const auto bits = samples.symbols();
  const std::size_t part = bits.size() / 10;
  const double p = shares_of(samples)[1];
  const std::vector<double> expected = {(1.0 - p) * static_cast<double>(part),
                                        p * static_cast<double>(part)};
  double sum = 0.0;
  for (std::size_t i = 0; i < 10; ++i) {
    const auto begin = bits.begin() + static_cast<std::ptrdiff_t>(i * part);
    const auto ones = static_cast<std::size_t>(
        std::count(begin, begin + static_cast<std::ptrdiff_t>(part), std::uint8_t{1}));
    sum += distance({part - ones, ones}, expected);
  }
  return judged(sum, 9);
}

}  // namespace

ChiSquare chi_square_independence(const Samples& samples) {
  if (samples.alphabet() == 2) return binary_independence(samples);
  const auto shares = shares_of(samples);
  const std::size_t k = shares.size();
  const double pairs_count = whole_tuples(samples.size(), 2);
  std::vector<double> expectations(k * k);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < k; ++j)
      expectations[i * k + j] = shares[i] * shares[j] * pairs_count;
  }
  const Bins bins(expectations);
  std::vector<std::size_t> observed(bins.expected.size());
  const auto symbols = samples.symbols();
  for (std::size_t i = 0; i + 1 < symbols.size(); i += 2)
    ++observed[bins.bin_of[symbols[i] * k + symbols[i + 1]]];
  return judged(distance(observed, bins.expected),
                static_cast<int>(bins.expected.size()) - static_cast<int>(k));
}

ChiSquare chi_square_goodness_of_fit(const Samples& samples) {
  if (samples.alphabet() == 2) return binary_goodness_of_fit(samples);
  std::vector<double> expectations = shares_of(samples);
  for (double& expectation : expectations)
    expectation *= std::floor(static_cast<double>(samples.size()) / 10.0);
  const Bins bins(expectations);
  const std::size_t part = samples.size() / 10;
  double sum = 0.0;
  for (std::size_t i = 0; i < 10; ++i) {
    std::vector<std::size_t> observed(bins.expected.size());
    for (std::size_t j = i * part; j < (i + 1) * part; ++j)
      ++observed[bins.bin_of[samples.symbols()[j]]];
    sum += distance(observed, bins.expected);
  }
  return judged(sum, 9 * (static_cast<int>(bins.expected.size()) - 1));
}

LongestRepeat longest_repeat(const Samples& samples) {
  long double collision = 0.0L;
  for (const double share : shares_of(samples))
    collision += static_cast<long double>(share) * share;
  std::uint64_t length = 0;
  repeats_of(samples.symbols(), [&](const Repeats& repeats) { length = repeats.longest(); });
  const auto places = static_cast<long double>(samples.size() - length + 1);
  const long double pairs = places * (places - 1.0L) / 2.0L;
  const long double none =
      pairs *
      std::log1p(-std::pow(collision, static_cast<long double>(length)));  // ln P(no such repeat)
  const auto p = static_cast<double>(-std::expm1(none));
  return {static_cast<double>(collision), length, p, p >= alpha};
}

}  // namespace talla::stats::sp800_90b

// SP 800-90B: what is left of the estimators and the statistics of the IID track against plain
// forms of the text.
// Method: small random strings with faults; each step of the section written as it reads, with no
//         thought of speed.
#include <bzlib.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "sp800_90b_files.hpp"
#include "stats/sp800_90b/iid.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace sp800_90b_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_90b;

constexpr double z = 2.5758293035489008;  // Z(1 - 0.005)

/// Bits with ones of that share, and each bit that of the one before with chance `sticky`.
String bits_of(std::mt19937_64& random, std::size_t count, double share, double sticky) {
  std::uniform_real_distribution<double> unit;
  String bits;
  for (std::size_t i = 0; i < count; ++i)
    bits.push_back(i > 0 && unit(random) < sticky
                       ? bits.back()
                       : static_cast<std::uint8_t>(unit(random) < share));
  return bits;
}

/// Symbols below `alphabet`, each of them there; every symbol the one before with chance
/// 1/`sticky`.
String symbols_of(std::mt19937_64& random, std::size_t count, unsigned alphabet, unsigned sticky) {
  String out(alphabet);
  std::iota(out.begin(), out.end(), std::uint8_t{0});
  while (out.size() < count)
    out.push_back(sticky != 0 && random() % sticky == 0
                      ? out.back()
                      : static_cast<std::uint8_t>(random() % alphabet));
  return out;
}

struct Case {
  double share, sticky;
};
constexpr auto cases =
    std::to_array<Case>({{0.5, 0.0}, {0.6, 0.0}, {0.9, 0.0}, {0.5, 0.3}, {0.2, 0.6}, {0.98, 0.0}});

TEST(Sp80090bPlain, section_631_most_common_value) {
  std::mt19937_64 random(631);
  for (const Case& one : cases) {
    const String bits = bits_of(random, 500 + random() % 500, one.share, one.sticky);
    const String symbols = symbols_of(random, 500 + random() % 500, 20, 0);
    for (const String& text : {bits, symbols}) {
      std::map<int, double> counts;
      for (const int symbol : text) ++counts[symbol];
      double most = 0;
      for (const auto& [symbol, count] : counts) most = std::max(most, count);
      const auto n = static_cast<double>(text.size());
      const double p = most / n, bound = std::min(1.0, p + z * std::sqrt(p * (1 - p) / (n - 1)));
      EXPECT_NEAR(sp::most_common_value(text, 20).min_entropy, -std::log2(bound), 1e-12);
      if (&text == &bits) {
        EXPECT_NEAR(sp::most_common_value(Bits::from_values(text)).min_entropy, -std::log2(bound),
                    1e-12);
      }
    }
  }
}

/// Step 7 of 6.3.2: the mean time until a collision when the likelier bit has probability p.
double mean_collision(double p) {
  const double q = 1 - p, x = 1 / q;
  const double f = (x * x + 2 * x + 2) / (x * x * x);  // Gamma(3, 1/q) q^3 e^(1/q)
  const double half = 0.5 * (1 / p - 1 / q);
  return p / (q * q) * (1 + half) * f - p / q * half;
}

TEST(Sp80090bPlain, section_632_collision) {
  std::mt19937_64 random(632);
  for (const Case& one : cases) {
    const String bits = bits_of(random, 1000 + random() % 1000, one.share, one.sticky);
    std::vector<double> times;
    for (std::size_t i = 0; i < bits.size();) {
      std::set<int> seen;
      std::size_t j = i;
      while (j < bits.size() && seen.insert(bits[j]).second) ++j;
      if (j == bits.size()) break;
      times.push_back(static_cast<double>(j - i + 1));
      i = j + 1;
    }
    const auto v = static_cast<double>(times.size());
    const double mean = std::accumulate(times.begin(), times.end(), 0.0) / v;
    double squares = 0;
    for (const double time : times) squares += (time - mean) * (time - mean);
    const double bound = mean - z * std::sqrt(squares / (v - 1)) / std::sqrt(v);
    double low = 0.5, high = 1 - 1e-9;
    for (int i = 0; i < 100; ++i) {
      const double middle = (low + high) / 2;
      (mean_collision(middle) > bound ? low : high) = middle;
    }
    const auto found = sp::collision(Bits::from_values(bits));
    EXPECT_EQ(figure(found, "v"), v);
    EXPECT_NEAR(figure(found, "X-bar'"), std::max(2.0, bound), 1e-10);
    EXPECT_NEAR(found.min_entropy, bound >= mean_collision(0.5) ? 1.0 : -std::log2(low), 1e-6)
        << one.share;
  }
}

TEST(Sp80090bPlain, section_633_markov_is_the_likeliest_of_all_strings_of_128_bits) {
  std::mt19937_64 random(633);
  for (const Case& one : cases) {
    const String bits = bits_of(random, 500 + random() % 500, one.share, one.sticky);
    std::array<double, 2> start{};
    std::array<std::array<double, 2>, 2> pairs{};
    for (const auto bit : bits) start[bit] += 1 / static_cast<double>(bits.size());
    for (std::size_t i = 0; i + 1 < bits.size(); ++i) ++pairs[bits[i]][bits[i + 1]];
    std::array<double, 2> best{std::log2(start[0]), std::log2(start[1])};
    for (int step = 1; step < 128; ++step) {
      std::array<double, 2> next{};
      for (const std::size_t to : {0U, 1U}) {
        next[to] = -1e300;
        for (const std::size_t from : {0U, 1U})
          next[to] = std::max(next[to], best[from] + std::log2(pairs[from][to] /
                                                               (pairs[from][0] + pairs[from][1])));
      }
      best = next;
    }
    EXPECT_NEAR(sp::markov(Bits::from_values(bits)).min_entropy,
                std::min(1.0, -std::max(best[0], best[1]) / 128), 1e-11);
  }
}

/// G(z) of 6.3.4, step 6, term by term.
double g(double p, std::size_t blocks) {
  double sum = 0;
  for (std::size_t t = 1001; t <= blocks; ++t) {
    double power = 1;  // (1 - z)^(u - 1)
    // NOLINTNEXTLINE(cert-flp30-c): u counts
    for (std::size_t u = 1; u <= t; ++u, power *= 1 - p)
      sum += std::log2(static_cast<double>(u)) * (u < t ? p * p * power : p * power);
  }
  return sum / static_cast<double>(blocks - 1000);
}

TEST(Sp80090bPlain, section_634_compression) {
  std::mt19937_64 random(634);
  for (const Case& one : cases) {
    const String bits = bits_of(random, 6400 + random() % 100, one.share, one.sticky);
    const std::size_t blocks = bits.size() / 6;
    std::map<String, std::size_t> last;
    std::vector<double> distances;
    for (std::size_t i = 1; i <= blocks; ++i) {
      const auto at = bits.begin() + static_cast<std::ptrdiff_t>(6 * (i - 1));
      std::size_t& seen = last[String(at, at + 6)];
      if (i > 1000) distances.push_back(std::log2(static_cast<double>(i - seen)));
      seen = i;
    }
    const auto v = static_cast<double>(distances.size());
    double mean = 0, squares = 0;
    for (const double d : distances) mean += d / v;
    for (const double d : distances) squares += d * d / (v - 1);
    const double bound = mean - z * 0.5907 * std::sqrt(squares - mean * mean) / std::sqrt(v);
    double low = 1.0 / 64, high = 1;
    const bool solved = g(low, blocks) * 64 > bound;
    for (int i = 0; i < 50; ++i) {
      const double p = (low + high) / 2;
      (g(p, blocks) + 63 * g((1 - p) / 63, blocks) > bound ? low : high) = p;
    }
    const auto found = sp::compression(Bits::from_values(bits));
    EXPECT_NEAR(figure(found, "X-bar'"), bound, 1e-10);
    EXPECT_NEAR(found.min_entropy, solved ? -std::log2(low) / 6 : 1.0, 1e-9)
        << one.share << " " << one.sticky;
  }
}

/// 6.3.7, steps 4 to 7, from the hits of a predictor.
double from_hits(double c, double r, double n, double alphabet) {
  const double share = c / n;
  const double global = c == 0
                            ? 1 - std::pow(0.01, 1 / n)
                            : std::min(1.0, share + z * std::sqrt(share * (1 - share) / (n - 1)));
  long double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const long double p = (low + high) / 2, q = 1 - p;
    long double x = 1;
    for (int k = 0; k < 200; ++k)
      x = 1 + q * std::pow(p, static_cast<long double>(r)) * std::pow(x, r + 1.0L);
    const long double none = (1 - p * x) / ((r + 1 - r * x) * q) / std::pow(x, n + 1.0L);
    (none > 0.99L ? low : high) = p;
  }
  return -std::log2(std::max({global, static_cast<double>(low), 1 / alphabet}));
}

TEST(Sp80090bPlain, section_637_to_6310_estimates_from_their_hits) {
  std::mt19937_64 random(637);
  for (const unsigned sticky : {0U, 2U, 10U, 50U}) {
    for (const unsigned alphabet : {3U, 40U}) {
      const String text = symbols_of(random, 5000, alphabet, sticky);
      for (const auto& found : {sp::multi_mcw(text, alphabet), sp::lag(text, alphabet),
                                sp::multi_mmc(text, alphabet), sp::lz78y(text, alphabet)}) {
        EXPECT_NEAR(found.min_entropy,
                    from_hits(figure(found, "C"), figure(found, "r"), figure(found, "N"), alphabet),
                    1e-9)
            << found.name << " " << sticky;
      }
    }
  }
}

/// Runs of equal elements: how many, and the longest.
std::pair<double, double> runs_of(const std::vector<int>& signs) {
  double number = 0, longest = 0, length = 0;
  for (std::size_t i = 0; i < signs.size(); ++i) {
    length = i > 0 && signs[i] == signs[i - 1] ? length + 1 : 1;
    number += length == 1 ? 1 : 0;
    longest = std::max(longest, length);
  }
  return {number, longest};
}

/// 5.1, conversions of bits: ones of each eight, padded with zeros; the number they write.
String converted(const String& bits, bool number) {
  String padded = bits, out;
  while (padded.size() % 8 != 0) padded.push_back(0);
  for (std::size_t i = 0; i < padded.size(); i += 8) {
    int value = 0;
    for (std::size_t k = 0; k < 8; ++k) value = (number ? 2 * value : value) + padded[i + k];
    out.push_back(static_cast<std::uint8_t>(value));
  }
  return out;
}

double packed_size(const String& text) {
  std::string words;
  for (const int symbol : text) words += (words.empty() ? "" : " ") + std::to_string(symbol);
  std::string packed(2 * words.size() + 600, '\0');
  auto size = static_cast<unsigned>(packed.size());
  EXPECT_EQ(BZ2_bzBuffToBuffCompress(packed.data(), &size, words.data(),
                                     static_cast<unsigned>(words.size()), 5, 0, 0),
            BZ_OK);
  return size;
}

std::vector<double> plain_statistics(const String& s, bool binary) {
  const auto n = static_cast<double>(s.size());
  const double mean = std::accumulate(s.begin(), s.end(), 0.0) / n;
  std::vector<double> out;
  double sum = 0, excursion = 0;
  for (std::size_t i = 0; i < s.size(); ++i) {
    sum += s[i];
    excursion = std::max(excursion, std::abs(sum - static_cast<double>(i + 1) * mean));
  }
  out.push_back(excursion);
  const String directed = binary ? converted(s, false) : s;
  std::vector<int> signs;
  for (std::size_t i = 0; i + 1 < directed.size(); ++i)
    signs.push_back(directed[i] > directed[i + 1] ? -1 : 1);
  const auto [number, longest] = runs_of(signs);
  const auto rises = static_cast<double>(std::count(signs.begin(), signs.end(), 1));
  out.insert(out.end(),
             {number, longest, std::max(rises, static_cast<double>(signs.size()) - rises)});
  String sorted = s;
  std::sort(sorted.begin(), sorted.end());
  const double median = binary ? 0.5 : (sorted[(s.size() - 1) / 2] + sorted[s.size() / 2]) / 2.0;
  signs.clear();
  for (const int symbol : s) signs.push_back(symbol < median ? -1 : 1);
  const auto [median_number, median_longest] = runs_of(signs);
  out.insert(out.end(), {median_number, median_longest});
  const String collided = binary ? converted(s, true) : s;
  double collisions = 0, times = 0, most = 0;
  for (std::size_t i = 0; i < collided.size();) {
    std::set<int> seen;
    std::size_t j = i;
    while (j < collided.size() && seen.insert(collided[j]).second) ++j;
    if (j == collided.size()) break;
    const auto time = static_cast<double>(j - i + 1);
    ++collisions;
    times += time;
    most = std::max(most, time);
    i = j + 1;
  }
  out.insert(out.end(), {times / collisions, most});
  std::vector<double> products;
  for (const std::size_t lag : {1U, 2U, 8U, 16U, 32U}) {
    double equal = 0, product = 0;
    for (std::size_t i = 0; i + lag < directed.size(); ++i) {
      equal += directed[i] == directed[i + lag] ? 1 : 0;
      product += directed[i] * directed[i + lag];
    }
    out.push_back(equal);
    products.push_back(product);
  }
  out.insert(out.end(), products.begin(), products.end());
  out.push_back(packed_size(s));
  return out;
}

TEST(Sp80090bPlain, section_51_the_nineteen_statistics) {
  std::mt19937_64 random(51);
  for (int round = 0; round < 12; ++round) {
    const bool binary = round % 3 == 0;
    const std::size_t count = 400 + random() % 500;
    const String text =
        binary ? bits_of(random, count, 0.5 + 0.1 * (round % 4), 0)
               : symbols_of(random, count, round % 2 == 0 ? 7 : 150, round % 4 == 1 ? 3 : 0);
    sp::Wanted all;
    all.fill(true);
    const auto found = sp::permutation_statistics(*sp::Samples::create(text, 0), all);
    const auto plain = plain_statistics(text, binary);
    ASSERT_EQ(plain.size(), found.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_NEAR(found[i], plain[i], 1e-9 * std::max(1.0, plain[i]))
          << sp::statistic_name(i) << " " << round;
  }
}

struct Plain {
  double statistic = 0;
  int degrees = 0;
};
/// Outcomes in the order of their expectation, joined until each bin expects five, the rest joined
/// to the last one.
std::vector<std::set<std::size_t>> bins_of(const std::vector<double>& expected) {
  std::vector<std::size_t> order(expected.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return expected[a] < expected[b]; });
  std::vector<std::set<std::size_t>> bins(1);
  double sum = 0;
  for (const std::size_t outcome : order) {
    if (sum >= 5) {
      bins.emplace_back();
      sum = 0;
    }
    bins.back().insert(outcome);
    sum += expected[outcome];
  }
  if (bins.size() > 1 && sum < 5) {
    bins[bins.size() - 2].merge(bins.back());
    bins.pop_back();
  }
  return bins;
}
double chi_square(const std::vector<std::set<std::size_t>>& bins,
                  const std::vector<double>& expected, const std::vector<double>& observed) {
  double sum = 0;
  for (const auto& bin : bins) {
    double e = 0, o = 0;
    for (const std::size_t outcome : bin) {
      e += expected[outcome];
      o += observed[outcome];
    }
    sum += (o - e) * (o - e) / e;
  }
  return sum;
}

Plain plain_independence(const String& s, std::size_t k, bool binary) {
  std::vector<double> p(k);
  for (const auto symbol : s) p[symbol] += 1 / static_cast<double>(s.size());
  std::size_t m = 2;
  if (binary) {
    const auto expects_five = [&](std::size_t length) {
      return std::pow(std::min(p[0], p[1]), length) * std::floor(s.size() / length) >= 5;
    };
    while (m < 11 && expects_five(m + 1)) ++m;
  }
  const auto tuples = static_cast<std::size_t>(std::pow(k, m));
  std::vector<double> expected(tuples, std::floor(s.size() / m)), observed(tuples);
  for (std::size_t tuple = 0; tuple < tuples; ++tuple) {
    double product = 1;
    for (std::size_t rest = tuple, i = 0; i < m; ++i, rest /= k) product *= p[rest % k];
    expected[tuple] *= product;
  }
  for (std::size_t i = 0; i + m <= s.size(); i += m) {
    std::size_t tuple = 0;
    for (std::size_t j = 0; j < m; ++j) tuple = tuple * k + s[i + j];
    ++observed[tuple];
  }
  if (!binary) {
    const auto bins = bins_of(expected);
    return {chi_square(bins, expected, observed),
            static_cast<int>(bins.size()) - static_cast<int>(k)};
  }
  double sum = 0;
  for (std::size_t tuple = 0; tuple < tuples; ++tuple)
    sum +=
        (observed[tuple] - expected[tuple]) * (observed[tuple] - expected[tuple]) / expected[tuple];
  return {sum, static_cast<int>(tuples) - 2};
}

Plain plain_fit(const String& s, std::size_t k, bool binary) {
  const std::size_t part = s.size() / 10;
  std::vector<double> expected(k);
  for (const auto symbol : s)
    expected[symbol] += static_cast<double>(part) / static_cast<double>(s.size());
  std::vector<std::set<std::size_t>> bins = {{0}, {1}};
  if (!binary) bins = bins_of(expected);
  Plain plain;
  for (std::size_t i = 0; i < 10; ++i) {
    std::vector<double> observed(k);
    for (std::size_t j = i * part; j < (i + 1) * part; ++j) ++observed[s[j]];
    plain.statistic += chi_square(bins, expected, observed);
  }
  plain.degrees = 9 * (static_cast<int>(bins.size()) - 1);
  return plain;
}

TEST(Sp80090bPlain, section_52_chi_squares_and_the_longest_repeat) {
  std::mt19937_64 random(52);
  for (int round = 0; round < 12; ++round) {
    const bool binary = round % 3 == 0;
    const unsigned alphabet = binary ? 2 : round % 2 == 0 ? 9 : 60;
    const std::size_t count = 1000 + random() % 1000;
    const String text = binary ? bits_of(random, count, 0.5 + 0.1 * (round % 4), 0)
                               : symbols_of(random, count, alphabet, 0);
    const auto samples = *sp::Samples::create(text, 0);
    const Plain independence = plain_independence(text, alphabet, binary),
                fit = plain_fit(text, alphabet, binary);
    EXPECT_NEAR(sp::chi_square_independence(samples).statistic, independence.statistic, 1e-8)
        << round;
    EXPECT_EQ(sp::chi_square_independence(samples).degrees, independence.degrees) << round;
    EXPECT_NEAR(sp::chi_square_goodness_of_fit(samples).statistic, fit.statistic, 1e-8) << round;
    EXPECT_EQ(sp::chi_square_goodness_of_fit(samples).degrees, fit.degrees) << round;

    const std::string all(text.begin(), text.end());
    std::size_t w = 0;
    for (bool repeats = true; repeats; w += repeats ? 1U : 0U) {
      std::set<std::string> seen;
      repeats = false;
      for (std::size_t i = 0; i + w < all.size(); ++i)
        repeats |= !seen.insert(all.substr(i, w + 1)).second;
    }
    double collision = 0;
    for (unsigned symbol = 0; symbol < alphabet; ++symbol) {
      const double p = static_cast<double>(std::count(text.begin(), text.end(), symbol)) /
                       static_cast<double>(count);
      collision += p * p;
    }
    const auto places = static_cast<double>(count - w + 1);
    const auto found = sp::longest_repeat(samples);
    EXPECT_EQ(found.length, w);
    EXPECT_NEAR(found.p, 1 - std::pow(1 - std::pow(collision, w), places * (places - 1) / 2), 1e-9);
  }
}

}  // namespace
}  // namespace sp800_90b_test

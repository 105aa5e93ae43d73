// AIS 20/31 (2011), 2.4.4: the elementary tests T0, T5, T7 and T8 and their failure rates.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "stats/blocks/ais_31.hpp"
#include "stats/special.hpp"
#include "wide.hpp"

namespace talla::stats::blocks {
namespace {

constexpr std::size_t half_pairs = 5000;  // compared pairs, and the largest shift
constexpr std::uint32_t differing_least = 2327, differing_most = 2673;
constexpr std::size_t window_words = half_pairs / 64;  // whole ones; 8 bits are left
constexpr std::size_t half_words = 10'000 / 64 + 3;
using Half = std::array<std::uint64_t, half_words>;

/// 10,000 bits from byte `first` on, zeros behind them.
Half half_of(Block block, std::size_t first) {
  Half words{};
  for (std::size_t i = 0; i < 1250; ++i)
    words[i / 8] |= std::uint64_t{block[first + i]} << (56 - 8 * (i % 8));
  return words;
}

/// Differing pairs of the first 5,000 bits and those `word_shift` whole words further in `shifted`.
TALLA_STATS_COUNTING std::uint32_t differing(const std::uint64_t* bits,
                                             const std::uint64_t* shifted) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < window_words; ++i)
    sum += static_cast<std::uint64_t>(__builtin_popcountll(bits[i] ^ shifted[i]));
  const std::uint64_t rest =
      (bits[window_words] ^ shifted[window_words]) & (~std::uint64_t{0} << 56U);
  return static_cast<std::uint32_t>(sum) + static_cast<std::uint32_t>(__builtin_popcountll(rest));
}

/// All bits moved forward by `shift` < 64 places.
Half moved(const Half& words, unsigned shift) {
  Half out{};
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    out[i] = shift == 0 ? words[i] : words[i] << shift | words[i + 1] >> (64 - shift);
  return out;
}

}  // namespace

std::optional<EqualWords> disjointness(std::span<const std::uint8_t> bytes) {
  // 48 bits of the word, its place in the 16 below.
  std::vector<std::uint64_t> words(65'536);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::size_t k = 0; k < 6; ++k) words[i] = words[i] << 8U | bytes[i * 6 + k];
    words[i] = words[i] << 16U | i;
  }
  std::sort(words.begin(), words.end());
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] >> 16U == words[i - 1] >> 16U)
      return EqualWords{static_cast<std::uint32_t>(words[i - 1] & 0xffffU),
                        static_cast<std::uint32_t>(words[i] & 0xffffU)};
  }
  return std::nullopt;
}

double disjointness_rate() {
  double log_kept = 0.0;
  for (int i = 1; i < 65'536; ++i) log_kept += std::log1p(-i * std::pow(2.0, -48.0));
  return -std::expm1(log_kept);
}

Autocorrelation autocorrelation(Block block) {
  const Half first = half_of(block, 0);
  Autocorrelation result;
  std::uint32_t deviation_most = 0;
  bool found = false;
  std::array<std::uint32_t, half_pairs + 1> counts{};
  for (unsigned shift = 0; shift < 64; ++shift) {
    const Half shifted = moved(first, shift);
    for (std::size_t word = 0; word * 64 + shift <= half_pairs; ++word)
      counts[word * 64 + shift] = differing(first.data(), shifted.data() + word);
  }
  for (std::uint32_t shift = 1; shift <= half_pairs; ++shift) {
    const auto deviation =
        static_cast<std::uint32_t>(std::abs(static_cast<int>(counts[shift]) - 2500));
    if (!found || deviation > deviation_most) {
      deviation_most = deviation;
      result.shift = shift;
      found = true;
    }
  }
  const Half second = half_of(block, 1250);
  const Half shifted = moved(second, result.shift % 64);
  result.differing = differing(second.data(), shifted.data() + result.shift / 64);
  result.failed = result.differing < differing_least || result.differing > differing_most;
  return result;
}

double autocorrelation_rate() {
  return 2.0 * binomial_below(differing_least - 1.0, half_pairs, 0.5);
}

double homogeneity(std::uint32_t ones_a, std::uint32_t ones_b) {
  const double difference = static_cast<double>(ones_a) - ones_b;
  const double ones = static_cast<double>(ones_a) + ones_b;
  const double zeros = 200'000.0 - ones;
  const auto part = [&](double sum) { return sum > 0.0 ? difference * difference / sum : 0.0; };
  return part(ones) + part(zeros);
}

double homogeneity_rate() {
  // Both numbers are binomial; 1,300 are eight standard deviations, beyond which less than 1e-15 is
  // left.
  constexpr std::uint32_t middle = 50'000, reach = 1300, least = middle - reach;
  static const double rate = [] {
    std::vector<double> law(
        2 * reach + 1);  // [k - least], from the middle outwards by ratios, then divided by its sum
    law[reach] = 1.0;
    double sum = 1.0;
    for (std::uint32_t i = 1; i <= reach; ++i) {
      const double up = law[reach + i - 1] * (middle - i + 1.0) / (middle + i);
      law[reach + i] = law[reach - i] = up;
      sum += 2.0 * up;
    }
    double failing = 0.0;
    for (std::uint32_t a = 0; a <= 2 * reach; ++a) {
      for (std::uint32_t b = 0; b <= 2 * reach; ++b) {
        if (homogeneity(least + a, least + b) > homogeneity_most) failing += law[a] * law[b];
      }
    }
    return failing / (sum * sum);
  }();
  return rate;
}

double coron_entropy(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t warm_up = 2'560;
  // g(i) = (1 + 1/2 + ... + 1/(i - 1)) / ln 2
  static const std::vector<double> g = [] {
    std::vector<double> table(coron_words + 1);
    double harmonic = 0.0;
    for (std::size_t i = 1; i < table.size(); ++i) {
      table[i] = harmonic / std::numbers::ln2;
      harmonic += 1.0 / static_cast<double>(i);
    }
    return table;
  }();
  std::array<std::size_t, 256> last{};  // places count from 1
  double sum = 0.0;
  for (std::size_t i = 1; i <= coron_words; ++i) {
    std::size_t& before = last[bytes[i - 1]];
    if (i > warm_up) sum += g[i - before];
    before = i;
  }
  return sum / static_cast<double>(coron_words - warm_up);
}

double coron_rate() {
  // Ideal bytes: mean 8 and the standard deviation below, measured on 40,000 sequences (its own
  // standard error is half a percent); the limit lies more than ten of them off.
  constexpr double deviation = 0.00226;
  return normal_below((coron_least - 8.0) / deviation);
}

}  // namespace talla::stats::blocks

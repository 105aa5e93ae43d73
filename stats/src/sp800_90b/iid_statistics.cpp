// SP 800-90B, 5.1: the nineteen statistics of the permutation tests.
#include "iid_statistics.hpp"

#include <bzlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace talla::stats::sp800_90b {
namespace {

constexpr std::array<std::size_t, 5> lags = {1, 2, 8, 16, 32};
// NOLINTNEXTLINE(*-enum-initial-value,cert-int09-c): numbered one behind the other, five lags each
enum : std::size_t {
  excursion,
  runs_number,
  runs_length,
  increases,
  median_number,
  median_length,
  collision_mean,
  collision_most,
  periodicity,
  covariance = periodicity + 5,
  compressed_length = covariance + 5
};

/// 5.1.1: the largest distance of a partial sum from its share of the whole; in integers until the
/// end.
double excursion_of(Bytes values) {
  std::int64_t total = 0;
  for (const std::uint8_t value : values) total += value;
  const auto n = static_cast<std::int64_t>(values.size());
  std::int64_t distance = 0, least = 0, most = 0;  // n * sum - i * total
  for (const std::uint8_t value : values) {
    distance += n * value - total;
    least = std::min(least, distance);
    most = std::max(most, distance);
  }
  return static_cast<double>(std::max(most, -least)) / static_cast<double>(n);
}

struct Runs {
  std::uint64_t number = 0, longest = 0, rises = 0;
};

/// Runs of a sequence of `count` signs, `sign(i)` true for +1.
template <class Sign>
Runs runs_of(std::size_t count, Sign sign) {
  Runs runs;
  if (count == 0) return runs;
  bool last = sign(0);
  std::uint64_t run = 1;
  runs.number = 1;
  runs.rises = static_cast<std::uint64_t>(last);
  for (std::size_t i = 1; i < count; ++i) {
    const bool now = sign(i);
    const bool same = now == last;
    runs.number += static_cast<std::uint64_t>(!same);
    runs.rises += static_cast<std::uint64_t>(now);
    run = (same ? run : 0) + 1;
    runs.longest = std::max(runs.longest, run);
    last = now;
  }
  runs.longest = std::max(runs.longest, run);
  return runs;
}

/// 5.1.7, 5.1.8: samples until one occurs a second time, again and again.
std::pair<double, double> collisions_of(Bytes values) {
  std::array<std::uint32_t, 256> seen{};
  std::uint32_t epoch = 1;
  std::uint64_t number = 0, sum = 0, most = 0, length = 0;
  for (const std::uint8_t value : values) {
    ++length;
    if (seen[value] == epoch) {
      ++number;
      sum += length;
      most = std::max(most, length);
      length = 0;
      ++epoch;
    } else {
      seen[value] = epoch;
    }
  }
  return {number == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(number),
          static_cast<double>(most)};
}

double equal_at(Bytes values, std::size_t lag) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i + lag < values.size(); ++i)
    count += static_cast<std::uint64_t>(values[i] == values[i + lag]);
  return static_cast<double>(count);
}

double product_at(Bytes values, std::size_t lag) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + lag < values.size(); ++i)
    sum += std::uint64_t{values[i]} * values[i + lag];
  return static_cast<double>(sum);
}

/// 5.1.11: bytes that bzip2 makes of the samples written in decimal with spaces between.
double compressed_size(Bytes values) {
  std::vector<char> text;
  text.reserve(values.size() * 4);
  for (const std::uint8_t value : values) {
    if (!text.empty()) text.push_back(' ');
    if (value >= 100) text.push_back(static_cast<char>('0' + value / 100));
    if (value >= 10) text.push_back(static_cast<char>('0' + value / 10 % 10));
    text.push_back(static_cast<char>('0' + value % 10));
  }
  auto size = static_cast<unsigned>(std::ceil(1.01 * static_cast<double>(text.size()))) + 600;
  std::vector<char> packed(size);
  if (BZ2_bzBuffToBuffCompress(packed.data(), &size, text.data(),
                               static_cast<unsigned>(text.size()), 5, 0, 0) != BZ_OK)
    return 0.0;
  return size;
}

/// 5.1, conversion I: ones of each eight bits. Conversion II: their value.
std::vector<std::uint8_t> sums_of_eight(Bytes bits) {
  std::vector<std::uint8_t> out((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    out[i / 8] = static_cast<std::uint8_t>(out[i / 8] + bits[i]);
  return out;
}
std::vector<std::uint8_t> values_of_eight(Bytes bits) {
  std::vector<std::uint8_t> out((bits.size() + 7) / 8);
  for (std::size_t i = 0; i < bits.size(); ++i)
    out[i / 8] = static_cast<std::uint8_t>(out[i / 8] | bits[i] << (7 - i % 8));
  return out;
}

bool any(const Wanted& wanted, std::size_t first, std::size_t count) {
  return std::any_of(wanted.begin() + static_cast<std::ptrdiff_t>(first),
                     wanted.begin() + static_cast<std::ptrdiff_t>(first + count),
                     [](bool one) { return one; });
}

}  // namespace

Statistics statistics_of(Bytes symbols, Bytes raw, unsigned alphabet, double median,
                         const Wanted& wanted) {
  Statistics out{};
  const bool binary = alphabet == 2;
  std::vector<std::uint8_t> sums, values;
  if (binary && (any(wanted, runs_number, 3) || any(wanted, periodicity, 10)))
    sums = sums_of_eight(symbols);
  if (binary && any(wanted, collision_mean, 2)) values = values_of_eight(symbols);
  const Bytes directed = binary ? Bytes(sums) : symbols;
  if (wanted[excursion]) out[excursion] = excursion_of(raw);
  if (any(wanted, runs_number, 3)) {
    const Runs runs =
        runs_of(directed.size() - 1, [&](std::size_t i) { return directed[i] <= directed[i + 1]; });
    out[runs_number] = static_cast<double>(runs.number);
    out[runs_length] = static_cast<double>(runs.longest);
    out[increases] = static_cast<double>(std::max(runs.rises, directed.size() - 1 - runs.rises));
  }
  if (any(wanted, median_number, 2)) {
    const Runs runs = runs_of(symbols.size(), [&](std::size_t i) { return symbols[i] >= median; });
    out[median_number] = static_cast<double>(runs.number);
    out[median_length] = static_cast<double>(runs.longest);
  }
  if (any(wanted, collision_mean, 2)) {
    std::tie(out[collision_mean], out[collision_most]) =
        collisions_of(binary ? Bytes(values) : symbols);
  }
  for (std::size_t i = 0; i < lags.size(); ++i) {
    if (wanted[periodicity + i]) out[periodicity + i] = equal_at(directed, lags[i]);
    if (wanted[covariance + i]) out[covariance + i] = product_at(binary ? directed : raw, lags[i]);
  }
  if (wanted[compressed_length]) out[compressed_length] = compressed_size(raw);
  return out;
}

double median_of(Bytes symbols, unsigned alphabet) {
  if (alphabet == 2) return 0.5;  // 5.1.5
  std::array<std::size_t, 256> counts{};
  for (const std::uint8_t symbol : symbols) ++counts[symbol];
  const auto at = [&](std::size_t place) {
    std::size_t symbol = 0;
    for (std::size_t below = counts[0]; below <= place; below += counts[symbol]) ++symbol;
    return static_cast<double>(symbol);
  };
  const std::size_t half = symbols.size() / 2;
  return symbols.size() % 2 == 1 ? at(half) : (at(half) + at(half - 1)) / 2.0;
}

std::string_view statistic_name(std::size_t statistic) {
  static constexpr std::array<std::string_view, statistics_count> names = {
      "excursion",       "numDirectionalRuns", "lenDirectionalRuns", "numIncreasesDecreases",
      "numRunsMedian",   "lenRunsMedian",      "avgCollision",       "maxCollision",
      "periodicity(1)",  "periodicity(2)",     "periodicity(8)",     "periodicity(16)",
      "periodicity(32)", "covariance(1)",      "covariance(2)",      "covariance(8)",
      "covariance(16)",  "covariance(32)",     "compression"};
  return names[statistic];
}

Statistics permutation_statistics(const Samples& samples, const Wanted& wanted) {
  return statistics_of(samples.symbols(), samples.raw(), samples.alphabet(),
                       median_of(samples.symbols(), samples.alphabet()), wanted);
}

}  // namespace talla::stats::sp800_90b

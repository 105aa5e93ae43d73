// Figures of streams, autocorrelation and periodogram.
// Method: the printed digits of ent 1.2 on made data; plain forms value by value on random small
//         inputs; uniform p-values on good bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <random>

#include "stats/special.hpp"
#include "stats/stream/autocorrelation.hpp"
#include "stats/stream/figures.hpp"
#include "stats_lab/periodogram.hpp"

namespace {

using namespace talla::stats;
using Bytes = std::vector<std::uint8_t>;

Bytes random_bytes(std::mt19937_64& random, std::size_t count) {
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 56U);
  return bytes;
}

/// The high bytes of Knuth's linear congruential generator, from 1 on.
Bytes congruential(std::size_t count) {
  Bytes bytes(count);
  std::uint64_t x = 1;
  for (auto& byte : bytes) {
    x = x * 6364136223846793005U + 1442695040888963407U;
    byte = static_cast<std::uint8_t>(x >> 56U);
  }
  return bytes;
}

StreamFigures figures_of(const Bytes& bytes, Unit unit) {
  Stream stream;
  stream.add(bytes);
  return stream.figures(unit);
}

TEST(StreamFigures, digits_of_ent_on_made_data) {
  // ent -t and ent -b -t on the same bytes, six decimals.
  const StreamFigures bytes = figures_of(congruential(1'000'003), Unit::byte);
  EXPECT_NEAR(bytes.entropy, 7.999843, 5e-7);
  EXPECT_NEAR(bytes.chi_square, 217.431275, 5e-7);
  EXPECT_NEAR(bytes.chi_square_tail, 0.9576, 5e-5);
  EXPECT_NEAR(bytes.mean, 127.441908, 5e-7);
  EXPECT_NEAR(bytes.pi, 3.143609713, 5e-10);
  EXPECT_NEAR(bytes.serial_correlation, 0.000813, 5e-7);
  EXPECT_EQ(bytes.compression_percent, 0);
  const StreamFigures bits = figures_of(congruential(1'000'003), Unit::bit);
  EXPECT_EQ(bits.count, 8'000'024U);
  EXPECT_NEAR(bits.entropy, 1.0, 5e-7);
  EXPECT_NEAR(bits.chi_square, 1.039679, 5e-7);
  EXPECT_NEAR(bits.mean, 0.499820, 5e-7);
  EXPECT_NEAR(bits.pi, 3.143609713, 5e-10);
  EXPECT_NEAR(bits.serial_correlation, 0.000376, 5e-7);
  const StreamFigures few = figures_of(congruential(700), Unit::byte);
  EXPECT_NEAR(few.entropy, 7.673577, 5e-7);
  EXPECT_NEAR(few.chi_square, 280.845714, 5e-7);
  EXPECT_NEAR(few.pi, 3.0, 5e-7);
  EXPECT_NEAR(few.serial_correlation, -0.071779, 5e-7);
  EXPECT_EQ(few.compression_percent, 4);
  const StreamFigures few_bits = figures_of(congruential(700), Unit::bit);
  EXPECT_NEAR(few_bits.entropy, 0.999970, 5e-7);
  EXPECT_NEAR(few_bits.chi_square, 0.231429, 5e-7);
  EXPECT_NEAR(few_bits.serial_correlation, -0.011470, 5e-7);
}

/// One value after another, as the definitions read.
void expect_plain(const Bytes& bytes, Unit unit) {
  std::vector<unsigned> values;
  for (const std::uint8_t byte : bytes) {
    if (unit == Unit::byte) {
      values.push_back(byte);
    } else {
      for (int k = 7; k >= 0; --k) values.push_back(unsigned{byte} >> k & 1U);
    }
  }
  const std::size_t kinds = unit == Unit::byte ? 256 : 2;
  const auto n = static_cast<double>(values.size());
  std::vector<double> counts(kinds);
  double sum = 0, squares = 0, products = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ++counts[values[i]];
    sum += values[i];
    squares += values[i] * values[i];
    products += values[i] * values[(i + 1) % values.size()];
  }
  double entropy = 0, chi_square = 0;
  for (const double count : counts) {
    if (count > 0) entropy -= count / n * std::log2(count / n);
    chi_square +=
        std::pow(count - n / static_cast<double>(kinds), 2) * static_cast<double>(kinds) / n;
  }
  double points = 0, inside = 0;
  for (std::size_t i = 0; i + 6 <= bytes.size(); i += 6) {
    const double x = bytes[i] * 65536.0 + bytes[i + 1] * 256.0 + bytes[i + 2];
    const double y = bytes[i + 3] * 65536.0 + bytes[i + 4] * 256.0 + bytes[i + 5];
    ++points;
    inside += x * x + y * y <= 16777215.0 * 16777215.0 ? 1 : 0;
  }
  const StreamFigures f = figures_of(bytes, unit);
  EXPECT_EQ(f.count, values.size());
  EXPECT_NEAR(f.entropy, entropy, 1e-9);
  EXPECT_NEAR(f.chi_square, chi_square, 1e-9 * (1 + chi_square));
  EXPECT_NEAR(f.mean, sum / n, 1e-9);
  if (points > 0) {
    EXPECT_NEAR(f.pi, 4 * inside / points, 1e-12);
  } else {
    EXPECT_TRUE(std::isnan(f.pi));
  }
  const double spread = n * squares - sum * sum;
  if (spread > 0) {
    EXPECT_NEAR(f.serial_correlation, (n * products - sum * sum) / spread, 1e-9);
  } else {
    EXPECT_TRUE(std::isnan(f.serial_correlation));
  }
}

TEST(StreamFigures, equal_the_plain_form_on_small_inputs_of_all_sizes) {
  std::mt19937_64 random(1);
  for (std::size_t size = 1; size < 150; ++size) {
    Bytes bytes = random_bytes(random, size);
    if (size % 3 == 1) bytes.assign(size, 0xff);
    if (size % 3 == 2)
      for (auto& byte : bytes) byte = static_cast<std::uint8_t>(byte & 0x11U);
    expect_plain(bytes, Unit::byte);
    expect_plain(bytes, Unit::bit);
  }
  for (int round = 0; round < 6; ++round) {
    const Bytes bytes = random_bytes(random, 65'530 + random() % 140'000);
    expect_plain(bytes, Unit::byte);
    expect_plain(bytes, Unit::bit);
  }
  expect_plain(Bytes(200'000, 0xff), Unit::byte);  // sums at their largest
}

TEST(StreamFigures, pieces_of_any_size_give_the_same_figures) {
  std::mt19937_64 random(2);
  const Bytes bytes = random_bytes(random, 300'001);
  Stream pieces;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t size =
        std::min<std::size_t>(bytes.size() - at, random() % (random() % 8 == 0 ? 100'000 : 20));
    pieces.add(std::span(bytes).subspan(at, size));
    at += size;
  }
  for (const Unit unit : {Unit::byte, Unit::bit}) {
    const StreamFigures a = figures_of(bytes, unit), b = pieces.figures(unit);
    EXPECT_EQ(a.entropy, b.entropy);
    EXPECT_EQ(a.chi_square, b.chi_square);
    EXPECT_EQ(a.mean, b.mean);
    EXPECT_EQ(a.pi, b.pi);
    EXPECT_EQ(a.serial_correlation, b.serial_correlation);
  }
  const StreamFigures none = Stream().figures(Unit::byte);
  EXPECT_EQ(none.count, 0U);
  EXPECT_TRUE(std::isnan(none.pi));
}

/// Chi-square of p-values in ten classes, as a p-value.
double uniformity(const std::vector<double>& p_values) {
  std::array<double, 10> counts{};
  for (const double p : p_values)
    ++counts[std::min<std::size_t>(9, static_cast<std::size_t>(p * 10))];
  const double expected = static_cast<double>(p_values.size()) / 10;
  double chi_square = 0;
  for (const double count : counts)
    chi_square += (count - expected) * (count - expected) / expected;
  return chi_square_tail(chi_square, 9);
}

TEST(StreamFigures, p_values_of_good_bytes_are_uniform) {
  std::mt19937_64 random(3);
  std::vector<double> chi_square, mean, pi, serial;
  const bool long_run = std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe)
  const int rounds = long_run ? 100'000 : 4000;
  Bytes bytes(60'000);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      const std::uint64_t word = random();
      std::memcpy(&bytes[i], &word, 8);
    }
    const StreamFigures f = figures_of(bytes, Unit::byte);
    chi_square.push_back(f.chi_square_p);
    mean.push_back(f.mean_p);
    pi.push_back(f.pi_p);
    serial.push_back(f.serial_correlation_p);
  }
  EXPECT_GT(uniformity(chi_square), 1e-4);
  EXPECT_GT(uniformity(mean), 1e-4);
  EXPECT_GT(uniformity(serial), 1e-4);
  // Points inside the circle are few enough to be counted: the two-sided p-value lies above its
  // share, never below.
  const auto below = [&](double level) {
    return static_cast<double>(
               std::count_if(pi.begin(), pi.end(), [&](double p) { return p < level; })) /
           rounds;
  };
  for (const double level : {0.01, 0.1, 0.5}) {
    EXPECT_LT(below(level), level + 4 * std::sqrt(level / rounds)) << level;
    EXPECT_GT(below(level), level * 0.9 - 4 * std::sqrt(level / rounds)) << level;
  }
}

TEST(SampleAutocorrelation, equals_the_plain_form) {
  std::mt19937_64 random(4);
  for (const std::size_t size : {5U, 17U, 1000U, 70'000U}) {
    Bytes bytes = random_bytes(random, size);
    for (std::size_t i = 1; i < size; ++i)
      if (random() % 3 == 0) bytes[i] = bytes[i - 1];
    double mean = 0;
    for (const std::uint8_t byte : bytes) mean += byte / static_cast<double>(size);
    double spread = 0;
    for (const std::uint8_t byte : bytes) spread += (byte - mean) * (byte - mean);
    const auto r = autocorrelation(bytes, 20);
    ASSERT_EQ(r.size(), std::min<std::size_t>(20, size - 1));
    for (std::size_t lag = 1; lag <= r.size(); ++lag) {
      double shared = 0;
      for (std::size_t i = 0; i + lag < size; ++i)
        shared += (bytes[i] - mean) * (bytes[i + lag] - mean);
      EXPECT_NEAR(r[lag - 1], shared / spread, 1e-9) << size << " " << lag;
    }
  }
  EXPECT_TRUE(autocorrelation(Bytes(100, 7), 5).empty());
}

TEST(Periodogram, equals_the_plain_transform_and_white_noise_has_mean_one) {
  std::mt19937_64 random(5);
  const Bytes bytes = random_bytes(random, 3 * 64 + 10);
  const Periodogram p = periodogram(bytes, 64);
  EXPECT_EQ(p.segments, 3U);
  ASSERT_EQ(p.power.size(), 32U);
  double mean = 0, variance = 0;
  for (std::size_t i = 0; i < 192; ++i) mean += bytes[i] / 192.0;
  for (std::size_t i = 0; i < 192; ++i) variance += (bytes[i] - mean) * (bytes[i] - mean) / 192.0;
  for (std::size_t k = 1; k <= 32; ++k) {
    double power = 0;
    for (std::size_t s = 0; s < 3; ++s) {
      std::complex<double> sum = 0;
      for (std::size_t i = 0; i < 64; ++i)
        sum += (bytes[64 * s + i] - mean) *
               std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i * k) / 64);
      power += std::norm(sum) / 64 / variance / 3;
    }
    EXPECT_NEAR(p.power[k - 1], power, 1e-4 * (1 + power)) << k;
  }
  const Periodogram noise = periodogram(random_bytes(random, 1'000'000), 1024);
  double sum = 0;
  for (const double power : noise.power) sum += power;
  EXPECT_NEAR(sum / static_cast<double>(noise.power.size()), 1.0, 0.01);
  EXPECT_EQ(periodogram(bytes, 1 << 20).power.size(), 64U)
      << "segments shrink to a power of two that fits";
  EXPECT_TRUE(periodogram(Bytes(100, 3), 16).power.empty()) << "no variance";
  EXPECT_TRUE(periodogram(Bytes(1, 3), 16).power.empty());
}

}  // namespace

// AIS 20/31 (2011), 2.4.4: the tests T0, T5, T7, T8 and procedures A and B.
// Method: every statistic against a plain form from the text; procedures on good bits, with faults
// put where one test must see them, and on data that end early.
#include "stats/blocks/ais_31.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "block_bytes.hpp"
#include "stats/blocks/block_series.hpp"
#include "stats/special.hpp"

namespace {

using namespace talla::stats;
using namespace talla::stats::blocks;

TEST(Ais31, t_0_finds_two_equal_words_of_forty_eight_bits) {
  std::mt19937_64 random(6);
  Bytes bytes = random_bytes(random, disjointness_bytes);
  EXPECT_FALSE(disjointness(bytes).has_value());
  std::copy_n(bytes.begin() + 6 * 17, 6, bytes.begin() + 6 * 65'535);
  const auto equal = disjointness(bytes);
  ASSERT_TRUE(equal.has_value());
  EXPECT_EQ(equal->first, 17U);
  EXPECT_EQ(equal->second, 65'535U);
  // Birthdays: 65,536 * 65,535 / 2 pairs, each equal with chance 2^-48.
  EXPECT_NEAR(disjointness_rate(), 65'536.0 * 65'535.0 / 2.0 * std::pow(2.0, -48.0), 1e-10);
}

TEST(Ais31, t_5_equals_the_plain_form) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 6; ++round) {
    Bytes block = random_bytes(random, block_bytes);
    if (round >= 2) {  // the bit `lag` before is often repeated
      const std::size_t lag = 1 + random() % 5000;
      for (std::size_t i = lag; i < block_bits; ++i)
        if (random() % 16 < static_cast<unsigned>(round)) set_bit(block, i, bit_of(block, i - lag));
    }
    std::uint32_t shift = 0, most = 0;
    for (std::uint32_t tau = 1; tau <= 5000; ++tau) {
      std::uint32_t differing = 0;
      for (std::size_t j = 0; j < 5000; ++j) differing += bit_of(block, j) ^ bit_of(block, j + tau);
      const std::uint32_t deviation = differing > 2500 ? differing - 2500 : 2500 - differing;
      if (shift == 0 || deviation > most) {
        shift = tau;
        most = deviation;
      }
    }
    std::uint32_t differing = 0;
    for (std::size_t j = 10'000; j < 15'000; ++j)
      differing += bit_of(block, j) ^ bit_of(block, j + shift);
    const Autocorrelation result = autocorrelation(block_of(block));
    EXPECT_EQ(result.shift, shift);
    EXPECT_EQ(result.differing, differing);
    EXPECT_EQ(result.failed, !(differing > 2326 && differing < 2674));
    EXPECT_EQ(result.failed, round >= 2) << differing;
  }
  EXPECT_NEAR(autocorrelation_rate(), plain_two_sided(2326, 5000, 0.5), 1e-12);
}

TEST(Ais31, t_7_and_t_8_equal_their_definitions) {
  EXPECT_NEAR(homogeneity(50'000, 50'500), 500.0 * 500 / 100'500 + 500.0 * 500 / 99'500, 1e-12);
  EXPECT_EQ(homogeneity(0, 0), 0.0);
  EXPECT_EQ(homogeneity(100'000, 0), 200'000.0);
  EXPECT_NEAR(homogeneity_rate() / chi_square_tail(15.13, 1), 1.0, 0.02) << "the limit law is near";
  std::mt19937_64 random(8);
  for (const int bits : {8, 5}) {
    Bytes bytes = random_bytes(random, coron_words);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(byte & ((1U << bits) - 1));
    double sum = 0;
    for (std::size_t i = 2560; i < bytes.size(); ++i) {
      double harmonic = 0;
      for (std::size_t back = 1; back <= i && bytes[i - back] != bytes[i]; ++back)
        harmonic += 1.0 / static_cast<double>(back);
      sum += harmonic / std::numbers::ln2;
    }
    EXPECT_NEAR(coron_entropy(bytes), sum / 256'000, 1e-9);
    EXPECT_NEAR(coron_entropy(bytes), bits, 0.02);
  }
  EXPECT_LT(coron_rate(), 1e-25);
}

ByteSource source_of(const Bytes& bytes) {
  auto at = std::make_shared<std::size_t>(0);
  return [&bytes, at](std::span<std::uint8_t> into) {
    const std::size_t got = std::min({into.size(), bytes.size() - *at, std::size_t{10'007}});
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(*at), got, into.begin());
    *at += got;
    return got;
  };
}

constexpr std::size_t bytes_of_a = disjointness_bytes + 257 * block_bytes;

TEST(Ais31, procedure_a_passes_good_bits_repeats_once_and_rejects_two_failures) {
  std::mt19937_64 random(9);
  Bytes bytes = random_bytes(random, 2 * bytes_of_a);
  std::size_t seen = 0;
  auto run = run_procedure(Procedure::a, source_of(bytes), {}, [&](const Counts&) { ++seen; });
  ASSERT_TRUE(run.has_value()) << run.error().detail;
  EXPECT_TRUE(run->passed);
  EXPECT_EQ(run->rounds.size(), 1U);
  EXPECT_EQ(run->rounds[0].bits, 8 * bytes_of_a);
  EXPECT_EQ(seen, 257U);
  EXPECT_EQ(run->rounds[0].tests[5].applied, 257U);

  std::copy_n(bytes.begin(), 6, bytes.begin() + 600);  // T0 fails
  run = run_procedure(Procedure::a, source_of(bytes));
  ASSERT_TRUE(run.has_value());
  EXPECT_TRUE(run->passed);
  EXPECT_EQ(run->rounds.size(), 2U);
  EXPECT_EQ(run->rounds[0].failures.at(0).where, "words 1 and 101");
  const auto short_run =
      run_procedure(Procedure::a, source_of(Bytes(bytes.begin(), bytes.end() - 1)));
  ASSERT_FALSE(short_run.has_value());
  EXPECT_NE(short_run.error().detail.find("repeated once"), std::string::npos)
      << short_run.error().detail;
  EXPECT_NE(short_run.error().detail.find("block 257"), std::string::npos)
      << short_run.error().detail;

  std::copy_n(bytes.begin() + bytes_of_a, 6,
              bytes.begin() + bytes_of_a + 60);  // and in the repetition
  run = run_procedure(Procedure::a, source_of(bytes));
  ASSERT_TRUE(run.has_value());
  EXPECT_FALSE(run->passed);
  EXPECT_EQ(run->rounds.size(), 2U);

  std::fill_n(bytes.begin() + disjointness_bytes + 3 * block_bytes, 5,
              std::uint8_t{0});  // and T4 in block 4
  run = run_procedure(Procedure::a, source_of(bytes));
  ASSERT_TRUE(run.has_value());
  EXPECT_FALSE(run->passed);
  EXPECT_EQ(run->rounds.size(), 1U);
  EXPECT_EQ(run->rounds[0].failed(), 2U);
  EXPECT_EQ(run->rounds[0].failures.at(1).where, "block 4");
}

/// Procedure B from the text, on one bit after another.
struct PlainB {
  double share = 0, step = 0, entropy = 0;
  std::vector<double> homogeneity;  // two, then four
};
PlainB plain_b(const Bytes& bytes) {
  PlainB out;
  std::size_t at = 0;
  for (int i = 0; i < 100'000; ++i) out.share += bit_of(bytes, at++) / 100'000.0;
  for (std::size_t width = 1; width <= 3; ++width) {
    std::vector<std::vector<unsigned>> after(std::size_t{1} << width);
    while (std::any_of(after.begin(), after.end(),
                       [](const auto& list) { return list.size() < 100'000; })) {
      std::size_t word = 0;
      for (std::size_t k = 0; k < width; ++k) word = 2 * word + bit_of(bytes, at++);
      after[word].push_back(bit_of(bytes, at++));
    }
    std::vector<double> ones(after.size());
    for (std::size_t i = 0; i < after.size(); ++i) {
      for (std::size_t k = 0; k < 100'000; ++k) ones[i] += after[i][k];
    }
    if (width == 1) {
      out.step = ones[0] / 1e5 + (1e5 - ones[1]) / 1e5 - 1;
      continue;
    }
    for (std::size_t i = 0; i < ones.size() / 2; ++i) {
      const double a = ones[i], b = ones[i + ones.size() / 2];
      out.homogeneity.push_back((a - b) * (a - b) / (a + b) + (a - b) * (a - b) / (2e5 - a - b));
    }
  }
  Bytes coron(coron_words);
  for (auto& word : coron) {
    for (int k = 0; k < 8; ++k) word = static_cast<std::uint8_t>(2 * word + bit_of(bytes, at++));
  }
  out.entropy = coron_entropy(coron);
  return out;
}

TEST(Ais31, procedure_b_uses_the_bits_as_the_text_says_and_catches_dependence) {
  std::mt19937_64 random(10);
  Bytes bytes = random_bytes(random, 2'000'000);
  auto run = run_procedure(Procedure::b, source_of(bytes));
  ASSERT_TRUE(run.has_value()) << run.error().detail;
  const PlainB plain = plain_b(bytes);
  const auto& figures = run->rounds[0].figures;
  ASSERT_EQ(figures.size(), 9U);
  EXPECT_NEAR(figures[0].value, plain.share, 1e-9);
  EXPECT_NEAR(figures[1].value, plain.step, 1e-9);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(figures[2 + i].value, plain.homogeneity[i], 1e-9) << figures[2 + i].name;
  EXPECT_NEAR(figures[8].value, plain.entropy, 1e-12);
  EXPECT_TRUE(run->passed);

  // A bit that copies the one two before it in one of fifty cases: only T7 sees it.
  for (std::size_t i = 2; i < 8 * bytes.size(); ++i)
    if (random() % 50 == 0) set_bit(bytes, i, bit_of(bytes, i - 2));
  run = run_procedure(Procedure::b, source_of(bytes));
  ASSERT_TRUE(run.has_value());
  EXPECT_FALSE(run->passed);
  EXPECT_EQ(run->rounds[0].tests[1].failed, 0U);
  EXPECT_GE(run->rounds[0].tests[2].failed, 2U);

  const auto zeros = run_procedure(Procedure::b, source_of(Bytes(100'000, 0)));
  ASSERT_FALSE(zeros.has_value()) << "no bit ever follows a one";
  EXPECT_NE(zeros.error().detail.find("T6b"), std::string::npos) << zeros.error().detail;
}

TEST(Ais31, rates_of_the_procedures_follow_from_those_of_the_tests) {
  double sum = disjointness_rate();
  for (const blocks::Test test : tests_of(Set::ais_31))
    sum += 257 * failure_rate(Set::ais_31, test);
  const auto a = procedure_rates(Procedure::a), b = procedure_rates(Procedure::b);
  EXPECT_NEAR(a.any_failure / (1.0 - std::exp(-sum)), 1.0, 1e-4);
  EXPECT_NEAR(b.any_failure / (6 * homogeneity_rate()), 1.0, 1e-3);
  // Two of many rare failures, or one and one again: L^2 / 2 + L^2.
  EXPECT_NEAR(a.rejection / (1.5 * sum * sum), 1.0, 0.01);
  EXPECT_LT(b.rejection, 1e-6);
}

}  // namespace

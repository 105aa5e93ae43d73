// Block tests of FIPS 140-1, FIPS 140-2 and AIS 20/31: counts, limits, failure rates, series and
// procedures.
// Method: every statistic against a plain form bit by bit; limits from the standards' text; exact
// rates by counting (blocks_exact.cpp, itself compared with all small blocks); counted failures of
// good bits against the rates, fixed seeds.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <random>

#include "block_bytes.hpp"
#include "blocks_exact.hpp"
#include "stats/blocks/ais_31.hpp"
#include "stats/blocks/block_series.hpp"
#include "stats/special.hpp"

namespace {

using namespace talla::stats;
using namespace talla::stats::blocks;

struct Plain {
  std::uint32_t ones = 0, squares = 0;
  std::array<std::array<std::uint32_t, 6>, 2> runs{};
  std::size_t longest = 0;
};

Plain plain_count(const Bytes& block) {
  Plain plain;
  std::array<std::uint32_t, 16> nibbles{};
  for (std::size_t i = 0; i < block_bits; i += 4)
    ++nibbles[8 * bit_of(block, i) + 4 * bit_of(block, i + 1) + 2 * bit_of(block, i + 2) +
              bit_of(block, i + 3)];
  for (const std::uint32_t times : nibbles) plain.squares += times * times;
  for (std::size_t i = 0; i < block_bits;) {
    std::size_t end = i;
    while (end < block_bits && bit_of(block, end) == bit_of(block, i)) ++end;
    ++plain.runs[bit_of(block, i)][std::min<std::size_t>(end - i, 6) - 1];
    plain.longest = std::max(plain.longest, end - i);
    plain.ones += bit_of(block, i) * static_cast<std::uint32_t>(end - i);
    i = end;
  }
  return plain;
}

void expect_counts(const Bytes& block, const std::string& what) {
  const Counts counts = count(block_of(block));
  const Plain plain = plain_count(block);
  EXPECT_EQ(counts.ones, plain.ones) << what;
  EXPECT_EQ(counts.nibble_squares, plain.squares) << what;
  EXPECT_EQ(counts.runs, plain.runs) << what;
  EXPECT_EQ(counts.run_of_26, plain.longest >= 26) << what << plain.longest;
  EXPECT_EQ(counts.run_of_34, plain.longest >= 34) << what << plain.longest;
}

TEST(Blocks, counts_equal_the_plain_form_on_good_and_bad_blocks) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Bytes block = random_bytes(random, block_bytes);
    const int fault = round % 4;
    if (fault == 1) {  // sticky: runs twice as long
      for (std::size_t i = 1; i < block_bits; ++i)
        if (random() >> 63 != 0) set_bit(block, i, bit_of(block, i - 1));
    } else if (fault == 2) {  // few ones
      for (auto& byte : block) byte = static_cast<std::uint8_t>(byte & random() & random());
    } else if (fault == 3) {  // one run of a chosen length anywhere, the ends of the block too
      const std::size_t length = 20 + random() % 20;
      const std::size_t at = round % 8 == 3 ? (round % 16 == 3 ? 0 : block_bits - length)
                                            : random() % (block_bits - length);
      for (std::size_t i = 0; i < length; ++i) set_bit(block, at + i, round % 32 < 16 ? 1 : 0);
    }
    expect_counts(block, "round " + std::to_string(round) + " ");
  }
  expect_counts(Bytes(block_bytes, 0), "zeros ");
  expect_counts(Bytes(block_bytes, 0xff), "ones ");
  expect_counts(Bytes(block_bytes, 0x55), "alternating ");
}

TEST(Blocks, runs_of_every_length_around_the_limits_are_seen_at_every_place) {
  for (const std::size_t length : {25U, 26U, 33U, 34U}) {
    for (std::size_t at = 0; at < 130; ++at) {
      for (const bool from_end : {false, true}) {
        Bytes block(block_bytes, 0x55);
        const std::size_t begin = from_end ? block_bits - length - at : at;
        for (std::size_t i = 0; i < length; ++i) set_bit(block, begin + i, 1);
        if (begin > 0) set_bit(block, begin - 1, 0);
        if (begin + length < block_bits) set_bit(block, begin + length, 0);
        const Counts counts = count(block_of(block));
        EXPECT_EQ(counts.run_of_26, length >= 26) << length << " at " << begin;
        EXPECT_EQ(counts.run_of_34, length >= 34) << length << " at " << begin;
      }
    }
  }
}

/// A block that keeps all limits of both standards.
Counts good_counts() {
  Counts counts;
  counts.ones = 10'000;
  counts.nibble_squares = 1'567'188;  // X = 15
  counts.runs = {{{2500, 1250, 625, 313, 156, 156}, {2500, 1250, 625, 313, 156, 156}}};
  return counts;
}

using RunLimitTable =
    std::array<std::array<std::uint32_t, 2>, 6>;  // least and most of each length that pass

void expect_run_limits(Bounds bounds, const RunLimitTable& runs) {
  for (std::size_t bit = 0; bit < 2; ++bit) {
    for (std::size_t k = 0; k < 6; ++k) {
      for (const auto& [value, failed] : {std::pair{runs[k][0] - 1, true},
                                          {runs[k][0], false},
                                          {runs[k][1], false},
                                          {runs[k][1] + 1, true}}) {
        Counts counts = good_counts();
        counts.runs[bit][k] = value;
        EXPECT_EQ(judge(counts, bounds).runs, failed) << bit << k << value;
      }
    }
  }
}

/// Every sum of squares in the range, against the statistic's open interval.
void expect_poker_limits(Bounds bounds, std::uint32_t from, std::uint32_t to, double least,
                         double most) {
  for (std::uint32_t squares = from; squares < to; ++squares) {
    Counts counts = good_counts();
    counts.nibble_squares = squares;
    const double x = 16.0 * squares / 5000.0 - 5000.0;
    EXPECT_EQ(judge(counts, bounds).poker, !(x > least && x < most)) << squares;
  }
}

TEST(Blocks, fips_1402_section_491_limits_as_the_text_has_them) {
  const auto with = [](auto change) {
    Counts counts = good_counts();
    change(counts);
    return judge(counts, Bounds::fips_140_2);
  };
  EXPECT_FALSE(with([](Counts&) {}).any());
  // 9,725 < X < 10,275
  for (const auto& [ones, failed] :
       {std::pair{9725U, true}, {9726U, false}, {10274U, false}, {10275U, true}})
    EXPECT_EQ(with([ones = ones](Counts& c) { c.ones = ones; }).monobit, failed) << ones;
  // 2.16 < X < 46.17
  expect_poker_limits(Bounds::fips_140_2, 1'563'000, 1'577'100, 2.16, 46.17);
  const RunLimitTable runs = {
      {{2315, 2685}, {1114, 1386}, {527, 723}, {240, 384}, {103, 209}, {103, 209}}};
  expect_run_limits(Bounds::fips_140_2, runs);
  EXPECT_TRUE(with([](Counts& c) { c.run_of_26 = true; }).long_run);
}

TEST(Blocks, fips_1401_and_ais_31_t_1_to_t_4_limits_as_the_text_has_them) {
  const auto with = [](auto change) {
    Counts counts = good_counts();
    change(counts);
    return judge(counts, Bounds::fips_140_1);
  };
  EXPECT_FALSE(with([](Counts& c) { c.run_of_26 = true; }).any()) << "shorter than 34";
  EXPECT_TRUE(with([](Counts& c) { c.run_of_34 = true; }).long_run);
  for (const auto& [ones, failed] :
       {std::pair{9654U, true}, {9655U, false}, {10345U, false}, {10346U, true}})
    EXPECT_EQ(with([ones = ones](Counts& c) { c.ones = ones; }).monobit, failed) << ones;
  expect_poker_limits(Bounds::fips_140_1, 1'562'600, 1'580'600, 1.03, 57.4);
  const RunLimitTable runs = {
      {{2267, 2733}, {1079, 1421}, {502, 748}, {223, 402}, {90, 223}, {90, 223}}};
  expect_run_limits(Bounds::fips_140_1, runs);
}

/// Share of all blocks of so many bits that keep the limits.
double all_blocks(std::size_t bits, const exact::RunLimits& limits) {
  std::uint64_t kept = 0;
  for (std::uint64_t value = 0; value < std::uint64_t{1} << bits; ++value) {
    std::array<std::array<std::uint32_t, 6>, 2> runs{};
    std::size_t longest = 0;
    for (std::size_t i = 0; i < bits;) {
      std::size_t end = i;
      while (end < bits && (value >> end & 1U) == (value >> i & 1U)) ++end;
      ++runs[value >> i & 1U][std::min<std::size_t>(end - i, 6) - 1];
      longest = std::max(longest, end - i);
      i = end;
    }
    const auto ones = static_cast<std::size_t>(std::popcount(value));
    bool good = ones >= limits.ones_least && ones <= limits.ones_most &&
                (limits.longest == 0 || longest <= limits.longest);
    for (const auto& kind : runs) {
      for (std::size_t k = 0; k < 6; ++k)
        good = good && kind[k] >= limits.runs[k][0] && kind[k] <= limits.runs[k][1];
    }
    kept += good ? 1U : 0U;
  }
  return static_cast<double>(kept) / std::pow(2.0, static_cast<double>(bits));
}

TEST(BlocksExact, counting_equals_all_blocks_there_are) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 12; ++round) {
    const std::size_t bits = 12 + random() % 7;
    exact::RunLimits limits{.runs = {}};
    for (std::size_t k = 0; k < 6; ++k) {
      const auto least = static_cast<std::uint32_t>(k < 2 ? random() % 2 : 0);
      limits.runs[k] = {least, least + 1 + static_cast<std::uint32_t>(random() % (k < 2 ? 4 : 2))};
    }
    if (round % 2 == 1) limits.longest = 6 + random() % 4;
    if (round % 3 == 0) {
      limits.ones_least = 4;
      limits.ones_most = 9;
    }
    EXPECT_NEAR(exact::runs_kept(bits, limits), all_blocks(bits, limits), 1e-12) << round;
    exact::RunLimits no_limits{.runs = {}};
    for (auto& range : no_limits.runs) range = {0, 20};
    no_limits.longest = 7;
    EXPECT_NEAR(exact::no_long_run(bits, 8), all_blocks(bits, no_limits), 1e-12) << round;
  }
  // Three values of four bits: all different, two alike, all alike.
  EXPECT_NEAR(exact::squares_kept(3, 3, 3), 15.0 * 14 / 256, 1e-12);
  EXPECT_NEAR(exact::squares_kept(3, 4, 5), 3 * 15.0 / 256, 1e-12);
  EXPECT_NEAR(exact::squares_kept(3, 6, 9), 1.0 / 256, 1e-12);
}

TEST(BlocksExact, failure_rates_of_the_library_are_the_exact_ones) {
  for (const Bounds bounds : {Bounds::fips_140_1, Bounds::fips_140_2}) {
    const Limits& l = limits(bounds);
    const Rates& rates = failure_rates(bounds);
    EXPECT_NEAR(rates.monobit / (2.0 * binomial_below(l.ones_least - 1.0, 20'000, 0.5)), 1.0, 1e-8);
    EXPECT_EQ(l.ones_least + l.ones_most, 20'000U) << "the binomial law is symmetric";
    EXPECT_NEAR(rates.long_run / (1.0 - exact::no_long_run(block_bits, l.long_run)), 1.0, 1e-6);
    EXPECT_LT(rates.any, rates.monobit + rates.poker + rates.runs + rates.long_run);
    EXPECT_GT(rates.any, std::max({rates.monobit, rates.poker, rates.runs, rates.long_run}));
    if (!long_run_wanted()) continue;  // some ten seconds each
    EXPECT_NEAR(rates.poker / (1.0 - exact::squares_kept(5000, l.nibble_squares_least,
                                                         l.nibble_squares_most)),
                1.0, 2e-6);
    exact::RunLimits runs{.runs = l.runs};
    EXPECT_NEAR(rates.runs / (1.0 - exact::runs_kept(block_bits, runs)), 1.0, 2e-6);
    runs.longest = l.long_run - 1;
    runs.ones_least = l.ones_least;
    runs.ones_most = l.ones_most;
    const double without_poker = 1.0 - exact::runs_kept(block_bits, runs);
    EXPECT_GT(rates.any, without_poker);
    EXPECT_LT(rates.any, without_poker + rates.poker);
  }
}

TEST(BlockSeries, counted_failures_of_good_bits_keep_the_stated_rates) {
  std::mt19937_64 random(3);
  BlockSeries fips(Set::fips_140_2), old(Set::fips_140_1);
  const std::size_t blocks = long_run_wanted() ? 10'000'000 : 60'000;
  for (std::size_t done = 0; done < blocks; done += 500) {
    const Bytes bytes = random_bytes(random, 500 * block_bytes);
    fips.add(bytes);
    old.add(bytes);
  }
  for (const BlockSeries* series : {&fips, &old}) {
    const auto verdict = judge_tally(series->set(), series->tally(), 1e-4);
    EXPECT_TRUE(verdict.consistent) << verdict.smallest_adjusted;
    for (const auto& row : verdict.rows)
      EXPECT_GT(row.p, 1e-5) << row.failed << " of " << row.expected;
  }
  EXPECT_EQ(fips.tally().blocks, blocks - 1) << "four bytes are kept for comparison";
}

TEST(BlockSeries, pieces_of_any_size_give_the_same_tally_and_the_first_word_is_only_compared) {
  std::mt19937_64 random(4);
  Bytes bytes = random_bytes(random, 40 * block_bytes + 777);
  for (auto& byte : bytes)
    byte = static_cast<std::uint8_t>(byte | (random() % 40 == 0 ? 1U : 0U));  // some failures
  for (const Set set : {Set::fips_140_1, Set::fips_140_2, Set::ais_31}) {
    BlockSeries whole(set), pieces(set);
    whole.add(bytes);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size =
          std::min<std::size_t>(bytes.size() - at, random() % (random() % 4 == 0 ? 6000 : 7));
      pieces.add(std::span(bytes).subspan(at, size));
      at += size;
    }
    EXPECT_EQ(whole.tally().blocks, 40U);
    EXPECT_EQ(pieces.tally().blocks, 40U);
    EXPECT_EQ(pieces.tally().failures, whole.tally().failures);
    EXPECT_EQ(pieces.tally().failed_blocks, whole.tally().failed_blocks);
    EXPECT_EQ(pieces.waiting(), whole.waiting());
    EXPECT_EQ(whole.waiting(), set == Set::ais_31 ? 777U : 773U);
    // The same blocks one by one, with the plain form of the limits.
    std::uint64_t failed = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(i * block_bytes +
                                                                     (set == Set::ais_31 ? 0 : 4));
      const Bytes block(begin, begin + block_bytes);
      const auto faults = judge(count(block_of(block)),
                                set == Set::fips_140_2 ? Bounds::fips_140_2 : Bounds::fips_140_1);
      failed += faults.any() ? 1U : 0U;
    }
    EXPECT_EQ(whole.tally().failed_blocks, failed);
  }
}

TEST(BlockSeries, the_continuous_test_sees_a_word_that_repeats_inside_and_across_blocks) {
  std::mt19937_64 random(5);
  for (const std::size_t at :
       {0U, 1U, 624U, 625U, 626U, 1249U}) {  // word `at` behind the first equals its predecessor
    Bytes bytes = random_bytes(random, 4 + 2 * block_bytes);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(4 * at), 4,
                bytes.begin() + static_cast<std::ptrdiff_t>(4 * at + 4));
    BlockSeries series(Set::fips_140_2);
    std::vector<bool> failed;
    series.on_block = [&](const BlockSeries::Judged& judged) {
      failed.push_back(judged.failed[static_cast<std::size_t>(blocks::Test::continuous)]);
    };
    series.add(bytes);
    EXPECT_EQ(failed, (std::vector<bool>{at < 625, at >= 625})) << at;
  }
}

TEST(BlockSeries, too_many_and_too_few_failures_are_both_inconsistent) {
  Tally tally;
  tally.blocks = 100'000;
  const auto with = [&](std::uint64_t monobit, std::uint64_t poker, std::uint64_t runs,
                        std::uint64_t long_run, std::uint64_t any) {
    tally.failures = {monobit, poker, runs, long_run, 0, 0};
    tally.failed_blocks = any;
    return judge_tally(Set::fips_140_2, tally, 0.01);
  };
  EXPECT_TRUE(with(10, 10, 30, 30, 79).consistent);
  EXPECT_FALSE(with(40, 10, 30, 30, 100).consistent);
  EXPECT_FALSE(with(0, 0, 0, 0, 0).consistent) << "80 failed blocks are expected";
  tally.blocks = 100;
  EXPECT_TRUE(with(0, 0, 0, 0, 0).consistent) << "one of a hundred blocks hardly ever fails";
  const auto verdict = with(1, 0, 2, 0, 3);
  for (std::size_t i = 0; i < verdict.rows.size(); ++i) {
    const auto& row = verdict.rows[i];
    EXPECT_NEAR(row.p / plain_two_sided(row.failed, 100, row.rate), 1.0, 1e-9) << i;
    const double level = 0.01 / 6;
    EXPECT_GE(plain_two_sided(row.least, 100, row.rate), level);
    EXPECT_GE(plain_two_sided(row.most, 100, row.rate), level);
    EXPECT_LT(plain_two_sided(row.most + 1, 100, row.rate), level);
    if (row.least > 0) {
      EXPECT_LT(plain_two_sided(row.least - 1, 100, row.rate), level);
    }
  }
}

}  // namespace

// Goal: accepted digits are exactly uniform and independent, at every width, and batches are cut as
//       documented.
// Method: all words of 8, 12 and 16 bits; at 64 bits the edges of each digit sequence's interval.
#include "shuffle/uniform.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "small_words.hpp"

namespace talla::shuffle {
namespace {

using Bounds = std::vector<std::uint64_t>;

std::uint64_t product_of(const Bounds& bounds) {
  std::uint64_t product = 1;
  for (const std::uint64_t bound : bounds) product *= bound;
  return product;
}

/// How often each digit sequence occurs among the accepted words of L bits.
template <unsigned L>
std::map<std::vector<std::uint64_t>, std::uint64_t> digit_counts(const Bounds& bounds) {
  std::map<std::vector<std::uint64_t>, std::uint64_t> counts;
  const std::uint64_t threshold = rejection_threshold<L>(product_of(bounds));
  std::vector<std::uint64_t> digits(bounds.size());
  for (std::uint64_t word = 0; word < (std::uint64_t{1} << L); ++word) {
    ListSource source({&word, 1});
    const auto bound_at = [&bounds](std::size_t i) { return bounds[i]; };
    if (draw_batch<L>(source, bounds.size(), bound_at, threshold, digits.data())) ++counts[digits];
  }
  return counts;
}

template <unsigned L>
void expect_exactly_uniform(const Bounds& bounds) {
  const std::uint64_t product = product_of(bounds);
  const auto counts = digit_counts<L>(bounds);
  ASSERT_EQ(counts.size(), product);
  for (const auto& [digits, count] : counts) {
    for (std::size_t i = 0; i < bounds.size(); ++i) ASSERT_LT(digits[i], bounds[i]);
    ASSERT_EQ(count, (std::uint64_t{1} << L) / product);
  }
}

TEST(UniformExhaustive, every_single_bound_is_exactly_uniform_over_all_words_of_8_bits) {
  for (std::uint64_t bound = 1; bound <= 256; ++bound) expect_exactly_uniform<8>({bound});
}

TEST(UniformExhaustive, every_pair_of_bounds_is_exactly_uniform_over_all_words_of_8_bits) {
  for (std::uint64_t a = 1; a <= 32; ++a) {
    for (std::uint64_t b = 1; a * b <= 256 && b <= 32; ++b) expect_exactly_uniform<8>({a, b});
  }
}

TEST(UniformExhaustive, batches_are_exactly_uniform_over_all_words_of_12_bits) {
  expect_exactly_uniform<12>({37});
  expect_exactly_uniform<12>({6, 6});
  expect_exactly_uniform<12>({6, 6, 6});
  expect_exactly_uniform<12>({6, 6, 6, 6});
  expect_exactly_uniform<12>({2, 3, 4, 5, 6});
  expect_exactly_uniform<12>({52, 51});
  expect_exactly_uniform<12>({7, 1, 11, 13, 4});
}

TEST(UniformExhaustive, batches_are_exactly_uniform_over_all_words_of_16_bits) {
  expect_exactly_uniform<16>({38});
  expect_exactly_uniform<16>({416, 15});
  expect_exactly_uniform<16>({40, 39, 38});
  expect_exactly_uniform<16>({2, 3, 4, 5, 6, 7, 8});
  expect_exactly_uniform<16>({6, 6, 6, 6, 6, 6});
  expect_exactly_uniform<16>({65535});
  expect_exactly_uniform<16>({65536});
}

TEST(UniformExhaustive, without_rejection_the_same_count_would_show_the_bias) {
  std::map<std::uint64_t, int> counts;
  for (std::uint64_t word = 0; word < 256; ++word) {
    std::uint64_t digit = 0;
    (void)split_word<8>(
        word, 1, [](std::size_t) { return std::uint64_t{37}; }, &digit);
    ++counts[digit];
  }
  std::set<int> different;
  for (const auto& [digit, count] : counts) different.insert(count);
  EXPECT_EQ(different, (std::set<int>{6, 7}));
}

RC_GTEST_PROP(Uniform64, each_digit_sequence_owns_one_interval_of_equally_many_words, ()) {
  const auto bounds =
      *rc::gen::container<Bounds>(*rc::gen::inRange<std::size_t>(1, 5),
                                  rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << 13));
  const std::uint64_t product = product_of(bounds);
  const std::uint64_t threshold = rejection_threshold<64>(product);
  const std::uint64_t sequence = *rc::gen::inRange<std::uint64_t>(0, product);
  std::vector<std::uint64_t> expected(bounds.size());
  std::uint64_t rest = sequence;
  for (std::size_t i = bounds.size(); i-- > 0;) {
    expected[i] = rest % bounds[i];
    rest /= bounds[i];
  }
  const Wide base = Wide{sequence} << 64U;
  const auto lowest = static_cast<std::uint64_t>((base + threshold + product - 1) / product);
  const auto highest = static_cast<std::uint64_t>((base + ~std::uint64_t{0}) / product);
  RC_ASSERT(highest - lowest + 1 == static_cast<std::uint64_t>((Wide{1} << 64U) / product));
  const auto bound_at = [&bounds](std::size_t i) { return bounds[i]; };
  std::vector<std::uint64_t> digits(bounds.size());
  for (const std::uint64_t word : {lowest, lowest + (highest - lowest) / 2, highest}) {
    ListSource source({&word, 1});
    RC_ASSERT(draw_batch<64>(source, bounds.size(), bound_at, threshold, digits.data()));
    RC_ASSERT(digits == expected);
  }
  std::vector<std::uint64_t> neighbours;
  if (lowest > 0) neighbours.push_back(lowest - 1);
  if (highest < ~std::uint64_t{0}) neighbours.push_back(highest + 1);
  for (const std::uint64_t word : neighbours) {
    ListSource source({&word, 1});
    RC_ASSERT(!draw_batch<64>(source, bounds.size(), bound_at, threshold, digits.data()) ||
              digits != expected);
  }
}

TEST(DrawIndices, bounds_share_a_word_while_their_product_stays_below_2_to_56) {
  const SecretBytes bytes(64, 0x5a);
  const auto words = [&bytes](const Bounds& bounds) {
    Tape tape = Tape::borrowed(bytes);
    EXPECT_TRUE(draw_indices(tape, bounds));
    return tape.words_used();
  };
  const std::uint64_t two_28 = std::uint64_t{1} << 28U;
  EXPECT_EQ(words({}), 0U);
  EXPECT_EQ(words({1}), 1U);
  EXPECT_EQ(words({two_28, two_28 - 1}), 1U);
  EXPECT_EQ(words({two_28, two_28}), 2U);
  EXPECT_EQ(words({two_28, two_28, 1}), 2U);
  EXPECT_EQ(words(Bounds(21, 6)), 1U);
  EXPECT_EQ(words(Bounds(22, 6)), 2U);
}

TEST(DrawIndices, a_batch_of_one_is_the_single_draw) {
  const SecretBytes bytes(64, 0xc3);
  Tape one = Tape::borrowed(bytes);
  Tape many = Tape::borrowed(bytes);
  const std::uint64_t bound = 1000003;
  EXPECT_EQ(draw_index(one, bound).value(), draw_indices(many, {&bound, 1}).value().at(0));
}

TEST(DrawIndices, bounds_outside_their_range_are_refused_and_nothing_is_drawn) {
  const SecretBytes bytes(64, 1);
  Tape tape = Tape::borrowed(bytes);
  for (const std::uint64_t bad : {std::uint64_t{0}, std::uint64_t{1} << 56U, ~std::uint64_t{0}}) {
    EXPECT_TRUE(draw_index(tape, bad).error().is(Errc::bound_out_of_range));
    EXPECT_TRUE(draw_indices(tape, Bounds{6, bad}).error().is(Errc::bound_out_of_range));
  }
  EXPECT_EQ(tape.words_used(), 0U);
  EXPECT_TRUE(draw_index(tape, (std::uint64_t{1} << 56U) - 1));
}

TEST(DrawIndices, outcome_spaces_of_2_to_128_are_refused_and_smaller_ones_drawn) {
  const SecretBytes bytes(64, 1);
  Tape tape = Tape::borrowed(bytes);
  const std::uint64_t two_32 = std::uint64_t{1} << 32U;
  EXPECT_TRUE(draw_indices(tape, Bounds(4, two_32)).error().is(Errc::outcome_space_too_large));
  EXPECT_EQ(tape.words_used(), 0U);
  EXPECT_TRUE(draw_indices(tape, Bounds{two_32, two_32, two_32, two_32 - 1}));
  EXPECT_TRUE(check_outcome_space(Bounds(127, 2)));
  EXPECT_FALSE(check_outcome_space(Bounds(128, 2)));
  // The factors of 2^128 - 1, the largest space that there is.
  const Bounds largest{65535, 641ULL * 65537, 274177ULL * 6700417, 67280421310721ULL};
  EXPECT_TRUE(check_outcome_space(largest));
  EXPECT_TRUE(check_outcome_space(Bounds{0}).error().is(Errc::bound_out_of_range));
}

TEST(DrawIndices, rejected_words_are_counted_and_skipped) {
  SecretBytes bytes(
      24, 0);  // word 0 leaves the remainder 0, which every bound but a power of two refuses
  bytes[16] = 0x80;
  Tape tape = Tape::borrowed(bytes);
  EXPECT_EQ(draw_index(tape, 37).value(), 18U);
  EXPECT_EQ(tape.words_used(), 3U);
  EXPECT_EQ(tape.words_rejected(), 2U);
}

TEST(DrawIndices, a_source_stuck_at_zero_is_a_generator_fault_after_65_words) {
  const SecretBytes zeros(8192, 0);
  Tape tape = Tape::borrowed(zeros);
  EXPECT_TRUE(draw_index(tape, 37).error().is(Errc::generator_fault));
  EXPECT_EQ(tape.words_used(), 65U);
  EXPECT_EQ(tape.words_rejected(), 65U);
  EXPECT_TRUE(draw_index(tape, 2).error().is(Errc::generator_fault));
}

}  // namespace
}  // namespace talla::shuffle

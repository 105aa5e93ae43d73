// Goal: the shuffle reaches every order, each equally often, and takes the words of its plan.
// Method: all words of small widths; all 5,040 digit sequences of 7 cards at 64 bits; properties.
#include "shuffle/permutation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "shuffle/fisher_yates.hpp"
#include "small_words.hpp"

namespace talla::shuffle {
namespace {

using Order = std::vector<std::uint16_t>;

Order ordered(std::size_t n) {
  Order order(n);
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  return order;
}

/// How often each order of n items occurs when every sequence of `words` words of L bits is tried
/// once.
template <unsigned L>
std::map<Order, std::uint64_t> order_counts(std::size_t n) {
  static constexpr ConsecutivePlan<L, L, 16> small_plan;
  const std::size_t words = small_plan.words_count(n);
  std::map<Order, std::uint64_t> counts;
  for (std::uint64_t all = 0; all < (std::uint64_t{1} << (L * words)); ++all) {
    std::vector<std::uint64_t> list(words);
    for (std::size_t i = 0; i < words; ++i)
      list[i] = (all >> (L * i)) & ((std::uint64_t{1} << L) - 1);
    ListSource source(list);
    Order order = ordered(n);
    if (fisher_yates(small_plan, source, std::span(order))) ++counts[order];
  }
  return counts;
}

void expect_all_equally_often(const std::map<Order, std::uint64_t>& counts,
                              std::size_t orders_count, std::uint64_t times) {
  ASSERT_EQ(counts.size(), orders_count);
  for (const auto& [order, count] : counts) ASSERT_EQ(count, times);
}

TEST(PermutationExhaustive, orders_of_3_to_6_cards_are_equally_frequent_over_all_words_of_8_bits) {
  expect_all_equally_often(order_counts<8>(3), 6, 256 / 6);
  expect_all_equally_often(order_counts<8>(4), 24, 256 / 24);
  expect_all_equally_often(order_counts<8>(5), 120, 256 / 120);
  expect_all_equally_often(order_counts<8>(6), 720, std::uint64_t{256 / 120} * (256 / 6));
}

TEST(PermutationExhaustive,
     orders_of_7_cards_are_equally_frequent_over_all_pairs_of_words_of_8_bits) {
  expect_all_equally_often(order_counts<8>(7), 5040, std::uint64_t{256 / 120} * (256 / 42));
}

TEST(PermutationExhaustive, orders_of_3_to_6_cards_are_equally_frequent_over_all_words_of_12_bits) {
  expect_all_equally_often(order_counts<12>(3), 6, 4096 / 6);
  expect_all_equally_often(order_counts<12>(4), 24, 4096 / 24);
  expect_all_equally_often(order_counts<12>(5), 120, 4096 / 120);
  expect_all_equally_often(order_counts<12>(6), 720, 4096 / 720);
}

TEST(PermutationExhaustive, orders_of_3_to_8_cards_are_equally_frequent_over_all_words_of_16_bits) {
  std::size_t orders_count = 2;
  for (std::size_t n = 3; n <= 8; ++n) {
    orders_count *= n;
    expect_all_equally_often(order_counts<16>(n), orders_count, 65536 / orders_count);
  }
}

TEST(PermutationExhaustive, every_digit_sequence_of_7_cards_reaches_another_order) {
  constexpr std::uint64_t orders_count = 5040;
  const std::uint64_t threshold = rejection_threshold<64>(orders_count);
  std::set<std::vector<std::uint16_t>> reached;
  for (std::uint64_t sequence = 0; sequence < orders_count; ++sequence) {
    const Wide lowest = ((Wide{sequence} << 64U) + threshold + orders_count - 1) / orders_count;
    const Bytes word = ByteWriter().u64(static_cast<std::uint64_t>(lowest)).take();
    Tape tape = Tape::borrowed(word);
    reached.insert(draw_permutation(tape, 7).value());
    EXPECT_EQ(tape.words_rejected(), 0U);
  }
  EXPECT_EQ(reached.size(), orders_count);
}

TEST(Plan, words_for_one_to_eight_decks_are_frozen) {
  static_assert(shuffle_words(0) == 0);
  static_assert(shuffle_words(1) == 0);
  static_assert(shuffle_words(2) == 1);
  static_assert(shuffle_words(40) == 3);
  static_assert(shuffle_words(48) == 4);
  const std::vector<std::size_t> expected{5, 11, 18, 25, 33, 41, 50, 59};
  for (std::size_t decks = 1; decks <= 8; ++decks)
    EXPECT_EQ(shuffle_words(52 * decks), expected[decks - 1]);
  EXPECT_EQ(shuffle_bytes(416), 472U);
  EXPECT_EQ(shuffle_words(cards_count_max), 173U);
}

TEST(Plan, products_stay_below_2_to_56_and_would_reach_it_with_one_bound_more) {
  for (std::size_t i = 0; i < shuffle_plan.batches_count; ++i) {
    const auto batch = shuffle_plan.batches.at(i);
    Wide product = 1;
    for (std::size_t k = 0; k < batch.count; ++k) product *= batch.first + k;
    EXPECT_LT(product, Wide{1} << product_bits);
    EXPECT_LE(batch.count, batch_digits_max);
    const std::size_t next = std::size_t{batch.first} + batch.count;
    EXPECT_EQ(shuffle_plan.threshold_at.at(next - 1),
              static_cast<std::uint64_t>((Wide{1} << 64U) % product));
    if (next <= cards_count_max) {
      EXPECT_GE(product * next, Wide{1} << product_bits);
      EXPECT_EQ(shuffle_plan.batches.at(i + 1).first, next);
    }
  }
}

RC_GTEST_PROP(Permutation, result_is_a_permutation_that_replays_with_matching_accounts, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(0, cards_count_max + 1);
  const auto bytes = seeded_bytes(*rc::gen::arbitrary<std::uint64_t>(), 8 * 200);
  Tape tape = Tape::borrowed(bytes);
  const auto numbers = draw_permutation(tape, n);
  RC_ASSERT(numbers.has_value());
  auto sorted = *numbers;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < n; ++i) RC_ASSERT(sorted[i] == i);
  RC_ASSERT(tape.words_used() == shuffle_words(n) + tape.words_rejected());
  RC_ASSERT(tape.consumed().size() == 8 * tape.words_used());
  const Bytes consumed(tape.consumed().begin(), tape.consumed().end());
  Tape again = Tape::borrowed(consumed);
  RC_ASSERT(draw_permutation(again, n).value() == *numbers);
}

RC_GTEST_PROP(Permutation, the_shuffle_and_the_draw_of_indices_are_one_mapping, ()) {
  const auto n = *rc::gen::inRange<std::size_t>(2, 30);
  const auto bytes = seeded_bytes(*rc::gen::arbitrary<std::uint64_t>(), 8 * 20);
  std::vector<std::uint64_t> bounds(n - 1);
  std::iota(bounds.begin(), bounds.end(), std::uint64_t{2});
  Tape tape = Tape::borrowed(bytes);
  Tape draw = Tape::borrowed(bytes);
  const auto digits = draw_indices(draw, bounds);
  RC_ASSERT(digits.has_value());
  std::vector<std::uint16_t> expected(n);
  std::iota(expected.begin(), expected.end(), std::uint16_t{0});
  for (std::size_t i = 1; i < n; ++i) std::swap(expected[i], expected[digits->at(i - 1)]);
  RC_ASSERT(draw_permutation(tape, n).value() == expected);
}

TEST(Permutation, more_than_1024_items_are_refused_and_nothing_is_drawn) {
  const Bytes bytes(4096, 0x77);
  Tape tape = Tape::borrowed(bytes);
  std::vector<Card> cards(1025);
  EXPECT_TRUE(shuffle_cards(tape, cards).error().is(Errc::count_out_of_range));
  EXPECT_EQ(tape.words_used(), 0U);
  cards.pop_back();
  EXPECT_TRUE(shuffle_cards(tape, cards));
}

TEST(Permutation, a_tape_too_short_is_an_error_not_a_weaker_shuffle) {
  const Bytes bytes(shuffle_bytes(416) - 1, 0x77);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(draw_permutation(tape, 416).error().is(Errc::tape_exhausted));
}

}  // namespace
}  // namespace talla::shuffle

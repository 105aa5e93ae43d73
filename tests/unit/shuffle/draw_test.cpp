// Goal: wheels and dice give every result of their range and nothing else, and refuse sizes outside
//       it.
// Method: words at the edges of the results' intervals, and error cases that must draw nothing.
#include <gtest/gtest.h>

#include <set>

#include "shuffle/dice.hpp"
#include "shuffle/uniform.hpp"
#include "shuffle/wheel.hpp"
#include "small_words.hpp"

namespace talla::shuffle {
namespace {

/// The lowest accepted word whose only digit is `index` of `bound`.
Bytes word_for(std::uint64_t index, std::uint64_t bound) {
  const Wide lowest = ((Wide{index} << 64U) + rejection_threshold<64>(bound) + bound - 1) / bound;
  return ByteWriter().u64(static_cast<std::uint64_t>(lowest)).take();
}

TEST(Wheel, every_pocket_is_the_interval_of_its_index) {
  for (const std::uint32_t pockets : {1U, 2U, 37U, 38U, 54U, 65535U}) {
    for (const std::uint32_t index : {0U, pockets / 2, pockets - 1}) {
      const Bytes bytes = word_for(index, pockets);
      Tape tape = Tape::borrowed(bytes);
      EXPECT_EQ(spin_wheel(tape, pockets).value(), index);
      EXPECT_EQ(tape.words_used(), 1U);
    }
  }
}

TEST(Wheel, all_37_pockets_come_from_the_words_of_a_tape) {
  std::set<std::uint32_t> seen;
  const Bytes bytes = seeded_bytes(3, 8 * 1000);
  Tape tape = Tape::borrowed(bytes);
  for (int i = 0; i < 990; ++i) seen.insert(spin_wheel(tape, 37).value());
  EXPECT_EQ(seen.size(), 37U);
  EXPECT_EQ(*seen.rbegin(), 36U);
}

TEST(Wheel, sizes_outside_the_range_are_refused_and_nothing_is_drawn) {
  const Bytes bytes = seeded_bytes(3, 64);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(spin_wheel(tape, 0).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(spin_wheel(tape, 65536).error().is(Errc::count_out_of_range));
  EXPECT_EQ(tape.words_used(), 0U);
}

TEST(Dice, the_36_faces_of_two_dice_are_the_36_digit_pairs_of_one_word) {
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t pair = 0; pair < 36; ++pair) {
    const Bytes bytes = word_for(pair, 36);
    Tape tape = Tape::borrowed(bytes);
    const auto faces = roll_dice(tape, {.dice_count = 2, .faces_count = 6}).value();
    EXPECT_EQ(faces, (std::vector<std::uint32_t>{static_cast<std::uint32_t>(pair / 6 + 1),
                                                 static_cast<std::uint32_t>(pair % 6 + 1)}));
    seen.insert(faces);
  }
  EXPECT_EQ(seen.size(), 36U);
}

TEST(Dice, sizes_outside_the_range_are_refused_and_nothing_is_drawn) {
  const Bytes bytes = seeded_bytes(3, 256);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(roll_dice(tape, {.dice_count = 0}).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(roll_dice(tape, {.dice_count = 128}).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(roll_dice(tape, {.faces_count = 0}).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(roll_dice(tape, {.faces_count = 65536}).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(roll_dice(tape, {.dice_count = 50}).error().is(Errc::outcome_space_too_large));
  EXPECT_EQ(tape.words_used(), 0U);
  EXPECT_TRUE(roll_dice(tape, {.dice_count = 49}));
}

TEST(Dice, an_exhausted_tape_is_an_error) {
  Tape tape = Tape::borrowed({});
  EXPECT_TRUE(roll_dice(tape, {}).error().is(Errc::tape_exhausted));
}

}  // namespace
}  // namespace talla::shuffle

// Goal: wheels, dice and lots give every result of their range and nothing else, and refuse what
//       has none or too many.
// Method: words at the edges of the results' intervals, and error cases that must draw nothing.
#include "shuffle/draw.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shuffle/uniform.hpp"
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
      EXPECT_EQ(draw_values(tape, WheelDraw{pockets}).value().at(0), index);
      EXPECT_EQ(tape.words_used(), 1U);
    }
  }
}

TEST(Wheel, all_37_pockets_come_from_the_words_of_a_tape) {
  std::set<std::uint32_t> seen;
  const Bytes bytes = seeded_bytes(3, 8 * 1000);
  Tape tape = Tape::borrowed(bytes);
  for (int i = 0; i < 990; ++i) seen.insert(draw_values(tape, WheelDraw{37}).value().at(0));
  EXPECT_EQ(seen.size(), 37U);
  EXPECT_EQ(*seen.rbegin(), 36U);
}

TEST(Wheel, no_pocket_at_all_is_refused_and_nothing_is_drawn) {
  const Bytes bytes = seeded_bytes(3, 64);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(draw_values(tape, WheelDraw{0}).error().is(Errc::bound_out_of_range));
  EXPECT_EQ(tape.words_used(), 0U);
}

TEST(Dice, the_36_faces_of_two_dice_are_the_36_digit_pairs_of_one_word) {
  std::set<std::vector<std::uint32_t>> seen;
  for (std::uint64_t pair = 0; pair < 36; ++pair) {
    const Bytes bytes = word_for(pair, 36);
    Tape tape = Tape::borrowed(bytes);
    const auto faces = draw_values(tape, DiceDraw{2, 6}).value();
    EXPECT_EQ(faces, (std::vector<std::uint32_t>{static_cast<std::uint32_t>(pair / 6 + 1),
                                                 static_cast<std::uint32_t>(pair % 6 + 1)}));
    seen.insert(faces);
  }
  EXPECT_EQ(seen.size(), 36U);
}

TEST(Dice, too_many_outcomes_and_no_face_are_refused_and_nothing_is_drawn) {
  const Bytes bytes = seeded_bytes(3, 256);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(draw_values(tape, DiceDraw{2, 0}).error().is(Errc::bound_out_of_range));
  EXPECT_TRUE(draw_values(tape, DiceDraw{50, 6}).error().is(Errc::outcome_space_too_large));
  EXPECT_EQ(tape.words_used(), 0U);
  EXPECT_TRUE(draw_values(tape, DiceDraw{49, 6}));
}

TEST(Lots, are_the_digits_of_their_bounds_from_0) {
  const Bytes bytes = seeded_bytes(5, 256);
  Tape tape = Tape::borrowed(bytes);
  Tape digits = Tape::borrowed(bytes);
  const auto lots = draw_values(tape, LotsDraw{{90, 4'294'967'295U, 2}}).value();
  const auto drawn = draw_indices(digits, std::vector<std::uint64_t>{90, 4'294'967'295U, 2});
  EXPECT_TRUE(std::ranges::equal(lots, drawn.value()));
  EXPECT_EQ(tape.words_used(), digits.words_used());
  const std::vector<std::uint32_t> five(5, 1U << 31U);
  EXPECT_TRUE(draw_values(tape, LotsDraw{five}).error().is(Errc::outcome_space_too_large));
}

TEST(Dice, an_exhausted_tape_is_an_error) {
  Tape tape = Tape::borrowed({});
  EXPECT_TRUE(draw_values(tape, DiceDraw{}).error().is(Errc::tape_exhausted));
}

}  // namespace
}  // namespace talla::shuffle

// Goal: a shoe holds exactly its deck, the cut is a rotation within its bounds, the stop card
//       stands in its place.
// Method: properties over all deck sizes; every cut, position and depth of small shoes.
#include "shuffle/shoe.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "shuffle/batch.hpp"
#include "small_words.hpp"

namespace talla::shuffle {
namespace {

RC_GTEST_PROP(Shoe, cards_are_the_deck_and_the_same_tape_gives_the_same_shoe, ()) {
  const auto spec =
      DeckSpec::create({.family = *rc::gen::element(DeckFamily::french52, DeckFamily::spanish40),
                        .decks_count = *rc::gen::inRange(1, 9),
                        .removed_ranks = *rc::gen::element<std::uint16_t>(0, 0x003e, 0x0001)})
          .value();
  const Bytes bytes = seeded_bytes(*rc::gen::arbitrary<std::uint64_t>(), 1024);
  Tape tape = Tape::borrowed(bytes);
  Tape again = Tape::borrowed(bytes);
  const SecretCards cards = shuffle_shoe(tape, spec).value();
  RC_ASSERT(cards == shuffle_shoe(again, spec).value());
  RC_ASSERT(spec.check_census(cards).has_value());
  RC_ASSERT(tape.words_used() == shuffle_words(spec.cards_count()) + tape.words_rejected());
}

TEST(Shoe, ninety_balls_take_nine_words_and_all_are_there) {
  const Bytes bytes = seeded_bytes(90, 1024);
  Tape tape = Tape::borrowed(bytes);
  const auto spec = DeckSpec::parse("balls90x1").value();
  const SecretCards balls = shuffle_shoe(tape, spec).value();
  EXPECT_TRUE(spec.check_census(balls));
  EXPECT_EQ(tape.words_used(), 9U + tape.words_rejected());
}

TEST(Shoe, a_failing_tape_gives_no_shoe) {
  Tape tape = Tape::from_entropy(SecretBytes(400, 0x33));
  EXPECT_TRUE(shuffle_shoe(tape, DeckSpec::french(8)).error().is(Errc::tape_exhausted));
}

TEST(Cut, draws_stay_within_both_bounds_and_reach_both) {
  std::set<std::uint32_t> seen;
  const Bytes bytes = seeded_bytes(7, 8000);
  Tape tape = Tape::borrowed(bytes);
  for (int i = 0; i < 900; ++i) seen.insert(draw_cut(tape, {.min = 20, .max = 31}, 52).value());
  EXPECT_EQ(seen.size(), 12U);
  EXPECT_EQ(*seen.begin(), 20U);
  EXPECT_EQ(*seen.rbegin(), 31U);
}

TEST(Cut, bounds_outside_the_shoe_are_refused_and_nothing_is_drawn) {
  const Bytes bytes = seeded_bytes(7, 80);
  Tape tape = Tape::borrowed(bytes);
  EXPECT_TRUE(draw_cut(tape, {.min = 5, .max = 4}, 52).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(draw_cut(tape, {.min = 0, .max = 52}, 52).error().is(Errc::count_out_of_range));
  EXPECT_TRUE(draw_cut(tape, {.min = 0, .max = 0}, 0).error().is(Errc::count_out_of_range));
  EXPECT_EQ(tape.words_used(), 0U);
  EXPECT_TRUE(draw_cut(tape, rotation_bounds(52), 52));
}

TEST(Cut, dealt_position_p_is_leaf_p_plus_c_modulo_n_and_back) {
  for (std::uint32_t n = 1; n <= 12; ++n) {
    for (std::uint32_t cut = 0; cut < n; ++cut) {
      const auto shoe = CutShoe::create({.cards_count = n, .cut = cut}).value();
      for (std::uint32_t p = 0; p < n; ++p) {
        EXPECT_EQ(shoe.leaf_index_at(p), (p + cut) % n);
        EXPECT_EQ(shoe.dealt_position_of(shoe.leaf_index_at(p)), p);
      }
    }
  }
}

TEST(StopCard, stands_before_dealt_position_n_minus_depth_counted_after_the_cut) {
  const auto shoe =
      CutShoe::create({.cards_count = 416, .cut = 100, .stop_card_depth = 60}).value();
  for (std::uint32_t p = 0; p < 416; ++p) {
    EXPECT_EQ(shoe.stop_card_before(p), p == 356) << p;
    EXPECT_EQ(shoe.stop_card_passed(p), p >= 356) << p;
  }
}

TEST(StopCard, depth_zero_means_none_and_a_full_depth_comes_out_first) {
  const auto none = CutShoe::create({.cards_count = 52}).value();
  EXPECT_FALSE(none.stop_card_passed(52));
  const auto first = CutShoe::create({.cards_count = 52, .stop_card_depth = 52}).value();
  EXPECT_TRUE(first.stop_card_before(0));
}

TEST(CutShoe, parts_outside_their_range_are_refused) {
  EXPECT_FALSE(CutShoe::create({.cards_count = 0}));
  EXPECT_FALSE(CutShoe::create({.cards_count = 1025}));
  EXPECT_FALSE(CutShoe::create({.cards_count = 52, .cut = 52}));
  EXPECT_FALSE(CutShoe::create({.cards_count = 52, .stop_card_depth = 53}));
}

TEST(CutShoeDeathTest, positions_beyond_the_shoe_are_programmer_errors) {
  const auto shoe = CutShoe::create({.cards_count = 52}).value();
  EXPECT_DEATH((void)shoe.leaf_index_at(52), "dealt_position");
  EXPECT_DEATH((void)shoe.dealt_position_of(52), "leaf_index");
}

}  // namespace
}  // namespace talla::shuffle

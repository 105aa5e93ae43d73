// Goal: a shoe holds exactly its deck, and the cut is a rotation within its bounds.
// Method: properties over all deck sizes; every cut and position of small shoes.
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
  const SecretBytes bytes(400, 0x33);
  Tape tape = Tape::borrowed(bytes);
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

TEST(Cut, dealt_position_p_is_leaf_p_plus_c_modulo_n_and_the_order_is_dealt_so) {
  const auto deck = DeckSpec::parse("spanish40x1").value().cards();
  for (std::uint32_t n = 1; n <= 12; ++n) {
    const SecretCards order(deck.begin(), deck.begin() + n);
    for (std::uint32_t cut = 0; cut < n; ++cut) {
      const auto dealt = dealt_order(order, cut);
      ASSERT_EQ(dealt.size(), n);
      for (std::uint32_t p = 0; p < n; ++p) {
        EXPECT_EQ(leaf_of_position(p, cut, n), (p + cut) % n);
        EXPECT_EQ(dealt[p], order[(p + cut) % n]);
      }
    }
  }
}

TEST(CutDeathTest, positions_and_cuts_beyond_the_shoe_are_programmer_errors) {
  EXPECT_DEATH((void)leaf_of_position(52, 0, 52), "dealt_position");
  EXPECT_DEATH((void)leaf_of_position(0, 52, 52), "cut");
}

}  // namespace
}  // namespace talla::shuffle

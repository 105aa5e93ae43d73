// Goal: a shoe holds exactly its deck.
// Method: properties over all deck sizes; tapes that fail.
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

}  // namespace
}  // namespace talla::shuffle

// Goal: a deck specification has one text, the cards it says, and a census that no other multiset
//       passes.
// Method: literal texts, every valid combination of family, decks and jokers, and single-card
//         changes.
#include "shuffle/deck.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace talla::shuffle {
namespace {

std::size_t count_of(const char* text) {
  return DeckSpec::parse(text).value().cards_count();
}

TEST(DeckSpec, cards_counts_are_those_of_the_field) {
  EXPECT_EQ(count_of("french52x1"), 52U);
  EXPECT_EQ(count_of("french52x6"), 312U);
  EXPECT_EQ(count_of("french52x8"), 416U);
  EXPECT_EQ(count_of("french52+1jx1"), 53U);
  EXPECT_EQ(count_of("french52-2x1"), 48U);
  EXPECT_EQ(count_of("french52-23x1"), 44U);
  EXPECT_EQ(count_of("french52-234x1"), 40U);
  EXPECT_EQ(count_of("french52-2345x1"), 36U);
  EXPECT_EQ(count_of("french52-23456x1"), 32U);
  EXPECT_EQ(count_of("french52-234567x1"), 28U);
  EXPECT_EQ(count_of("spanish40x1"), 40U);
  EXPECT_EQ(count_of("spanish48x2"), 96U);
  EXPECT_EQ(count_of("balls90x1"), 90U);
}

TEST(DeckSpec, text_and_parts_read_back_for_every_family_count_and_joker) {
  for (const DeckFamily family :
       {DeckFamily::french52, DeckFamily::spanish40, DeckFamily::spanish48}) {
    for (int decks = 1; decks <= 8; ++decks) {
      for (int jokers = 0; jokers <= (family == DeckFamily::french52 ? 4 : 0); ++jokers) {
        for (const std::uint16_t removed :
             std::initializer_list<std::uint16_t>{0, 0x001, 0x03e, 0x842}) {
          const auto spec = DeckSpec::create({.family = family,
                                              .decks_count = decks,
                                              .removed_ranks = removed,
                                              .jokers_per_deck = jokers});
          ASSERT_TRUE(spec);
          EXPECT_EQ(DeckSpec::parse(spec->text()).value(), *spec);
          EXPECT_EQ(spec->cards().size(), spec->cards_count());
          EXPECT_TRUE(spec->check_census(spec->cards()));
        }
      }
    }
  }
}

TEST(DeckSpec, every_other_spelling_is_refused) {
  for (const char* text : {"",
                           "french52",
                           "french52x",
                           "french52x0",
                           "french52x9",
                           "french52x08",
                           "french52x10",
                           "french52x1 ",
                           "French52x1",
                           "french52-x1",
                           "french52-32x1",
                           "french52-22x1",
                           "french52-1x1",
                           "french52+0jx1",
                           "french52+jx1",
                           "french52+5jx1",
                           "french52+1jx",
                           "french52+1j-2x1",
                           "spanish40+1jx1",
                           "spanish40-8x1",
                           "spanish40-RCSx1",
                           "french52-A23456789TJQKx1",
                           "spanish40x1x1",
                           "balls90",
                           "balls90x2",
                           "balls90x0",
                           "balls90-7x1",
                           "balls90+1jx1",
                           "balls89x1",
                           "poker52x1"}) {
    const auto spec = DeckSpec::parse(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_TRUE(spec.error().is(Errc::malformed_deck)) << text;
  }
}

TEST(DeckSpec, parts_outside_their_range_are_refused) {
  EXPECT_FALSE(DeckSpec::create({.decks_count = 0}));
  EXPECT_FALSE(DeckSpec::create({.decks_count = 9}));
  EXPECT_FALSE(DeckSpec::create({.jokers_per_deck = -1}));
  EXPECT_FALSE(DeckSpec::create({.jokers_per_deck = 5}));
  EXPECT_FALSE(DeckSpec::create({.removed_ranks = 0x2000}));
  EXPECT_FALSE(DeckSpec::create({.removed_ranks = 0x1fff}));
  EXPECT_FALSE(DeckSpec::create({.family = static_cast<DeckFamily>(4)}));
  EXPECT_FALSE(DeckSpec::create({.family = DeckFamily::spanish40, .removed_ranks = 0x0080}));
  EXPECT_TRUE(DeckSpec::create({.removed_ranks = 0x1fff, .jokers_per_deck = 1}));
}

TEST(DeckSpec, unshuffled_order_is_deck_by_deck_suit_by_suit_jokers_last) {
  const auto cards = DeckSpec::parse("french52+2jx2").value().cards();
  ASSERT_EQ(cards.size(), 108U);
  EXPECT_EQ(cards[0].text(), "AC");
  EXPECT_EQ(cards[12].text(), "KC");
  EXPECT_EQ(cards[13].text(), "AD");
  EXPECT_EQ(cards[51].text(), "KS");
  EXPECT_EQ(cards[52].text(), "Jk");
  EXPECT_EQ(cards[53].text(), "Jk");
  EXPECT_EQ(cards[54].text(), "AC");
  const auto spanish = DeckSpec::parse("spanish40x1").value().cards();
  EXPECT_EQ(spanish[6].text(), "7o");
  EXPECT_EQ(spanish[7].text(), "So");
  EXPECT_EQ(spanish[39].text(), "Rb");
}

TEST(DeckSpec, balls_are_the_numbers_one_to_ninety_each_once) {
  const auto spec = DeckSpec::parse("balls90x1").value();
  EXPECT_EQ(spec.text(), "balls90x1");
  const auto balls = spec.cards();
  ASSERT_EQ(balls.size(), 90U);
  for (int number = 1; number <= 90; ++number) {
    EXPECT_EQ(balls[static_cast<std::size_t>(number - 1)], Card::ball(number));
    EXPECT_EQ(spec.copies_of(Card::ball(number)), 1);
  }
  EXPECT_EQ(spec.copies_of(Card::joker()), 0);
  auto changed = balls;
  changed[0] = Card::ball(90);
  EXPECT_TRUE(spec.check_census(balls));
  EXPECT_TRUE(spec.check_census(changed).error().is(Errc::census_mismatch));
  EXPECT_FALSE(DeckSpec::create({.family = DeckFamily::balls90, .decks_count = 2}));
}

TEST(DeckSpec, copies_of_a_card_follow_decks_and_removed_ranks) {
  const auto spec = DeckSpec::parse("french52-2+1jx6").value();
  EXPECT_EQ(spec.copies_of(Card::parse("7H").value()), 6);
  EXPECT_EQ(spec.copies_of(Card::parse("2H").value()), 0);
  EXPECT_EQ(spec.copies_of(Card::joker()), 6);
  EXPECT_EQ(spec.copies_of(Card::parse("7o").value()), 0);
}

TEST(DeckSpec, census_holds_in_any_order_and_for_no_other_multiset) {
  const DeckSpec spec = DeckSpec::french(8);
  auto cards = spec.cards();
  std::reverse(cards.begin(), cards.end());
  EXPECT_TRUE(spec.check_census(cards));
  for (std::size_t i = 0; i < cards.size(); ++i) {
    auto changed = cards;
    changed[i] = Card::from_code(static_cast<std::uint8_t>((cards[i].code() + 1) % 52)).value();
    EXPECT_TRUE(spec.check_census(changed).error().is(Errc::census_mismatch));
  }
  cards.pop_back();
  EXPECT_FALSE(spec.check_census(cards));
  EXPECT_FALSE(DeckSpec::french(7).check_census(spec.cards()));
  EXPECT_FALSE(spec.check_census({}));
}

}  // namespace
}  // namespace talla::shuffle

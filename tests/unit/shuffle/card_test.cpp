// Goal: a card is one byte and one text, both frozen, and nothing else is a card.
// Method: all 256 bytes and all two-letter texts.
#include "shuffle/card.hpp"

#include <gtest/gtest.h>

#include <set>

namespace talla::shuffle {
namespace {

TEST(Card, exactly_191_bytes_are_cards_and_balls_and_their_texts_are_different_and_read_back) {
  std::set<std::string> texts;
  for (int code = 0; code < 256; ++code) {
    const auto card = Card::from_code(static_cast<std::uint8_t>(code));
    const bool is_card = code <= 52 || (code >= 64 && code < 112) || (code >= 128 && code < 218);
    ASSERT_EQ(card.has_value(), is_card) << code;
    if (!card) continue;
    EXPECT_EQ(card->code(), code);
    EXPECT_EQ(Card::parse(card->text()).value(), *card);
    texts.insert(card->text());
  }
  EXPECT_EQ(texts.size(), 52U + 1U + 48U + 90U);
}

TEST(Card, of_all_one_and_two_letter_texts_only_the_101_cards_and_the_first_nine_balls_are_read) {
  int read = 0;
  for (int a = 0; a < 256; ++a) {
    if (Card::parse(std::string{static_cast<char>(a)})) ++read;
    for (int b = 0; b < 256; ++b) {
      const std::string text{static_cast<char>(a), static_cast<char>(b)};
      const auto card = Card::parse(text);
      if (!card) continue;
      ++read;
      EXPECT_EQ(card->text(), text);
    }
  }
  EXPECT_EQ(read, 101 + 9);
}

TEST(Card, other_texts_are_refused) {
  for (const char* text :
       {"",    "B",  "B0", "B07", "B91", "B100", "b7", "B+7", "B-7", "B7 ", "17",
        "10H", "7h", "tS", "1C",  "To",  "0o",   "8O", "JK",  "jk",  "7H ", " 7H"}) {
    const auto card = Card::parse(text);
    ASSERT_FALSE(card) << text;
    EXPECT_TRUE(card.error().is(Errc::malformed_card));
  }
}

TEST(Card, bytes_are_frozen) {
  EXPECT_EQ(Card::parse("AC")->code(), 0);
  EXPECT_EQ(Card::parse("KC")->code(), 12);
  EXPECT_EQ(Card::parse("AD")->code(), 13);
  EXPECT_EQ(Card::parse("7H")->code(), 32);
  EXPECT_EQ(Card::parse("TS")->code(), 48);
  EXPECT_EQ(Card::parse("KS")->code(), 51);
  EXPECT_EQ(Card::parse("Jk")->code(), 52);
  EXPECT_EQ(Card::parse("1o")->code(), 64);
  EXPECT_EQ(Card::parse("7o")->code(), 70);
  EXPECT_EQ(Card::parse("Ro")->code(), 75);
  EXPECT_EQ(Card::parse("1c")->code(), 76);
  EXPECT_EQ(Card::parse("Rb")->code(), 111);
  EXPECT_EQ(Card::parse("B1")->code(), 128);
  EXPECT_EQ(Card::parse("B17")->code(), 144);
  EXPECT_EQ(Card::parse("B90")->code(), 217);
}

TEST(Card, rank_suit_and_family_are_those_of_the_text) {
  const Card ten = Card::parse("TS").value();
  EXPECT_EQ(ten.rank(), 10);
  EXPECT_EQ(ten.suit(), Suit::spades);
  EXPECT_EQ(ten.family(), CardFamily::french);
  EXPECT_EQ(ten, Card::of(10, Suit::spades));
  const Card knight = Card::parse("Ce").value();
  EXPECT_EQ(knight.rank(), 11);
  EXPECT_EQ(knight.suit(), Suit::espadas);
  EXPECT_EQ(knight.family(), CardFamily::spanish);
  EXPECT_EQ(knight, Card::of(11, Suit::espadas));
  for (int number = 1; number <= 90; ++number) {
    EXPECT_EQ(Card::ball(number).rank(), number);
    EXPECT_EQ(Card::ball(number).text(), "B" + std::to_string(number));
    EXPECT_EQ(Card::ball(number).family(), CardFamily::ball);
  }
  EXPECT_FALSE(Card::joker().is_ball());
  EXPECT_TRUE(Card::joker().is_joker());
  EXPECT_EQ(Card::joker().rank(), 0);
}

TEST(CardDeathTest, a_card_that_does_not_exist_cannot_be_made) {
  EXPECT_DEATH((void)Card::of(14, Suit::hearts), "rank");
  EXPECT_DEATH((void)Card::of(0, Suit::hearts), "rank");
  EXPECT_DEATH((void)Card::of(13, Suit::oros), "rank");
  EXPECT_DEATH((void)Card::joker().suit(), "joker");
  EXPECT_DEATH((void)Card::ball(7).suit(), "ball");
  EXPECT_DEATH((void)Card::ball(0), "number");
  EXPECT_DEATH((void)Card::ball(91), "number");
}

}  // namespace
}  // namespace talla::shuffle

// Goal: amounts are exact until the one rounding, and that rounding is the one that was chosen.
// Method: hand-computed cases, and properties against 64-bit arithmetic on random small fractions.
#include "games/money.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace talla::games {
namespace {

Fraction ratio(std::int64_t numerator, std::int64_t denominator) {
  return {Int128{numerator}, Int128{denominator}};
}

TEST(Fraction, is_kept_in_lowest_terms_with_positive_denominator) {
  EXPECT_EQ(ratio(6, -4).text(), "-3/2");
  EXPECT_EQ(ratio(-6, -3).text(), "2");
  EXPECT_EQ(ratio(0, 7).text(), "0");
}

TEST(Fraction, reads_every_spelling_of_the_catalogue) {
  EXPECT_EQ(*Fraction::parse("35:1"), Fraction(35));
  EXPECT_EQ(*Fraction::parse("3/2"), ratio(3, 2));
  EXPECT_EQ(*Fraction::parse("5%"), ratio(1, 20));
  EXPECT_EQ(*Fraction::parse("100"), Fraction(100));
}

TEST(Fraction, refuses_what_is_no_fraction) {
  for (const auto* text : {"", "1/0", "1:0", "-1", "1.5", "01", "1/", "/2", "1000001", "%", "1/2/3",
                           " 1", "1 ", "--1"}) {
    EXPECT_FALSE(Fraction::parse(text)) << text;
  }
}

TEST(Fraction, canonical_spelling_comes_back_and_no_other_is_read) {
  EXPECT_EQ(*Fraction::parse_canonical("-3/2"), ratio(-3, 2));
  EXPECT_FALSE(Fraction::parse_canonical("6/4"));
  EXPECT_FALSE(Fraction::parse_canonical("2/1"));
  EXPECT_FALSE(Fraction::parse_canonical("-0"));
}

TEST(Fraction, arithmetic_agrees_with_cross_multiplication) {
  EXPECT_TRUE(rc::check([] {
    const auto a = *rc::gen::inRange<std::int64_t>(-10000, 10000);
    const auto b = *rc::gen::inRange<std::int64_t>(1, 10000);
    const auto c = *rc::gen::inRange<std::int64_t>(-10000, 10000);
    const auto d = *rc::gen::inRange<std::int64_t>(1, 10000);
    RC_ASSERT(ratio(a, b) + ratio(c, d) == ratio(a * d + c * b, b * d));
    RC_ASSERT(ratio(a, b) - ratio(c, d) == ratio(a * d - c * b, b * d));
    RC_ASSERT(ratio(a, b) * ratio(c, d) == ratio(a * c, b * d));
    RC_ASSERT((ratio(a, b) < ratio(c, d)) == (a * d < c * b));
    if (c != 0) RC_ASSERT(ratio(a, b) / ratio(c, d) == ratio(a * d, b * c));
  }));
}

TEST(Fraction, floor_and_ceiling_enclose_the_value) {
  EXPECT_TRUE(rc::check([] {
    const auto a = *rc::gen::inRange<std::int64_t>(-100000, 100000);
    const auto b = *rc::gen::inRange<std::int64_t>(1, 100);
    const auto value = ratio(a, b);
    RC_ASSERT(Fraction(value.floor()) <= value);
    RC_ASSERT(value < Fraction(value.floor() + 1));
    RC_ASSERT(Fraction(value.ceil()) >= value);
    RC_ASSERT(Fraction(value.ceil() - 1) < value);
  }));
}

TEST(Rounding, goes_where_the_parameter_says_and_names_the_remainder) {
  const auto exact = ratio(195, 2);
  EXPECT_EQ(round(exact, Rounding::down).units, 97);
  EXPECT_EQ(round(exact, Rounding::down).remainder, ratio(1, 2));
  EXPECT_EQ(round(exact, Rounding::up).units, 98);
  EXPECT_EQ(round(exact, Rounding::up).remainder, ratio(-1, 2));
  EXPECT_EQ(round(exact, Rounding::nearest).units, 98);
  EXPECT_EQ(round(ratio(194, 4), Rounding::nearest).units, 49);
  EXPECT_EQ(round(ratio(193, 4), Rounding::nearest).units, 48);
}

TEST(Rounding, units_and_remainder_add_up_to_the_exact_amount) {
  EXPECT_TRUE(rc::check([] {
    const auto exact = ratio(*rc::gen::inRange<std::int64_t>(0, 1000000),
                             *rc::gen::inRange<std::int64_t>(1, 1000));
    for (const auto rounding : {Rounding::down, Rounding::up, Rounding::nearest}) {
      const auto rounded = round(exact, rounding);
      RC_ASSERT(Fraction(rounded.units) + rounded.remainder == exact);
      RC_ASSERT(rounded.remainder < Fraction(1));
      RC_ASSERT(rounded.remainder > Fraction(-1));
    }
  }));
}

TEST(Halving, stays_exact_and_refuses_before_it_could_overflow) {
  EXPECT_EQ(*halved(Fraction(100)), Fraction(50));
  EXPECT_EQ(*halved(Fraction(25), 3), ratio(25, 8));
  EXPECT_TRUE(halved(Fraction(1), 62));
  EXPECT_FALSE(halved(Fraction(1), 63));
  EXPECT_FALSE(halved(*halved(Fraction(1), 40), 40));
}

TEST(Currency, knows_active_and_historic_codes_only) {
  for (const auto* code : {"EUR", "USD", "ESP", "FRF", "XEU", "ZWL"})
    EXPECT_TRUE(currency_known(code)) << code;
  for (const auto* code : {"", "EU", "EURO", "eur", "XXX", "R A", "PTA"})
    EXPECT_FALSE(currency_known(code)) << code;
}

TEST(Fraction, integers_multiply_and_round_the_same_on_both_sides_of_the_short_way) {
  std::vector<std::int64_t> all;
  for (const std::int64_t near : {std::int64_t{0}, std::int64_t{1} << 53, std::int64_t{1} << 61,
                                  (std::int64_t{1} << 62) - 2}) {
    for (std::int64_t step = -2; step <= 2; ++step) {
      all.push_back(near + step);
      all.push_back(-near - step);
    }
  }
  for (const auto a : all) {
    for (const auto b : all)
      EXPECT_TRUE((Fraction(a) * Fraction(b)).numerator() == Int128{a} * Int128{b})
          << a << ' ' << b;
    if (a >= (std::int64_t{1} << 62) || a <= -(std::int64_t{1} << 62)) continue;
    EXPECT_EQ(Fraction(a).floor(), a);
    for (const auto way : {Rounding::down, Rounding::up, Rounding::nearest}) {
      EXPECT_EQ(round(Fraction(a), way).units, a);
      EXPECT_TRUE(round(Fraction(a), way).remainder.is_zero());
    }
  }
}

}  // namespace
}  // namespace talla::games

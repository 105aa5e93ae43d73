// Goal: the arithmetic under the cutoffs rounds each result to the side that it says, to the last
// of its 256 bits, so that two of them enclose the true value.
// Method: whole numbers of any length as reference, on operands of zeros, ones and edges; powers of
// two by thousandths of a bit are raised to the thousandth power.
#include "wide_float.hpp"

#include <botan/bigint.h>
#include <botan/divide.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace talla::entropy {

struct WideFloatTestAccess {
  static WideFloat made(const std::array<std::uint64_t, 4>& limbs, std::int64_t exponent) {
    WideFloat made;
    made.mantissa_ = limbs;
    made.exponent_ = exponent;
    return made;
  }
  static const std::array<std::uint64_t, 4>& limbs(const WideFloat& value) {
    return value.mantissa_;
  }
  static std::int64_t exponent(const WideFloat& value) { return value.exponent_; }
};

namespace {

using Access = WideFloatTestAccess;
using Botan::BigInt;

/// A whole number times a power of two.
struct Exact {
  BigInt number;
  std::int64_t exponent = 0;
};

BigInt shifted(const BigInt& number, std::int64_t by) {
  return by >= 0 ? number << static_cast<std::size_t>(by) : number >> static_cast<std::size_t>(-by);
}

Exact exact(const WideFloat& value) {
  BigInt number;
  for (std::size_t i = 4; i-- > 0;) number = (number << 64) + BigInt(Access::limbs(value).at(i));
  return {number, Access::exponent(value)};
}

/// The 256 bits to that side of it; `more` says that the true value is a little above.
Exact rounded(const Exact& value, Round round, bool more = false) {
  const std::int64_t over = static_cast<std::int64_t>(value.number.bits()) - 256;
  Exact result{shifted(value.number, -over), value.exponent + over};
  if (over > 0) more = more || shifted(result.number, over) != value.number;
  if (more && round == Round::up) result.number += 1;
  if (result.number.bits() == 257) {
    result.number >>= 1;
    ++result.exponent;
  }
  return result;
}

testing::AssertionResult is(const WideFloat& got, const Exact& wanted) {
  const Exact there = exact(got);
  if (wanted.number.is_zero() && there.number.is_zero()) return testing::AssertionSuccess();
  if (there.number == wanted.number && there.exponent == wanted.exponent)
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << there.number.to_hex_string() << " e " << there.exponent << ", not "
         << wanted.number.to_hex_string() << " e " << wanted.exponent;
}

/// Values of every shape: powers of two, all ones, holes, single low bits, noise.
std::vector<WideFloat> values() {
  constexpr std::uint64_t top = std::uint64_t{1} << 63U;
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  std::mt19937_64 random(5);
  std::vector<std::array<std::uint64_t, 4>> mantissas{
      {0, 0, 0, top},     {1, 0, 0, top},   {ones, ones, ones, ones}, {ones, 0, ones, ones},
      {0, ones, 0, ones}, {0, 0, 1, top},   {0, 1, 0, top | 1},       {ones, ones, ones, top},
      {0, 0, 0, ones},    {top, 0, 0, top}, {0, 0, top, top},         {ones - 1, ones, ones, ones}};
  for (int i = 0; i < 6; ++i) mantissas.push_back({random(), random(), random(), random() | top});
  std::vector<WideFloat> all{WideFloat()};
  for (const auto& limbs : mantissas) {
    for (const std::int64_t exponent : {-900, -257, -255, -1, 0, 77})
      all.push_back(Access::made(limbs, exponent));
  }
  return all;
}

constexpr std::array<Round, 2> both_sides{Round::down, Round::up};

TEST(WideFloat, products_are_rounded_to_their_side) {
  const std::vector<WideFloat> all = values();
  for (const WideFloat& a : all) {
    for (const WideFloat& b : all) {
      const Exact x = exact(a);
      const Exact y = exact(b);
      for (const Round round : both_sides)
        ASSERT_TRUE(
            is(a.times(b, round), rounded({x.number * y.number, x.exponent + y.exponent}, round)));
    }
  }
}

constexpr std::array<std::uint64_t, 8> factors{
    1, 2, 3, 1000, 0xFFFF'FFFF, 0x1'0000'0001, std::uint64_t{1} << 63U, ~std::uint64_t{0}};

TEST(WideFloat, products_and_quotients_of_whole_numbers_are_rounded_to_their_side) {
  for (const WideFloat& a : values()) {
    const Exact x = exact(a);
    for (const std::uint64_t factor : factors) {
      const BigInt number = BigInt(factor);
      // Far more bits of the quotient than are kept; what is left over says that it is above.
      const BigInt wide = x.number << 400;
      BigInt quotient;
      BigInt rest;
      Botan::divide(wide, number, quotient, rest);
      for (const Round round : both_sides) {
        ASSERT_TRUE(is(a.times(factor, round), rounded({x.number * number, x.exponent}, round)));
        ASSERT_TRUE(is(a.divided_by(factor, round),
                       rounded({quotient, x.exponent - 400}, round, !rest.is_zero())))
            << factor;
      }
    }
  }
  EXPECT_TRUE(WideFloat::from(7).times(0, Round::up).is_zero());
}

TEST(WideFloat, sums_are_rounded_to_their_side_however_far_apart_their_parts_are) {
  const std::vector<WideFloat> all = values();
  for (const WideFloat& a : all) {
    const Exact x = exact(a);
    for (const WideFloat& b : all) {
      for (const std::int64_t apart :
           {0, 1, 63, 64, 65, 191, 192, 255, 256, 257, 318, 319, 320, 321, 600}) {
        const WideFloat c = Access::made(Access::limbs(b), Access::exponent(a) - apart);
        const Exact y = exact(c);
        const Exact sum{shifted(x.number, apart) + y.number, y.exponent};
        for (const Round round : both_sides) {
          ASSERT_TRUE(is(a.plus(c, round), rounded(sum, round))) << apart;
          ASSERT_TRUE(is(c.plus(a, round), rounded(sum, round))) << apart;
        }
      }
    }
  }
}

TEST(WideFloat, order_is_that_of_the_values) {
  const std::vector<WideFloat> all = values();
  for (const WideFloat& a : all) {
    for (const WideFloat& b : all) {
      const Exact x = exact(a);
      const Exact y = exact(b);
      const std::int64_t least = std::min(x.exponent, y.exponent);
      ASSERT_EQ(a <= b,
                shifted(x.number, x.exponent - least) <= shifted(y.number, y.exponent - least));
    }
  }
}

TEST(WideFloat, whole_numbers_and_powers_of_two_are_exact) {
  for (const std::uint64_t value : factors) {
    const WideFloat made = WideFloat::from(value);
    EXPECT_TRUE(is(made, rounded({BigInt(value), 0}, Round::down)));
    EXPECT_EQ(made.log2_floor(), static_cast<std::int64_t>(BigInt(value).bits()) - 1);
    EXPECT_FALSE(made.is_zero());
  }
  EXPECT_TRUE(WideFloat::from(0).is_zero());
  for (const std::int64_t exponent : {-400, -1, 0, 1, 300}) {
    EXPECT_EQ(WideFloat::power_of_two(exponent).log2_floor(), exponent);
    EXPECT_TRUE(is(WideFloat::power_of_two(exponent), {BigInt(1) << 255, exponent - 255}));
  }
}

TEST(WideFloat, one_less_is_exact_from_one_to_the_end_of_its_range) {
  std::mt19937_64 random(9);
  constexpr std::uint64_t top = std::uint64_t{1} << 63U;
  for (std::int64_t log2 = 0; log2 < 63; ++log2) {
    for (const WideFloat& a :
         {WideFloat::power_of_two(log2),
          Access::made({random(), random(), random(), random() | top}, log2 - 255),
          Access::made({1, 0, 0, top}, log2 - 255)}) {
      const Exact x = exact(a);
      const Exact less{x.number - shifted(1, -x.exponent), x.exponent};
      ASSERT_TRUE(is(a.minus_one(), less.number.is_zero() ? less : rounded(less, Round::down)));
    }
  }
}

/// value^1000 against 2^millibits, by whole numbers.
int compared(const WideFloat& value, std::int64_t millibits) {
  const Exact x = exact(value);
  BigInt power = 1;
  for (int bit = 9; bit >= 0; --bit) {
    power = power * power;
    if ((1000U >> static_cast<unsigned>(bit) & 1U) != 0) power *= x.number;
  }
  const BigInt wanted = BigInt(1) << static_cast<std::size_t>(millibits - 1000 * x.exponent);
  return power < wanted ? -1 : power > wanted ? 1 : 0;
}

TEST(WideFloat, powers_by_thousandths_of_a_bit_are_enclosed_within_2_to_the_minus_240) {
  for (const std::int64_t millibits :
       {-7001, -7000, -2999, -1001, -1000, -999, -1, 0, 1, 500, 880, 999, 1000, 1001, 7000, 7999}) {
    const Enclosure power = power_of_two_millibits(millibits);
    const bool whole = millibits % 1000 == 0;
    EXPECT_EQ(compared(power.low, millibits), whole ? 0 : -1) << millibits;
    EXPECT_EQ(compared(power.high, millibits), whole ? 0 : 1) << millibits;
    const WideFloat wider =
        power.low.plus(power.low.times(WideFloat::power_of_two(-240), Round::down), Round::down);
    EXPECT_TRUE(power.high <= wider) << millibits;
  }
}

}  // namespace
}  // namespace talla::entropy

#include "wide_float.hpp"

#include <bit>

#include "base/check.hpp"

namespace talla::entropy {

namespace {

__extension__ typedef unsigned __int128 Wide;  // NOLINT: no standard spelling

constexpr std::size_t limb_count = 4;
constexpr std::int64_t mantissa_bits = 256;

std::uint64_t low_half(Wide value) {
  return static_cast<std::uint64_t>(value);
}
std::uint64_t high_half(Wide value) {
  return static_cast<std::uint64_t>(value >> 64U);
}

}  // namespace

void WideFloat::add_one_ulp() {
  for (std::uint64_t& limb : mantissa_) {
    if (++limb != 0) return;
  }
  mantissa_[3] = std::uint64_t{1} << 63U;
  ++exponent_;
}

WideFloat WideFloat::normal(std::span<const std::uint64_t> limbs, std::int64_t exponent,
                            bool sticky, Round round) {
  std::size_t top = limbs.size();
  while (top > 0 && limbs[top - 1] == 0) --top;
  WideFloat result;
  if (top == 0) {
    TALLA_CHECK(!sticky);
    return result;
  }
  const auto shift = static_cast<unsigned>(std::countl_zero(limbs[top - 1]));
  const auto limb = [&](std::int64_t index) {
    return index >= 0 && index < static_cast<std::int64_t>(limbs.size())
               ? limbs[static_cast<std::size_t>(index)]
               : 0;
  };
  // After the shift the mantissa is limbs[top-4..top-1] moved up by `shift`; whatever lies below is
  // lost.
  const std::int64_t base = static_cast<std::int64_t>(top) - static_cast<std::int64_t>(limb_count);
  for (std::size_t i = 0; i < limb_count; ++i) {
    const std::int64_t at = base + static_cast<std::int64_t>(i);
    result.mantissa_[i] = limb(at) << shift;
    if (shift != 0) result.mantissa_[i] |= limb(at - 1) >> (64U - shift);
  }
  result.exponent_ = exponent + base * 64 - static_cast<std::int64_t>(shift);
  if (base > 0) {
    if ((limb(base - 1) << shift) != 0) sticky = true;
    for (std::int64_t i = 0; i + 1 < base; ++i) sticky = sticky || limb(i) != 0;
  }
  if (sticky && round == Round::up) result.add_one_ulp();
  return result;
}

WideFloat WideFloat::from(std::uint64_t value) {
  const std::array<std::uint64_t, 1> limbs{value};
  return normal(limbs, 0, false, Round::down);
}

WideFloat WideFloat::power_of_two(std::int64_t exponent) {
  WideFloat result = from(1);
  result.exponent_ += exponent;
  return result;
}

WideFloat WideFloat::times(const WideFloat& other, Round round) const {
  if (is_zero() || other.is_zero()) return {};
  std::array<std::uint64_t, 2 * limb_count> product{};
  for (std::size_t i = 0; i < limb_count; ++i) {
    Wide carry = 0;
    for (std::size_t j = 0; j < limb_count; ++j) {
      const Wide sum = Wide{mantissa_[i]} * other.mantissa_[j] + product[i + j] + carry;
      product[i + j] = low_half(sum);
      carry = high_half(sum);
    }
    product[i + limb_count] = low_half(carry);
  }
  return normal(product, exponent_ + other.exponent_, false, round);
}

WideFloat WideFloat::times(std::uint64_t factor, Round round) const {
  if (is_zero()) return {};
  std::array<std::uint64_t, limb_count + 1> product{};
  Wide carry = 0;
  for (std::size_t i = 0; i < limb_count; ++i) {
    const Wide sum = Wide{mantissa_[i]} * factor + carry;
    product[i] = low_half(sum);
    carry = high_half(sum);
  }
  product[limb_count] = low_half(carry);
  return normal(product, exponent_, false, round);
}

WideFloat WideFloat::divided_by(std::uint64_t divisor, Round round) const {
  TALLA_CHECK(divisor != 0);
  if (is_zero()) return {};
  // One more limb below the mantissa keeps the quotient longer than 256 bits.
  std::array<std::uint64_t, limb_count + 1> quotient{};
  Wide rest = 0;
  for (std::size_t i = limb_count + 1; i-- > 0;) {
    rest = (rest << 64U) | (i == 0 ? 0 : mantissa_[i - 1]);
    quotient[i] = low_half(rest / divisor);
    rest %= divisor;
  }
  return normal(quotient, exponent_ - 64, rest != 0, round);
}

WideFloat WideFloat::plus(const WideFloat& other, Round round) const {
  if (is_zero()) return other;
  if (other.is_zero()) return *this;
  const WideFloat& large = exponent_ >= other.exponent_ ? *this : other;
  const WideFloat& small = exponent_ >= other.exponent_ ? other : *this;
  const std::int64_t distance = large.exponent_ - small.exponent_;
  if (distance >= mantissa_bits + 64) {
    WideFloat result = large;
    if (round == Round::up) result.add_one_ulp();
    return result;
  }
  std::array<std::uint64_t, 2 * limb_count + 2> sum{};
  const auto limbs = static_cast<std::size_t>(distance / 64);
  const auto bits = static_cast<unsigned>(distance % 64);
  for (std::size_t i = 0; i < limb_count; ++i) {
    sum[i + limbs] |= large.mantissa_[i] << bits;
    if (bits != 0) sum[i + limbs + 1] |= large.mantissa_[i] >> (64U - bits);
  }
  Wide carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    carry += sum[i];
    if (i < limb_count) carry += small.mantissa_[i];
    sum[i] = low_half(carry);
    carry = high_half(carry);
  }
  return normal(sum, small.exponent_, false, round);
}

WideFloat WideFloat::minus_one() const {
  TALLA_CHECK(!is_zero());
  TALLA_CHECK(log2_floor() >= 0);
  TALLA_CHECK(log2_floor() < 63);
  // The bit worth one stands at place -exponent_ of the mantissa, inside its top limb.
  std::array<std::uint64_t, limb_count> limbs = mantissa_;
  const std::uint64_t one = std::uint64_t{1} << static_cast<unsigned>(-exponent_ - 192);
  TALLA_CHECK(limbs[3] >= one);
  limbs[3] -= one;
  return normal(limbs, exponent_, false, Round::down);
}

bool WideFloat::operator<=(const WideFloat& other) const {
  if (is_zero()) return true;
  if (other.is_zero()) return false;
  if (exponent_ != other.exponent_) return exponent_ < other.exponent_;
  for (std::size_t i = limb_count; i-- > 0;) {
    if (mantissa_[i] != other.mantissa_[i]) return mantissa_[i] < other.mantissa_[i];
  }
  return true;
}

namespace {

/// ln 2 = sum over n >= 1 of 1 / (n 2^n); the tail after N terms is below 2^-N.
WideFloat ln2(Round round) {
  constexpr std::int64_t terms = 280;
  WideFloat sum;
  for (std::int64_t n = 1; n <= terms; ++n) {
    sum = sum.plus(WideFloat::power_of_two(-n).divided_by(static_cast<std::uint64_t>(n), round),
                   round);
  }
  return round == Round::up ? sum.plus(WideFloat::power_of_two(-terms), round) : sum;
}

/// exp(y) for y in [0, 0.7]: all terms of the series are positive; after term K the tail is below
/// term K itself.
WideFloat exponential(const WideFloat& y, Round round) {
  constexpr std::uint64_t terms = 80;
  WideFloat term = WideFloat::from(1);
  WideFloat sum = term;
  for (std::uint64_t k = 1; k <= terms; ++k) {
    term = term.times(y, round).divided_by(k, round);
    sum = sum.plus(term, round);
  }
  return round == Round::up ? sum.plus(term, round) : sum;
}

}  // namespace

Enclosure power_of_two_millibits(std::int64_t numerator) {
  std::int64_t whole = numerator / 1000;
  if (whole * 1000 > numerator) --whole;
  const auto rest = static_cast<std::uint64_t>(numerator - whole * 1000);
  const WideFloat scale = WideFloat::power_of_two(whole);
  if (rest == 0) return {scale, scale};
  const auto side = [&](Round round) {
    static const WideFloat ln2_down = ln2(Round::down);
    static const WideFloat ln2_up = ln2(Round::up);
    const WideFloat& base = round == Round::down ? ln2_down : ln2_up;
    const WideFloat y = base.times(rest, round).divided_by(1000, round);
    return exponential(y, round).times(scale, round);
  };
  return {side(Round::down), side(Round::up)};
}

}  // namespace talla::entropy

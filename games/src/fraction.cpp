// Exact fractions, and the one rounding of payments.
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "base/check.hpp"
#include "games/money.hpp"

namespace talla::games {
namespace {

constexpr Int128 magnitude_max = Int128{1} << 126;
constexpr std::int64_t parsed_part_max = 1'000'000;

Int128 magnitude(Int128 value) {
  return value < 0 ? -value : value;
}

Int128 greatest_common_divisor(Int128 a, Int128 b) {
  a = magnitude(a);
  b = magnitude(b);
  constexpr Int128 word_max = std::numeric_limits<std::uint64_t>::max();
  if (a <= word_max && b <= word_max) {  // the usual case: division of words is many times faster
    auto left = static_cast<std::uint64_t>(a);
    auto right = static_cast<std::uint64_t>(b);
    while (right != 0) left = std::exchange(right, left % right);
    return left;
  }
  while (b != 0) {
    const Int128 rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

Int128 checked_product(Int128 a, Int128 b) {
  Int128 out = 0;
  TALLA_CHECK(!__builtin_mul_overflow(a, b, &out));
  return out;
}

Int128 checked_sum(Int128 a, Int128 b) {
  Int128 out = 0;
  TALLA_CHECK(!__builtin_add_overflow(a, b, &out));
  return out;
}

std::string decimal(Int128 value) {
  if (value == 0) return "0";
  std::string out;
  for (Int128 rest = magnitude(value); rest != 0; rest /= 10) {
    out.push_back(static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  if (value < 0) out.push_back('-');
  std::reverse(out.begin(), out.end());
  return out;
}

/// Digits only (one leading '-' where allowed), no leading zero, at most `max`.
std::optional<std::int64_t> integer(std::string_view text, std::int64_t max, bool may_be_negative) {
  const bool negative = may_be_negative && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || (text.size() > 1 && text.front() == '0') || text.front() == '-')
    return std::nullopt;
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value > max) return std::nullopt;
  if (negative && value == 0) return std::nullopt;
  return negative ? -value : value;
}

tl::unexpected<Error> no_fraction(std::string_view text) {
  return fail(Errc::arithmetic_range, "no fraction: \"" + std::string(text.substr(0, 40)) + "\"");
}

}  // namespace

Fraction::Fraction(Int128 numerator, Int128 denominator) {
  TALLA_CHECK(denominator != 0);
  if (denominator == 1) {
    numerator_ = numerator;
    TALLA_CHECK(magnitude(numerator_) < magnitude_max);
    return;
  }
  const Int128 divisor = greatest_common_divisor(numerator, denominator);
  const Int128 sign = denominator < 0 ? -1 : 1;
  numerator_ = sign * (numerator / divisor);
  denominator_ = sign * (denominator / divisor);
  TALLA_CHECK(magnitude(numerator_) < magnitude_max);
  TALLA_CHECK(denominator_ < magnitude_max);
}

Fraction Fraction::operator+(const Fraction& other) const {
  if (denominator_ == 1 && other.denominator_ == 1)
    return {checked_sum(numerator_, other.numerator_), 1};
  const Int128 divisor = greatest_common_divisor(denominator_, other.denominator_);
  const Int128 left = checked_product(numerator_, other.denominator_ / divisor);
  const Int128 right = checked_product(other.numerator_, denominator_ / divisor);
  return {checked_sum(left, right), checked_product(denominator_, other.denominator_ / divisor)};
}

Fraction Fraction::operator-() const {
  return {-numerator_, denominator_};
}

Fraction Fraction::operator-(const Fraction& other) const {
  return *this + (-other);
}

Fraction Fraction::times(const Fraction& other) const {
  if (denominator_ == 1 && other.denominator_ == 1) {
    return {checked_product(numerator_, other.numerator_), 1};
  }
  const Int128 cross_a = greatest_common_divisor(numerator_, other.denominator_);
  const Int128 cross_b = greatest_common_divisor(other.numerator_, denominator_);
  return {checked_product(numerator_ / cross_a, other.numerator_ / cross_b),
          checked_product(denominator_ / cross_b, other.denominator_ / cross_a)};
}

Fraction Fraction::operator/(const Fraction& other) const {
  TALLA_CHECK(!other.is_zero());
  return *this * Fraction(other.denominator_, other.numerator_);
}

std::strong_ordering Fraction::operator<=>(const Fraction& other) const {
  return (*this - other).numerator_ <=> Int128{0};
}

std::int64_t Fraction::floor_of_part() const {
  if (denominator_ == 1) {
    TALLA_CHECK(magnitude(numerator_) < (Int128{1} << 62));
    return static_cast<std::int64_t>(numerator_);
  }
  Int128 whole = numerator_ / denominator_;
  if (numerator_ < 0 && whole * denominator_ != numerator_) --whole;
  TALLA_CHECK(magnitude(whole) < (Int128{1} << 62));
  return static_cast<std::int64_t>(whole);
}

std::int64_t Fraction::ceil() const {
  return -(-*this).floor();
}

std::string Fraction::text() const {
  return is_integer() ? decimal(numerator_) : decimal(numerator_) + "/" + decimal(denominator_);
}

Result<Fraction> Fraction::parse(std::string_view text) {
  if (text.ends_with('%')) {
    const auto percent = integer(text.substr(0, text.size() - 1), parsed_part_max, false);
    if (!percent) return no_fraction(text);
    return Fraction(*percent, 100);
  }
  const auto bar = text.find_first_of("/:");
  const auto numerator = integer(text.substr(0, bar), parsed_part_max, false);
  if (!numerator) return no_fraction(text);
  if (bar == std::string_view::npos) return Fraction(*numerator);
  const auto denominator = integer(text.substr(bar + 1), parsed_part_max, false);
  if (!denominator || *denominator == 0) return no_fraction(text);
  return Fraction(*numerator, *denominator);
}

Result<Fraction> Fraction::parse_canonical(std::string_view text) {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  const auto bar = text.find('/');
  const auto numerator = integer(text.substr(0, bar), max, true);
  if (!numerator) return no_fraction(text);
  if (bar == std::string_view::npos) return Fraction(*numerator);
  const auto denominator = integer(text.substr(bar + 1), max, false);
  if (!denominator || *denominator == 0) return no_fraction(text);
  const Fraction value(*numerator, *denominator);
  if (value.text() != text) return no_fraction(text);
  return value;
}

Result<Fraction> halved(const Fraction& amount, std::uint32_t times) {
  if (times > 62 || amount.denominator() > (Int128{1} << (62 - times))) {
    return fail(Errc::arithmetic_range, "an amount was halved too often to stay exact");
  }
  return amount * Fraction(Int128{1}, Int128{1} << times);
}

std::string_view rounding_name(Rounding rounding) {
  switch (rounding) {
    case Rounding::down:
      return "down";
    case Rounding::up:
      return "up";
    case Rounding::nearest:
      return "nearest";
  }
  return "";
}

Result<Rounding> rounding_from(std::string_view name) {
  for (const auto rounding : {Rounding::down, Rounding::up, Rounding::nearest}) {
    if (rounding_name(rounding) == name) return rounding;
  }
  return fail(Errc::table_invalid, "rounding is down, up or nearest");
}

Rounded round_part(const Fraction& exact, Rounding rounding) {
  Units units = 0;
  switch (rounding) {
    case Rounding::down:
      units = exact.floor();
      break;
    case Rounding::up:
      units = exact.ceil();
      break;
    case Rounding::nearest:
      units = (exact + Fraction(Int128{1}, Int128{2})).floor();
      break;
  }
  return {units, exact - Fraction(units)};
}

}  // namespace talla::games

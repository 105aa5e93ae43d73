/// \file
/// Money without floating point: integer units, exact fractions of them, and the one rounding.
///
/// Amounts are integers of a table's unit (`Units`), below 2^53 (they travel as JSON integers).
/// Payments are computed as `Fraction` and rounded once, when a settlement is made (by default down
/// to the unit; the settlement names the remainder). What the table's unit is worth is
/// configuration: no engine knows a currency.
/// Standards: ISO 4217 (active and historic codes).
/// Errors:    Errc::arithmetic_range, Errc::table_invalid. Threads: plain values.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "games/errc.hpp"

namespace talla::games {

/// For products of amounts.
__extension__ using Int128 = __int128;

/// A number of the table's units.
using Units = std::int64_t;
/// Largest amount anywhere: 2^53 - 1.
inline constexpr Units units_max = json::integer_max;

/// An exact rational number, always in lowest terms, denominator positive.
/// Range: numerator and denominator below 2^126 in magnitude. An operation that would leave it
/// aborts (TALLA_CHECK); the catalogue bounds every figure to 10^6, so that one stake through any
/// ten figures fits. Who builds unbounded powers (halves of halves) uses `halved` and gets an error
/// instead.
class Fraction {
 public:
  constexpr Fraction() = default;
  constexpr Fraction(std::int64_t whole) : numerator_(whole) {}  // NOLINT: an integer is a fraction
  /// Precondition (checked): denominator not zero.
  Fraction(Int128 numerator, Int128 denominator);

  [[nodiscard]] Int128 numerator() const { return numerator_; }
  [[nodiscard]] Int128 denominator() const { return denominator_; }
  [[nodiscard]] bool is_zero() const { return numerator_ == 0; }
  [[nodiscard]] bool is_integer() const { return denominator_ == 1; }

  [[nodiscard]] Fraction operator+(const Fraction& other) const;
  [[nodiscard]] Fraction operator-(const Fraction& other) const;
  [[nodiscard]] Fraction operator*(const Fraction& other) const {
    if (!is_word() || !other.is_word()) return times(other);
    Fraction out;
    out.numerator_ = numerator_ * other.numerator_;  // below 2^124
    return out;
  }
  /// Precondition (checked): other is not zero.
  [[nodiscard]] Fraction operator/(const Fraction& other) const;
  [[nodiscard]] Fraction operator-() const;
  Fraction& operator+=(const Fraction& other) { return *this = *this + other; }
  bool operator==(const Fraction& other) const = default;
  [[nodiscard]] std::strong_ordering operator<=>(const Fraction& other) const;

  /// Largest integer not above / smallest not below. Precondition (checked): it fits 63 bits.
  [[nodiscard]] std::int64_t floor() const {
    return is_word() ? static_cast<std::int64_t>(numerator_) : floor_of_part();
  }
  [[nodiscard]] std::int64_t ceil() const;

  /// "n" or "n/d", the one canonical spelling.
  [[nodiscard]] std::string text() const;
  /// Reads "n", "n/d", "a:b" (= a/b) and "p%" (= p/100); parts at most 10^6 each, d and b not zero.
  [[nodiscard]] static Result<Fraction> parse(std::string_view text);
  /// Reads the canonical spelling written by `text`, any size below 2^63.
  [[nodiscard]] static Result<Fraction> parse_canonical(std::string_view text);

 private:
  /// An integer below 2^62 in magnitude: what stakes and most payments are.
  [[nodiscard]] bool is_word() const {
    constexpr Int128 limit = Int128{1} << 62;
    return denominator_ == 1 && numerator_ < limit && numerator_ > -limit;
  }
  [[nodiscard]] Fraction times(const Fraction& other) const;
  [[nodiscard]] std::int64_t floor_of_part() const;

  Int128 numerator_ = 0;
  Int128 denominator_ = 1;
};

/// amount / 2^times; Errc::arithmetic_range when the denominator would pass 2^62.
[[nodiscard]] Result<Fraction> halved(const Fraction& amount, std::uint32_t times = 1);

/// The one rounding parameter of a table: how an exact amount becomes units. The remainder (exact
/// minus units) is always stated in the settlement; it is negative only for `up` and `nearest`.
enum class Rounding : std::uint8_t { down, up, nearest };
[[nodiscard]] std::string_view rounding_name(Rounding rounding);
[[nodiscard]] Result<Rounding> rounding_from(std::string_view name);

/// An exact amount in whole units, and what rounding left over.
struct Rounded {
  Units units = 0;
  Fraction remainder;  ///< exact - units
};
[[nodiscard]] Rounded round_part(const Fraction& exact, Rounding rounding);
/// Rounds to multiples of one unit; `nearest` takes halves up (to the player).
[[nodiscard]] inline Rounded round(const Fraction& exact, Rounding rounding) {
  if (exact.is_integer()) return {exact.floor(), Fraction()};
  return round_part(exact, rounding);
}

/// True for an ISO 4217 alphabetic code, active or historic ("EUR", "ESP").
[[nodiscard]] bool currency_known(std::string_view code);

/// What the numbers of a table mean. One unit is `unit` of the currency (1, or "1/100" for cents).
struct Currency {
  std::string code;   ///< ISO 4217
  Fraction unit = 1;  ///< worth of one unit, in the currency
  Units chip = 1;     ///< stakes are multiples of this many units
  Rounding rounding = Rounding::down;
};

}  // namespace talla::games

/// \file
/// Exact fractions of any size: probabilities, and what is expected with them. Amounts and payments
/// are `Fraction`s (games/money.hpp), which a word or two hold; the chances of a long row of cards
/// need hundreds of bits.
///
/// Errors: none but exhausted memory. Threads: plain values.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <string>

#include "games/money.hpp"

namespace talla::games {

/// An integer of any size.
using WideInt = boost::multiprecision::cpp_int;

/// An exact fraction in lowest terms, its denominator above zero.
class Ratio {
 public:
  Ratio() = default;
  Ratio(std::int64_t whole) : value_(whole) {}  // NOLINT: an integer is a fraction
  Ratio(const Fraction& fraction)               // NOLINT: so is every short one
      : value_(WideInt(fraction.numerator()), WideInt(fraction.denominator())) {}
  /// Precondition (checked): denominator above zero.
  Ratio(const WideInt& numerator, const WideInt& denominator);

  [[nodiscard]] WideInt numerator() const { return boost::multiprecision::numerator(value_); }
  [[nodiscard]] WideInt denominator() const { return boost::multiprecision::denominator(value_); }
  [[nodiscard]] bool is_zero() const { return value_.is_zero(); }

  Ratio& operator+=(const Ratio& other);
  friend Ratio operator+(const Ratio& a, const Ratio& b) { return Ratio(a) += b; }
  friend Ratio operator-(const Ratio& a, const Ratio& b) { return Ratio(a) += -b; }
  friend Ratio operator*(const Ratio& a, const Ratio& b);
  /// Precondition (checked): b is not zero.
  friend Ratio operator/(const Ratio& a, const Ratio& b);
  Ratio operator-() const;
  friend bool operator==(const Ratio& a, const Ratio& b) { return a.value_ == b.value_; }
  friend std::strong_ordering operator<=>(const Ratio& a, const Ratio& b) {
    const int order = a.value_.compare(b.value_);
    return order < 0   ? std::strong_ordering::less
           : order > 0 ? std::strong_ordering::greater
                       : std::strong_ordering::equal;
  }

  /// "n" or "n/d", as Fraction::text writes it.
  [[nodiscard]] std::string text() const;

 private:
  boost::multiprecision::cpp_rational value_;
};

}  // namespace talla::games

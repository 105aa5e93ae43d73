// Exact fractions of any size.
#include "games/ratio.hpp"

#include "base/check.hpp"

namespace talla::games {

Ratio::Ratio(const WideInt& numerator, const WideInt& denominator) {
  TALLA_CHECK(denominator > 0);
  value_ = boost::multiprecision::cpp_rational(numerator, denominator);
}

Ratio& Ratio::operator+=(const Ratio& other) {
  value_ += other.value_;
  return *this;
}

Ratio operator*(const Ratio& a, const Ratio& b) {
  Ratio out;
  out.value_ = a.value_ * b.value_;
  return out;
}

Ratio operator/(const Ratio& a, const Ratio& b) {
  TALLA_CHECK(!b.is_zero());
  Ratio out;
  out.value_ = a.value_ / b.value_;
  return out;
}

Ratio Ratio::operator-() const {
  Ratio out;
  out.value_ = -value_;
  return out;
}

std::string Ratio::text() const {
  const WideInt below = denominator();
  return below == 1 ? numerator().str() : numerator().str() + "/" + below.str();
}

}  // namespace talla::games

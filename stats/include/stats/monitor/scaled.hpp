/// \file
/// A positive number with a wide exponent: products of likelihood ratios that neither overflow nor
/// vanish.
///
/// Range: 0 and 2^-(2^62) to 2^(2^62); precision of a double. Threads: plain values.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace talla::stats::monitor {

class Scaled {
 public:
  constexpr Scaled() = default;
  /// `mantissa` x 2^`exponent`. Precondition: the mantissa is finite and not negative.
  constexpr explicit Scaled(double mantissa, std::int64_t exponent = 0)
      : mantissa_(mantissa), exponent_(exponent) {}

  /// Precondition: the factor is finite and not negative, at most 2^500.
  void operator*=(double factor) {
    mantissa_ *= factor;
    if (!(mantissa_ > low && mantissa_ < high)) normalise();
  }
  /// Natural logarithm; minus infinity for 0.
  [[nodiscard]] double log() const {
    return std::log(mantissa_) + static_cast<double>(exponent_) * std::numbers::ln2;
  }
  /// As a double: the largest finite one where it is greater, 0 where it is too small.
  [[nodiscard]] double value() const {
    if (exponent_ == 0) return mantissa_;
    if (exponent_ > limit) return std::numeric_limits<double>::max();
    if (exponent_ < -limit) return 0;
    return std::ldexp(mantissa_, static_cast<int>(exponent_));
  }
  [[nodiscard]] double mantissa() const { return mantissa_; }
  [[nodiscard]] std::int64_t exponent() const { return exponent_; }

 private:
  static constexpr double low = 0x1p-400;
  static constexpr double high = 0x1p400;
  static constexpr std::int64_t limit = 600;
  void normalise() {
    if (mantissa_ == 0) return;
    int shift = 0;
    mantissa_ = std::frexp(mantissa_, &shift);
    exponent_ += shift;
  }
  double mantissa_ = 1;
  std::int64_t exponent_ = 0;
};

}  // namespace talla::stats::monitor

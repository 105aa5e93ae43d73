/// \file
/// Non-negative numbers m * 2^e with a 256-bit mantissa and directed rounding: every operation says
/// whether its result may only be too small or only be too large. Pairs of them enclose a true
/// value; no native floating point is used.
///
/// Relative error of one operation: below 2^-255. Exponents: 64 bits, never near their ends here.
/// Threads: plain data.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace talla::entropy {

enum class Round : std::uint8_t { down, up };

class WideFloat {
 public:
  /// Zero.
  WideFloat() = default;
  [[nodiscard]] static WideFloat from(std::uint64_t value);
  [[nodiscard]] static WideFloat power_of_two(std::int64_t exponent);

  [[nodiscard]] WideFloat times(const WideFloat& other, Round round) const;
  [[nodiscard]] WideFloat times(std::uint64_t factor, Round round) const;
  /// `divisor` must not be 0.
  [[nodiscard]] WideFloat divided_by(std::uint64_t divisor, Round round) const;
  [[nodiscard]] WideFloat plus(const WideFloat& other, Round round) const;
  /// Exact; the value must lie in [1, 2^63).
  [[nodiscard]] WideFloat minus_one() const;

  [[nodiscard]] bool is_zero() const { return mantissa_[3] == 0; }
  /// floor(log2(value)); the value must not be zero.
  [[nodiscard]] std::int64_t log2_floor() const { return exponent_ + 255; }
  [[nodiscard]] bool operator<=(const WideFloat& other) const;

 private:
  friend struct WideFloatTestAccess;
  /// Brings little-endian limbs times 2^exponent into normal form; `sticky` says that bits below
  /// them were lost.
  [[nodiscard]] static WideFloat normal(std::span<const std::uint64_t> limbs, std::int64_t exponent,
                                        bool sticky, Round round);
  void add_one_ulp();
  /// Little-endian limbs; the top bit is set unless the value is zero.
  std::array<std::uint64_t, 4> mantissa_{};
  std::int64_t exponent_ = 0;
};

/// A value between two others.
struct Enclosure {
  WideFloat low;
  WideFloat high;
};

/// 2^(numerator / 1000), numerator any integer.
[[nodiscard]] Enclosure power_of_two_millibits(std::int64_t numerator);

}  // namespace talla::entropy

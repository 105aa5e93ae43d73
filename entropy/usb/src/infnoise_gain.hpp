/// \file
/// The gain of a modular noise multiplier, measured on its bits: a multiplier of gain K yields log2
/// K bits a bit.
///
/// Method: each bit is priced at -log2 of its frequency behind the 14 bits before it, even and odd
///         phases apart (the estimator of the device's own host program); counters halve at 2^14.
///         Prices are summed over windows of 2^18 bits, the first behind 2^20 bits, when the
///         counters know the circuit. Integer arithmetic: 16 fractional bits.
/// Bounds:  gain 1.84 within 3 %: 0.8370 to 0.9224 bits. A fault that halves or doubles the gain
///          leaves this at once.
/// Also:    more than 20 equal bits in a row cannot happen to a working multiplier.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace talla::usb {

enum class GainVerdict : std::uint8_t { good, too_low, too_high, long_run };

class InfnoiseGain {
 public:
  InfnoiseGain();
  /// One bit, 0 or 1, with its place (even or odd) in the block.
  [[nodiscard]] GainVerdict add(unsigned bit, bool odd);
  /// The gain that yields so much, 2^entropy, in thousandths; 0 before there is a whole window.
  [[nodiscard]] std::uint64_t gain_permille() const;
  /// Forgets the history of bits, not what was learnt of the circuit (after a gap in the stream).
  void cut();

 private:
  struct Counts {
    std::uint16_t zeros = 0;
    std::uint16_t ones = 0;
  };
  std::vector<Counts> counts_;       ///< Of phase and the 14 bits before.
  std::vector<std::uint32_t> log2_;  ///< log2(k) in 2^-16, k from 1 to 2^15 + 1.
  std::uint32_t before_ = 0;
  unsigned known_ = 0;  ///< How many bits of `before_` are real.
  unsigned run_ = 0;
  unsigned last_bit_ = 2;
  std::uint64_t seen_ = 0;
  std::uint64_t price_ = 0;
  std::uint32_t priced_ = 0;
  std::uint32_t last_ = 0;
};

}  // namespace talla::usb

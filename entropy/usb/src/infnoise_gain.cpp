#include "infnoise_gain.hpp"

#include <bit>
#include <cmath>

namespace talla::usb {
namespace {

constexpr unsigned order = 14;
constexpr std::uint16_t halve_at = 1U << 14U;
constexpr std::uint64_t warm_up_bits = 1U << 20U;
constexpr std::uint32_t window_bits = 1U << 18U;
constexpr unsigned run_max = 20;
// 3 % of gain either way, in 2^-16 bits.
constexpr std::uint32_t entropy_min = 54'858;  // log2(1.84 / 1.03) = 0.83706
constexpr std::uint32_t entropy_max = 60'447;  // log2(1.84 x 1.03) = 0.92235

/// log2 of a whole number in 2^-16, by squaring (Knuth 1.2.2, algorithm for binary logarithms).
std::uint32_t log2_of(std::uint32_t value) {
  const unsigned whole = static_cast<unsigned>(std::bit_width(value)) - 1;
  std::uint64_t mantissa = static_cast<std::uint64_t>(value)
                           << (31U - whole);  // 1 <= m < 2, 31 fractional bits
  std::uint32_t fraction = 0;
  for (unsigned k = 0; k < 16; ++k) {
    mantissa = (mantissa * mantissa) >> 31U;
    fraction <<= 1U;
    if (mantissa >> 32U != 0) {
      fraction |= 1U;
      mantissa >>= 1U;
    }
  }
  return (whole << 16U) | fraction;
}

}  // namespace

InfnoiseGain::InfnoiseGain() : counts_(2UL << order), log2_(2UL * halve_at * 2 + 4) {
  for (std::uint32_t k = 1; k < log2_.size(); ++k) log2_[k] = log2_of(k);
}

std::uint64_t InfnoiseGain::gain_permille() const {
  return last_ == 0 ? 0
                    : static_cast<std::uint64_t>(std::llround(1000 * std::exp2(last_ / 65536.0)));
}

void InfnoiseGain::cut() {
  known_ = 0;
  run_ = 0;
  last_bit_ = 2;
}

GainVerdict InfnoiseGain::add(unsigned bit, bool odd) {
  run_ = bit == last_bit_ ? run_ + 1 : 1;
  last_bit_ = bit;
  if (run_ > run_max) return GainVerdict::long_run;
  GainVerdict verdict = GainVerdict::good;
  if (known_ == order) {
    Counts& counts = counts_[(static_cast<std::size_t>(odd) << order) | before_];
    std::uint16_t& mine = bit != 0 ? counts.ones : counts.zeros;
    if (seen_ >= warm_up_bits) {
      // (mine + 1/2) / (all + 1), doubled to whole numbers
      const std::uint32_t all = 2U * (counts.zeros + counts.ones + 1U);
      price_ += log2_[all] - log2_[2U * mine + 1U];
      if (++priced_ == window_bits) {
        last_ = static_cast<std::uint32_t>(price_ / window_bits);
        price_ = 0;
        priced_ = 0;
        if (last_ < entropy_min) verdict = GainVerdict::too_low;
        if (last_ > entropy_max) verdict = GainVerdict::too_high;
      }
    }
    if (++mine >= halve_at) {
      counts.zeros /= 2;
      counts.ones /= 2;
    }
    ++seen_;
  } else {
    ++known_;
  }
  before_ = ((before_ << 1U) | bit) & ((1U << order) - 1U);
  return verdict;
}

}  // namespace talla::usb

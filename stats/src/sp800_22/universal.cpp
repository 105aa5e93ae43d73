// SP 800-22 Rev. 1a, 2.9: Maurer's universal statistical test.
#include <array>
#include <cmath>
#include <numbers>

#include "plan.hpp"

namespace talla::stats::sp800_22 {
namespace {

constexpr unsigned length_min = 6;
constexpr unsigned length_max = 16;

/// Block length by 2.9.5: the longest L with n >= 1010 * 2^L * L, at most 16; 0 below L = 6.
unsigned block_length(std::size_t bits_count) {
  unsigned length = 0;
  for (unsigned candidate = length_min; candidate <= length_max; ++candidate) {
    if (bits_count >= (std::size_t{1010} << candidate) * candidate) length = candidate;
  }
  return length;
}

/// Expected value and variance of one term for L = 6 to 16 (2.9.4).
constexpr std::array<double, 11> expected_values = {5.2177052, 6.1962507, 7.1836656, 8.1764248,
                                                    9.1723243, 10.170032, 11.168765, 12.168070,
                                                    13.167693, 14.167488, 15.167379};
constexpr std::array<double, 11> variances = {2.954, 3.125, 3.238, 3.311, 3.356, 3.384,
                                              3.401, 3.410, 3.416, 3.419, 3.421};
/// Coron and Naccache, "An accurate evaluation of Maurer's universal test" (SAC 1998), table of
/// d(L) and e(L).
constexpr std::array<double, 11> coron_d = {0.3489769, 0.3631815, 0.3732189, 0.3800637,
                                            0.3845867, 0.3874942, 0.3893189, 0.3904405,
                                            0.3911178, 0.3915202, 0.3917561};
constexpr std::array<double, 11> coron_e = {0.3941338, 0.3813210, 0.3730195, 0.3677118,
                                            0.3643695, 0.3622979, 0.3610336, 0.3602731,
                                            0.3598216, 0.3595571, 0.3594040};

/// Standard deviation of the mean of K terms.
double deviation(Profile profile, unsigned length, double terms_count) {
  const std::size_t row = length - length_min;
  const double plain = std::sqrt(variances[row] / terms_count);
  if (profile == Profile::corrected) {
    return plain *
           std::sqrt(coron_d[row] +
                     coron_e[row] * std::ldexp(1.0, static_cast<int>(length)) / terms_count);
  }
  const double l = length;
  return plain * (0.7 - 0.8 / l + (4.0 + 32.0 / l) * std::pow(terms_count, -3.0 / l) / 15.0);
}

}  // namespace

void universal(const Plan& plan, const Bits& bits, const Sink& sink) {
  const unsigned length = block_length(bits.size());
  if (length == 0) return;
  const std::size_t start_count = std::size_t{10} << length;  // Q
  const std::size_t blocks_count = bits.size() / length;      // Q + K
  std::vector<std::uint32_t> seen(std::size_t{1} << length);
  const unsigned shift = 64 - length;
  for (std::size_t i = 1; i <= start_count; ++i) {
    seen[bits.word_at((i - 1) * length) >> shift] = static_cast<std::uint32_t>(i);
  }
  double sum = 0.0;
  for (std::size_t i = start_count + 1; i <= blocks_count; ++i) {
    auto& last = seen[bits.word_at((i - 1) * length) >> shift];
    const std::size_t distance = i - last;
    sum += distance < plan.log2_of.size() ? plan.log2_of[distance]
                                          : std::log2(static_cast<double>(distance));
    last = static_cast<std::uint32_t>(i);
  }
  const auto terms_count = static_cast<double>(blocks_count - start_count);
  const double mean = sum / terms_count;
  const double sigma = deviation(plan.profile, length, terms_count);
  sink.figure("L", length);
  sink.figure("K", terms_count);
  sink.figure("phi", mean);
  sink.figure("sigma", sigma);
  sink.p[0] = std::erfc(std::fabs(mean - expected_values[length - length_min]) /
                        (std::numbers::sqrt2 * sigma));
}

}  // namespace talla::stats::sp800_22

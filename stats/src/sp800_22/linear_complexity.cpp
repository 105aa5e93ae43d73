// SP 800-22 Rev. 1a, 2.10: linear complexity of blocks.
//
// Berlekamp-Massey over GF(2), several blocks side by side. Instead of the connection polynomials
// themselves their products with the sequence are kept: `current` = (C s) from place n on, `former`
// = (B s) from its discrepancy on. The discrepancy is then the first bit of `current`, both shrink
// by one bit a step, and every lane does the same work without a branch.
#include <algorithm>
#include <array>
#include <cmath>

#include "plan.hpp"
#include "stats/special.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TALLA_STATS_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define TALLA_STATS_WIDE
#endif

namespace talla::stats::sp800_22 {
namespace {

constexpr std::size_t lanes_count = 8;
constexpr std::size_t words_max = 80;  // 5,000 bits and one word of zeros
/// The same word of eight blocks; GCC and clang turn operations on it into the widest vectors of
/// the target.
using Lanes = std::uint64_t __attribute__((vector_size(8 * lanes_count)));
struct Work {
  std::array<Lanes, words_max> current{};
  std::array<Lanes, words_max> former{};
  Lanes complexity{};
};

/// Runs all lanes through `block` bits and leaves their complexities in `work`.
TALLA_STATS_WIDE void massey(Work& work, std::size_t block) {
  Lanes complexity{};
  for (std::size_t n = 0; n < block; ++n) {
    const Lanes now = work.current[0], before = work.former[0];
    const Lanes discrepancy = 0 - (now >> 63);
    const Lanes jump = discrepancy & reinterpret_cast<Lanes>(2 * complexity <= n);
    complexity = (jump & (n + 1 - complexity)) | (~jump & complexity);
    Lanes left = now ^ (before & discrepancy);
    work.former[0] = before ^ ((before ^ now) & jump);
    const std::size_t words_count = (block - n + 63) / 64;
    for (std::size_t i = 1; i <= words_count; ++i) {
      const Lanes now_i = work.current[i], before_i = work.former[i];
      const Lanes next = now_i ^ (before_i & discrepancy);
      work.former[i] = before_i ^ ((before_i ^ now_i) & jump);
      work.current[i - 1] = (left << 1) | (next >> 63);
      left = next;
    }
  }
  work.complexity = complexity;
}

/// Puts `block` bits from `first` on into one lane: the sequence, and behind it shifted by one
/// place.
void load(Work& work, std::size_t lane, const Bits& bits, std::size_t first, std::size_t block) {
  std::uint64_t carry = 0;
  const std::size_t words_count = (block + 63) / 64;
  for (std::size_t i = 0; i < words_count; ++i) {
    std::uint64_t word = bits.word_at(first + i * 64);
    const std::size_t left = block - i * 64;
    if (left < 64) word &= ~(~std::uint64_t{0} >> left);
    work.current[i][lane] = word;
    work.former[i][lane] = (word >> 1) | carry;
    carry = word << 63;
  }
  work.current[words_count][lane] = 0;
  work.former[words_count][lane] = carry;
}

/// The class of T = (-1)^M (L - mu) + 2/9, mu as in 2.10.4 (3).
double centred(std::size_t complexity, std::size_t block) {
  const auto m = static_cast<double>(block);
  const double sign = block % 2 == 0 ? 1.0 : -1.0;
  const double mean = m / 2.0 + (9.0 - sign) / 36.0 - std::pow(2.0, -m) * (m / 3.0 + 2.0 / 9.0);
  return sign * (static_cast<double>(complexity) - mean) + 2.0 / 9.0;
}

}  // namespace

std::size_t complexity_class(std::size_t complexity, std::size_t block) {
  const double t = centred(complexity, block);
  for (std::size_t i = 0; i < 6; ++i) {
    if (t <= static_cast<double>(i) - 2.5) return i;
  }
  return 6;
}

std::array<double, 7> complexity_classes(Profile profile, std::size_t block) {
  if (profile == Profile::nist_2_1_2)
    return {0.01047, 0.03125, 0.12500, 0.50000, 0.25000, 0.06250, 0.020833};
  // Exact: of 2^M sequences 2^min(2M - 2L, 2L - 1) have complexity L > 0, one has 0.
  std::array<double, 7> classes{};
  const int m = static_cast<int>(block);
  classes[complexity_class(0, block)] += std::ldexp(1.0, -m);
  for (int l = 1; l <= m; ++l) {
    classes[complexity_class(static_cast<std::size_t>(l), block)] +=
        std::ldexp(1.0, std::min(2 * m - 2 * l, 2 * l - 1) - m);
  }
  return classes;
}

std::vector<std::uint32_t> linear_complexities(const Bits& bits, std::size_t block) {
  const std::size_t blocks_count = bits.size() / block;
  std::vector<std::uint32_t> found(blocks_count);
  Work work;
  for (std::size_t i = 0; i < blocks_count; i += lanes_count) {
    const std::size_t used = std::min(lanes_count, blocks_count - i);
    for (std::size_t lane = 0; lane < used; ++lane)
      load(work, lane, bits, (i + lane) * block, block);
    massey(work, block);
    for (std::size_t lane = 0; lane < used; ++lane)
      found[i + lane] = static_cast<std::uint32_t>(work.complexity[lane]);
  }
  return found;
}

void linear_complexity(const Plan& plan, const Bits& bits, const Sink& sink) {
  const std::size_t block = plan.parameters.linear_complexity;
  std::array<std::size_t, 7> counts{};
  const auto complexities = linear_complexities(bits, block);
  if (complexities.empty()) return;
  std::vector<std::uint8_t> class_of(block + 1);
  for (std::size_t l = 0; l <= block; ++l)
    class_of[l] = static_cast<std::uint8_t>(complexity_class(l, block));
  for (const std::uint32_t complexity : complexities) ++counts[class_of[complexity]];
  const auto blocks_count = static_cast<double>(complexities.size());
  double chi_square = 0.0;
  for (std::size_t i = 0; i < 7; ++i) {
    const double expected = blocks_count * plan.complexity_classes[i];
    const double off = static_cast<double>(counts[i]) - expected;
    chi_square += off * off / expected;
  }
  sink.figure("blocks", blocks_count);
  sink.figure("chi-square", chi_square);
  sink.p[0] = chi_square_tail(chi_square, 6.0);
}

}  // namespace talla::stats::sp800_22

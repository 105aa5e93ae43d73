// SP 800-22 Rev. 1a, 2.5: rank of 32 x 32 matrices over GF(2).
#include <array>
#include <cmath>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {
namespace {

constexpr std::size_t side = 32;

std::size_t rank_of(std::array<std::uint32_t, side>& rows) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < side; ++i) {
    const std::uint32_t pivot = rows[i];
    if (pivot == 0) continue;
    ++rank;
    const std::uint32_t lowest = pivot & (~pivot + 1);
    // Every later row that has the pivot's lowest bit loses it; without branches, so that it runs
    // on vectors.
    for (std::size_t j = i + 1; j < side; ++j) {
      const std::uint32_t has = 0U - static_cast<std::uint32_t>((rows[j] & lowest) != 0);
      rows[j] ^= pivot & has;
    }
  }
  return rank;
}

/// P(rank = r) of a random matrix (3.5).
double probability(int r) {
  double product = 1.0;
  for (int i = 0; i < r; ++i) {
    const double factor = 1.0 - std::ldexp(1.0, i - 32);
    product *= factor * factor / (1.0 - std::ldexp(1.0, i - r));
  }
  return std::ldexp(product, r * (64 - r) - 1024);
}

}  // namespace

std::array<double, 3> rank_classes() {
  const double full = probability(32), one_less = probability(31);
  return {full, one_less, 1.0 - (full + one_less)};
}

void rank(const Plan& plan, const Bits& bits, const Sink& sink) {
  const std::size_t matrices_count = bits.size() / (side * side);
  if (matrices_count == 0) {
    if (plan.nist()) sink.p[0] = 0.0;  // what the suite reports
    return;
  }
  std::array<std::size_t, 3> counts{};
  for (std::size_t k = 0; k < matrices_count; ++k) {
    std::array<std::uint32_t, side> rows{};
    for (std::size_t i = 0; i < side / 2; ++i) {
      const std::uint64_t two = bits.words()[k * side / 2 + i];
      rows[2 * i] = static_cast<std::uint32_t>(two >> 32);
      rows[2 * i + 1] = static_cast<std::uint32_t>(two);
    }
    const std::size_t missing = side - rank_of(rows);
    ++counts[missing < 2 ? missing : 2];
  }
  double chi_square = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double expected = static_cast<double>(matrices_count) * plan.rank_classes[i];
    const double off = static_cast<double>(counts[i]) - expected;
    chi_square += off * off / expected;
  }
  sink.figure("matrices of rank 32", static_cast<double>(counts[0]));
  sink.figure("matrices of rank 31", static_cast<double>(counts[1]));
  sink.figure("matrices of lower rank", static_cast<double>(counts[2]));
  sink.figure("chi-square", chi_square);
  sink.p[0] = std::exp(-chi_square / 2.0);
}

}  // namespace talla::stats::sp800_22

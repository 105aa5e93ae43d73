// SP 800-22 Rev. 1a: 2.1 frequency, 2.2 frequency within a block, 2.3 runs.
#include <bit>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "plan.hpp"
#include "stats/special.hpp"

namespace talla::stats::sp800_22 {

void frequency(const Bits& bits, const Sink& sink) {
  const auto n = static_cast<double>(bits.size());
  const double sum = 2.0 * static_cast<double>(bits.ones(0, bits.size())) - n;
  sink.figure("partial sum", sum);
  sink.p[0] = std::erfc(std::fabs(sum) / std::sqrt(n) / std::numbers::sqrt2);
}

void block_frequency(const Plan& plan, const Bits& bits, const Sink& sink) {
  const std::size_t block = plan.parameters.block_frequency;
  const std::size_t blocks_count = bits.size() / block;
  if (blocks_count == 0) return;
  double sum = 0.0;
  for (std::size_t i = 0; i < blocks_count; ++i) {
    const double share =
        static_cast<double>(bits.ones(i * block, block)) / static_cast<double>(block);
    sum += (share - 0.5) * (share - 0.5);
  }
  const double chi_square = 4.0 * static_cast<double>(block) * sum;
  sink.figure("chi-square", chi_square);
  sink.figure("blocks", static_cast<double>(blocks_count));
  sink.p[0] = chi_square_tail(chi_square, static_cast<double>(blocks_count));
}

void runs(const Bits& bits, const Sink& sink) {
  const auto n = static_cast<double>(bits.size());
  const double share = static_cast<double>(bits.ones(0, bits.size())) / n;
  sink.figure("share of ones", share);
  if (std::fabs(share - 0.5) > 2.0 / std::sqrt(n)) {
    sink.p[0] = 0.0;  // 2.3.4 (2): the frequency test has failed already
    return;
  }
  std::size_t changes = 0;
  std::size_t at = 0;
  const std::size_t pairs_count = bits.size() - 1;
  for (; at + 64 <= pairs_count; at += 64) {
    changes += static_cast<std::size_t>(std::popcount(bits.word_at(at) ^ bits.word_at(at + 1)));
  }
  for (; at < pairs_count; ++at)
    changes += static_cast<std::size_t>(bits.bit(at) != bits.bit(at + 1));
  const double runs_count = static_cast<double>(changes) + 1.0;
  sink.figure("runs", runs_count);
  const double expected = 2.0 * n * share * (1.0 - share);
  sink.p[0] = std::erfc(std::fabs(runs_count - expected) /
                        (2.0 * share * (1.0 - share) * std::sqrt(2.0 * n)));
}

}  // namespace talla::stats::sp800_22

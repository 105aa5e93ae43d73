// SP 800-90B, 6.3.8: lag prediction, lags 1 to 128.
#include "race.hpp"

namespace talla::stats::sp800_90b {
namespace {

constexpr std::size_t lags_count = 128;

/// Up to 64 bits from `at` on, the first in the lowest place.
std::uint64_t steps_at(const Bits& bits, std::size_t at) {
  std::uint64_t word = __builtin_bswap64(bits.word_at(at));
  word = ((word >> 4) & 0x0f0f0f0f0f0f0f0fU) | ((word & 0x0f0f0f0f0f0f0f0fU) << 4);
  word = ((word >> 2) & 0x3333333333333333U) | ((word & 0x3333333333333333U) << 2);
  return ((word >> 1) & 0x5555555555555555U) | ((word & 0x5555555555555555U) << 1);
}

}  // namespace

Estimate lag(const Bits& bits) {
  Race<lags_count> race;
  std::array<std::uint64_t, lags_count> hits{}, known{};
  for (std::size_t at = 1; at < bits.size(); at += 64) {
    const auto steps = static_cast<unsigned>(std::min<std::size_t>(64, bits.size() - at));
    const std::uint64_t all = steps == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << steps) - 1;
    const std::uint64_t now = steps_at(bits, at);
    for (std::size_t d = 0; d < lags_count; ++d) {
      const std::size_t back = d + 1;
      // A lag that reaches before the first bit predicts nothing yet: that is a wrong prediction.
      std::uint64_t past = 0, there = all;
      if (back <= at) {
        past = steps_at(bits, at - back);
      } else if (back - at < 64) {
        past = steps_at(bits, 0) << (back - at);
        there &= ~std::uint64_t{0} << (back - at);
      } else {
        there = 0;
      }
      hits[d] = ~(now ^ past) & there;
      known[d] = all;
    }
    race.run(hits, known, steps);
  }
  return from_hits("Lag Prediction", race.result(bits.size() - 1), 2);
}

Estimate lag(std::span<const std::uint8_t> symbols, unsigned alphabet) {
  // Only lags whose symbol equals the present one score: they are found along a chain of its
  // occurrences.
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> last(alphabet, none);
  std::array<std::size_t, lags_count>
      before{};  // of place i % 128: the occurrence of its symbol before it
  std::array<std::uint64_t, lags_count> scores{};
  std::size_t winner = 0;
  RunCounter counter;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::uint8_t symbol = symbols[i];
    if (i > 0) counter.count(i > winner && symbols[i - winner - 1] == symbol);
    for (std::size_t place = last[symbol]; place != none && i - place <= lags_count;
         place = before[place % lags_count]) {
      const std::size_t d = i - place - 1;
      if (++scores[d] >= scores[winner]) winner = d;
    }
    before[i % lags_count] = last[symbol];
    last[symbol] = i;
  }
  return from_hits("Lag Prediction", counter.result(symbols.size() - 1), alphabet);
}

}  // namespace talla::stats::sp800_90b

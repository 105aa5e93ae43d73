// SP 800-90B, 5.1: permutation testing.
#include <algorithm>
#include <array>
#include <thread>

#include "iid_statistics.hpp"

namespace talla::stats::sp800_90b {
namespace {

/// xoshiro256** (D. Blackman, S. Vigna, 2018), seeded by splitmix64. Permutations for a statistic,
/// nothing secret.
class Generator {
 public:
  Generator(std::uint64_t seed, std::uint64_t stream) {
    std::uint64_t state = seed * 0x9e3779b97f4a7c15U + stream;
    for (std::uint64_t& word : state_) {
      state += 0x9e3779b97f4a7c15U;
      std::uint64_t mixed = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9U;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
      word = mixed ^ (mixed >> 31);
    }
  }
  std::uint64_t next() {
    const std::uint64_t out = rotated(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotated(state_[3], 45);
    return out;
  }
  /// Uniform in [0, bound), exactly (D. Lemire, ACM TOMACS 29(1), 2019). Precondition: 0 < bound <
  /// 2^32.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t wide = (next() >> 32) * bound;
    if (static_cast<std::uint32_t>(wide) < bound) {
      const std::uint32_t least = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(wide) < least) wide = (next() >> 32) * bound;
    }
    return static_cast<std::uint32_t>(wide >> 32);
  }

 private:
  static std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }
  std::array<std::uint64_t, 4> state_{};
};

/// One worker's copies of the data.
class Round {
 public:
  explicit Round(const Samples& samples)
      : samples_(samples),
        median_(median_of(samples.symbols(), samples.alphabet())),
        same_(samples.symbols().data() == samples.raw().data()) {
    if (same_) return;
    for (std::size_t i = 0; i < samples.size(); ++i)
      value_of_[samples.symbols()[i]] = samples.raw()[i];
  }
  Statistics run(std::uint64_t seed, std::uint32_t round, const Wanted& wanted) {
    symbols_.assign(samples_.symbols().begin(), samples_.symbols().end());
    Generator generator(seed, round);
    for (std::size_t i = symbols_.size(); i > 1; --i) {
      std::swap(symbols_[i - 1], symbols_[generator.below(static_cast<std::uint32_t>(i))]);
    }
    if (!same_) {
      raw_.resize(symbols_.size());
      std::transform(symbols_.begin(), symbols_.end(), raw_.begin(),
                     [&](std::uint8_t symbol) { return value_of_[symbol]; });
    }
    return statistics_of(symbols_, same_ ? Bytes(symbols_) : Bytes(raw_), samples_.alphabet(),
                         median_, wanted);
  }

 private:
  const Samples& samples_;
  double median_;
  bool same_;
  std::array<std::uint8_t, 256> value_of_{};
  std::vector<std::uint8_t> symbols_, raw_;
};

/// The verdict of a statistic stands once more than five rounds are on each side (5.1, step 3).
bool decided(const std::array<std::uint32_t, 3>& counts) {
  return counts[0] + counts[1] > 5 && counts[1] + counts[2] > 5;
}

}  // namespace

PermutationResult permutation_test(const Samples& samples, const PermutationOptions& options) {
  PermutationResult result;
  Wanted wanted;
  wanted.fill(true);
  wanted.back() = options.with_compression;
  result.original = permutation_statistics(samples, wanted);
  std::vector<Round> workers(std::max(1U, options.threads), Round(samples));
  for (std::uint32_t done = 0; done < options.rounds;) {
    if (std::none_of(wanted.begin(), wanted.end(), [](bool one) { return one; })) break;
    const auto batch =
        static_cast<std::uint32_t>(std::min<std::size_t>(workers.size(), options.rounds - done));
    std::vector<Statistics> found(batch);
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t t = 1; t < batch; ++t) {
        threads.emplace_back([&, t] { found[t] = workers[t].run(options.seed, done + t, wanted); });
      }
      found[0] = workers[0].run(options.seed, done, wanted);
    }
    // In the order of the rounds, so that the number of threads cannot show in the counts.
    for (const Statistics& statistics : found) {
      if (std::none_of(wanted.begin(), wanted.end(), [](bool one) { return one; })) break;
      ++result.rounds;
      for (std::size_t s = 0; s < statistics_count; ++s) {
        if (!wanted[s]) continue;
        const std::size_t side = statistics[s] > result.original[s]    ? 0
                                 : statistics[s] == result.original[s] ? 1
                                                                       : 2;
        ++result.counts[s][side];
        if (!options.full_counts && decided(result.counts[s])) wanted[s] = false;
      }
    }
    done += batch;
    if (options.progress) options.progress(done);
  }
  result.all_passed = true;
  for (std::size_t s = 0; s < statistics_count; ++s) {
    result.passed[s] =
        decided(result.counts[s]) || (s + 1 == statistics_count && !options.with_compression);
    result.all_passed = result.all_passed && result.passed[s];
  }
  return result;
}

}  // namespace talla::stats::sp800_90b

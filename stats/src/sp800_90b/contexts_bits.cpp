// SP 800-90B on strings of bits: 6.3.9 MultiMMC, 6.3.10 LZ78Y. Contexts of 1 to 16 bits index
// tables directly.
#include "contexts.hpp"
#include "race.hpp"

namespace talla::stats::sp800_90b {
namespace {

/// How often a zero and a one followed a context.
struct Followers {
  std::array<std::uint32_t, 2> counts{};
  [[nodiscard]] bool known() const { return (counts[0] | counts[1]) != 0; }
  [[nodiscard]] unsigned likelier() const { return static_cast<unsigned>(counts[0] <= counts[1]); }
  [[nodiscard]] std::uint32_t most() const { return std::max(counts[0], counts[1]); }
};

/// All contexts of 1 to 16 bits: those of d bits begin at 2^d - 2.
class Contexts {
 public:
  Followers& at(std::size_t depth, std::uint32_t history) {
    const std::uint32_t mask = (1U << depth) - 1;
    return table_[mask - 1 + (history & mask)];
  }

 private:
  std::vector<Followers> table_ = std::vector<Followers>((std::size_t{2} << depths_count) - 2);
};

/// Turns a square of 8 x 8 bits over its diagonal (H. S. Warren, Hacker's Delight, 7-3).
std::uint64_t transposed(std::uint64_t square) {
  std::uint64_t change = (square ^ (square >> 7)) & 0x00aa00aa00aa00aaU;
  square ^= change ^ (change << 7);
  change = (square ^ (square >> 14)) & 0x0000cccc0000ccccU;
  square ^= change ^ (change << 14);
  change = (square ^ (square >> 28)) & 0x00000000f0f0f0f0U;
  return square ^ change ^ (change << 28);
}

/// Collects for up to 64 steps which of 16 predictors were right and which predicted at all.
class StepMasks {
 public:
  void add(std::uint32_t hits, std::uint32_t known) {
    hits_[steps_] = hits;
    known_[steps_] = known;
    ++steps_;
  }
  [[nodiscard]] unsigned steps() const { return steps_; }
  void move_to(Race<depths_count>& race) {
    if (steps_ == 0) return;
    for (unsigned k = steps_; k < 64; ++k) hits_[k] = known_[k] = 0;
    race.run(by_predictor(hits_), by_predictor(known_), steps_);
    steps_ = 0;
  }

 private:
  [[nodiscard]] static std::array<std::uint64_t, depths_count> by_predictor(
      const std::array<std::uint32_t, 64>& steps) {
    std::array<std::uint64_t, depths_count> words{};
    for (unsigned half = 0; half < 2; ++half) {
      for (unsigned group = 0; group < 8; ++group) {
        std::uint64_t square = 0;  // byte k: step k of the group, bit d: predictor
        for (unsigned k = 0; k < 8; ++k)
          square |= std::uint64_t{(steps[8 * group + k] >> (8 * half)) & 0xffU} << (8 * k);
        square = transposed(square);
        for (unsigned d = 0; d < 8; ++d)
          words[8 * half + d] |= ((square >> (8 * d)) & 0xffU) << (8 * group);
      }
    }
    return words;
  }
  std::array<std::uint32_t, 64> hits_{}, known_{};
  unsigned steps_ = 0;
};

/// The `count` bits before `at`, the latest lowest.
std::uint32_t history_before(const Bits& bits, std::size_t at, std::size_t count) {
  std::uint32_t history = 0;
  for (std::size_t i = at - count; i < at; ++i)
    history = history << 1 | static_cast<std::uint32_t>(bits.bit(i));
  return history;
}

}  // namespace

Estimate multi_mmc(const Bits& bits) {
  Contexts contexts;
  std::uint64_t longest_entries = 0;  // only the longest contexts can have more than 100,000
  const auto learn_longest = [&](Followers& followers, unsigned bit) {
    if (followers.counts[bit] == 0 && longest_entries == entries_most) return;
    longest_entries += static_cast<std::uint64_t>(followers.counts[bit] == 0);
    ++followers.counts[bit];
  };
  for (std::size_t depth = 1; depth <= depths_count; ++depth) {
    const auto bit = static_cast<unsigned>(bits.bit(depth));
    contexts.at(depth, history_before(bits, depth, depth)).counts[bit] = 1;
  }
  longest_entries = 1;
  Race<depths_count> race;
  StepMasks masks;
  std::uint32_t history = history_before(bits, 2, 2);
  for (std::size_t i = 2; i < bits.size(); ++i) {
    const auto bit = static_cast<unsigned>(bits.bit(i));
    std::uint32_t hits = 0, known = 0;
    const auto look = [&](std::size_t depth) -> Followers& {
      Followers& followers = contexts.at(depth, history);
      const auto there = static_cast<std::uint32_t>(followers.known());
      known |= there << (depth - 1);
      hits |= (there & static_cast<std::uint32_t>(followers.likelier() == bit)) << (depth - 1);
      return followers;
    };
    if (i > depths_count) {  // a loop of known length is unrolled
      for (std::size_t depth = 1; depth < depths_count; ++depth) ++look(depth).counts[bit];
      learn_longest(look(depths_count), bit);
    } else {
      for (std::size_t depth = 1; depth < i; ++depth) ++look(depth).counts[bit];
    }
    history = history << 1 | bit;
    masks.add(hits, known);
    if (masks.steps() == 64) masks.move_to(race);
  }
  masks.move_to(race);
  return from_hits("MultiMMC Prediction", race.result(bits.size() - 2), 2);
}

Estimate lz78y(const Bits& bits) {
  Contexts contexts;
  std::uint64_t contexts_count = 0;
  const auto first = static_cast<unsigned>(bits.bit(depths_count));
  for (std::size_t depth = 1; depth <= depths_count; ++depth) {
    contexts.at(depth, history_before(bits, depths_count, depth)).counts[first] = 1;
    ++contexts_count;
  }
  RunCounter counter;
  std::uint32_t history = history_before(bits, depths_count + 1, depths_count + 1);
  for (std::size_t i = depths_count + 1; i < bits.size(); ++i) {
    const auto bit = static_cast<unsigned>(bits.bit(i));
    std::uint32_t most = 0;
    unsigned prediction = 2;
    // Of equal counts the longer context decides.
    for (std::size_t depth = 1; depth <= depths_count; ++depth) {
      const Followers& followers = contexts.at(depth, history);
      const std::uint32_t count = followers.most();
      const bool better = count >= most && count != 0;
      most = better ? count : most;
      prediction = better ? followers.likelier() : prediction;
    }
    counter.count(prediction == bit);
    if (contexts_count < contexts_most) {
      for (std::size_t depth = depths_count; depth > 0; --depth) {
        Followers& followers = contexts.at(depth, history);
        if (!followers.known()) {
          if (contexts_count == contexts_most) continue;
          ++contexts_count;
        }
        ++followers.counts[bit];
      }
    } else {
      for (std::size_t depth = 1; depth <= depths_count; ++depth) {
        Followers& followers = contexts.at(depth, history);
        followers.counts[bit] += static_cast<std::uint32_t>(followers.known());
      }
    }
    history = history << 1 | bit;
  }
  return from_hits("LZ78Y Prediction", counter.result(bits.size() - depths_count - 1), 2);
}

}  // namespace talla::stats::sp800_90b

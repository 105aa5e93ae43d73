// Goal: in simulated lives under the null, with a look at every step, an e-process crosses 1 /
// alpha in at most a share alpha of them, and a detector's run length has mean at least its
// threshold.
// Method: fixed seeds; alpha 0.01 with four binomial standard deviations; 4,000 shorter lives, with
// TALLA_LONG=1 the stated 100,000.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "stats/monitor/streams.hpp"
#include "words.hpp"

namespace talla::stats::monitor {
namespace {

using test::Words;

constexpr double alpha = 0.01;

bool is_long() {
  return std::getenv("TALLA_LONG") != nullptr;  // NOLINT(concurrency-mt-unsafe): one thread
}
int lives() {
  return is_long() ? 100'000 : 4'000;
}

/// Lives in which each process of the group crossed; each life begins new epochs.
template <class Life>
void expect_rate(const char* what, Group& group, const Life& life) {
  std::vector<int> crossed(group.processes().size());
  const int count = lives();
  Words words(20261121);
  for (int i = 0; i < count; ++i) {
    for (Process* process : group.processes()) process->begin_epoch();
    std::vector<bool> over(crossed.size());
    life(words, [&] {
      for (std::size_t p = 0; p < crossed.size(); ++p) {
        if (group.processes()[p]->e() >= 1 / alpha) over[p] = true;
      }
    });
    for (std::size_t p = 0; p < crossed.size(); ++p) crossed[p] += over[p] ? 1 : 0;
  }
  const double bound = count * alpha + 4 * std::sqrt(count * alpha * (1 - alpha));
  for (std::size_t p = 0; p < crossed.size(); ++p) {
    const std::string name = std::string(what) + "/" + group.processes()[p]->name();
    std::printf("  %-24s %d of %d lives crossed 100\n", name.c_str(), crossed[p], count);
    EXPECT_LE(crossed[p], bound) << name;
  }
}

TEST(Lives, wheel_numbers_cross_at_most_alpha) {
  Alphabet wheel(37, "numbers");
  const int steps = is_long() ? 1000 : 500;
  expect_rate("wheel-37", wheel, [&](Words& words, const auto& look) {
    wheel.forget();
    for (int i = 0; i < steps; ++i) {
      wheel.observe(words.below(37));
      look();
    }
  });
}

TEST(Lives, dice_cross_at_most_alpha) {
  Alphabet die(6, "dice");
  const int steps = is_long() ? 2000 : 1000;
  expect_rate("die-6", die, [&](Words& words, const auto& look) {
    die.forget();
    for (int i = 0; i < steps; ++i) {
      die.observe(words.below(6));
      look();
    }
  });
}

TEST(Lives, shoes_cross_at_most_alpha) {
  Shoe shoe(std::vector<std::uint32_t>(13, 4));
  std::vector<std::uint16_t> kinds(52);
  for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint16_t>(i % 13);
  expect_rate("shoe", shoe, [&](Words& words, const auto& look) {
    for (int i = 0; i < 15; ++i) {
      for (std::size_t left = kinds.size(); left > 1; --left)
        std::swap(kinds[left - 1], kinds[words.below(left)]);
      ASSERT_TRUE(shoe.observe(kinds));
      shoe.credit();
      look();
    }
  });
}

TEST(Lives, bits_cross_at_most_alpha) {
  ConditionedBits bits;
  std::array<std::uint8_t, 8> block{};
  expect_rate("bits", bits, [&](Words& words, const auto& look) {
    for (int i = 0; i < 60; ++i) {
      const std::uint64_t word = words.next();
      for (std::size_t k = 0; k < block.size(); ++k)
        block[k] = static_cast<std::uint8_t>(word >> (8 * k));
      bits.observe(block);
      look();
    }
  });
}

/// A predictor that is right exactly as often as the claim allows: the worst the null holds.
TEST(Lives, claim_bets_cross_at_most_alpha) {
  const int count = lives();
  int crossed = 0;
  Words words(5);
  for (int i = 0; i < count; ++i) {
    ClaimBet bet(2000);
    bool over = false;
    for (int step = 0; step < 1000; ++step) {
      bet.observe(words.below(4) == 0 ? 1 : 0, 1);
      over = over || bet.log_e() >= std::log(1 / alpha);
    }
    crossed += over ? 1 : 0;
  }
  std::printf("  %-24s %d of %d lives crossed 100\n", "claim", crossed, count);
  EXPECT_LE(crossed, count * alpha + 4 * std::sqrt(count * alpha * (1 - alpha)));
}

/// Mean steps until the detector of a process reaches `threshold`, with restarts.
template <class Step>
double mean_run(Process& process, double threshold, int runs, const Step& step) {
  double steps = 0;
  for (int run = 0; run < runs; ++run) {
    process.restart_detector();
    process.freeze_e(true);
    while (process.detector() < threshold) {
      step();
      ++steps;
    }
  }
  return steps / runs;
}

TEST(RunLengths, have_mean_at_least_their_threshold) {
  const int runs = is_long() ? 10'000 : 500;
  constexpr double threshold = 500;
  const double allowed = 1 - 4 / std::sqrt(runs);
  Words words(6);
  Alphabet wheel(37, "numbers");
  const auto spin = [&] { wheel.observe(words.below(37)); };
  const double frequency = mean_run(*wheel.processes()[0], threshold, runs, spin);
  const double pairs = mean_run(*wheel.processes()[1], threshold, runs / 50, spin);
  Ones process("ones");
  const double ones = mean_run(process, threshold, runs, [&] {
    process.observe(static_cast<std::uint64_t>(__builtin_popcountll(words.next())), 64);
  });
  std::printf("  run length at threshold 500: frequency %.0f, pairs %.0f, ones %.0f\n", frequency,
              pairs, ones);
  EXPECT_GE(frequency, threshold * allowed);
  EXPECT_GE(pairs, threshold * allowed);
  EXPECT_GE(ones, threshold * allowed);
}

}  // namespace
}  // namespace talla::stats::monitor

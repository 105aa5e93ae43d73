// Goal: under the null every e-process has mean exactly 1 and every detector mean exactly the
//       number of its steps.
// Method: all outcomes of small streams are gone through, each with its exact probability: no
// simulation, no tolerance but rounding.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "stats/monitor/streams.hpp"
#include "stats/monitor/threshold.hpp"

namespace talla::stats::monitor {
namespace {

/// All sequences of `length` symbols below `size`.
void each_sequence(std::size_t size, std::size_t length,
                   const std::function<void(const std::vector<std::size_t>&)>& call) {
  std::vector<std::size_t> sequence(length);
  for (;;) {
    call(sequence);
    std::size_t at = 0;
    while (at < length && ++sequence[at] == size) sequence[at++] = 0;
    if (at == length) return;
  }
}

TEST(Exact, alphabets_have_mean_one_and_detectors_mean_their_steps) {
  constexpr std::size_t size = 3;
  constexpr std::size_t length = 7;
  double frequency = 0;
  double pairs = 0;
  double alert = 0;
  double count = 0;
  each_sequence(size, length, [&](const auto& sequence) {
    Alphabet group(size, "numbers");
    for (const std::size_t symbol : sequence) group.observe(symbol);
    frequency += group.processes()[0]->e();
    pairs += group.processes()[1]->e();
    alert += group.processes()[0]->detector();
    ++count;
  });
  EXPECT_NEAR(frequency / count, 1, 1e-12);
  EXPECT_NEAR(pairs / count, 1, 1e-12);
  EXPECT_NEAR(alert / count, static_cast<double>(length), 1e-10);
}

TEST(Exact, pair_detectors_take_at_most_one_step_for_each_pair) {
  constexpr std::size_t length = 6;
  double alert = 0;
  double count = 0;
  each_sequence(3, length, [&](const auto& sequence) {
    Alphabet group(3, "numbers");
    for (const std::size_t symbol : sequence) group.observe(symbol);
    alert += group.processes()[1]->detector();
    ++count;
  });
  EXPECT_NEAR(alert / count, (length - 1) / 3.0, 1e-10)
      << "a third of the rows is due at each step";
}

/// Probabilities that are not equal: the same mean with the weights of the sequences.
TEST(Exact, unequal_probabilities_are_taken_as_they_are) {
  const std::vector<double> p = {0.5, 0.3, 0.2};
  double mean = 0;
  each_sequence(p.size(), 7, [&](const auto& sequence) {
    Frequency process("frequency", p);
    double weight = 1;
    for (const std::size_t symbol : sequence) {
      weight *= p[symbol];
      process.observe(symbol);
    }
    mean += weight * process.e();
  });
  EXPECT_NEAR(mean, 1, 1e-12);
}

/// Without replacement: all orders of a small deck are equally likely; two shoes one behind the
///                      other.
TEST(Exact, shoes_have_exact_conditional_probabilities) {
  const std::vector<std::uint32_t> copies = {2, 1, 2};
  std::vector<std::vector<std::uint16_t>> orders;
  std::vector<std::uint16_t> order = {0, 0, 1, 2, 2};
  do orders.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  ASSERT_EQ(orders.size(), 30U);
  double position = 0;
  double neighbour = 0;
  double alert = 0;
  double early = 0;
  for (const auto& first : orders) {
    for (const auto& second : orders) {
      Shoe group(copies);
      ASSERT_TRUE(group.observe(first));
      ASSERT_TRUE(group.observe(second));
      early += group.processes()[0]->e();
      group.credit();
      position += group.processes()[0]->e();
      neighbour += group.processes()[1]->e();
      alert += group.processes()[0]->detector();
    }
  }
  EXPECT_NEAR(position / 900, 1, 1e-12);
  EXPECT_NEAR(neighbour / 900, 1, 1e-12);
  EXPECT_LT(early / 900, 1) << "before the stakes on used-up cards are given back";
  EXPECT_LT(alert / 900, 2) << "each place has one card a shoe; detectors get nothing back";
  EXPECT_GT(alert / 900, 1.5);
}

/// A beginning whose length is fixed before its cards are known is as good as a whole shoe.
TEST(Exact, the_beginning_of_a_shoe_has_mean_one) {
  std::vector<std::uint16_t> order = {0, 0, 1, 2, 2};
  double position = 0;
  double count = 0;
  do {
    Shoe group({2, 1, 2});
    ASSERT_TRUE(group.observe(std::span(order).first(3)));
    group.credit();
    position += group.processes()[0]->e();
    ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_NEAR(position / count, 1, 1e-12);
}

TEST(Exact, a_shoe_that_the_deck_does_not_hold_is_refused_and_changes_nothing) {
  Shoe group({2, 1, 2});
  const std::vector<std::uint16_t> too_often = {0, 1, 1};
  const std::vector<std::uint16_t> unknown = {0, 3};
  EXPECT_FALSE(group.observe(too_often));
  EXPECT_FALSE(group.observe(unknown));
  EXPECT_EQ(group.processes()[0]->e(), 1);
  EXPECT_EQ(group.processes()[0]->steps(), 0U);
}

TEST(Exact, bits_have_mean_one) {
  double ones = 0;
  double bytes = 0;
  double nibbles = 0;
  double alert = 0;
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      ConditionedBits group;
      const std::array<std::uint8_t, 2> block = {static_cast<std::uint8_t>(first),
                                                 static_cast<std::uint8_t>(second)};
      group.observe(block);
      ones += group.processes()[0]->e();
      bytes += group.processes()[1]->e();
      nibbles += group.processes()[2]->e();
      alert += group.processes()[0]->detector();
    }
  }
  EXPECT_NEAR(ones / 65536, 1, 1e-9);
  EXPECT_NEAR(bytes / 65536, 1, 1e-9);
  EXPECT_NEAR(nibbles / 65536, 1, 1e-9);
  EXPECT_NEAR(alert / 65536, 1, 1e-9) << "a step a block";
}

/// With hits exactly as likely as the claim allows the mean is 1, with fewer it is below.
TEST(Exact, claim_bets_have_mean_one_at_the_claim_and_less_below) {
  constexpr unsigned trials = 12;
  for (const std::uint32_t millibits : {500U, 1000U, 3000U}) {
    const double p = std::exp2(-static_cast<double>(millibits) / 1000);
    const auto mean_at = [&](double rate) {
      double mean = 0;
      double detector = 0;
      double ways = 1;
      for (unsigned hits = 0; hits <= trials; ++hits) {
        ClaimBet bet(millibits);
        bet.observe(hits, trials);
        const double weight = ways * std::pow(rate, hits) * std::pow(1 - rate, trials - hits);
        mean += weight * std::exp(bet.log_e());
        detector += weight * std::expm1(bet.log_detector());
        ways = ways * (trials - hits) / (hits + 1);
      }
      return std::pair(mean, detector);
    };
    EXPECT_NEAR(mean_at(p).first, 1, 1e-10);
    EXPECT_NEAR(mean_at(p).second, 1, 1e-10) << "a step a block";
    EXPECT_LT(mean_at(0.9 * p).first, 1);
  }
}

TEST(Exact, the_shares_of_alpha_add_up_to_one_at_most) {
  double places = 0;
  for (std::uint32_t j = 1; j <= 100'000; ++j) places += alpha_share(j, 1) / alpha_share(1, 1) / 2;
  EXPECT_LE(places, 1);
  EXPECT_GT(places, 0.9999);
  double epochs = 0;
  for (std::uint32_t k = 1; k <= 100'000; ++k) epochs += 2 * alpha_share(1, k);
  EXPECT_LE(epochs, 1);
  EXPECT_GT(epochs, 0.9999);
  EXPECT_NEAR(std::exp(-log_threshold(0.01, 2, 3)), 0.01 * alpha_share(2, 3), 1e-15);
}

}  // namespace
}  // namespace talla::stats::monitor

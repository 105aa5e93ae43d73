// Goal: the e-process over shares of stakes has expectation 1 at every length, however stakes
//       depend on each other; what cannot happen is an alarm; a state goes on where it stopped.
// Method: all outcomes of short rows of rounds added up with their probabilities: stakes on one
//   outcome, stakes on two that exclude each other, a law that changes with what came before.
#include "stats/monitor/shares.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace talla::stats::monitor {
namespace {

constexpr std::size_t ends = 3;
using Law = std::array<double, ends>;

/// The law of the next round: it moves with the last end, as cards that leave a shoe.
Law law_behind(std::size_t last) {
  Law law{0.5, 0.3, 0.2};
  std::swap(law[0], law[last]);
  return law;
}

/// All stakes of a round stand on one outcome: they come to the same end.
Law all_on(std::size_t end) {
  Law shares{};
  shares[end] = 1;
  return shares;
}

struct Means {
  double e = 0;
  double whole = 0;
};

/// Adds e and probability over all rows of rounds that go on from here.
void add_rows(const std::string& state, double probability, std::size_t last, int rounds,
              Means& means) {
  Shares shares("payments", ends);
  StateReader in(state);
  shares.load(in);
  ASSERT_TRUE(in.finish());
  if (rounds == 0) {
    means.e += probability * shares.e();
    means.whole += probability;
    return;
  }
  const Law law = law_behind(last);
  for (std::size_t end = 0; end < ends; ++end) {
    Shares next("payments", ends);
    StateReader again(state);
    next.load(again);
    next.observe(all_on(end), law, false);
    StateWriter out;
    next.save(out);
    add_rows(out.fields(), probability * law[end], end, rounds - 1, means);
  }
}

TEST(Shares, have_expectation_one_over_all_rows_of_rounds_also_when_the_law_moves) {
  const Shares fresh("payments", ends);
  StateWriter out;
  fresh.save(out);
  for (const int rounds : {1, 3, 6}) {
    Means means;
    add_rows(out.fields(), 1, 0, rounds, means);
    EXPECT_NEAR(means.whole, 1, 1e-12);
    EXPECT_NEAR(means.e, 1, 1e-12) << rounds << " rounds";
  }
}

/// Two stakes of a law {lost, won} = {2/3, 1/3}, on two of three equally likely outcomes: never do
/// both win, and their shares are no independent observations.
TEST(Shares, have_expectation_one_where_stakes_of_a_round_exclude_each_other) {
  const std::array<double, 2> law{2.0 / 3, 1.0 / 3};
  double mean = 0;
  for (int row = 0; row < 243; ++row) {
    Shares shares("payments", 2);
    for (int round = 0, rest = row; round < 5; ++round, rest /= 3) {
      // Of 4 units 1 stands on outcome 0 and 3 on outcome 1.
      const std::array<double, 3> won{0.25, 0.75, 0};
      const double share = won.at(static_cast<std::size_t>(rest % 3));
      shares.observe(std::array<double, 2>{1 - share, share}, law, false);
    }
    mean += shares.e() / 243;
  }
  EXPECT_NEAR(mean, 1, 1e-12);
}

TEST(Shares, grow_when_an_end_comes_too_often_and_when_it_never_comes) {
  const Law law{0.9, 0.05, 0.05};
  for (const std::size_t end : {std::size_t{0}, std::size_t{1}}) {
    Shares shares("payments", ends);
    for (int i = 0; i < 180; ++i) shares.observe(all_on(end), law, false);
    EXPECT_GT(shares.log_e(), 14) << end;
    EXPECT_NEAR(std::log(shares.e()), shares.log_e(), 1e-9);
    EXPECT_GT(shares.log_detector(), 15) << end;
  }
}

TEST(Shares, of_what_cannot_happen_are_an_alarm_until_the_next_epoch) {
  const Law law{0.5, 0.5, 0};
  for (const bool foreign : {true, false}) {
    Shares shares("payments", ends);
    shares.observe(foreign ? Law{} : Law{0, 0, 1}, law, foreign);
    EXPECT_EQ(shares.e(), std::numeric_limits<double>::max());
    EXPECT_GT(shares.log_e(), 700);
    EXPECT_EQ(shares.detector(), std::numeric_limits<double>::max());
    shares.begin_epoch();
    shares.restart_detector();
    EXPECT_EQ(shares.steps(), 0U);
    EXPECT_DOUBLE_EQ(shares.e(), 1);
    EXPECT_EQ(shares.detector(), 0);
  }
}

TEST(Shares, learn_nothing_while_they_are_frozen) {
  const Law law{0.5, 0.3, 0.2};
  Shares shares("payments", ends);
  shares.freeze_e(true);
  shares.freeze_detector(true);
  shares.observe(Law{}, law, true);
  EXPECT_EQ(shares.steps(), 0U);
  EXPECT_DOUBLE_EQ(shares.e(), 1);
  EXPECT_EQ(shares.detector(), 0);
}

TEST(Shares, refuse_a_state_that_does_not_fit) {
  const Shares shares("payments", ends);
  StateWriter out;
  shares.save(out);
  for (std::size_t size = 0; size < out.fields().size(); size += 7) {
    Shares into("payments", ends);
    StateReader in(std::string_view(out.fields()).substr(0, size));
    into.load(in);
    EXPECT_FALSE(in.finish()) << size;
  }
  StateWriter odd;
  odd.u64(1);
  odd.u32(2);
  StateReader in(odd.fields());
  Shares into("payments", ends);
  into.load(in);
  EXPECT_FALSE(in.finish());
}

}  // namespace
}  // namespace talla::stats::monitor

// Goal: the e-process over gains has expectation at most 1 at every length when no gain is expected
//       beyond the bound, grows when one is, takes what no rule pays for an alarm, and goes on
//       where it stopped.
// Method: all rows of rounds of a game with three ends added up with their probabilities, stakes
//   chosen by what came before.
#include "stats/monitor/excess.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

namespace talla::stats::monitor {
namespace {

struct GainEnd {
  double gain = 0;
  double probability = 0;
};
/// Fair; from the first cards on half of it is known.
constexpr std::array fair = {GainEnd{-4, 0.1}, GainEnd{-0.25, 0.8}, GainEnd{6, 0.1}};

/// The mean of e over all rows of rounds that go on from here.
double mean_e(const std::string& state, int rounds, double bound, double last) {
  double sum = 0;
  for (const GainEnd& end : fair) {
    Excess next("payments");
    StateReader in(state);
    next.load(in);
    EXPECT_TRUE(in.finish());
    // Who has lost stakes more: the round is seen by its stakes' mean.
    const double share = last < 0 ? 1 : 0.5;
    next.observe({share * (end.gain - bound), share * (end.gain / 2 - bound)}, false);
    StateWriter out;
    next.save(out);
    sum += end.probability *
           (rounds == 1 ? next.e() : mean_e(out.fields(), rounds - 1, bound, end.gain));
  }
  return sum;
}

std::string fresh_state() {
  StateWriter out;
  Excess("payments").save(out);
  return out.fields();
}

TEST(Excess, has_the_expectation_one_at_every_length_when_the_bound_is_met_and_less_below_it) {
  for (int rounds = 1; rounds <= 5; ++rounds) {
    EXPECT_NEAR(mean_e(fresh_state(), rounds, 0, 0), 1, 1e-12);
    EXPECT_LT(mean_e(fresh_state(), rounds, 0.1, 0), 1);
    EXPECT_GT(mean_e(fresh_state(), rounds, -0.1, 0), 1) << "gained beyond the bound";
  }
}

TEST(Excess, what_no_rule_pays_is_as_great_as_a_double_can_be_until_the_next_epoch) {
  Excess excess("payments");
  excess.observe({0, 0}, false);
  EXPECT_EQ(excess.e(), 1);
  excess.observe({0, 0}, true);
  EXPECT_EQ(excess.e(), std::numeric_limits<double>::max());
  EXPECT_EQ(excess.detector(), std::numeric_limits<double>::max());
  excess.begin_epoch();
  excess.restart_detector();
  EXPECT_EQ(excess.e(), 1);
  EXPECT_EQ(excess.steps(), 0U);
  EXPECT_EQ(excess.detector(), 0);
}

TEST(Excess, a_loss_of_all_that_may_be_leaves_less_than_one_and_never_less_than_nothing) {
  Excess excess("payments");
  for (int i = 0; i < 1000; ++i) excess.observe({-Excess::least, -2 * Excess::least}, false);
  EXPECT_GE(excess.e(), 0);
  EXPECT_LT(excess.e(), 1);
  excess.observe({1e9, 1e9}, false);
  EXPECT_LT(excess.log_e(), 0) << "what is beyond the greatest counts as that";
}

TEST(Excess, a_state_that_does_not_fit_is_refused) {
  Excess excess("payments");
  excess.observe({0.5, -0.5}, false);
  StateWriter out;
  excess.save(out);
  Excess again("payments");
  StateReader in(out.fields());
  again.load(in);
  ASSERT_TRUE(in.finish());
  EXPECT_EQ(again.e(), excess.e());
  EXPECT_EQ(again.steps(), 1U);
  EXPECT_EQ(again.detector(), excess.detector());
  StateWriter wrong;
  wrong.u64(1);
  wrong.u32(2);
  wrong.u32(0);
  StateReader damaged(wrong.fields());
  Excess other("payments");
  other.load(damaged);
  EXPECT_FALSE(damaged.finish());
}

}  // namespace
}  // namespace talla::stats::monitor

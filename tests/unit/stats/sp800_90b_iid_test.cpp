// SP 800-90B: IID track, restart tests and conditioning against NIST's program; repeatability of
// the permutations.
// Method: the deterministic lines of the printed reports; counts of permutation rounds only as far
//         as they do not depend on chance.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <sstream>
#include <string>

#include "sp800_90b_files.hpp"
#include "stats/sp800_90b/conditioning.hpp"
#include "stats/sp800_90b/iid.hpp"
#include "stats/sp800_90b/restart.hpp"

namespace sp800_90b_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_90b;

std::map<std::string, double> printed_figures(const std::string& path) {
  std::map<std::string, double> values;
  std::istringstream file(vector_text(path));
  for (std::string line; std::getline(file, line);) {
    const auto equals = line.rfind(" = ");
    if (equals == std::string::npos ||
        std::isdigit(static_cast<unsigned char>(line[equals + 3])) == 0)
      continue;
    values[line.substr(0, equals)] = std::stod(line.substr(equals + 3));
  }
  return values;
}

void expect_near(double found, double expected, const std::string& what) {
  EXPECT_NEAR(found, expected, 1e-9 * std::max(1e-9, std::fabs(expected))) << what;
}

class Iid : public testing::TestWithParam<const char*> {};

TEST_P(Iid, chi_square_longest_repeat_and_unpermuted_statistics_equal_nists) {
  const std::string name = GetParam();
  const auto bytes = vector_bytes(folder + "samples/" + name + ".bin");
  const auto expected = printed_figures(folder + "expected/iid/" + name + ".iid_i_a_vv.txt");
  auto samples = sp::Samples::create(bytes, 0);
  ASSERT_TRUE(samples.has_value());
  const auto independence = sp::chi_square_independence(*samples);
  expect_near(independence.statistic, expected.at("Chi square independence: T"), name);
  EXPECT_EQ(independence.degrees, expected.at("Chi square independence: df"));
  expect_near(independence.p, expected.at("Chi square independence: P-value"), name);
  const auto fit = sp::chi_square_goodness_of_fit(*samples);
  expect_near(fit.statistic, expected.at("Chi square goodness of fit: T"), name);
  EXPECT_EQ(fit.degrees, expected.at("Chi square goodness of fit: df"));
  expect_near(fit.p, expected.at("Chi square goodness of fit: P-value"), name);
  const auto repeat = sp::longest_repeat(*samples);
  const std::string lrs = "Literal Longest Repeated Substring results: ";
  expect_near(repeat.collision, expected.at(lrs + "P_col"), name);
  EXPECT_EQ(static_cast<double>(repeat.length), expected.at(lrs + "W"));
  expect_near(repeat.p, expected.at(lrs + "Pr(X >= 1)"), name);
  sp::Wanted all;
  all.fill(true);
  const auto statistics = sp::permutation_statistics(*samples, all);
  for (std::size_t i = 0; i < sp::statistics_count; ++i) {
    const std::string statistic(sp::statistic_name(i));
    expect_near(statistics[i], expected.at("Permutation testing: Unpermuted result " + statistic),
                name + " " + statistic);
  }
}
INSTANTIATE_TEST_SUITE_P(Sp80090b, Iid,
                         testing::Values("truerand_1bit", "truerand_4bit", "truerand_8bit",
                                         "rand1_short", "rand4_short", "rand8_short",
                                         "biased-random-bits", "biased-random-bytes", "normal",
                                         "ringOsc-nist"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

sp::Samples made(std::size_t count, unsigned width, int fault) {
  std::mt19937_64 random(20260201 + width);
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < count; ++i) {
    auto value = static_cast<std::uint8_t>(random() >> (64 - width));
    if (fault == 1 && i > 0 && random() % 10 == 0) value = bytes.back();
    bytes.push_back(value);
  }
  return *sp::Samples::create(bytes, width);
}

TEST(Sp80090bPermutations, same_seed_same_counts_whatever_the_threads) {
  const auto samples = made(4000, 4, 0);
  sp::PermutationOptions options{.seed = 7,
                                 .rounds = 60,
                                 .full_counts = true,
                                 .with_compression = false,
                                 .threads = 1,
                                 .progress = {}};
  const auto one = sp::permutation_test(samples, options);
  options.threads = 3;
  const auto three = sp::permutation_test(samples, options);
  EXPECT_EQ(one.counts, three.counts);
  for (std::size_t s = 0; s + 1 < sp::statistics_count; ++s) {
    EXPECT_EQ(one.counts[s][0] + one.counts[s][1] + one.counts[s][2], 60U) << sp::statistic_name(s);
  }
  options.seed = 8;
  EXPECT_NE(sp::permutation_test(samples, options).counts, one.counts);
  options.seed = 7;
  options.full_counts = false;
  options.threads = 1;
  const auto early_one = sp::permutation_test(samples, options);
  options.threads = 4;
  const auto early_four = sp::permutation_test(samples, options);
  EXPECT_EQ(early_one.counts, early_four.counts);
  EXPECT_EQ(early_one.rounds, early_four.rounds);
}

TEST(Sp80090bPermutations, independent_samples_pass_and_sticky_ones_fail) {
  for (const unsigned width : {1U, 8U}) {
    const sp::PermutationOptions options{.seed = 1,
                                         .rounds = 1500,
                                         .full_counts = false,
                                         .with_compression = width == 1,
                                         .threads = 2,
                                         .progress = {}};
    EXPECT_TRUE(sp::permutation_test(made(8000, width, 0), options).all_passed) << width;
    EXPECT_FALSE(sp::permutation_test(made(8000, width, 1), options).all_passed) << width;
  }
}

TEST(Sp80090bRestart, cutoffs_are_those_of_the_simulation_within_one) {
  // Printed by NIST's program after 5,000,000 simulated rounds; and the exact binomial for two
  // equal symbols.
  std::size_t compared = 0;
  for (const char* name : {"restart_markov_1bit.n", "keystream_aes256ctr_8bit.n",
                           "keystream_aes256ctr_8bit.i", "truerand_1bit.n", "truerand_4bit.n",
                           "biased-random-bits.n", "ringOsc-nist.n", "restart_stuck_8bit.n"}) {
    std::istringstream file(vector_text(folder + "expected/restart/" + name + ".txt"));
    double h = 0;
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("H_I: ") && h == 0) h = std::stod(line.substr(5));
      const auto at = line.find("X_cutoff: ");
      if (at == std::string::npos) continue;
      EXPECT_NEAR(sp::restart_cutoff(h), std::stod(line.substr(at + 10)), 1.0) << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8U);
}

TEST(Sp80090bRestart, the_cutoff_for_fair_bits_is_the_exact_binomial_one) {
  const double alpha = 1.0 - std::pow(0.99, 1.0 / 2000.0);
  double tail = 0.0;  // P(more than x ones or more than x zeros) = 2 P(Binomial(1000, 1/2) > x)
  unsigned x = 1000;
  while (x > 500) {
    // NOLINTBEGIN(concurrency-mt-unsafe): one thread
    const double next = 2.0 * std::exp(std::lgamma(1001.0) - std::lgamma(x + 1.0) -
                                       std::lgamma(1001.0 - x) - 1000.0 * std::numbers::ln2);
    // NOLINTEND(concurrency-mt-unsafe)
    if (tail + next > alpha) break;
    tail += next;
    --x;
  }
  EXPECT_EQ(sp::restart_cutoff(1.0), x);
}

TEST(Sp80090bRestart, verdicts_of_the_reference_runs) {
  struct Run {
    const char* samples;
    double h;
    bool sane, valid;
    double result;
  };
  for (const Run& run : {Run{"truerand_1bit", 0.85, true, true, 0.829677},
                         Run{"truerand_4bit", 3.3, true, true, 3.3},
                         Run{"biased-random-bits", 0.4, false, false, 0.0},
                         Run{"ringOsc-nist", 0.3, true, false, 0.0}}) {
    const auto bytes = vector_bytes(folder + "samples/" + run.samples + ".bin");
    const auto found = sp::assess_restarts(*sp::Samples::create(bytes, 0), run.h, false);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(found->sane, run.sane) << run.samples;
    EXPECT_EQ(found->valid, run.valid) << run.samples;
    EXPECT_NEAR(found->min_entropy, run.result, 5e-7) << run.samples;
  }
}

TEST(Sp80090bRestart, other_sizes_and_assessments_are_refused) {
  EXPECT_FALSE(sp::assess_restarts(made(999'999, 1, 0), 0.5, false).has_value());
  EXPECT_FALSE(sp::assess_restarts(made(1'000'000, 1, 0), 1.5, false).has_value());
  EXPECT_FALSE(sp::assess_restarts(made(1'000'000, 1, 0), 0.0, false).has_value());
}

TEST(Sp80090bConditioning, every_reference_run_is_equal) {
  std::istringstream file(vector_text(folder + "expected/conditioning/conditioning.txt"));
  std::size_t compared = 0;
  sp::Conditioning component;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("$ ea_conditioning ")) {
      std::istringstream words(line.substr(18));
      std::string kind;
      component = {};
      words >> kind >> component.n_in >> component.n_out >> component.nw >> component.h_in;
      double h_prime = 0;
      if (words >> h_prime) component.h_prime = h_prime;
    }
    const auto equals = line.rfind(" = ");
    if (line.find("ted) h_out") != std::string::npos) {
      const auto found = sp::output_entropy(component);
      ASSERT_TRUE(found.has_value());
      expect_near(found->h_out, std::stod(line.substr(equals + 3)), line);
      ++compared;
    } else if (line.starts_with("epsilon = 2^(")) {
      expect_near(sp::output_entropy(component)->log2_epsilon, std::stod(line.substr(13)), line);
    }
  }
  EXPECT_EQ(compared, 21U);
}

TEST(Sp80090bConditioning, what_cannot_be_is_refused_by_name) {
  EXPECT_NE(sp::output_entropy({.n_in = 0, .n_out = 1, .nw = 1, .h_in = 1, .h_prime = {}})
                .error()
                .detail.find("n_in"),
            std::string::npos);
  EXPECT_FALSE(
      sp::output_entropy({.n_in = 8, .n_out = 8, .nw = 8, .h_in = 9, .h_prime = {}}).has_value());
  EXPECT_FALSE(
      sp::output_entropy({.n_in = 8, .n_out = 8, .nw = 8, .h_in = 4, .h_prime = 1.5}).has_value());
}

}  // namespace
}  // namespace sp800_90b_test

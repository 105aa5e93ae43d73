// Goal: probabilities, means and variances of the outcome tests are exact, with ties and without
//       replacement.
// Method: every sequence and every order of small alphabets and shoes enumerated; published figures
// of Kolmogorov-Smirnov.
#include "stats/outcome/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "stats/outcome/cells.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/outcome/patterns.hpp"

namespace {

using namespace talla::stats::outcome;
using Sequence = std::vector<std::size_t>;

/// Calls with every sequence of n results and its probability.
void each_sequence(const std::vector<double>& p, std::size_t n,
                   const std::function<void(const Sequence&, double)>& call) {
  Sequence values(n);
  for (;;) {
    double weight = 1.0;
    for (const std::size_t value : values) weight *= p[value];
    call(values, weight);
    std::size_t i = 0;
    while (i < n && ++values[i] == p.size()) values[i++] = 0;
    if (i == n) return;
  }
}

/// Every different order of a shoe; all are equally likely.
std::vector<Sequence> orders(const std::vector<std::uint32_t>& copies) {
  Sequence cards;
  for (std::size_t face = 0; face < copies.size(); ++face)
    cards.insert(cards.end(), copies[face], face);
  std::vector<Sequence> all;
  do all.push_back(cards);
  while (std::next_permutation(cards.begin(), cards.end()));
  return all;
}

Moments enumerated(const std::vector<std::uint32_t>& copies,
                   const std::function<double(const Sequence&)>& statistic) {
  double sum = 0, square = 0;
  const auto all = orders(copies);
  for (const Sequence& order : all) {
    const double value = statistic(order);
    sum += value;
    square += value * value;
  }
  const auto count = static_cast<double>(all.size());
  return {sum / count, square / count - sum / count * sum / count};
}

Moments enumerated(const std::vector<double>& p, std::size_t n,
                   const std::function<double(const Sequence&)>& statistic) {
  double sum = 0, square = 0;
  each_sequence(p, n, [&](const Sequence& values, double weight) {
    const double value = statistic(values);
    sum += weight * value;
    square += weight * value * value;
  });
  return {sum, square - sum * sum};
}

void expect_near(const Moments& found, const Moments& exact, const std::string& what) {
  EXPECT_NEAR(found.mean, exact.mean, 1e-10 * (1 + std::abs(exact.mean))) << what;
  EXPECT_NEAR(found.variance, exact.variance, 1e-9 * (1 + exact.variance)) << what;
}

const std::vector<std::vector<double>> alphabets = {
    {0.5, 0.5}, {0.25, 0.25, 0.25, 0.25}, {0.2, 0.5, 0.3}, {0.1, 0.2, 0.3, 0.4}};
const std::vector<std::vector<std::uint32_t>> small_shoes = {
    {2, 2, 2}, {1, 1, 1, 1, 1, 1}, {3, 1, 2, 1}, {2, 2, 1, 3}, {4, 2}};

int direction(std::size_t a, std::size_t b) {
  return a < b ? 1 : a > b ? -1 : 0;
}

TEST(OutcomeMoments, steps_that_go_on_ties_included) {
  for (const auto& p : alphabets) {
    for (std::size_t n = 3; n <= 7; ++n) {
      const auto exact = enumerated(p, n, [](const Sequence& v) {
        double count = 0;
        for (std::size_t i = 2; i < v.size(); ++i)
          count += direction(v[i - 2], v[i - 1]) == direction(v[i - 1], v[i]) ? 1 : 0;
        return count;
      });
      expect_near(going_on(p, n), exact, "n = " + std::to_string(n));
    }
  }
}

TEST(OutcomeMoments, equal_neighbours_and_rises) {
  for (const auto& p : alphabets) {
    for (std::size_t n = 2; n <= 6; ++n) {
      expect_near(equal_neighbours(p, n),
                  enumerated(p, n,
                             [](const Sequence& v) {
                               double count = 0;
                               for (std::size_t i = 1; i < v.size(); ++i)
                                 count += v[i] == v[i - 1] ? 1 : 0;
                               return count;
                             }),
                  "equal");
      expect_near(rises(p, n),
                  enumerated(p, n,
                             [](const Sequence& v) {
                               double count = 0;
                               for (std::size_t i = 1; i < v.size(); ++i)
                                 count += v[i] > v[i - 1] ? 1 : 0;
                               return count;
                             }),
                  "rises");
    }
  }
}

TEST(OutcomeMoments, neighbours_in_a_shoe_open_and_closed) {
  for (const auto& copies : small_shoes) {
    const Multiset cards(copies);
    const auto all = static_cast<std::size_t>(cards.cards());
    FacePairs equal, next;
    for (std::size_t f = 0; f < copies.size(); ++f) equal.emplace_back(f, f);
    for (std::size_t f = 0; f + 1 < copies.size(); ++f) next.emplace_back(f, f + 1);
    for (std::size_t drawn = 2; drawn <= all; ++drawn) {
      for (const auto& pairs : {equal, next}) {
        expect_near(neighbours(cards, pairs, drawn),
                    enumerated(copies,
                               [&](const Sequence& v) {
                                 double count = 0;
                                 for (std::size_t i = 1; i < drawn; ++i)
                                   count += static_cast<double>(std::count(
                                       pairs.begin(), pairs.end(), std::pair{v[i - 1], v[i]}));
                                 return count;
                               }),
                    "drawn " + std::to_string(drawn));
      }
    }
    for (std::size_t f = 0; f < copies.size(); ++f) {
      for (std::size_t g = 0; g < copies.size(); ++g) {
        expect_near(ring_neighbours(cards, f, g),
                    enumerated(copies,
                               [&](const Sequence& v) {
                                 double count = 0;
                                 for (std::size_t i = 0; i < v.size(); ++i)
                                   count += v[i] == f && v[(i + 1) % v.size()] == g ? 1 : 0;
                                 return count;
                               }),
                    "ring");
      }
    }
  }
}

TEST(OutcomeMoments, rising_pairs_and_matches) {
  for (const auto& copies : small_shoes) {
    const Multiset cards(copies);
    expect_near(rising_pairs(cards),
                enumerated(copies,
                           [](const Sequence& v) {
                             double count = 0;
                             for (std::size_t i = 0; i < v.size(); ++i)
                               for (std::size_t j = i + 1; j < v.size(); ++j)
                                 count += v[i] + 1 == v[j] ? 1 : 0;
                             return count;
                           }),
                "rising");
    for (const std::size_t drawn : {std::size_t{2}, std::size_t{5}}) {
      const auto all = orders(copies);
      double sum = 0, square = 0;
      for (const auto& a : all) {
        for (const auto& b : all) {
          double same = 0;
          for (std::size_t i = 0; i < drawn; ++i) same += a[i] == b[i] ? 1 : 0;
          sum += same;
          square += same * same;
        }
      }
      const double count = static_cast<double>(all.size()) * static_cast<double>(all.size());
      expect_near(matches(cards, drawn), {sum / count, square / count - sum / count * sum / count},
                  "matches");
    }
  }
}

TEST(OutcomeMoments, neighbours_kept_from_the_order_before_against_all_orders) {
  for (const std::size_t all : {std::size_t{4}, std::size_t{6}}) {
    const auto every = orders(std::vector<std::uint32_t>(all, 1));
    for (std::size_t drawn = 2; drawn <= all; ++drawn) {
      const auto& before = every.front();  // every order is as good as another
      double sum = 0, square = 0;
      for (const auto& now : every) {
        double kept = 0;
        for (std::size_t i = 1; i < drawn; ++i)
          for (std::size_t j = 1; j < drawn; ++j)
            kept += now[i - 1] == before[j - 1] && now[i] == before[j] ? 1 : 0;
        sum += kept;
        square += kept * kept;
      }
      const auto count = static_cast<double>(every.size());
      expect_near(kept_pairs(all, drawn), {sum / count, square / count - sum / count * sum / count},
                  "kept");
    }
  }
}

TEST(OutcomeDistributions, half_the_weight_of_the_observed_count_against_sums) {
  // Poisson of mean 3 and binomial of 10 and 0.3, summed up plainly.
  for (const bool poisson : {true, false}) {
    double below = 0;
    for (int k = 0; k <= 10; ++k) {
      const double one = poisson
                             ? std::exp(-3.0) * std::pow(3.0, k) / std::tgamma(k + 1.0)
                             : std::tgamma(11.0) / (std::tgamma(k + 1.0) * std::tgamma(11.0 - k)) *
                                   std::pow(0.3, k) * std::pow(0.7, 10 - k);
      const double middle = below + one / 2;
      EXPECT_NEAR(count_mid_two_sided(k, 3.0, poisson ? 3.0 : 2.1),
                  2 * std::min(middle, 1 - middle), 1e-12)
          << k;
      below += one;
    }
  }
}

TEST(OutcomeMoments, rising_pairs_of_different_cards_are_eulerian) {
  // n less the number of rising sequences; these have mean (n + 1) / 2 and variance (n + 1) / 12.
  const std::vector<std::uint32_t> copies(52, 1);
  const Moments found = rising_pairs(Multiset(copies));
  EXPECT_NEAR(52 - found.mean, 53.0 / 2, 1e-12);
  EXPECT_NEAR(found.variance, 53.0 / 12, 1e-12);
}

TEST(OutcomeMoments, products_of_scores_at_every_distance) {
  for (const auto& copies : small_shoes) {
    const Multiset cards(copies);
    const auto all = static_cast<std::size_t>(cards.cards());
    std::vector<double> scores;
    for (std::size_t f = 0; f < copies.size(); ++f)
      scores.push_back(static_cast<double>(f * f) + 0.5);
    const Scores found = score_moments(cards, scores);
    const auto x = [&](const Sequence& v, std::size_t i) { return found.centred[v[i]]; };
    const Moments pair = enumerated(copies, [&](const Sequence& v) { return x(v, 0) * x(v, 3); });
    EXPECT_NEAR(found.product, pair.mean, 1e-10);
    EXPECT_NEAR(found.squares, pair.variance + pair.mean * pair.mean, 1e-9);
    EXPECT_NEAR(found.variance,
                enumerated(copies, [&](const Sequence& v) { return x(v, 1); }).variance, 1e-10);
    for (std::size_t drawn = 3; drawn <= all; ++drawn) {
      for (std::size_t d = 1; d < drawn; ++d) {
        expect_near(at_distance(found, drawn, d),
                    enumerated(copies,
                               [&](const Sequence& v) {
                                 double sum = 0;
                                 for (std::size_t i = 0; i + d < drawn; ++i)
                                   sum += x(v, i) * x(v, i + d);
                                 return sum;
                               }),
                    "distance " + std::to_string(d));
      }
    }
  }
}

std::size_t equal_pairs(const Sequence& v) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < i; ++j) pairs += v[i] == v[j] ? 1U : 0U;
  return pairs;
}
std::array<std::uint32_t, 4> four(const Sequence& v) {
  return {static_cast<std::uint32_t>(v[0]), static_cast<std::uint32_t>(v[1]),
          static_cast<std::uint32_t>(v[2]), static_cast<std::uint32_t>(v[3])};
}

/// All patterns of the first results, from weighted sequences.
struct Patterns {
  std::map<std::size_t, double> pairs, order, least, median, greatest;
  double rising = 0;
  std::map<Sequence, double> beginnings;
  void add(const Sequence& v, double weight) {
    pairs[equal_pairs(v)] += weight;
    order[order_class(four(v))] += weight;
    Sequence sorted(v.begin(), v.begin() + 5);
    std::sort(sorted.begin(), sorted.end());
    least[sorted[0]] += weight;
    median[sorted[2]] += weight;
    greatest[sorted[4]] += weight;
    if (v[0] < v[1] && v[1] < v[2]) rising += weight;
    beginnings[Sequence(v.begin(), v.begin() + 3)] += weight;
  }
  void expect(const Urn& urn) {
    const auto poker = poker_probabilities(urn);
    for (std::size_t i = 0; i < poker.size(); ++i)
      EXPECT_NEAR(poker[i], pairs[poker_pairs[i]], 1e-12);
    const auto ordered = order_probabilities(urn);
    for (std::size_t i = 0; i < ordered.size(); ++i) EXPECT_NEAR(ordered[i], order[i], 1e-12);
    for (std::size_t rank : {1U, 3U, 5U}) {
      auto& exact = rank == 1 ? least : rank == 3 ? median : greatest;
      const auto found = order_statistic_probabilities(urn, 5, rank);
      for (std::size_t face = 0; face < found.size(); ++face)
        EXPECT_NEAR(found[face], exact[face], 1e-12) << rank;
    }
    EXPECT_NEAR(rising_probability(urn, 3), rising, 1e-12);
    double match = 0;
    for (const auto& [begin, weight] : beginnings) match += weight * weight;
    EXPECT_NEAR(match_probability(urn, 3), match, 1e-12);
  }
};

TEST(OutcomePatterns, with_replacement) {
  for (const auto& p : alphabets) {
    Patterns patterns;
    each_sequence(p, 5, [&](const Sequence& v, double weight) { patterns.add(v, weight); });
    patterns.expect(Urn::with_replacement(p));
  }
}

TEST(OutcomePatterns, without_replacement) {
  for (const auto& copies : small_shoes) {
    Patterns patterns;
    const auto all = orders(copies);
    for (const Sequence& v : all) patterns.add(v, 1.0 / static_cast<double>(all.size()));
    patterns.expect(Urn::without_replacement(copies));
  }
}

TEST(OutcomePatterns, seventy_five_orders_of_four) {
  std::map<std::size_t, int> seen;
  each_sequence(std::vector<double>(7, 1.0 / 7), 4,
                [&](const Sequence& v, double) { ++seen[order_class(four(v))]; });
  EXPECT_EQ(seen.size(), order_classes);
  EXPECT_EQ(seen.rbegin()->first, order_classes - 1);
}

TEST(OutcomePatterns, waits_for_all_faces_and_for_one) {
  for (const auto& p : alphabets) {
    const auto found = coupon_probabilities(Urn::with_replacement(p));
    // A walk over the sets of faces seen.
    std::vector<double> sets(std::size_t{1} << p.size());
    sets[0] = 1;
    for (std::size_t t = 1; t < 40 && t + 1 < found.size(); ++t) {
      std::vector<double> next(sets.size());
      for (std::size_t set = 0; set + 1 < sets.size(); ++set)
        for (std::size_t f = 0; f < p.size(); ++f)
          next[set | std::size_t{1} << f] += sets[set] * p[f];
      sets = next;
      EXPECT_NEAR(found[t], sets.back(), 1e-12) << t;
    }
    EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1.0, 1e-12);
  }
  for (const auto& copies : small_shoes) {
    const auto all = orders(copies);
    std::map<std::size_t, double> complete, first;
    for (const Sequence& v : all) {
      std::size_t last = 0;
      for (std::size_t f = 0; f < copies.size(); ++f) {
        const auto at = static_cast<std::size_t>(std::find(v.begin(), v.end(), f) - v.begin()) + 1;
        last = std::max(last, at);
        if (f == 0) first[at] += 1.0 / static_cast<double>(all.size());
      }
      complete[last] += 1.0 / static_cast<double>(all.size());
    }
    const auto coupons = coupon_probabilities(Urn::without_replacement(copies));
    for (std::size_t t = 0; t < coupons.size(); ++t)
      EXPECT_NEAR(coupons[t], complete[t], 1e-12) << t;
    const auto cards = std::accumulate(copies.begin(), copies.end(), 0U);
    const auto waits = wait_probabilities(copies[0], cards);
    for (std::size_t t = 0; t < waits.size(); ++t) EXPECT_NEAR(waits[t], first[t], 1e-12) << t;
  }
}

TEST(OutcomeCells, are_joined_by_probability_alone) {
  const std::vector<double> p = {0.5, 0.004, 0.3, 0.006, 0.19};
  const Cells joined = Cells::joined(p, 0.01);
  EXPECT_EQ(joined.size(), 4U);
  EXPECT_EQ(joined.of(1), joined.of(3));
  EXPECT_NEAR(joined.probabilities()[joined.of(1)], 0.01, 1e-15);
  EXPECT_EQ(joined.observations_min(), 500U);
  const Cells lengths = Cells::neighbours(p, 0.2);
  EXPECT_EQ(lengths.size(), 2U);  // 0.5 | 0.004 + 0.3 and what is left
  EXPECT_EQ(lengths.of(0), 0U);
  EXPECT_EQ(lengths.of(4), 1U);
  const std::vector<std::uint64_t> counts = {60, 40};
  EXPECT_NEAR(lengths.chi_square(counts), 4.0, 1e-12);
}

TEST(OutcomeDistributions, runs_in_every_order_of_two_kinds) {
  for (std::uint32_t a = 1; a <= 6; ++a) {
    for (std::uint32_t b = 1; b <= 6; ++b) {
      std::map<std::uint64_t, double> runs;
      const auto all = orders({a, b});
      for (const Sequence& v : all) {
        std::uint64_t count = 1;
        for (std::size_t i = 1; i < v.size(); ++i) count += v[i] != v[i - 1] ? 1U : 0U;
        runs[count] += 1.0 / static_cast<double>(all.size());
      }
      for (const auto& [count, chance] : runs) {
        double below = 0, above = 0;
        for (const auto& [other, share] : runs) {
          if (other <= count) below += share;
          if (other >= count) above += share;
        }
        EXPECT_NEAR(runs_two_sided(count, a, b), std::min(1.0, 2 * std::min(below, above)), 1e-10)
            << a << ' ' << b;
      }
    }
  }
}

TEST(OutcomeDistributions, kolmogorov_smirnov_against_published_figures) {
  EXPECT_NEAR(1 - kolmogorov_smirnov_tail(0.274, 10), 0.6284796154565043,
              1e-12);                                             // Marsaglia, Tsang, Wang 2003
  EXPECT_NEAR(kolmogorov_smirnov_tail(0.40925, 10), 0.05, 2e-5);  // tables of critical values
  EXPECT_NEAR(kolmogorov_smirnov_tail(0.13403, 100), 0.05, 2e-5);
  EXPECT_NEAR(kolmogorov_smirnov_tail(0.7, 1), 0.6, 1e-12);
  EXPECT_NEAR(kolmogorov_smirnov_tail(0.4, 2), 1 - 2 * std::pow(2 * 0.4 - 0.5, 2), 1e-12);
  EXPECT_NEAR(kolmogorov_smirnov_tail(0.8, 2), 2 * std::pow(0.2, 2), 1e-12);
  for (const std::size_t n : {20U, 300U, 4000U}) {  // where one formula takes over from the other
    const double d = std::sqrt(2.5 / static_cast<double>(n));
    EXPECT_NEAR(kolmogorov_smirnov_tail(d * 0.999999, n), kolmogorov_smirnov_tail(d * 1.000001, n),
                1e-5)
        << n;
  }
  for (const double x : {0.5, 0.8, 1.2}) {
    EXPECT_NEAR(kolmogorov_smirnov_tail(x / std::sqrt(4000.0), 4000),
                kolmogorov_smirnov_tail(x / std::sqrt(4001.0), 4001), 1e-3);
  }
  EXPECT_EQ(kolmogorov_smirnov_tail(1.0, 5), 0.0);
  EXPECT_NEAR(kolmogorov_smirnov({0.9, 0.2}).distance, 0.4, 1e-12);
}

TEST(OutcomeDistributions, two_sided_tails_of_small_cases) {
  EXPECT_NEAR(binomial_two_sided(0, 4, 0.5), 2.0 / 16, 1e-12);
  EXPECT_NEAR(binomial_two_sided(2, 4, 0.5), 1.0, 1e-12);
  EXPECT_NEAR(poisson_two_sided(0, 2.0), 2 * std::exp(-2.0), 1e-12);
  EXPECT_NEAR(poisson_two_sided(5, 1.0),
              2 * (1 - std::exp(-1.0) * (1 + 1 + 0.5 + 1 / 6.0 + 1 / 24.0)), 1e-12);
  EXPECT_NEAR(chi_square_two_sided(2.0, 2.0), 2 * std::min(std::exp(-1.0), 1 - std::exp(-1.0)),
              1e-12);
  EXPECT_NEAR(chi_square_two_sided(1e-6, 20.0) / (2 * std::pow(5e-7, 10) / 3628800), 1.0,
              1e-5);  // too good
  EXPECT_NEAR(count_two_sided(3, 5, 2.5), binomial_two_sided(3, 10, 0.5), 1e-12);
  EXPECT_NEAR(count_two_sided(3, 5, 5), poisson_two_sided(3, 5), 1e-12);
  EXPECT_NEAR(least_of(0.01, 3), 1 - 0.99 * 0.99 * 0.99, 1e-15);
  EXPECT_NEAR(normal_two_sided(-1.959963984540054), 0.05, 1e-12);
}

}  // namespace

// Goal: every row for a series of independent results is the statistic its name says, however it
//       was added.
// Method: slow plain forms of each test on random small inputs; probabilities of classes enumerated
// where the library counts them; malformed alphabets.
#include "stats/outcome/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "source.hpp"
#include "stats/outcome/interplay.hpp"
#include "stats/special.hpp"

namespace {

using namespace talla::stats;
using namespace talla::stats::outcome;
using Values = std::vector<std::uint16_t>;

double two_sided_chi(double x, double degrees) {
  return std::min(1.0, 2 * std::min(chi_square_tail(x, degrees), chi_square_below(x, degrees)));
}

/// The joining rule written again: classes in order; a cell is full when it has `least`; a rest
/// joins the last cell.
std::map<int, std::pair<double, int>> join(const std::vector<std::pair<int, double>>& classes,
                                           double least) {
  std::map<int, std::pair<double, int>> cells;  // class: (probability of its cell, cell)
  std::vector<std::vector<int>> members(1);
  std::vector<double> size(1, 0.0);
  for (const auto& [klass, p] : classes) {
    if (size.back() >= least * (1 - 1e-9)) {
      size.push_back(0);
      members.emplace_back();
    }
    size.back() += p;
    members.back().push_back(klass);
  }
  if (size.size() > 1 && size.back() < least * (1 - 1e-9)) {
    size[size.size() - 2] += size.back();
    for (const int m : members.back()) members[members.size() - 2].push_back(m);
    size.pop_back();
    members.pop_back();
  }
  for (std::size_t cell = 0; cell < size.size(); ++cell)
    for (const int m : members[cell]) cells[m] = {size[cell], static_cast<int>(cell)};
  return cells;
}

struct Chi {
  double statistic = 0, degrees = 0;
};
Chi chi_square(const std::map<int, std::pair<double, int>>& cells, const std::vector<int>& seen) {
  std::map<int, double> counts, shares;
  for (const auto& [klass, cell] : cells) shares[cell.second] = cell.first;
  for (const int klass : seen) counts[cells.at(klass).second] += 1;
  Chi chi;
  chi.degrees = static_cast<double>(shares.size()) - 1;
  const auto n = static_cast<double>(seen.size());
  for (const auto& [cell, share] : shares)
    chi.statistic += std::pow(counts[cell] - n * share, 2) / (n * share);
  return chi;
}

void each_tuple(std::size_t k, std::size_t n, const std::function<void(const Values&)>& call) {
  Values v(n);
  for (;;) {
    call(v);
    std::size_t i = 0;
    while (i < n && ++v[i] == k) v[i++] = 0;
    if (i == n) return;
  }
}

/// Probabilities of the classes of n results in a row, all tuples enumerated; sorted rarest first
/// when `rarest`.
std::vector<std::pair<int, double>> classes(const std::vector<double>& p, std::size_t n,
                                            const std::function<int(const Values&)>& class_of,
                                            bool rarest) {
  std::map<int, double> sums;
  each_tuple(p.size(), n, [&](const Values& v) {
    double weight = 1;
    for (const auto value : v) weight *= p[value];
    sums[class_of(v)] += weight;
  });
  std::vector<std::pair<int, double>> out(sums.begin(), sums.end());
  if (rarest)
    std::stable_sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return out;
}

std::vector<int> in_blocks(const Values& v, std::size_t n,
                           const std::function<int(const Values&)>& class_of) {
  std::vector<int> seen;
  for (std::size_t i = 0; i + n <= v.size(); i += n)
    seen.push_back(class_of(Values(v.begin() + static_cast<std::ptrdiff_t>(i),
                                   v.begin() + static_cast<std::ptrdiff_t>(i + n))));
  return seen;
}

int weak_order(const Values& v) {  // 0 to 3^6: any code that is the same for the same order
  int code = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = i + 1; j < v.size(); ++j)
      code = 3 * code + (v[i] < v[j] ? 0 : v[i] == v[j] ? 1 : 2);
  return code;
}
int pairs_in(const Values& v) {
  int pairs = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) pairs += v[i] == v[j] ? 1 : 0;
  return pairs;
}
int ranked(Values v, std::size_t rank) {
  std::sort(v.begin(), v.end());
  return v[rank - 1];
}

class Reference {
 public:
  Reference(const Values& values, const std::vector<double>& p) : v_(values), p_(p) {}

  double psi(std::size_t m, std::size_t distance) const {  // in a closed ring
    std::map<Values, double> counts;
    for (std::size_t i = 0; i < v_.size(); ++i) {
      Values tuple;
      for (std::size_t j = 0; j < m; ++j) tuple.push_back(v_[(i + j * distance) % v_.size()]);
      counts[tuple] += 1;
    }
    double sum = 0;
    each_tuple(p_.size(), m, [&](const Values& t) {
      auto expected = static_cast<double>(v_.size());
      for (const auto value : t) expected *= p_[value];
      sum += std::pow((counts.contains(t) ? counts[t] : 0.0) - expected, 2) / expected;
    });
    return sum;
  }
  std::vector<int> gaps(std::uint16_t of) const {
    std::vector<int> seen;
    int wait = 0;
    for (const auto value : v_) {
      ++wait;
      if (value != of) continue;
      seen.push_back(wait);
      wait = 0;
    }
    return seen;
  }
  std::vector<int> collections() const {
    std::vector<int> seen;
    std::set<std::uint16_t> held;
    int wait = 0;
    for (const auto value : v_) {
      ++wait;
      held.insert(value);
      if (held.size() < p_.size()) continue;
      seen.push_back(wait);
      held.clear();
      wait = 0;
    }
    return seen;
  }
  std::vector<int> run_lengths(bool rising) const {
    std::vector<int> seen;
    std::size_t i = 0;
    while (i < v_.size()) {
      std::size_t j = i + 1;
      while (j < v_.size() && (rising ? v_[j] > v_[j - 1] : v_[j] < v_[j - 1])) ++j;
      if (j == v_.size()) break;  // not ended
      seen.push_back(static_cast<int>(j - i));
      i = j + 1;
    }
    return seen;
  }

 private:
  const Values& v_;
  const std::vector<double>& p_;
};

std::map<std::string, Row> by_name(const std::vector<Row>& rows) {
  std::map<std::string, Row> out;
  for (const Row& row : rows) {
    const std::string name =
        row.test == "Kolmogorov-Smirnov" ? row.test : row.test + "|" + row.item;
    EXPECT_FALSE(out.contains(name)) << name;
    out[name] = row;
  }
  return out;
}

void expect_chi(const std::map<std::string, Row>& rows, const std::string& name, const Chi& chi) {
  ASSERT_TRUE(rows.contains(name)) << name;
  const Row& row = rows.at(name);
  ASSERT_TRUE(row.judged()) << name << " needs " << row.needs();
  EXPECT_NEAR(row.statistic, chi.statistic, 1e-7 * (1 + chi.statistic)) << name;
  EXPECT_EQ(row.degrees, chi.degrees) << name;
  EXPECT_NEAR(row.p, two_sided_chi(chi.statistic, chi.degrees), 1e-9) << name;
}

/// Probability of waiting t for a result, cut off as the library cuts it.
std::vector<std::pair<int, double>> geometric(double p) {
  std::vector<std::pair<int, double>> out = {{0, 0.0}};
  for (int t = 1; t < 2000; ++t) out.emplace_back(t, p * std::pow(1 - p, t - 1));
  return out;
}

class OutcomeStream : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    outcome_source::Source source(static_cast<std::uint64_t>(GetParam()) + 100);
    switch (GetParam()) {
      case 0:
        p_ = {0.5, 0.5};
        break;
      case 1:
        p_ = std::vector<double>(6, 1.0 / 6);
        break;
      case 2:
        p_ = {0.2, 0.5, 0.3};
        break;
      default:
        p_ = {0.1, 0.3, 0.15, 0.25, 0.2};
        break;
    }
    // With a fault in half of the cases: the statistic must be right there too.
    for (int i = 0; i < 7007; ++i) {
      double u = source.uniform();
      std::uint16_t value = 0;
      while (u >= p_[value] && value + 1U < p_.size()) u -= p_[value++];
      if (GetParam() % 2 == 1 && !values_.empty() && source.below(8) == 0) value = values_.back();
      values_.push_back(value);
    }
    Alphabet alphabet;
    for (std::size_t k = 0; k < p_.size(); ++k) alphabet.names.push_back("r" + std::to_string(k));
    alphabet.probabilities = p_;
    auto tests = *StreamTests::create(alphabet);
    for (std::size_t i = 0; i < values_.size();) {  // parts of all sizes, single ones too
      const std::size_t part =
          std::min<std::size_t>(values_.size() - i, i < 30 ? 1 : 1 + source.below(700));
      tests.add(std::span(values_).subspan(i, part));
      i += part;
    }
    windows_ = tests.window_p_values();
    rows_ = by_name(tests.rows());
  }
  std::vector<double> p_;
  Values values_;
  std::map<std::string, Row> rows_;
  std::vector<double> windows_;
};

TEST_P(OutcomeStream, frequency_and_pairs_are_the_plain_forms) {
  const Reference plain(values_, p_);
  const auto k = static_cast<double>(p_.size());
  expect_chi(rows_, "frequency|", {plain.psi(1, 1), k - 1});
  expect_chi(rows_, "serial|overlapping pairs", {plain.psi(2, 1) - plain.psi(1, 1), k * k - k});
  expect_chi(rows_, "serial|overlapping triples",
             {plain.psi(3, 1) - plain.psi(2, 1), k * k * k - k * k});
  for (std::size_t d = 1; d <= 8; ++d) {
    expect_chi(rows_, "serial|pairs at distance " + std::to_string(d),
               {plain.psi(2, d) - 2 * plain.psi(1, 1), (k - 1) * (k - 1)});
    double mean = 0, variance = 0, sum = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) mean += static_cast<double>(i) * p_[i];
    for (std::size_t i = 0; i < p_.size(); ++i)
      variance += std::pow(static_cast<double>(i) - mean, 2) * p_[i];
    for (std::size_t i = 0; i < values_.size(); ++i)
      sum += (values_[i] - mean) * (values_[(i + d) % values_.size()] - mean);
    EXPECT_NEAR(rows_.at("serial correlation|distance " + std::to_string(d)).statistic,
                sum / (variance * std::sqrt(static_cast<double>(values_.size()))), 1e-8);
  }
}

TEST_P(OutcomeStream, every_result_has_its_binomial_tail) {
  const auto n = static_cast<double>(values_.size());
  for (std::size_t k = 0; k < p_.size(); ++k) {
    const auto count = static_cast<double>(std::count(values_.begin(), values_.end(), k));
    double below = 0, above = 0;
    for (std::size_t hits = 0; hits <= values_.size(); ++hits) {
      const auto i = static_cast<double>(hits);
      const double share =
          std::exp(log_choose(n, i) + i * std::log(p_[k]) + (n - i) * std::log1p(-p_[k]));
      if (i <= count) below += share;
      if (i >= count) above += share;
    }
    const Row& row = rows_.at("frequency|r" + std::to_string(k));
    EXPECT_NEAR(row.p, std::min(1.0, 2 * std::min(below, above)), 1e-8);
    EXPECT_EQ(row.basis, Basis::exact);
  }
}

TEST_P(OutcomeStream, runs_are_the_plain_forms) {
  const Reference plain(values_, p_);
  double equal = 0, up = 0, going = 0;
  for (std::size_t i = 1; i < values_.size(); ++i) {
    equal += values_[i] == values_[i - 1] ? 1 : 0;
    up += values_[i] > values_[i - 1] ? 1 : 0;
    if (i < 2) continue;
    const auto way = [&](std::size_t j) {
      return values_[j] > values_[j - 1] ? 1 : values_[j] < values_[j - 1] ? -1 : 0;
    };
    going += way(i) == way(i - 1) ? 1 : 0;
  }
  // Means only; the variances are enumerated in moments_test.
  double p_equal = 0, p_up = 0, p_going = 0;
  each_tuple(p_.size(), 3, [&](const Values& t) {
    const double w = p_[t[0]] * p_[t[1]] * p_[t[2]];
    p_equal += t[0] == t[1] ? w : 0;
    p_up += t[0] < t[1] ? w : 0;
    const auto way = [](int a, int b) { return (b > a) - (b < a); };
    p_going += way(t[0], t[1]) == way(t[1], t[2]) ? w : 0;
  });
  const auto n = static_cast<double>(values_.size());
  EXPECT_EQ(rows_.at("runs|equal neighbours").statistic > 0, equal > (n - 1) * p_equal);
  EXPECT_EQ(rows_.at("runs|rises").statistic > 0, up > (n - 1) * p_up);
  EXPECT_EQ(rows_.at("runs|up, down and level").statistic > 0, going > (n - 2) * p_going);
  for (const bool rising : {true, false}) {
    std::vector<std::pair<int, double>> lengths;
    double before = 1;
    for (std::size_t length = 1; length < 8; ++length) {
      double longer = 0;
      each_tuple(p_.size(), length + 1, [&](const Values& t) {
        for (std::size_t i = 1; i < t.size(); ++i)
          if (t[i] <= t[i - 1]) return;
        double w = 1;
        for (const auto value : t) w *= p_[value];
        longer += w;
      });
      lengths.emplace_back(static_cast<int>(length), before - longer);
      before = longer;
      if (longer == 0) break;
    }
    lengths.emplace_back(8, before);
    expect_chi(rows_, rising ? "runs|lengths of rising ones" : "runs|lengths of falling ones",
               chi_square(join(lengths, 0.01), plain.run_lengths(rising)));
  }
}

TEST_P(OutcomeStream, waits_and_blocks_are_the_plain_forms) {
  const Reference plain(values_, p_);
  for (std::size_t k = 0; k < p_.size(); ++k) {
    expect_chi(rows_, "gap|r" + std::to_string(k),
               chi_square(join(geometric(p_[k]), 0.08), plain.gaps(static_cast<std::uint16_t>(k))));
  }
  std::vector<std::pair<int, double>> waits = {{0, 0.0}};
  std::vector<double> sets(std::size_t{1} << p_.size());
  sets[0] = 1;
  for (int t = 1; t < 2000; ++t) {
    std::vector<double> next(sets.size());
    for (std::size_t set = 0; set + 1 < sets.size(); ++set)
      for (std::size_t f = 0; f < p_.size(); ++f)
        next[set | std::size_t{1} << f] += sets[set] * p_[f];
    sets = next;
    waits.emplace_back(t, sets.back());
  }
  expect_chi(rows_, "coupon collector|", chi_square(join(waits, 0.08), plain.collections()));
  expect_chi(
      rows_, "poker|",
      chi_square(join(classes(p_, 5, pairs_in, true), 0.002), in_blocks(values_, 5, pairs_in)));
  for (const std::size_t rank : {1U, 3U, 5U}) {
    const auto class_of = [rank](const Values& v) { return ranked(v, rank); };
    const std::string name = rank == 1 ? "least of 5" : rank == 3 ? "median of 5" : "greatest of 5";
    expect_chi(
        rows_, "order statistic|" + name,
        chi_square(join(classes(p_, 5, class_of, false), 0.01), in_blocks(values_, 5, class_of)));
  }
}

TEST_P(OutcomeStream, permutations_of_four) {
  // Which of two equally rare classes is joined first is free: compare where nothing is joined.
  const auto all = classes(p_, 4, weak_order, true);
  const Row& row = rows_.at("permutation|");
  if (all.front().second >= 0.004) {
    expect_chi(rows_, "permutation|",
               chi_square(join(all, 0.004), in_blocks(values_, 4, weak_order)));
  } else {
    EXPECT_LE(row.degrees, static_cast<double>(all.size()) - 2);
    EXPECT_GE(row.degrees, 3);
  }
}

TEST_P(OutcomeStream, windows_and_duplicates) {
  double rarest = *std::min_element(p_.begin(), p_.end());
  const auto length = static_cast<std::size_t>(std::ceil(20 / rarest - 1e-6));
  const std::size_t windows = std::min<std::size_t>(values_.size() / length, 511);
  ASSERT_EQ(windows_.size(), windows);
  for (std::size_t w = 0; w < windows; ++w) {
    const Values part(values_.begin() + static_cast<std::ptrdiff_t>(w * length),
                      values_.begin() + static_cast<std::ptrdiff_t>((w + 1) * length));
    EXPECT_NEAR(windows_[w],
                chi_square_tail(Reference(part, p_).psi(1, 1), static_cast<double>(p_.size() - 1)),
                1e-9);
  }
  double match = 0;
  for (const double p : p_) match += p * p;
  const auto draws =
      static_cast<std::size_t>(std::ceil(22 * std::numbers::ln2 / -std::log(match) - 1e-9));
  const auto& row = rows_.at("duplicates|" + std::to_string(draws) + " in a row");
  std::map<Values, int> seen;
  double pairs = 0;
  const std::size_t blocks = values_.size() / draws;  // fewer than one group
  for (std::size_t i = 0; i < blocks; ++i) {
    const Values key(values_.begin() + static_cast<std::ptrdiff_t>(i * draws),
                     values_.begin() + static_cast<std::ptrdiff_t>((i + 1) * draws));
    pairs += seen[key]++;
  }
  EXPECT_EQ(row.statistic, pairs);
  EXPECT_EQ(row.judged(), row.n >= row.n_min);
}

INSTANTIATE_TEST_SUITE_P(Alphabets, OutcomeStream, testing::Range(0, 4));

TEST(OutcomeStreamWindows, are_joined_two_by_two_and_lose_nothing) {
  outcome_source::Source source(5);
  auto tests = *StreamTests::create(Alphabet::uniform(2));
  const auto values = source.spins(100'000, 2);  // 2,500 windows of 40
  tests.add(values);
  EXPECT_LE(tests.window_p_values().size(), 511U);
  EXPECT_GE(tests.window_p_values().size(), 255U);
  const auto counts = tests.frequencies();
  EXPECT_EQ(counts[1], static_cast<std::uint64_t>(std::count(values.begin(), values.end(), 1)));
  EXPECT_EQ(counts[0] + counts[1], 100'000U);
}

TEST(OutcomeStreamShort, every_row_says_how_many_more_it_needs_and_then_is_made) {
  outcome_source::Source source(6);
  const auto values = source.spins(60'000, 37);
  std::size_t last_short = 1000;
  for (const std::size_t n : {0U, 1U, 2U, 3U, 20U, 200U, 5'000U, 60'000U}) {
    auto tests = *StreamTests::create(Alphabet::uniform(37));
    tests.add(std::span(values).first(n));
    const auto rows = tests.rows();
    std::size_t short_count = 0;
    for (const Row& row : rows) {
      EXPECT_EQ(row.n, n);
      EXPECT_EQ(row.judged(), row.needs() == 0) << row.test << ' ' << row.item << " of " << n;
      if (row.judged()) {
        EXPECT_TRUE(row.p >= 0 && row.p <= 1) << row.test << ' ' << row.item;
      }
      short_count += row.judged() ? 0U : 1U;
    }
    EXPECT_EQ(rows[0].test, "frequency");
    EXPECT_EQ(rows[0].n_min, 185U);  // 37 pockets five times
    EXPECT_LE(short_count, last_short);
    last_short = short_count;
    const Family family = judge(rows);
    EXPECT_EQ(family.short_count, short_count);
    EXPECT_EQ(family.judged_count, rows.size() - short_count);
  }
  EXPECT_EQ(last_short, 1U) << "only duplicates need more";
}

TEST(OutcomeStreamRefusals, say_what_is_wrong) {
  EXPECT_FALSE(StreamTests::create(Alphabet::uniform(1)).has_value());
  EXPECT_FALSE(StreamTests::create(Alphabet::uniform(1025)).has_value());
  EXPECT_NE(StreamTests::create({{"a", "b"}, {0.5, 0.6}}).error().detail.find("sum to 1.1"),
            std::string::npos);
  EXPECT_NE(StreamTests::create({{"a", "b"}, {1.0, 0.0}}).error().detail.find("result b"),
            std::string::npos);
  EXPECT_FALSE(StreamTests::create({{"a"}, {0.5, 0.5}}).has_value());
}

TEST(OutcomeStreamFaults, a_fit_that_is_too_good_is_a_fault_too) {
  Values values;
  for (int i = 0; i < 10'000; ++i) values.push_back(static_cast<std::uint16_t>(i * 7 % 10));
  auto tests = *StreamTests::create(Alphabet::uniform(10));
  tests.add(values);
  const auto rows = tests.rows();
  EXPECT_LT(rows[0].p, 1e-10);
  EXPECT_EQ(rows[0].statistic, 0.0);
  EXPECT_FALSE(judge(rows).consistent(0.01));
}

TEST(OutcomeInterplay, is_the_plain_table_and_correlation) {
  outcome_source::Source source(8);
  const auto a = source.spins(3000, 6), b = source.spins(3000, 4);
  Interplay interplay(Alphabet::uniform(6), Alphabet::uniform(4), "a and b");
  interplay.add(std::span(a).first(1000), std::span(b).first(1000));
  interplay.add(std::span(a).subspan(1000), std::span(b).subspan(1000));
  std::vector<Row> rows;
  interplay.rows(rows);
  double all = 0, left = 0, right = 0, products = 0;
  for (int i = 0; i < 6; ++i) {
    double row = 0;
    for (int j = 0; j < 4; ++j) {
      double count = 0;
      for (std::size_t t = 0; t < a.size(); ++t) count += a[t] == i && b[t] == j ? 1 : 0;
      all += std::pow(count - 125, 2) / 125;
      row += count;
      products += count * (i - 2.5) * (j - 1.5);
    }
    left += std::pow(row - 500, 2) / 500;
  }
  for (int j = 0; j < 4; ++j)
    right += std::pow(static_cast<double>(std::count(b.begin(), b.end(), j)) - 750, 2) / 750;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(rows[0].statistic, all - left - right, 1e-7);
  EXPECT_EQ(rows[0].degrees, 15.0);
  EXPECT_NEAR(rows[1].statistic, products / std::sqrt(3000 * 35.0 / 12 * 1.25), 1e-9);
}

}  // namespace

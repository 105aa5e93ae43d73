// Goal: every row for shoes is the statistic its name says, for whole shoes, for their first cards,
//       and with faults.
// Method: slow plain forms on random small shoes; means and variances from every order of the shoe;
//         what is refused.
#include "stats/outcome/shoes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "source.hpp"
#include "stats/outcome/distributions.hpp"
#include "stats/outcome/moments.hpp"
#include "stats/special.hpp"

namespace {

using namespace talla::stats;
using namespace talla::stats::outcome;
using Shoe = std::vector<std::uint8_t>;

struct Case {
  std::string name;
  std::vector<std::uint32_t> copies;
  std::size_t drawn;  // 0: all
  bool fault;
};
std::ostream& operator<<(std::ostream& out, const Case& one) {
  return out << one.name;
}

ShoeSpec spec_of(const Case& one) {
  ShoeSpec spec;
  Grouping parity{"colour", {"even", "odd"}, {}};
  for (std::size_t f = 0; f < one.copies.size(); ++f) {
    spec.faces.push_back("c" + std::to_string(f));
    parity.of.push_back(static_cast<std::uint8_t>(f % 2));
  }
  spec.copies = one.copies;
  spec.groupings = {parity};
  spec.drawn = one.drawn;
  return spec;
}

class OutcomeShoes : public testing::TestWithParam<Case> {
 protected:
  static constexpr std::size_t shoes_count = 1100;  // more than the library keeps together
  void SetUp() override {
    copies_ = GetParam().copies;
    all_ = std::accumulate(copies_.begin(), copies_.end(), std::size_t{0});
    drawn_ = GetParam().drawn == 0 ? all_ : GetParam().drawn;
    outcome_source::Source source(copies_.size() * 100 + drawn_);
    auto tests = *ShoeTests::create(spec_of(GetParam()));
    for (std::size_t s = 0; s < shoes_count; ++s) {
      auto cards = source.shoe(copies_);
      if (GetParam().fault && source.below(4) == 0) std::sort(cards.begin(), cards.begin() + 4);
      cards.resize(drawn_);
      shoes_.push_back(outcome_source::bytes(cards));
      ASSERT_TRUE(tests.add(shoes_.back()).has_value());
    }
    table_.assign(tests.place_table().begin(), tests.place_table().end());
    for (const Row& row : tests.rows()) rows_[row.test + "|" + row.item] = row;
  }
  double share(std::size_t face) const {
    return static_cast<double>(copies_[face]) / static_cast<double>(all_);
  }
  double seen(std::size_t place, std::size_t face) const {
    double count = 0;
    for (const Shoe& shoe : shoes_) count += shoe[place] == face ? 1 : 0;
    return count;
  }
  /// Sum of a statistic of one shoe, standardised with its moments over all orders.
  double standardised(const std::function<double(const Shoe&)>& statistic) const {
    Shoe order;
    for (std::size_t f = 0; f < copies_.size(); ++f)
      order.insert(order.end(), copies_[f], static_cast<std::uint8_t>(f));
    double count = 0, sum = 0, square = 0;
    do {
      const double value =
          statistic(Shoe(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(drawn_)));
      sum += value;
      square += value * value;
      count += 1;
    } while (std::next_permutation(order.begin(), order.end()));
    const double mean = sum / count, variance = square / count - mean * mean;
    double total = 0;
    for (const Shoe& shoe : shoes_) total += statistic(shoe);
    return (total - shoes_count * mean) / std::sqrt(shoes_count * variance);
  }
  void expect_z(const std::string& name, double z) const {
    ASSERT_TRUE(rows_.contains(name)) << name;
    EXPECT_NEAR(rows_.at(name).statistic, z, 1e-7) << name;
    EXPECT_NEAR(rows_.at(name).p, normal_two_sided(z), 1e-9) << name;
  }
  void expect_chi(const std::string& name, double statistic, double degrees) const {
    ASSERT_TRUE(rows_.contains(name)) << name;
    EXPECT_NEAR(rows_.at(name).statistic, statistic, 1e-7 * (1 + statistic)) << name;
    EXPECT_NEAR(rows_.at(name).degrees, degrees, 1e-9) << name;
    EXPECT_NEAR(rows_.at(name).p, chi_square_two_sided(statistic, degrees), 1e-9) << name;
  }
  /// The row whose name begins so says how likely a p-value as small as the least of `count` is.
  void expect_least(const std::string& name, double least, double count) const {
    const auto found = rows_.lower_bound(name);
    ASSERT_TRUE(found != rows_.end() && found->first.starts_with(name)) << name;
    // Cells that are not far off are left out: the least of all is found whenever it says anything.
    if (least < 0.002) {
      EXPECT_NEAR(found->second.statistic, least, 1e-9) << name;
      EXPECT_NEAR(found->second.p, 1 - std::pow(1 - least, count), 1e-9) << name;
    } else {
      EXPECT_GE(found->second.p, 1 - std::pow(1 - least, count) - 1e-9) << name;
    }
  }
  std::vector<std::uint32_t> copies_;
  std::size_t all_ = 0, drawn_ = 0;
  std::vector<Shoe> shoes_;
  std::vector<std::uint32_t> table_;
  std::map<std::string, Row> rows_;
};

TEST_P(OutcomeShoes, places_and_cards) {
  const auto faces = copies_.size();
  const auto n = static_cast<double>(shoes_count), all = static_cast<double>(all_),
             drawn = static_cast<double>(drawn_);
  double whole = 0, inclusion = 0;
  std::vector<double> tails;
  for (std::size_t place = 0; place < drawn_; ++place) {
    double sum = 0;
    for (std::size_t f = 0; f < faces; ++f) {
      EXPECT_EQ(table_[place * faces + f], seen(place, f));
      sum += std::pow(seen(place, f) - n * share(f), 2) / (n * share(f));
    }
    expect_chi("place x card|place " + std::to_string(place + 1), sum,
               static_cast<double>(faces - 1));
    tails.push_back(chi_square_tail(sum, static_cast<double>(faces - 1)));
  }
  for (std::size_t f = 0; f < faces; ++f) {
    double total = 0, sum = 0;
    for (std::size_t place = 0; place < drawn_; ++place) total += seen(place, f);
    for (std::size_t place = 0; place < drawn_; ++place)
      sum += std::pow(seen(place, f) - total / drawn, 2);
    whole += sum / (n * share(f)) * (all - 1) / all;
    expect_chi("place x card|card c" + std::to_string(f),
               sum / (n * share(f) * (1 - share(f))) * (all - 1) / all, drawn - 1);
    inclusion += std::pow(total - n * drawn * share(f), 2) / (n * drawn * share(f));
  }
  expect_chi("place x card|all places", whole, static_cast<double>(faces - 1) * (drawn - 1));
  if (drawn_ < all_)
    expect_chi("card drawn|", inclusion * (all - 1) / (all - drawn),
               static_cast<double>(faces - 1));
  double remarkable = 1;
  for (std::size_t place = 0; place < drawn_; ++place) {
    for (std::size_t f = 0; f < faces; ++f)
      remarkable = std::min(remarkable, binomial_two_sided(seen(place, f), n, share(f)));
  }
  expect_least("place x card|most remarkable cell", remarkable, drawn * static_cast<double>(faces));
  if (drawn_ >= 10 &&
      n * *std::min_element(copies_.begin(), copies_.end()) / all >= std::sqrt(drawn)) {
    EXPECT_NEAR(rows_.at("Kolmogorov-Smirnov|" + std::to_string(drawn_) + " places").p,
                kolmogorov_smirnov(tails).p, 1e-9);
  }
  double colour = 0, odd = 0;
  for (std::size_t f = 1; f < faces; f += 2) odd += share(f);
  double odd_all = 0;
  std::vector<double> odd_at(drawn_);
  for (std::size_t place = 0; place < drawn_; ++place) {
    for (std::size_t f = 1; f < faces; f += 2) odd_at[place] += seen(place, f);
    odd_all += odd_at[place] / drawn;
  }
  for (const double at : odd_at)
    colour += std::pow(at - odd_all, 2) / n * (1 / odd + 1 / (1 - odd));
  expect_chi("place x colour|all places", colour * (all - 1) / all, drawn - 1);
}

TEST_P(OutcomeShoes, pairs_of_places) {
  double mean = 0;
  for (std::size_t f = 0; f < copies_.size(); ++f) mean += share(f) * static_cast<double>(f);
  const auto x = [&](const Shoe& shoe, std::size_t place) {
    return static_cast<double>(shoe[place]) - mean;
  };
  for (std::size_t d = 1; d < std::min<std::size_t>(drawn_, 17); ++d) {
    expect_z("pairs of places|distance " + std::to_string(d), standardised([&](const Shoe& shoe) {
               double sum = 0;
               for (std::size_t i = 0; i + d < drawn_; ++i) sum += x(shoe, i) * x(shoe, i + d);
               return sum;
             }));
  }
  double largest = 0;
  for (std::size_t i = 0; i < drawn_; ++i) {
    for (std::size_t j = i + 1; j < drawn_; ++j) {
      const double z = standardised([&](const Shoe& shoe) { return x(shoe, i) * x(shoe, j); });
      if (std::abs(z) > std::abs(largest)) largest = z;
    }
  }
  const auto pairs = static_cast<double>(drawn_ * (drawn_ - 1)) / 2;
  bool found = false;
  for (const auto& [name, row] : rows_) {
    if (!name.starts_with("pairs of places|largest")) continue;
    found = true;
    EXPECT_NEAR(row.statistic, largest, 1e-7);
    EXPECT_NEAR(row.p, 1 - std::pow(1 - normal_two_sided(largest), pairs), 1e-9);
  }
  EXPECT_TRUE(found);
}

TEST_P(OutcomeShoes, neighbours_and_rising_sequences) {
  const auto neighbours_that = [&](const std::function<bool(int, int)>& fit) {
    return standardised([&](const Shoe& shoe) {
      double count = 0;
      for (std::size_t i = 1; i < shoe.size(); ++i) count += fit(shoe[i - 1], shoe[i]) ? 1 : 0;
      return count;
    });
  };
  if (copies_.size() < all_)
    expect_z("runs|equal neighbours: card", neighbours_that([](int a, int b) { return a == b; }));
  expect_z("runs|equal neighbours: colour",
           neighbours_that([](int a, int b) { return a % 2 == b % 2; }));
  expect_z("neighbours|successors in a new deck",
           neighbours_that([](int a, int b) { return a + 1 == b; }));
  if (drawn_ < all_) return;
  expect_z("rising sequences|in the order of a new deck", standardised([](const Shoe& shoe) {
             double count = 0;
             for (std::size_t i = 0; i < shoe.size(); ++i)
               for (std::size_t j = i + 1; j < shoe.size(); ++j)
                 count += shoe[i] + 1 == shoe[j] ? 1 : 0;
             return count;
           }));
}

TEST_P(OutcomeShoes, the_shoe_before) {
  double mean = 0, variance = 0;
  for (std::size_t f = 0; f < copies_.size(); ++f) mean += share(f) * static_cast<double>(f);
  for (std::size_t f = 0; f < copies_.size(); ++f)
    variance += share(f) * std::pow(static_cast<double>(f) - mean, 2);
  const double pairs = shoes_count - 1;
  double all_places = 0;
  for (std::size_t i = 0; i < drawn_; ++i) {
    double sum = 0;
    for (std::size_t s = 1; s < shoes_count; ++s)
      sum += (shoes_[s][i] - mean) * (shoes_[s - 1][i] - mean);
    all_places += sum;
    expect_z("shoe before|correlation, place " + std::to_string(i + 1),
             sum / (variance * std::sqrt(pairs)));
  }
  const auto drawn = static_cast<double>(drawn_), all = static_cast<double>(all_);
  const double together =
      variance * variance * (drawn + drawn * (drawn - 1) / ((all - 1) * (all - 1)));
  expect_z("shoe before|correlation, all places", all_places / std::sqrt(pairs * together));
  double kept = 0, square = 0, same = 0;
  for (std::size_t s = 1; s < shoes_count; ++s) {
    double count = 0, expected = 0;
    const Shoe &a = shoes_[s - 1], &b = shoes_[s];
    for (std::size_t i = 1; i < drawn_; ++i) {
      for (std::size_t j = 1; j < drawn_; ++j)
        count += a[i - 1] == b[j - 1] && a[i] == b[j] ? 1 : 0;
      // P(this pair at one place of the next shoe) times the places
      const double second = static_cast<double>(copies_[a[i]]) - (a[i] == a[i - 1] ? 1 : 0);
      expected += (drawn - 1) * share(a[i - 1]) * second / (all - 1);
    }
    kept += count - expected;
    square += std::pow(count - expected, 2);
    for (std::size_t i = 0; i < drawn_; ++i) same += a[i] == b[i] ? 1 : 0;
  }
  if (std::all_of(copies_.begin(), copies_.end(), [](std::uint32_t one) { return one == 1; })) {
    const Moments one =
        kept_pairs(static_cast<std::size_t>(all), drawn_);  // enumerated in moments_test
    const auto& row = rows_.at("shoe before|kept neighbours");
    EXPECT_NEAR(row.statistic, kept / std::sqrt(pairs * one.variance), 1e-9);
    EXPECT_NEAR(row.p,
                count_mid_two_sided(std::round(kept + pairs * one.mean), pairs * one.mean,
                                    pairs * one.variance),
                1e-9);
  } else {
    expect_z("shoe before|kept neighbours", kept / std::sqrt(square));
  }
  const Moments match = matches(Multiset(copies_), drawn_);  // enumerated in moments_test
  expect_z("shoe before|same card at the same place",
           (same - pairs * match.mean) / std::sqrt(pairs * match.variance));
  if (drawn_ < all_) return;
  double rising = 0, rising_mean = 0, rising_variance = 0;
  for (std::size_t s = 1; s < shoes_count; ++s) {
    std::vector<std::uint8_t> order;
    for (const auto face : shoes_[s - 1])
      if (std::find(order.begin(), order.end(), face) == order.end()) order.push_back(face);
    std::vector<std::uint32_t> copies;
    for (const auto face : order) copies.push_back(copies_[face]);
    const Moments moments = rising_pairs(Multiset(copies));
    rising_mean += moments.mean;
    rising_variance += moments.variance;
    for (std::size_t k = 1; k < order.size(); ++k)
      for (std::size_t i = 0; i < drawn_; ++i)
        for (std::size_t j = i + 1; j < drawn_; ++j)
          rising += shoes_[s][i] == order[k - 1] && shoes_[s][j] == order[k] ? 1 : 0;
  }
  expect_z("rising sequences|in the order of the shoe before",
           (rising - rising_mean) / std::sqrt(rising_variance));
}

TEST_P(OutcomeShoes, table_of_neighbours_has_the_mean_of_its_degrees) {
  if (drawn_ < all_) return;
  // Mean of the raw statistic over all orders, enumerated; the row divides by it.
  const auto faces = copies_.size();
  Shoe order;
  for (std::size_t f = 0; f < faces; ++f)
    order.insert(order.end(), copies_[f], static_cast<std::uint8_t>(f));
  std::map<std::pair<int, int>, std::pair<double, double>> sums;
  double count = 0;
  do {
    std::map<std::pair<int, int>, double> ring;
    for (std::size_t i = 0; i < all_; ++i) ring[{order[i], order[(i + 1) % all_]}] += 1;
    for (const auto& [pair, times] : ring) {
      sums[pair].first += times;
      sums[pair].second += times * times;
    }
    count += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  double least = 1, mean = 0, statistic = 0,
         degrees = static_cast<double>((faces - 1) * (faces - 1));
  for (const auto& [pair, sum] : sums) {
    const double e = sum.first / count;
    mean += (sum.second / count - e * e) / e;
    double times = 0;
    for (const Shoe& shoe : shoes_)
      for (std::size_t i = 0; i < all_; ++i)
        times += shoe[i] == pair.first && shoe[(i + 1) % all_] == pair.second ? 1 : 0;
    statistic += std::pow(times - shoes_count * e, 2) / (shoes_count * e);
    const double variance = sum.second / count - e * e;
    least = std::min(least, count_two_sided(times, shoes_count * e, shoes_count * variance));
  }
  for (const auto c : copies_) degrees -= c == 1 ? 1 : 0;
  expect_chi("neighbours|table of pairs", statistic * degrees / mean, degrees);
  expect_least("neighbours|most remarkable pair", least, static_cast<double>(sums.size()));
}

TEST_P(OutcomeShoes, first_cards_and_duplicates) {
  // The colours of the first five cards: the number of equal pairs among them, against all orders.
  std::map<int, double> exact, found;
  Shoe order;
  for (std::size_t f = 0; f < copies_.size(); ++f)
    order.insert(order.end(), copies_[f], static_cast<std::uint8_t>(f));
  const auto class_of = [](const Shoe& shoe) {
    int odd = 0;
    for (std::size_t i = 0; i < 5; ++i) odd += shoe[i] % 2;
    return std::min(odd, 5 - odd);
  };
  double count = 0;
  do {
    exact[class_of(order)] += 1;
    count += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  double statistic = 0;
  for (const Shoe& shoe : shoes_) found[class_of(shoe)] += 1;
  for (const auto& [klass, times] : exact) {
    const double expected = shoes_count * times / count;
    if (expected < 5) return;
    statistic += std::pow(found[klass] - expected, 2) / expected;
  }
  if (exact.size() > 1)
    expect_chi("poker|colour, first 5", statistic, static_cast<double>(exact.size() - 1));
  std::map<Shoe, double> whole;
  double pairs = 0;
  for (const Shoe& shoe : shoes_) pairs += whole[shoe]++;
  EXPECT_EQ(rows_.at("duplicates|whole shoes").statistic, pairs);
}

INSTANTIATE_TEST_SUITE_P(
    Shoes, OutcomeShoes,
    testing::Values(Case{"different", {1, 1, 1, 1, 1, 1, 1, 1}, 0, false},
                    Case{"twice", {2, 2, 2, 2}, 0, false}, Case{"unequal", {3, 1, 2, 2}, 0, true},
                    Case{"first_six", {2, 2, 2, 2}, 6, true},
                    Case{"first_five_different", {1, 1, 1, 1, 1, 1, 1, 1}, 5, false}),
    [](const auto& one) { return one.param.name; });

TEST(OutcomeShoesRefusals, say_what_is_wrong) {
  const auto refused = [](ShoeSpec spec) {
    auto tests = ShoeTests::create(std::move(spec));
    return tests ? std::string() : tests.error().detail;
  };
  EXPECT_NE(refused(ShoeSpec::balls(3, 0)).find("3 cards"), std::string::npos);
  EXPECT_NE(refused(ShoeSpec::balls(90, 91)).find("first 91 cards: 2 to 90"), std::string::npos);
  EXPECT_NE(refused(ShoeSpec::balls(90, 1)).find("first 1"), std::string::npos);
  EXPECT_NE(refused(ShoeSpec::balls(300, 0)).find("300 different"), std::string::npos);
  ShoeSpec spec = ShoeSpec::balls(5, 0);
  spec.copies[2] = 0;
  EXPECT_FALSE(refused(spec).empty());
  spec = ShoeSpec::balls(5, 0);
  spec.groupings = {{"colour", {"red", "black"}, {0, 1, 2, 0, 0}}};
  EXPECT_NE(refused(spec).find("colour"), std::string::npos);
  spec = ShoeSpec::balls(5, 0);
  spec.copies.assign(5, 300);
  EXPECT_NE(refused(spec).find("1500 cards"), std::string::npos);
}

TEST(OutcomeShoesRefusals, a_shoe_that_is_none_changes_nothing) {
  auto tests = *ShoeTests::create(ShoeSpec::balls(5, 0));
  EXPECT_NE(tests.add(Shoe{0, 1, 2, 3}).error().detail.find("4 cards instead of 5"),
            std::string::npos);
  EXPECT_NE(tests.add(Shoe{0, 1, 2, 3, 3}).error().detail.find("card 4 comes more than 1 time"),
            std::string::npos);
  EXPECT_NE(tests.add(Shoe{0, 1, 2, 3, 5}).error().detail.find("no such card"), std::string::npos);
  EXPECT_EQ(tests.count(), 0U);
  for (const auto count : tests.place_table()) EXPECT_EQ(count, 0U);
  for (const Row& row : tests.rows()) {
    EXPECT_FALSE(row.judged()) << row.test;
    EXPECT_GT(row.needs(), 0U);
  }
  EXPECT_TRUE(tests.add(Shoe{4, 1, 2, 3, 0}).has_value());
  EXPECT_EQ(tests.count(), 1U);
}

TEST(OutcomeShoesFaults, the_same_shoe_twice_is_caught_at_once) {
  outcome_source::Source source(3);
  const std::vector<std::uint32_t> copies(40, 1);
  ShoeSpec spec = ShoeSpec::balls(40, 0);
  auto tests = *ShoeTests::create(spec);
  for (int i = 0; i < 300; ++i)
    ASSERT_TRUE(tests.add(outcome_source::bytes(source.shoe(copies))).has_value());
  EXPECT_TRUE(judge(tests.rows()).consistent(0.01));
  outcome_source::Source again(3);
  ASSERT_TRUE(tests.add(outcome_source::bytes(again.shoe(copies))).has_value());
  EXPECT_FALSE(judge(tests.rows()).consistent(0.01));
}

}  // namespace

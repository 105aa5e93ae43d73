// SP 800-90B: the fast estimators against plain forms of the text, on small random strings with
// faults; bad input.
// Method: repeats, lag, multi-most-common-in-window, contexts and LZ78Y written literally with
//         maps, compared count for count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <string_view>

#include "sp800_90b_files.hpp"
#include "stats/sp800_90b/non_iid.hpp"

namespace sp800_90b_test {
namespace {

using namespace talla::stats;
namespace sp = talla::stats::sp800_90b;

/// 0 fair, 1 biased, 2 repeating blocks, 3 constant with rare changes, 4 short alphabet cycles.
String make(std::mt19937_64& random, std::size_t count, unsigned alphabet, int fault) {
  String out;
  for (std::size_t i = 0; i < count; ++i) {
    auto value = static_cast<std::uint8_t>(random() % alphabet);
    if (fault == 1 && random() % 3 != 0) value = 0;
    if (fault == 2 && i >= 300 && random() % 200 != 0) value = out[i - 300];
    if (fault == 3 && i > 0 && random() % 50 != 0) value = out[i - 1];
    if (fault == 4)
      value =
          static_cast<std::uint8_t>((i + (random() % 20 == 0 ? 1U : 0U)) % std::min(alphabet, 5U));
    out.push_back(value);
  }
  return out;
}

/// Counts of every substring of every length.
struct PlainRepeats {
  std::vector<std::uint64_t> most{0}, pairs{0};
  explicit PlainRepeats(const String& text) {
    for (std::size_t length = 1; length < text.size(); ++length) {
      std::map<String, std::uint64_t> counts;
      for (std::size_t i = 0; i + length <= text.size(); ++i) {
        ++counts[String(text.begin() + static_cast<std::ptrdiff_t>(i),
                        text.begin() + static_cast<std::ptrdiff_t>(i + length))];
      }
      std::uint64_t highest = 0, sum = 0;
      for (const auto& [substring, count] : counts) {
        highest = std::max(highest, count);
        sum += count * (count - 1) / 2;
      }
      if (highest < 2) return;
      most.push_back(highest);
      pairs.push_back(sum);
    }
  }
};

void expect_tuples(const PlainRepeats& plain, std::size_t size,
                   const std::vector<sp::Estimate>& found, const std::string& what) {
  std::size_t t = 0;
  while (t + 1 < plain.most.size() && plain.most[t + 1] >= 35) ++t;
  double most = 0;
  for (std::size_t i = 1; i <= t; ++i) {
    most = std::max(most,
                    std::pow(static_cast<double>(plain.most[i]) / static_cast<double>(size - i + 1),
                             1.0 / static_cast<double>(i)));
  }
  EXPECT_EQ(figure(found[0], "t"), t == 0 ? -1.0 : static_cast<double>(t)) << what;
  if (t > 0) {
    EXPECT_NEAR(figure(found[0], "p-hat_max"), most, 1e-12) << what;
  }
  if (plain.most.size() <= t + 1) return;
  EXPECT_EQ(figure(found[1], "v"), static_cast<double>(plain.most.size() - 1)) << what;
  double repeated = 0;
  for (std::size_t w = t + 1; w < plain.pairs.size(); ++w) {
    const auto places = static_cast<double>(size - w + 1);
    repeated = std::max(repeated,
                        std::pow(static_cast<double>(plain.pairs[w]) / (places * (places - 1) / 2),
                                 1.0 / static_cast<double>(w)));
  }
  EXPECT_NEAR(figure(found[1], "p-hat"), repeated, 1e-12) << what;
}

void expect_tuples(const String& text, const std::vector<sp::Estimate>& found,
                   const std::string& what) {
  expect_tuples(PlainRepeats(text), text.size(), found, what);
}

TEST(Sp80090b, section_635_and_636_tuples_equal_the_counts_of_all_substrings) {
  std::mt19937_64 random(20260301);
  for (int round = 0; round < 20; ++round) {
    const int fault = round % 5;
    const auto bits = make(random, 200 + random() % 400, 2, fault);
    expect_tuples(bits, sp::tuples(Bits::from_values(bits)),
                  "bits, fault " + std::to_string(fault));
    const auto symbols =
        make(random, 200 + random() % 400, 3 + static_cast<unsigned>(random() % 200), fault);
    expect_tuples(symbols, sp::tuples(symbols), "symbols, fault " + std::to_string(fault));
  }
}

TEST(Sp80090b, tuples_of_one_symbol_repeated_end_in_time) {
  const String zeros(300'000, 0);
  EXPECT_EQ(figure(sp::tuples(Bits::from_values(zeros))[0], "p-hat_max"), 1.0);
  EXPECT_EQ(figure(sp::tuples(zeros)[0], "p-hat_max"), 1.0);
}

/// Counts of every substring from suffixes that are sorted and compared one by one.
PlainRepeats repeats_by_sorting(const String& text, std::size_t longest_most) {
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  std::vector<std::size_t> order(text.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return all.substr(a) < all.substr(b); });
  std::vector<std::size_t> common(text.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto a = all.substr(order[i - 1]), b = all.substr(order[i]);
    while (common[i] < std::min(a.size(), b.size()) && a[common[i]] == b[common[i]]) ++common[i];
  }
  PlainRepeats plain((String()));
  for (std::size_t length = 1; length <= longest_most; ++length) {
    std::uint64_t highest = 1, sum = 0, count = 0;
    for (std::size_t i = 1; i <= common.size(); ++i) {
      count = i < common.size() && common[i] >= length ? count + 1 : 0;
      highest = std::max(highest, count + 1);
      sum += count;  // the newest of the group with each of those before it
    }
    if (highest < 2) return plain;
    plain.most.push_back(highest);
    plain.pairs.push_back(sum);
  }
  return plain;
}

TEST(Sp80090b, tuples_of_strongly_biased_strings_whose_suffixes_mostly_begin_alike) {
  std::mt19937_64 random(20260305);
  String bits(150'000);
  for (std::uint8_t& bit : bits) bit = random() % 40 == 0 ? 1 : 0;
  expect_tuples(repeats_by_sorting(bits, 5000), bits.size(), sp::tuples(Bits::from_values(bits)),
                "bits");
  String symbols(150'000);
  for (std::uint8_t& symbol : symbols)
    symbol = random() % 12 == 0 ? static_cast<std::uint8_t>(random() % 200) : 3;
  expect_tuples(repeats_by_sorting(symbols, 5000), symbols.size(), sp::tuples(symbols), "symbols");
}

// Random bits twice in a row: every substring longer than a few dozen bits occurs once or twice,
// the longest are counted in parts.
TEST(Sp80090b, tuples_of_a_string_that_repeats_itself_once) {
  std::mt19937_64 random(20260306);
  const std::size_t half = (1 << 20) + 50'000, n = 2 * half;
  String bits(n);
  for (std::size_t i = 0; i < half; ++i) bits[i] = bits[i + half] = random() % 2;
  bits[half - 1] = 0;
  bits[n - 1] = 1;  // the second half ends otherwise: half - 1 bits are common
  const auto found = sp::tuples(Bits::from_values(bits));
  EXPECT_EQ(figure(found[1], "v"), static_cast<double>(half - 1));
  long double most = 0;
  for (std::size_t w = 64; w < half; ++w) {
    const auto places = static_cast<long double>(n - w + 1);
    most = std::max(most, std::pow(static_cast<long double>(half - w) / (places * (places - 1) / 2),
                                   1.0L / static_cast<long double>(w)));
  }
  EXPECT_NEAR(figure(found[1], "p-hat"), static_cast<double>(most), 1e-14);
}

/// Correct predictions and longest run, from the predicted symbol of each step (-1: none, -2: a
/// step that ends no run).
struct Outcome {
  double correct = 0, longest = 0, run = 0;
  void step(bool right) {
    correct += right ? 1 : 0;
    run = right ? run + 1 : 0;
    longest = std::max(longest, run);
  }
};

Outcome plain_lag(const String& s) {
  Outcome out;
  std::vector<int> scores(129, 0);
  std::size_t winner = 1;
  for (std::size_t i = 1; i < s.size(); ++i) {
    out.step(i >= winner && s[i - winner] == s[i]);
    for (std::size_t d = 1; d <= 128 && d <= i; ++d) {
      if (s[i - d] == s[i] && ++scores[d] >= scores[winner]) winner = d;
    }
  }
  return out;
}

Outcome plain_mcw(const String& s) {
  Outcome out;
  const std::vector<std::size_t> lengths = {63, 255, 1023, 4095};
  std::vector<int> scores(4, 0);
  std::size_t winner = 0;
  std::vector<int> predictions(4);
  for (std::size_t i = 63; i < s.size(); ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      predictions[j] = -1;
      if (i < lengths[j]) continue;
      std::vector<int> counts(256, 0), last(256, -1);
      int best = s[i - 1];
      for (std::size_t k = i - lengths[j]; k < i; ++k) {
        ++counts[s[k]];
        last[s[k]] = static_cast<int>(k);
      }
      for (int symbol = 0; symbol < 256; ++symbol) {
        const auto a = static_cast<std::size_t>(symbol), b = static_cast<std::size_t>(best);
        if (counts[a] > counts[b] || (counts[a] == counts[b] && last[a] > last[b])) best = symbol;
      }
      predictions[j] = best;
    }
    out.step(predictions[winner] == s[i]);
    for (std::size_t j = 0; j < 4; ++j) {
      if (predictions[j] == s[i] && ++scores[j] >= scores[winner]) winner = j;
    }
  }
  return out;
}

/// Contexts and the counts of what followed; of equal counts the greater symbol is predicted.
struct PlainDictionary {
  std::map<String, std::map<int, int>> contexts;
  std::uint64_t entries = 0;
  static std::pair<int, int> best(const std::map<int, int>& followers) {
    std::pair<int, int> out{-1, 0};
    for (const auto& [symbol, count] : followers) {
      if (count >= out.second) out = {symbol, count};
    }
    return out;
  }
};

String before(const String& s, std::size_t at, std::size_t length) {
  return {s.begin() + static_cast<std::ptrdiff_t>(at - length),
          s.begin() + static_cast<std::ptrdiff_t>(at)};
}

Outcome plain_mmc(const String& s) {
  Outcome out;
  std::vector<PlainDictionary> all(17);
  std::vector<int> scores(17, 0);
  std::size_t winner = 1;
  for (std::size_t i = 1; i < s.size(); ++i) {
    const std::size_t winner_before = winner;
    std::vector<int> predictions(17, -1);
    for (std::size_t d = 1; d <= 16 && d <= i; ++d) {
      const auto found = all[d].contexts.find(before(s, i, d));
      if (found == all[d].contexts.end()) break;
      predictions[d] = PlainDictionary::best(found->second).first;
    }
    if (i >= 2) {
      if (predictions[winner_before] >= 0) out.step(predictions[winner_before] == s[i]);
      for (std::size_t d = 1; d <= 16; ++d) {
        if (predictions[d] == s[i] && ++scores[d] >= scores[winner]) winner = d;
      }
    }
    for (std::size_t d = 1; d <= 16 && d <= i; ++d) ++all[d].contexts[before(s, i, d)][s[i]];
  }
  return out;
}

Outcome plain_lz78y(const String& s, std::uint64_t contexts_most) {
  Outcome out;
  std::vector<PlainDictionary> all(17);
  std::uint64_t count = 0;
  for (std::size_t i = 16; i < s.size(); ++i) {
    int prediction = -1, most = 0;
    for (std::size_t j = 16; j >= 1; --j) {
      auto found = all[j].contexts.find(before(s, i, j));
      if (found == all[j].contexts.end()) continue;
      const auto [symbol, occurrences] = PlainDictionary::best(found->second);
      if (occurrences > most) {
        most = occurrences;
        prediction = symbol;
      }
    }
    if (i > 16) out.step(prediction == s[i]);
    for (std::size_t j = 16; j >= 1; --j) {
      const String context = before(s, i, j);
      if (!all[j].contexts.contains(context)) {
        if (count == contexts_most) continue;
        ++count;
      }
      ++all[j].contexts[context][s[i]];
    }
  }
  return out;
}

void expect_hits(const Outcome& plain, const sp::Estimate& found, const std::string& what) {
  EXPECT_EQ(figure(found, "C"), plain.correct) << what;
  EXPECT_EQ(figure(found, "r"), plain.longest + 1) << what;
}

TEST(Sp80090b, section_637_to_6310_predictors_equal_their_plain_forms) {
  std::mt19937_64 random(20260302);
  for (int round = 0; round < 15; ++round) {
    const int fault = round % 5;
    const unsigned alphabet = round % 3 == 0 ? 2 : 3 + static_cast<unsigned>(random() % 60);
    const auto text = make(random, 4200 + random() % 600, alphabet, fault);
    const std::string what =
        "alphabet " + std::to_string(alphabet) + ", fault " + std::to_string(fault);
    if (alphabet == 2) {
      const Bits bits = Bits::from_values(text);
      expect_hits(plain_lag(text), sp::lag(bits), "lag, bits, " + what);
      expect_hits(plain_mcw(text), sp::multi_mcw(bits), "mcw, bits, " + what);
      expect_hits(plain_mmc(text), sp::multi_mmc(bits), "mmc, bits, " + what);
      expect_hits(plain_lz78y(text, 65536), sp::lz78y(bits), "lz78y, bits, " + what);
    }
    expect_hits(plain_lag(text), sp::lag(text, alphabet), "lag, " + what);
    expect_hits(plain_mcw(text), sp::multi_mcw(text, alphabet), "mcw, " + what);
    expect_hits(plain_mmc(text), sp::multi_mmc(text, alphabet), "mmc, " + what);
    expect_hits(plain_lz78y(text, 65536), sp::lz78y(text, alphabet), "lz78y, " + what);
  }
}

TEST(Sp80090b, long_strings_fill_the_dictionary_of_lz_78_y) {
  std::mt19937_64 random(20260303);
  const auto text =
      make(random, 9000, 16, 0);  // 65,536 contexts are reached after some 5,000 symbols
  expect_hits(plain_lz78y(text, 65536), sp::lz78y(text, 16), "full dictionary");
}

TEST(Sp80090b, samples_that_cannot_be_assessed_are_refused_with_a_reason) {
  EXPECT_FALSE(sp::Samples::create({}, 0).has_value());
  EXPECT_FALSE(sp::Samples::create(String(5000, 7), 0).has_value()) << "one symbol only";
  const auto wide = sp::Samples::create({1, 2, 9}, 3);
  ASSERT_FALSE(wide.has_value());
  EXPECT_NE(wide.error().detail.find("sample 2 is 9"), std::string::npos) << wide.error().detail;
  std::mt19937_64 random(1);
  EXPECT_FALSE(sp::assess(*sp::Samples::create(make(random, 4000, 256, 0), 8), {}).has_value());
}

TEST(Sp80090b, symbols_are_numbered_in_the_order_of_their_values) {
  const auto samples = sp::Samples::create({7, 200, 7, 9}, 0);
  ASSERT_TRUE(samples.has_value());
  EXPECT_EQ(samples->width(), 8U);
  EXPECT_EQ(samples->alphabet(), 3U);
  EXPECT_EQ(String(samples->symbols().begin(), samples->symbols().end()), (String{0, 2, 0, 1}));
  EXPECT_EQ(samples->bits(100).word_at(0) >> 32, 0x07c80709U);
}

}  // namespace
}  // namespace sp800_90b_test

#include "stats/blocks/block_series.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stats/blocks/ais_31.hpp"
#include "stats/holm.hpp"
#include "stats/special.hpp"

namespace talla::stats::blocks {
namespace {

constexpr std::array<Test, 5> fips_tests = {Test::monobit, Test::poker, Test::runs, Test::long_run,
                                            Test::continuous};
constexpr std::array<Test, 5> ais_tests = {Test::monobit, Test::poker, Test::runs, Test::long_run,
                                           Test::autocorrelation};

constexpr std::size_t word_bytes = 4, block_words = block_bytes / word_bytes;

/// True when a word of 32 bits equals the one before it.
bool repeats(Block block, std::uint32_t before) {
  std::array<std::uint32_t, block_words> words{};
  std::memcpy(words.data(), block.data(), block_bytes);
  bool found = words[0] == before;
  for (std::size_t i = 1; i < words.size(); ++i) found |= words[i] == words[i - 1];
  return found;
}

Bounds bounds_of(Set set) {
  return set == Set::fips_140_2 ? Bounds::fips_140_2 : Bounds::fips_140_1;
}

double at_least(double k, double n, double p) {  // P(X >= k)
  return k <= 0.0 ? 1.0 : 1.0 - binomial_below(k - 1.0, n, p);
}

FailureCount judge_count(std::uint64_t failed, std::uint64_t blocks, double rate, double level) {
  const auto n = static_cast<double>(blocks), k = static_cast<double>(failed);
  FailureCount row;
  row.failed = failed;
  row.rate = rate;
  row.expected = rate * n;
  // P(X >= k) = P(n - X <= n - k): the tail itself, not one minus the rest.
  const double high = k <= 0.0 ? 1.0 : binomial_below(n - k, n, 1.0 - rate);
  row.p = std::min(1.0, 2.0 * std::min(binomial_below(k, n, rate), high));
  const auto accepted = [&](double value) {
    return 2.0 * std::min(binomial_below(value, n, rate), at_least(value, n, rate)) >= level;
  };
  // Both ends from the expected number outwards, by halving: the tails fall steadily.
  const double middle = std::floor(row.expected);
  double low = -1, high_end = n + 1, inside = middle;
  for (double inner = inside; inner - low > 1;) {
    const double half = std::floor((low + inner) / 2);
    (accepted(half) ? inner : low) = half;
  }
  for (inside = middle; high_end - inside > 1;) {
    const double half = std::floor((inside + high_end) / 2);
    (accepted(half) ? inside : high_end) = half;
  }
  row.least = static_cast<std::uint64_t>(low + 1);
  row.most = static_cast<std::uint64_t>(inside);
  return row;
}

}  // namespace

std::string_view test_name(Test test) {
  static constexpr std::array<std::string_view, tests_count> names = {
      "monobit", "poker", "runs", "long run", "continuous", "autocorrelation"};
  return names[static_cast<std::size_t>(test)];
}

std::span<const Test> tests_of(Set set) {
  return set == Set::ais_31 ? ais_tests : fips_tests;
}

double failure_rate(Set set, Test test) {
  const Rates& rates = failure_rates(bounds_of(set));
  switch (test) {
    case Test::monobit:
      return rates.monobit;
    case Test::poker:
      return rates.poker;
    case Test::runs:
      return rates.runs;
    case Test::long_run:
      return rates.long_run;
    case Test::continuous:  // 625 comparisons, each independent of what was before
      return -std::expm1(static_cast<double>(block_words) * std::log1p(-std::pow(2.0, -32.0)));
    case Test::autocorrelation:
      return autocorrelation_rate();
  }
  return 0.0;
}

double failure_rate_any(Set set) {
  // The two beside the four are rare and all but independent of them.
  const double beside =
      failure_rate(set, set == Set::ais_31 ? Test::autocorrelation : Test::continuous);
  const double four = failure_rates(bounds_of(set)).any;
  return four + beside - four * beside;
}

void BlockSeries::add(std::span<const std::uint8_t> bytes) {
  if (set_ != Set::ais_31 && !has_last_) {
    while (!bytes.empty() && first_count_ < word_bytes) {
      pending_[first_count_++] = bytes.front();
      bytes = bytes.subspan(1);
    }
    if (first_count_ < word_bytes) return;
    std::memcpy(&last_, pending_.data(), word_bytes);
    has_last_ = true;
  }
  if (waiting_ != 0) {
    const std::size_t taken = std::min(bytes.size(), block_bytes - waiting_);
    std::copy_n(bytes.begin(), taken, pending_.begin() + static_cast<std::ptrdiff_t>(waiting_));
    waiting_ += taken;
    bytes = bytes.subspan(taken);
    if (waiting_ < block_bytes) return;
    judge_block(pending_);
    waiting_ = 0;
  }
  for (; bytes.size() >= block_bytes; bytes = bytes.subspan(block_bytes))
    judge_block(bytes.first<block_bytes>());
  std::copy(bytes.begin(), bytes.end(), pending_.begin());
  waiting_ = bytes.size();
}

void BlockSeries::judge_block(Block block) {
  Judged judged{.index = tally_.blocks, .counts = count(block)};
  const Failures failures = judge(judged.counts, bounds_of(set_));
  const auto failed = [&](Test test) -> bool& {
    return judged.failed[static_cast<std::size_t>(test)];
  };
  failed(Test::monobit) = failures.monobit;
  failed(Test::poker) = failures.poker;
  failed(Test::runs) = failures.runs;
  failed(Test::long_run) = failures.long_run;
  if (set_ == Set::ais_31) {
    failed(Test::autocorrelation) = autocorrelation(block).failed;
  } else {
    failed(Test::continuous) = repeats(block, last_);
    std::memcpy(&last_, block.data() + block_bytes - word_bytes, word_bytes);
  }
  ++tally_.blocks;
  bool any = false;
  for (std::size_t i = 0; i < tests_count; ++i) {
    tally_.failures[i] += judged.failed[i] ? 1U : 0U;
    any = any || judged.failed[i];
  }
  tally_.failed_blocks += any ? 1U : 0U;
  if (on_block) on_block(judged);
}

SeriesVerdict judge_tally(Set set, const Tally& tally, double family_error) {
  SeriesVerdict verdict;
  const auto tests = tests_of(set);
  const double level = family_error / static_cast<double>(tests.size() + 1);
  for (const Test test : tests)
    verdict.rows.push_back(judge_count(tally.failures[static_cast<std::size_t>(test)], tally.blocks,
                                       failure_rate(set, test), level));
  verdict.rows.push_back(
      judge_count(tally.failed_blocks, tally.blocks, failure_rate_any(set), level));
  std::vector<double> p;
  p.reserve(verdict.rows.size());
  for (const FailureCount& row : verdict.rows) p.push_back(row.p);
  verdict.smallest_adjusted = holm_smallest(p);
  verdict.consistent = verdict.smallest_adjusted >= family_error;
  return verdict;
}

}  // namespace talla::stats::blocks

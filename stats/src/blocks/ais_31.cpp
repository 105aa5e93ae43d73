// AIS 20/31 (2011), 2.4.4: procedures A and B.
#include "stats/blocks/ais_31.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stats/blocks/block_series.hpp"
#include "stats/special.hpp"

namespace talla::stats::blocks {
namespace {

constexpr std::size_t blocks_of_a = 257;
constexpr std::uint32_t sample = 100'000;  // bits of each sample of procedure B

/// Bits of a source, one after another, and how many were taken.
class Cursor {
 public:
  explicit Cursor(const ByteSource& source) : source_(source) {}
  /// Fills the span from whole bytes; false when the source ends. Precondition: no byte is begun.
  bool bytes(std::span<std::uint8_t> into) {
    std::size_t got = std::min(into.size(), buffer_.size() - at_);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(at_), got, into.begin());
    at_ += got;
    while (got < into.size()) {
      const std::size_t more = source_(into.subspan(got));
      if (more == 0) break;
      got += more;
    }
    taken_ += 8 * got;
    return got == into.size();
  }
  /// The next bit; false when the source ends.
  bool bit(unsigned& value) {
    if (place_ == 0) {
      if (at_ == buffer_.size() && !refill()) return false;
      byte_ = buffer_[at_++];
      place_ = 8;
    }
    --place_;
    value = unsigned{byte_} >> place_ & 1U;
    ++taken_;
    return true;
  }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }

 private:
  bool refill() {
    buffer_.resize(65'536);
    buffer_.resize(source_(buffer_));
    at_ = 0;
    return !buffer_.empty();
  }
  const ByteSource& source_;
  std::vector<std::uint8_t> buffer_;
  std::size_t at_ = 0;
  std::uint8_t byte_ = 0;
  unsigned place_ = 0;  // bits of byte_ that are left
  std::uint64_t taken_ = 0;
};

void note(Round& round, ElementaryCount& test, bool failed, ElementaryFailure failure) {
  ++test.applied;
  if (!failed) return;
  ++test.failed;
  failure.test = test.test;
  round.failures.push_back(std::move(failure));
}

std::string from_to(std::uint32_t least, std::uint32_t most) {
  return std::to_string(least) + " to " + std::to_string(most);
}

/// T3 of one block: which class of runs is outside, for the report; the first one that is.
ElementaryFailure runs_failure(const Counts& counts, const std::string& where) {
  const Limits& accepted = limits(Bounds::fips_140_1);
  for (std::size_t bit = 0; bit < 2; ++bit) {
    for (std::size_t k = 0; k < 6; ++k) {
      const std::uint32_t runs = counts.runs[bit][k];
      if (runs < accepted.runs[k][0] || runs > accepted.runs[k][1])
        return {.test = {},
                .where = where + ", runs of " + std::to_string(k + 1) +
                         (k == 5 ? " and more " : " ") + (bit == 1 ? "ones" : "zeros"),
                .value = static_cast<double>(runs),
                .accepted = from_to(accepted.runs[k][0], accepted.runs[k][1])};
    }
  }
  return {.test = {}, .where = where, .value = 0, .accepted = {}};
}

void judge_block(Round& round, Block block, std::size_t index, const BlockSeen& block_seen) {
  const Counts counts = count(block);
  if (block_seen) block_seen(counts);
  const Limits& accepted = limits(Bounds::fips_140_1);
  const Failures failures = judge(counts, Bounds::fips_140_1);
  const std::string where = "block " + std::to_string(index + 1);
  note(round, round.tests[1], failures.monobit,
       {{},
        where,
        static_cast<double>(counts.ones),
        from_to(accepted.ones_least, accepted.ones_most)});
  note(round, round.tests[2], failures.poker, {{}, where, counts.poker(), "between 1.03 and 57.4"});
  note(round, round.tests[3], failures.runs, runs_failure(counts, where));
  note(round, round.tests[4], failures.long_run, {{}, where, 34, "no run of 34 or more"});
  const Autocorrelation correlation = autocorrelation(block);
  note(round, round.tests[5], correlation.failed,
       {{},
        where + ", shift " + std::to_string(correlation.shift),
        static_cast<double>(correlation.differing),
        "2327 to 2673"});
  const std::array<double, 3> values = {static_cast<double>(counts.ones), counts.poker(),
                                        static_cast<double>(correlation.differing)};
  for (std::size_t i = 0; i < values.size(); ++i) {
    double &least = round.figures[2 * i].value, &most = round.figures[2 * i + 1].value;
    least = index == 0 ? values[i] : std::min(least, values[i]);
    most = index == 0 ? values[i] : std::max(most, values[i]);
  }
}

stats::Error ended(std::string_view test, std::uint64_t bits) {
  return {"the data end after " + std::to_string(bits) + " bits of this round, in " +
          std::string(test)};
}

std::vector<ElementaryCount> tests_of_a() {
  const Rates& rates = failure_rates(Bounds::fips_140_1);
  return {{.test = "T0 disjointness", .rate = disjointness_rate()},
          {.test = "T1 monobit", .rate = rates.monobit},
          {.test = "T2 poker", .rate = rates.poker},
          {.test = "T3 runs", .rate = rates.runs},
          {.test = "T4 long run", .rate = rates.long_run},
          {.test = "T5 autocorrelation", .rate = autocorrelation_rate()}};
}

Result<Round> round_of_a(Cursor& cursor, const ShareDone& progress, const BlockSeen& block_seen) {
  Round round;
  round.tests = tests_of_a();
  round.figures = {{"T1 least ones", 0}, {"T1 most ones", 0},       {"T2 least X", 0},
                   {"T2 most X", 0},     {"T5 least differing", 0}, {"T5 most differing", 0}};
  const std::uint64_t begin = cursor.taken();
  std::vector<std::uint8_t> words(disjointness_bytes);
  if (!cursor.bytes(words))
    return tl::unexpected(ended(round.tests[0].test, cursor.taken() - begin));
  const auto equal = disjointness(words);
  note(round, round.tests[0], equal.has_value(),
       {{},
        equal ? "words " + std::to_string(equal->first + 1) + " and " +
                    std::to_string(equal->second + 1)
              : "",
        1,
        "no two equal words of 48 bits"});
  std::array<std::uint8_t, block_bytes> block{};
  for (std::size_t i = 0; i < blocks_of_a; ++i) {
    if (!cursor.bytes(block))
      return tl::unexpected(
          ended("block " + std::to_string(i + 1) + " of 257 (T1 to T5)", cursor.taken() - begin));
    judge_block(round, block, i, block_seen);
    if (progress) progress(static_cast<double>(i + 1) / blocks_of_a);
  }
  round.bits = cursor.taken() - begin;
  return round;
}

/// For each word of `width` bits the ones among the first 100,000 bits that follow it, the stream
/// being cut into words and their followers; false when it ends before.
bool followers(Cursor& cursor, unsigned width, std::vector<std::uint32_t>& ones) {
  const std::size_t kinds = std::size_t{1} << width;
  ones.assign(kinds, 0);
  std::vector<std::uint32_t> counted(kinds);
  for (std::size_t open = kinds; open > 0;) {
    std::size_t word = 0;
    unsigned value = 0;
    for (unsigned i = 0; i < width; ++i) {
      if (!cursor.bit(value)) return false;
      word = word << 1U | value;
    }
    if (!cursor.bit(value)) return false;
    if (counted[word] == sample) continue;
    ones[word] += value;
    if (++counted[word] == sample) --open;
  }
  return true;
}

std::vector<ElementaryCount> tests_of_b() {
  // T6a: |share - 1/2| <= 0.025; T6b: |share after 0 + share of zeros after 1 - 1| < 0.02, for
  // ideal bits a binomial number of 200,000 that is 2,000 or more off.
  return {{.test = "T6a uniform", .rate = 2.0 * binomial_below(47'499.0, sample, 0.5)},
          {.test = "T6b uniform", .rate = 2.0 * binomial_below(98'000.0, 2.0 * sample, 0.5)},
          {.test = "T7a homogeneity", .rate = homogeneity_rate()},
          {.test = "T7b homogeneity", .rate = homogeneity_rate()},
          {.test = "T8 entropy", .rate = coron_rate()}};
}

/// T7 on words of `width` bits: does the bit before the last ones still tell anything?
bool homogeneity_tests(Round& round, ElementaryCount& test, Cursor& cursor, unsigned width) {
  std::vector<std::uint32_t> ones;
  if (!followers(cursor, width, ones)) return false;
  const std::size_t half = ones.size() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    std::string name = "after 0";  // then 1 and the same bits
    for (unsigned k = 1; k < width; ++k) name += (i >> (width - 1 - k) & 1U) != 0 ? '1' : '0';
    name += " and 1" + name.substr(7);
    const double statistic = homogeneity(ones[i], ones[i + half]);
    note(round, test, statistic > homogeneity_most, {{}, name, statistic, "up to 15.13"});
    name.insert(0, std::string(test.test) + " ");
    round.figures.push_back({std::move(name), statistic});
  }
  return true;
}

Result<Round> round_of_b(Cursor& cursor, const ShareDone& progress) {
  Round round;
  round.tests = tests_of_b();
  const std::uint64_t begin = cursor.taken();
  const auto short_of = [&](std::size_t test) {
    return tl::unexpected(ended(round.tests[test].test, cursor.taken() - begin));
  };
  const auto step = [&](double share) {
    if (progress) progress(share);
  };
  std::uint32_t ones = 0;
  for (std::uint32_t i = 0; i < sample; ++i) {
    unsigned value = 0;
    if (!cursor.bit(value)) return short_of(0);
    ones += value;
  }
  note(round, round.tests[0], ones < 47'500 || ones > 52'500,
       {{}, "share of ones", static_cast<double>(ones) / sample, "0.475 to 0.525"});
  round.figures.push_back({"T6a share of ones", static_cast<double>(ones) / sample});
  std::vector<std::uint32_t> after;
  if (!followers(cursor, 1, after)) return short_of(1);
  const auto sum =
      static_cast<std::int64_t>(after[0]) + (sample - static_cast<std::int64_t>(after[1])) - sample;
  const double step_share = static_cast<double>(sum) / sample;
  note(round, round.tests[1], std::abs(sum) >= 2'000,
       {{}, "ones after 0 + zeros after 1 - 1", step_share, "-0.02 to 0.02"});
  round.figures.push_back({"T6b ones after 0 + zeros after 1 - 1", step_share});
  step(0.1);
  if (!homogeneity_tests(round, round.tests[2], cursor, 2)) return short_of(2);
  step(0.3);
  if (!homogeneity_tests(round, round.tests[3], cursor, 3)) return short_of(3);
  step(0.7);
  std::vector<std::uint8_t> words(coron_words);
  for (auto& word : words) {
    unsigned value = 0;
    for (int k = 0; k < 8; ++k) {
      if (!cursor.bit(value)) return short_of(4);
      word = static_cast<std::uint8_t>(unsigned{word} << 1U | value);
    }
  }
  const double entropy = coron_entropy(words);
  note(round, round.tests[4], !(entropy > coron_least),
       {{}, "entropy of a byte", entropy, "above 7.976"});
  round.figures.push_back({"T8 entropy of a byte", entropy});
  round.bits = cursor.taken() - begin;
  step(1.0);
  return round;
}

}  // namespace

std::uint32_t Round::failed() const {
  std::uint32_t sum = 0;
  for (const ElementaryCount& test : tests) sum += test.failed;
  return sum;
}

Result<ProcedureRun> run_procedure(Procedure procedure, const ByteSource& source,
                                   const ShareDone& progress, const BlockSeen& block_seen) {
  ProcedureRun run{.procedure = procedure, .rounds = {}};
  Cursor cursor(source);
  for (int number = 1; number <= 2; ++number) {
    auto round = procedure == Procedure::a ? round_of_a(cursor, progress, block_seen)
                                           : round_of_b(cursor, progress);
    if (!round)
      return refuse(number == 1 ? round.error().detail
                                : "one test failed, so the procedure must be repeated once; " +
                                      round.error().detail);
    run.rounds.push_back(std::move(*round));
    const std::uint32_t failed = run.rounds.back().failed();
    run.passed = failed == 0;
    if (failed != 1) break;  // none: passed; several: rejected
  }
  return run;
}

ProcedureRates procedure_rates(Procedure procedure) {
  // Poisson-like: chances of no and of exactly one failure among independent tests.
  double log_none = 0.0, odds = 0.0;
  const auto add = [&](double rate, double times) {
    log_none += times * std::log1p(-rate);
    odds += times * rate / (1.0 - rate);
  };
  if (procedure == Procedure::a) {
    add(disjointness_rate(), 1.0);
    for (const Test test : tests_of(Set::ais_31)) add(failure_rate(Set::ais_31, test), blocks_of_a);
  } else {
    const auto tests = tests_of_b();
    const std::array<double, 5> times = {1, 1, 2, 4, 1};
    for (std::size_t i = 0; i < tests.size(); ++i) add(tests[i].rate, times[i]);
  }
  const double any = -std::expm1(log_none), one = std::exp(log_none) * odds;
  return {.any_failure = any, .rejection = std::max(0.0, any - one) + one * any};
}

}  // namespace talla::stats::blocks

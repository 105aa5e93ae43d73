// Goal: the fast forms of the monitors give what the plainly written ones give.
// Method: each against a slow one in this file on random small input: every bet kept by itself,
// every sample predicted by itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "stats/monitor/streams.hpp"

namespace talla::stats::monitor {
namespace {

/// The bets of one table, each with its own e-value and detector, in logarithms where they get
/// large.
class SlowTable {
 public:
  SlowTable(std::size_t rows, std::size_t columns, CellTable::Excess excess)
      : columns_(columns),
        excess_(excess),
        logs_(rows * columns * 4),
        alerts_(rows * columns * 4) {}
  void observe(std::size_t row, std::size_t column, double inverse_q) {
    for (std::size_t c = 0; c < columns_; ++c) {
      for (std::size_t g = 0; g < 4; ++g) {
        const long double kappa = excess_[g] / (static_cast<double>(columns_ - 1) + excess_[g]);
        const long double factor = 1 - kappa + (c == column ? kappa * inverse_q : 0.0L);
        const std::size_t at = (row * columns_ + c) * 4 + g;
        logs_[at] += std::log(factor);
        alerts_[at] = (alerts_[at] + 1) * factor;
      }
    }
  }
  [[nodiscard]] double e() const {
    long double sum = 0;
    for (const long double value : logs_) sum += std::exp(value);
    return static_cast<double>(sum / static_cast<long double>(logs_.size()));
  }
  [[nodiscard]] double detector() const {
    long double sum = 0;
    for (const long double value : alerts_) sum += value;
    return static_cast<double>(sum / static_cast<long double>(alerts_.size()));
  }

 private:
  std::size_t columns_;
  CellTable::Excess excess_;
  std::vector<long double> logs_;
  std::vector<long double> alerts_;
};

void expect_close(double ours, double theirs, double relative = 1e-9) {
  EXPECT_NEAR(ours, theirs, relative * std::max(1.0, std::abs(theirs)));
}

TEST(Reference, tables_of_bets_through_many_rescalings) {
  std::mt19937_64 random(7);
  for (const std::size_t columns : {2U, 5U, 9U}) {
    const std::size_t rows = columns == 9 ? 1 : 3;
    for (const auto& excess : {CellTable::fine, CellTable::coarse}) {
      CellTable ours({.rows = rows, .columns = columns, .excess = excess});
      SlowTable slow(rows, columns, excess);
      for (int step = 0; step < 20'000; ++step) {
        const std::size_t row = random() % rows;
        // Slightly biased, with probabilities that change from step to step.
        const std::size_t column = random() % 50 == 0 ? 0 : random() % columns;
        const double inverse_q = static_cast<double>(columns) * (step % 3 == 0 ? 1.0 : 0.9);
        ours.observe(row, column, std::max(1.0, inverse_q));
        slow.observe(row, column, std::max(1.0, inverse_q));
        if (step % 997 != 0) continue;
        expect_close(ours.e(), slow.e());
        expect_close(ours.detector(), slow.detector());
      }
    }
  }
}

TEST(Reference, dirichlet_mixtures_from_their_closed_form) {
  std::mt19937_64 random(8);
  const std::vector<double> p = {0.2, 0.1, 0.4, 0.3};
  Dirichlet ours(p);
  std::vector<std::size_t> counts(p.size());
  for (int step = 0; step < 3000; ++step) {
    const std::size_t symbol = random() % p.size();
    ours.observe(symbol);
    ++counts[symbol];
    if (step % 100 != 0) continue;
    double mean = 0;
    for (const double prior : Dirichlet::prior_counts) {
      const double mass = prior * static_cast<double>(p.size());
      // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
      double log_ratio = std::lgamma(mass) - std::lgamma(mass + step + 1);
      for (std::size_t s = 0; s < p.size(); ++s) {
        const auto n = static_cast<double>(counts[s]);
        // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
        log_ratio += std::lgamma(n + mass * p[s]) - std::lgamma(mass * p[s]) - n * std::log(p[s]);
      }
      mean += std::exp(log_ratio) / Dirichlet::strengths;
    }
    EXPECT_NEAR(ours.log_e(), std::log(mean), 1e-7) << step;
  }
}

TEST(Reference, claim_bets_sample_by_sample) {
  std::mt19937_64 random(9);
  const double p = std::exp2(-1.5);
  ClaimBet ours(1500);
  std::array<long double, ClaimBet::strengths> logs{};
  std::array<long double, ClaimBet::strengths> alerts{};
  for (int block = 0; block < 50; ++block) {
    std::uint64_t hits = 0;
    std::array<long double, ClaimBet::strengths> block_logs{};
    for (int i = 0; i < 40; ++i) {
      const bool hit = random() % 3 == 0;
      hits += hit ? 1 : 0;
      for (std::size_t g = 0; g < ClaimBet::strengths; ++g) {
        // E <- E (1 + lambda (hit - p) / (1 - p)), as the text has it.
        const double odds = (1 - p) / p;
        const double lambda = ClaimBet::excess[g] / (odds + ClaimBet::excess[g]) * odds;
        block_logs[g] += std::log(1 + lambda * ((hit ? 1.0 : 0.0) - p) / (1 - p));
      }
    }
    ours.observe(hits, 40);
    long double mean = 0;
    long double alert = 0;
    for (std::size_t g = 0; g < ClaimBet::strengths; ++g) {
      logs[g] += block_logs[g];
      alerts[g] = (alerts[g] + 1) * std::exp(block_logs[g]);
      mean += std::exp(logs[g]) / ClaimBet::strengths;
      alert += alerts[g] / ClaimBet::strengths;
    }
    EXPECT_NEAR(ours.log_e(), static_cast<double>(std::log(mean)), 1e-9);
    EXPECT_NEAR(ours.log_detector(), static_cast<double>(std::log1p(alert)), 1e-9);
  }
}

/// The predictors as predictors.hpp says, one sample at a time over the whole stream kept in
/// memory.
class SlowPredictors {
 public:
  explicit SlowPredictors(const std::vector<std::uint8_t>& stream) : x_(stream) {}
  Predictors::Scores run() {
    for (std::size_t block = 0; (block + 1) * size <= x_.size(); ++block) score(block);
    return scores_;
  }

 private:
  static constexpr std::size_t size = Predictors::block_samples;
  std::size_t matches(std::size_t block, std::size_t lag) const {
    std::size_t found = 0;
    for (std::size_t i = block * size; i < (block + 1) * size; ++i)
      found += x_[i] == x_[i - lag] ? 1U : 0U;
    return found;
  }
  void hit(std::size_t predictor, bool right) {
    ++scores_[predictor].trials;
    scores_[predictor].hits += right ? 1U : 0U;
  }
  void score(std::size_t block) {
    for (std::size_t i = block * size; i < (block + 1) * size; ++i) {
      for (std::size_t k = 0; k < Predictors::lags.size(); ++k) {
        if (i >= Predictors::lags[k]) hit(k, x_[i] == x_[i - Predictors::lags[k]]);
      }
      if (block > 0) hit(13, x_[i] == common_);
      if (block > 0 && block % 4 == 1) hit(14, x_[i] == successors_[x_[i - 1]]);
    }
    if (block > 0) long_lag(block);
    if (block % 8 == 0) learn_values(block);
    if (block % 16 == 0) learn_successors(block);
  }
  void long_lag(std::size_t block) {
    const std::size_t right = matches(block, lag_);
    scores_[12].hits += right;
    scores_[12].trials += size;
    rate_ += (static_cast<double>(right) - rate_) / 16;
    const auto other = static_cast<double>(matches(block, candidate_));
    if (other > rate_ && candidate_ != lag_) {
      lag_ = candidate_;
      rate_ = other;
    }
    candidate_ = candidate_ == 2047 ? 9 : candidate_ + 1;
  }
  void learn_values(std::size_t block) {
    for (unsigned v = 0; v < 256 && block % 512 == 0; ++v) counts_[v] /= 2;
    for (std::size_t i = block * size; i < (block + 1) * size; ++i) ++counts_[x_[i]];
    common_ = 0;
    for (unsigned v = 1; v < 256; ++v) {
      if (counts_[v] > counts_[common_]) common_ = static_cast<std::uint8_t>(v);
    }
  }
  void learn_successors(std::size_t block) {
    for (std::size_t i = block * size + 1; i < (block + 1) * size; ++i) {
      auto& row = pairs_[x_[i - 1]];
      if (++row[x_[i]] > row[successors_[x_[i - 1]]]) successors_[x_[i - 1]] = x_[i];
    }
  }
  const std::vector<std::uint8_t>& x_;
  Predictors::Scores scores_{};
  std::size_t lag_ = 9;
  std::size_t candidate_ = 9;
  double rate_ = 0;
  std::array<std::uint32_t, 256> counts_{};
  std::uint8_t common_ = 0;
  std::map<std::uint8_t, std::map<std::uint8_t, std::uint32_t>> pairs_;
  std::array<std::uint8_t, 256> successors_{};
};

TEST(Reference, predictors_sample_by_sample_whatever_the_reads) {
  std::mt19937_64 random(10);
  std::vector<std::uint8_t> stream(40 * Predictors::block_samples);
  for (std::size_t i = 0; i < stream.size(); ++i) {
    const bool repeats = i >= 300 && random() % 10 == 0;
    stream[i] = repeats ? stream[i - 300] : static_cast<std::uint8_t>(random() % 20);
  }
  const auto slow = SlowPredictors(stream).run();
  Predictors ours;
  Predictors::Scores scores{};
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t part = std::min<std::size_t>(stream.size() - at, 1 + random() % 9000);
    ours.observe(std::span(stream).subspan(at, part), scores);
    at += part;
  }
  for (std::size_t i = 0; i < Predictors::count; ++i) {
    EXPECT_EQ(scores[i].hits, slow[i].hits) << Predictors::name(i);
    EXPECT_EQ(scores[i].trials, slow[i].trials) << Predictors::name(i);
  }
}

/// Ones: the Beta mixture by its predictive probabilities, bit by bit.
TEST(Reference, ones_bit_by_bit) {
  std::mt19937_64 random(11);
  Ones ours("ones");
  std::array<long double, 4> logs{};
  constexpr std::array<double, 4> prior = {0.5, 100, 1e4, 1e6};
  long double ones = 0;
  long double bits = 0;
  for (int block = 0; block < 40; ++block) {
    std::uint64_t found = 0;
    for (int i = 0; i < 512; ++i) {
      const bool one = random() % 100 < 53;
      for (std::size_t g = 0; g < prior.size(); ++g) {
        const long double count = one ? ones : bits - ones;
        logs[g] += std::log(2 * (count + prior[g]) / (bits + 2 * prior[g]));
      }
      ones += one ? 1 : 0;
      ++bits;
      found += one ? 1U : 0U;
    }
    ours.observe(found, 512);
    long double mean = 0;
    for (const long double value : logs) mean += std::exp(value) / 4;
    EXPECT_NEAR(ours.log_e(), static_cast<double>(std::log(mean)), 1e-6);
  }
}

/// A raw stream shows nothing new between the ends of its chunks.
TEST(Reference, raw_noise_speaks_in_whole_chunks_only) {
  RawNoise noise(4000);
  std::mt19937_64 random(12);
  std::vector<std::uint8_t> samples(1000);
  std::uint64_t seen = 0;
  double before = 0;
  for (int read = 0; read < 600; ++read) {
    for (auto& sample : samples) sample = static_cast<std::uint8_t>(random() % 12);
    const bool completed = noise.observe(samples);
    seen += samples.size();
    const double now = noise.prediction().log_e();
    if (!completed) {
      EXPECT_EQ(now, before);
    }
    EXPECT_EQ(noise.prediction().steps(), seen / RawNoise::chunk_samples * RawNoise::chunk_samples);
    before = now;
  }
  EXPECT_GE(RawNoise::chunk_samples, 100'000U);
}

TEST(Reference, a_broken_claim_is_found_and_a_kept_one_is_not) {
  std::mt19937_64 random(13);
  RawNoise kept(3500);  // twelve values, equally likely: 3.58 bits
  RawNoise broken(3800);
  std::vector<std::uint8_t> samples(RawNoise::chunk_samples);
  for (int chunk = 0; chunk < 8; ++chunk) {
    for (auto& sample : samples) sample = static_cast<std::uint8_t>(random() % 12);
    kept.observe(samples);
    broken.observe(samples);
  }
  EXPECT_LT(kept.prediction().log_e(), 0);
  EXPECT_GT(broken.prediction().log_e(), 100);
}

}  // namespace
}  // namespace talla::stats::monitor

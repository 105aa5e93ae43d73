#include "stats/monitor/predictors.hpp"

#include <algorithm>
#include <cstring>

#include "match_count.hpp"

namespace talla::stats::monitor {
namespace {

constexpr std::size_t history = Predictors::lag_max + 1;
constexpr std::size_t block = Predictors::block_samples;
constexpr std::size_t long_place = Predictors::lags.size();
constexpr std::size_t common_place = long_place + 1;
constexpr std::size_t successor_place = long_place + 2;
constexpr std::uint64_t values_every = 8;
constexpr std::uint64_t values_fade_every = 512;  // blocks
constexpr std::uint64_t successor_every = 4;
constexpr std::uint64_t successor_learn_every = 16;
constexpr double fading = 1.0 / 16;

}  // namespace

Predictors::Predictors() : buffer_(history + block), pair_counts_(std::size_t{1} << 16U) {}

Predictors::~Predictors() {
  std::memset(buffer_.data(), 0, buffer_.size());
  __asm__ __volatile__(""
                       :
                       : "r"(buffer_.data())
                       : "memory");  // the samples are gone even if nobody reads them again
}

std::string_view Predictors::name(std::size_t predictor) {
  static constexpr std::array<std::string_view, count> names = {
      "lag 1",    "lag 2",  "lag 3",  "lag 4",  "lag 5",   "lag 6",    "lag 7",
      "lag 8",    "lag 16", "lag 32", "lag 64", "lag 128", "long lag", "most common value",
      "successor"};
  return names[predictor];
}

/// Samples before the block.
std::size_t Predictors::known() const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(history, blocks_ * block));
}

std::size_t Predictors::observe(std::span<const std::uint8_t> samples, Scores& scores) {
  std::size_t blocks = 0;
  while (!samples.empty()) {
    const std::size_t part = std::min(samples.size(), block - used_);
    std::memcpy(buffer_.data() + history + used_, samples.data(), part);
    samples = samples.subspan(part);
    used_ += part;
    if (used_ < block) break;
    score_block(scores);
    ++blocks;
    std::memcpy(buffer_.data(), buffer_.data() + block, history);
    used_ = 0;
    ++blocks_;
  }
  return blocks;
}

void Predictors::score_block(Scores& scores) {
  const std::uint8_t* samples = buffer_.data() + history;
  score_lags(samples, scores);
  score_long_lag(samples, scores[long_place]);
  if (blocks_ > 0) {
    scores[common_place].hits += count_equal(samples, block, common_);
    scores[common_place].trials += block;
  }
  if (blocks_ > 0 && blocks_ % successor_every == 1)
    score_successor(samples, scores[successor_place]);
  if (blocks_ % values_every == 0) learn_values(samples);
  if (blocks_ % successor_learn_every == 0) learn_successors(samples);
}

void Predictors::score_lags(const std::uint8_t* samples, Scores& scores) const {
  static_assert(lags.size() % 4 == 0);
  if (known() == history) {
    std::array<std::size_t, lags.size()> found{};
    for (std::size_t i = 0; i < lags.size(); i += 4)
      count_lags4(samples, lags.data() + i, block, found.data() + i);
    for (std::size_t i = 0; i < lags.size(); ++i) {
      scores[i].hits += found[i];
      scores[i].trials += block;
    }
    return;
  }
  for (std::size_t i = 0; i < lags.size(); ++i) {
    const std::size_t skip = lags[i] > known() ? lags[i] - known() : 0;
    scores[i].hits += count_matches(samples + skip, samples + skip - lags[i], block - skip);
    scores[i].trials += block - skip;
  }
}

void Predictors::score_long_lag(const std::uint8_t* samples, Score& score) {
  if (known() < history) return;
  const std::size_t hits = count_matches(samples, samples - long_lag_, block);
  score.hits += hits;
  score.trials += block;
  long_rate_ += fading * (static_cast<double>(hits) - long_rate_);
  const auto other = static_cast<double>(count_matches(samples, samples - candidate_, block));
  if (other > long_rate_ && candidate_ != long_lag_) {
    long_lag_ = candidate_;
    long_rate_ = other;
  }
  candidate_ = candidate_ == lag_max ? lag_min : candidate_ + 1;
}

void Predictors::score_successor(const std::uint8_t* samples, Score& score) const {
  std::uint64_t hits = 0;
  for (std::size_t i = 0; i < block; ++i)
    hits += successor_[samples[i - 1]] == samples[i] ? 1U : 0U;
  score.hits += hits;
  score.trials += block;
}

void Predictors::learn_values(const std::uint8_t* samples) {
  std::array<std::array<std::uint32_t, 256>, 4>
      parts{};  // four, so that equal neighbours do not wait for each other
  for (std::size_t i = 0; i < block; i += 4) {
    for (std::size_t k = 0; k < 4; ++k) ++parts[k][samples[i + k]];
  }
  const bool fade = blocks_ % values_fade_every == 0;
  for (std::size_t v = 0; v < value_counts_.size(); ++v) {
    if (fade) value_counts_[v] /= 2;
    value_counts_[v] += parts[0][v] + parts[1][v] + parts[2][v] + parts[3][v];
  }
  common_ = static_cast<std::uint8_t>(std::max_element(value_counts_.begin(), value_counts_.end()) -
                                      value_counts_.begin());
}

void Predictors::learn_successors(const std::uint8_t* samples) {
  for (std::size_t i = 1; i < block; ++i) {
    const std::size_t row = std::size_t{samples[i - 1]} * 256;
    std::uint16_t& seen = pair_counts_[row + samples[i]];
    ++seen;
    std::uint8_t& best = successor_[samples[i - 1]];
    if (seen > pair_counts_[row + best]) best = samples[i];
    if (seen < UINT16_MAX) continue;
    for (std::size_t v = 0; v < 256; ++v) pair_counts_[row + v] /= 2;
  }
}

}  // namespace talla::stats::monitor

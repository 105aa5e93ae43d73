#include "stats/monitor/quality.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "stats/special.hpp"

namespace talla::stats::monitor {
namespace {

constexpr double seconds_of_year = 365.25 * 86'400;
constexpr std::uint64_t low_bits = 0x0101010101010101ULL;
constexpr std::size_t word_bytes = 8;
constexpr std::size_t words_in_a_byte = 255;  // additions until a byte is full

constexpr DriftWatch::Options of_hits{.least_ratio = 0.01};
constexpr DriftWatch::Options of_ones{.below_too = true, .least_difference = 0.001};
constexpr DriftWatch::Options of_blocks{.least_difference = 0.005};

/// One bits at place `bit` of each byte.
std::uint64_t ones_of(const std::uint8_t* bytes, std::size_t size, unsigned bit) {
  std::uint64_t ones = 0;
  std::size_t at = 0;
  while (size - at >= word_bytes) {
    const std::size_t words = std::min((size - at) / word_bytes, words_in_a_byte);
    std::uint64_t sums = 0;
    for (std::size_t i = 0; i < words; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes + at + word_bytes * i, word_bytes);
      sums += (word >> bit) & low_bits;
    }
    constexpr std::uint64_t pairs = 0x00FF00FF00FF00FFULL;
    const std::uint64_t halves = (sums & pairs) + ((sums >> 8U) & pairs);
    ones += (halves * 0x0001000100010001ULL) >> 48U;
    at += words * word_bytes;
  }
  for (; at < size; ++at) ones += (static_cast<unsigned>(bytes[at]) >> bit) & 1U;
  return ones;
}

/// Eight samples of one bit as a byte, the first highest: each product of a set byte and the right
/// bit of the factor falls on its own place of the top byte, and no two products fall on one place
/// below it.
std::uint8_t byte_of_bits(const std::uint8_t* samples) {
  std::uint64_t word = 0;
  for (std::size_t i = word_bytes; i-- > 0;) word = (word << 8U) | samples[i];
  return static_cast<std::uint8_t>(((word & low_bits) * 0x8040201008040201ULL) >> 56U);
}

}  // namespace

std::string_view scale_name(Quality::Scale scale) {
  return scale == Quality::Scale::recent ? "short" : "long";
}
std::string_view against_name(Quality::Against against) {
  return against == Quality::Against::claim ? "claim" : "past";
}

bool DriftWatch::matters(double past, double recent) const {
  const double difference = std::abs(recent - past);
  return difference >= options_.least_difference && difference >= options_.least_ratio * past;
}

bool DriftWatch::beyond() const {
  const std::size_t all = values_.size();
  double past_low = values_[at_], past_high = values_[at_], past_sum = 0;
  for (std::size_t i = 0; i < options_.reference; ++i) {
    const double value = values_[(at_ + i) % all];
    past_low = std::min(past_low, value);
    past_high = std::max(past_high, value);
    past_sum += value;
  }
  const double first = values_[(at_ + options_.reference) % all];
  double low = first, high = first, sum = 0;
  for (std::size_t i = options_.reference; i < all; ++i) {
    const double value = values_[(at_ + i) % all];
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  }
  const bool out = low > past_high || (options_.below_too && high < past_low);
  return out && matters(past_sum / static_cast<double>(options_.reference),
                        sum / static_cast<double>(options_.run));
}

Change DriftWatch::add(double value) {
  if (alarm_) {
    back_ = value >= low_ && value <= high_ ? back_ + 1 : 0;
    if (back_ < options_.run) return Change::none;
    alarm_ = false;
    values_.clear();
    at_ = 0;
    return Change::cleared;
  }
  if (!ready()) {
    values_.push_back(value);
  } else {
    values_[at_] = value;
    at_ = (at_ + 1) % values_.size();
  }
  if (!ready() || !beyond()) return Change::none;
  alarm_ = true;
  back_ = 0;
  low_ = high_ = values_[at_];
  for (std::size_t i = 0; i < options_.reference; ++i) {
    low_ = std::min(low_, values_[(at_ + i) % values_.size()]);
    high_ = std::max(high_, values_[(at_ + i) % values_.size()]);
  }
  return Change::raised;
}

double DriftWatch::rate(const Options& options) {
  const auto run = static_cast<double>(options.run);
  const double one = std::exp(-log_choose(static_cast<double>(options.reference) + run, run));
  return options.below_too ? 2 * one : one;
}

std::uint64_t ClaimWatch::cutoff(std::uint64_t trials, double probability, double tail) {
  const auto n = static_cast<double>(trials);
  // P(X >= c) = P(n - X <= n - c): precise where it is small.
  const auto above = [&](std::uint64_t c) {
    return binomial_below(n - static_cast<double>(c), n, 1 - probability);
  };
  std::uint64_t low = 0, high = trials + 1;  // above(low) > tail, above(high) <= tail
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (above(middle) <= tail ? high : low) = middle;
  }
  return high;
}

Change ClaimWatch::add(std::uint64_t hits, std::uint64_t trials) {
  if (trials == 0) return Change::none;
  if (trials != trials_) {
    trials_ = trials;
    bad_ = cutoff(trials, probability_, tail_);
    good_ = cutoff(trials, probability_, good_tail);
  }
  above_ = hits >= bad_ ? above_ + 1 : 0;
  below_ = hits < good_ ? below_ + 1 : 0;
  if (!alarm_ && above_ >= run) {
    alarm_ = true;
    return Change::raised;
  }
  if (alarm_ && below_ >= clear_run) {
    alarm_ = false;
    return Change::cleared;
  }
  return Change::none;
}

Quality::Quality(const Options& options) : options_(options) {
  for (std::size_t i = 0; i < Predictors::count; ++i)
    add_measure(std::string(Predictors::name(i)), true, of_hits);
  for (unsigned bit = 0; bit < options_.bits; ++bit)
    add_measure("ones of bit " + std::to_string(bit), false, of_ones);
  add_measure("failed blocks", false, of_blocks);
}

Quality::~Quality() {
  std::memset(block_.data(), 0, block_.size());
  __asm__ __volatile__("" : : "r"(block_.data()) : "memory");
}

void Quality::add_measure(std::string name, bool predictor, DriftWatch::Options kind) {
  Measure measure;
  measure.name = std::move(name);
  for (const DriftWatch::Options& scale : {options_.recent, options_.lasting}) {
    kind.reference = scale.reference;
    kind.run = scale.run;
    measure.past.emplace_back(kind);
    if (predictor)
      measure.claim.emplace_back(std::exp2(-static_cast<double>(options_.millibits) / 1000),
                                 options_.claim_tail);
  }
  measures_.push_back(std::move(measure));
}

void Quality::count_ones(std::span<const std::uint8_t> samples) {
  for (unsigned bit = 0; bit < options_.bits; ++bit)
    ones_[bit] += ones_of(samples.data(), samples.size(), bit);
}

void Quality::judge_block() {
  ++blocks_;
  failed_blocks_ +=
      blocks::judge(blocks::count(blocks::Block(block_)), blocks::Bounds::fips_140_2).any() ? 1U
                                                                                            : 0U;
  block_bits_ = 0;
}

/// The sample's bits, highest first, behind those of the samples before.
void Quality::pack(std::uint8_t sample) {
  for (unsigned bit = options_.bits; bit-- > 0;) {
    std::uint8_t& byte = block_[block_bits_ / 8];
    byte = static_cast<std::uint8_t>((static_cast<unsigned>(byte) << 1U) |
                                     ((static_cast<unsigned>(sample) >> bit) & 1U));
    if (++block_bits_ == blocks::block_bits) judge_block();
  }
}

void Quality::count_blocks(std::span<const std::uint8_t> samples) {
  while (!samples.empty() && blocks_ < fips_blocks_max) {
    if (options_.bits == 1 && block_bits_ % 8 == 0 && samples.size() >= word_bytes) {
      block_[block_bits_ / 8] = byte_of_bits(samples.data());
      block_bits_ += 8;
      samples = samples.subspan(word_bytes);
      if (block_bits_ == blocks::block_bits) judge_block();
      continue;
    }
    if (options_.bits != 8) {
      pack(samples.front());
      samples = samples.subspan(1);
      continue;
    }
    const std::size_t used = block_bits_ / 8;
    const std::size_t part = std::min(samples.size(), blocks::block_bytes - used);
    std::memcpy(block_.data() + used, samples.data(), part);
    block_bits_ += 8 * part;
    samples = samples.subspan(part);
    if (block_bits_ == blocks::block_bits) judge_block();
  }
}

void Quality::observe(std::span<const std::uint8_t> samples, std::vector<Event>& events) {
  while (!samples.empty()) {
    const std::size_t left = short_samples - samples_ % short_samples;
    const auto part = samples.first(std::min(samples.size(), left));
    predictors_.observe(part, scores_);
    count_ones(part);
    count_blocks(part);
    samples_ += part.size();
    samples = samples.subspan(part.size());
    if (samples_ % short_samples == 0) end_short(events);
  }
}

void Quality::end_short(std::vector<Event>& events) {
  std::size_t at = 0;
  for (const Predictors::Score& score : scores_) measures_[at++].now = {score.hits, score.trials};
  for (unsigned bit = 0; bit < options_.bits; ++bit)
    measures_[at++].now = {ones_[bit], short_samples};
  measures_[at].now = {failed_blocks_, blocks_};
  scores_ = {};
  ones_ = {};
  blocks_ = failed_blocks_ = block_bits_ = 0;
  const bool lasting = samples_ % (short_samples * long_shorts) == 0;
  for (Measure& measure : measures_) {
    measure.together.hits += measure.now.hits;
    measure.together.trials += measure.now.trials;
    end_window(measure, Scale::recent, measure.now, events);
    if (!lasting) continue;
    end_window(measure, Scale::lasting, measure.together, events);
    measure.together = {};
  }
}

void Quality::end_window(Measure& measure, Scale scale, const Count& count,
                         std::vector<Event>& events) {
  if (count.trials == 0) return;
  const auto place = static_cast<std::size_t>(scale);
  const double share = static_cast<double>(count.hits) / static_cast<double>(count.trials);
  measure.share[place] = share;
  measure.least[place] = std::min(measure.least[place].value_or(share), share);
  measure.greatest[place] = std::max(measure.greatest[place].value_or(share), share);
  const auto note = [&](Change change, Against against) {
    if (change == Change::none) return;
    measure.alarms += change == Change::raised ? 1U : 0U;
    events.push_back({measure.name, scale, against, change == Change::raised, share, samples_});
  };
  if (!measure.claim.empty())
    note(measure.claim[place].add(count.hits, count.trials), Against::claim);
  note(measure.past[place].add(share), Against::past);
}

std::vector<Quality::Row> Quality::rows() const {
  std::vector<Row> rows;
  rows.reserve(measures_.size());
  for (const Measure& measure : measures_) {
    Row row{.measure = measure.name,
            .share = measure.share,
            .least = measure.least,
            .greatest = measure.greatest,
            .alarms = measure.alarms};
    for (std::size_t scale = 0; scale < 2; ++scale) {
      row.claim_alarm[scale] = !measure.claim.empty() && measure.claim[scale].alarm();
      row.past_alarm[scale] = measure.past[scale].alarm();
      row.ready[scale] = measure.past[scale].ready() || measure.past[scale].alarm();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<Quality::Row> Quality::take_rows() {
  auto taken = rows();
  for (Measure& measure : measures_) measure.least = measure.greatest = {};
  return taken;
}

double Quality::false_alarms_per_window(const Options& options, Scale scale) {
  const DriftWatch::Options& about = scale == Scale::recent ? options.recent : options.lasting;
  const auto drift = [&about](DriftWatch::Options kind) {
    kind.reference = about.reference;
    kind.run = about.run;
    return DriftWatch::rate(kind);
  };
  const auto predictors = static_cast<double>(Predictors::count);
  return predictors * (options.claim_tail * options.claim_tail + drift(of_hits)) +
         static_cast<double>(options.bits) * drift(of_ones) + drift(of_blocks);
}

double Quality::false_alarms_per_year(const Options& options, double samples_per_second) {
  const double shorts = samples_per_second * seconds_of_year / static_cast<double>(short_samples);
  return shorts * false_alarms_per_window(options, Scale::recent) +
         shorts / static_cast<double>(long_shorts) *
             false_alarms_per_window(options, Scale::lasting);
}

}  // namespace talla::stats::monitor

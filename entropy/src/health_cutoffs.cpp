#include "entropy/health_cutoffs.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "health_windows.hpp"
#include "wide_float.hpp"

namespace talla::entropy {

namespace {

constexpr std::uint32_t trials_max = 65'536;
constexpr std::uint32_t millibits_max = 8000;

Status check_ranges(std::uint32_t millibits, unsigned alpha_log2) {
  if (millibits == 0 || millibits > millibits_max) {
    return fail(Errc::bad_settings, "assessed min-entropy must be 1 to 8000 millibits per sample");
  }
  if (alpha_log2 < alpha_log2_min || alpha_log2 > alpha_log2_max) {
    return fail(Errc::bad_settings, "alpha must be 2^-20 to 2^-80");
  }
  return {};
}

/// Walks P(X >= c) from c = trials downward; `low` and `high` enclose the current term and the sum
/// so far.
class TailWalk {
 public:
  TailWalk(std::uint32_t trials, std::uint32_t millibits) : trials_(trials), place_(trials) {
    // P(X = n) = 2^(-nH); going down, t(j-1) = t(j) * j / (n - j + 1) * (2^H - 1).
    term_ = power_of_two_millibits(-static_cast<std::int64_t>(trials) * millibits);
    const Enclosure odds = power_of_two_millibits(millibits);
    odds_ = {odds.low.minus_one(), odds.high.minus_one()};
    // Terms below the floor are left out of both sums; together they stay under trials * 2^floor.
    sum_.high = WideFloat::power_of_two(floor_log2).times(trials, Round::up);
  }
  /// Adds the term of the present place.
  void add() {
    if (term_.high.log2_floor() < floor_log2) return;
    sum_.low = sum_.low.plus(term_.low, Round::down);
    sum_.high = sum_.high.plus(term_.high, Round::up);
  }
  void down() {
    const std::uint64_t gap = std::uint64_t{trials_} - place_ + 1;
    term_.low = term_.low.times(odds_.low, Round::down)
                    .times(place_, Round::down)
                    .divided_by(gap, Round::down);
    term_.high =
        term_.high.times(odds_.high, Round::up).times(place_, Round::up).divided_by(gap, Round::up);
    --place_;
  }
  [[nodiscard]] const Enclosure& sum() const { return sum_; }
  [[nodiscard]] std::uint32_t place() const { return place_; }

 private:
  static constexpr std::int64_t floor_log2 = -400;
  std::uint32_t trials_;
  std::uint32_t place_;
  Enclosure term_;
  Enclosure odds_;
  Enclosure sum_;
};

Result<std::uint32_t> walk(std::uint32_t trials, std::uint32_t millibits, unsigned alpha_log2) {
  const WideFloat alpha = WideFloat::power_of_two(-static_cast<std::int64_t>(alpha_log2));
  std::uint32_t cutoff = trials + 1;
  for (TailWalk tail(trials, millibits);; tail.down()) {
    tail.add();
    const bool surely_within = tail.sum().high <= alpha;
    const bool surely_beyond = !(tail.sum().low <= alpha);
    if (surely_beyond) return cutoff;
    if (!surely_within) return fail(Errc::undecided, "a binomial tail is too close to alpha");
    cutoff = tail.place();
    // P(X >= 0) = 1 is beyond every alpha, so the walk ends before place 0 is passed.
  }
}

}  // namespace

Result<std::uint32_t> repetition_count_cutoff(std::uint32_t millibits, unsigned alpha_log2) {
  TALLA_TRY_STATUS(check_ranges(millibits, alpha_log2));
  return 1 + (1000 * alpha_log2 + millibits - 1) / millibits;
}

Result<std::uint32_t> binomial_cutoff(std::uint32_t trials, std::uint32_t millibits,
                                      unsigned alpha_log2) {
  TALLA_TRY_STATUS(check_ranges(millibits, alpha_log2));
  if (trials == 0 || trials > trials_max)
    return fail(Errc::bad_settings, "binomial trials must be 1 to 65536");
  using Key = std::tuple<std::uint32_t, std::uint32_t, unsigned>;
  static std::mutex lock;
  static std::map<Key, std::uint32_t> known;
  constexpr std::size_t known_max = 4096;
  const Key key{trials, millibits, alpha_log2};
  const std::lock_guard guard(lock);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  TALLA_TRY(const std::uint32_t cutoff, walk(trials, millibits, alpha_log2));
  if (known.size() < known_max) known.emplace(key, cutoff);
  return cutoff;
}

Result<std::uint32_t> adaptive_proportion_cutoff(std::uint32_t window, std::uint32_t millibits,
                                                 unsigned alpha_log2) {
  TALLA_TRY(const std::uint32_t cutoff, binomial_cutoff(window, millibits, alpha_log2));
  if (cutoff > window) {
    return fail(Errc::test_cannot_fire, "adaptive proportion cutoff " + std::to_string(cutoff) +
                                            " is beyond the window of " + std::to_string(window) +
                                            " samples");
  }
  return cutoff;
}

unsigned alpha_for_budget(std::uint32_t nominal_rate_hz, std::uint32_t years) {
  constexpr std::uint64_t seconds_per_year = 31'557'600;
  constexpr std::uint64_t rate_on_request_hz = 1'000'000;
  const std::uint64_t rate = nominal_rate_hz == 0 ? rate_on_request_hz : nominal_rate_hz;
  // Every sample is one repetition count decision. All other tests together add fewer than 1
  // decision in 32 samples: 26.4 in a window of 4,096, and the duplicates 1 in 64 samples (see
  // LevelCutoffs).
  const WideFloat decisions = WideFloat::from(rate)
                                  .times(seconds_per_year, Round::up)
                                  .times(std::max(years, 1U), Round::up)
                                  .times(33, Round::up)
                                  .divided_by(32, Round::up);
  const std::int64_t needed = decisions.log2_floor() + 1;
  return static_cast<unsigned>(std::clamp<std::int64_t>(needed, alpha_log2_min, alpha_log2_max));
}

namespace {

Result<LevelCutoffs> level_cutoffs(const SourceDescription& source, std::uint32_t window,
                                   unsigned alpha_log2) {
  const std::uint32_t millibits = source.assessed_millibits_per_sample;
  const auto spread = [&](unsigned bits) { return std::min(alpha_log2 + bits, alpha_log2_max); };
  LevelCutoffs level;
  level.alpha_log2 = alpha_log2;
  TALLA_TRY(level.repetition, repetition_count_cutoff(millibits, alpha_log2));
  if (level.repetition > windows::gate_samples) {
    return fail(Errc::test_cannot_fire, "repetition count cutoff is beyond the start-up test of " +
                                            std::to_string(windows::gate_samples) + " samples");
  }
  TALLA_TRY(level.proportion, adaptive_proportion_cutoff(window, millibits, alpha_log2));
  TALLA_TRY(level.half_window,
            adaptive_proportion_cutoff(windows::half_samples, millibits, alpha_log2));
  TALLA_TRY(level.startup_lags, adaptive_proportion_cutoff(windows::half_samples, millibits,
                                                           spread(windows::lag_bits)));
  TALLA_TRY(level.long_count, adaptive_proportion_cutoff(windows::long_samples, millibits,
                                                         spread(source.bits_per_sample)));
  level.duplicate_word =
      (1000 * (alpha_log2 + windows::duplicate_bits) + millibits - 1) / millibits;
  if (level.duplicate_word > windows::duplicate_word_max) {
    return fail(Errc::test_cannot_fire, "a repeated word of " +
                                            std::to_string(level.duplicate_word) +
                                            " samples is longer than the test can compare");
  }
  return level;
}

}  // namespace

Result<HealthSettings> health_settings(const SourceDescription& description, std::uint32_t years) {
  constexpr std::uint32_t years_max = 1'000'000;
  const unsigned bits = description.bits_per_sample;
  if (bits < 1 || bits > 8) return fail(Errc::bad_settings, "bits per sample must be 1 to 8");
  const std::uint32_t millibits = description.assessed_millibits_per_sample;
  if (millibits < 1 || millibits > 1000 * bits) {
    return fail(Errc::bad_settings,
                "assessed min-entropy must be 1 to 1000 millibits per significant bit");
  }
  if (years < 1 || years > years_max)
    return fail(Errc::bad_settings, "years per false alarm must be 1 to 1000000");
  HealthSettings settings;
  settings.bits_per_sample = bits;
  settings.proportion_window = bits == 1 ? window_binary : window_non_binary;
  const unsigned alpha = alpha_for_budget(description.nominal_rate_hz, years);
  const unsigned permanent = std::min(2 * alpha, alpha_log2_max);
  TALLA_TRY(settings.level1, level_cutoffs(description, settings.proportion_window, alpha));
  TALLA_TRY(settings.level2, level_cutoffs(description, settings.proportion_window, permanent));
  return settings;
}

}  // namespace talla::entropy

/// \file
/// Cutoffs of the health tests, exact from the assessed min-entropy and the false-alarm
/// probability.
///
/// Standard: SP 800-90B 4.4.1 (repetition count: C = 1 + ceil(-log2(alpha) / H)) and 4.4.2
///   (adaptive proportion: C = 1 + CRITBINOM(W, 2^-H, 1 - alpha), W = 1,024 for binary samples, 512
///   otherwise).
/// Units:    H in millibits per sample (1 to 8,000); alpha = 2^-k, k in [20, 80].
/// Exactness: binomial tails are enclosed between two bounds by 256-bit arithmetic with directed
///   rounding; a cutoff is returned only when both bounds give the same one. No native floating
///   point takes part.
/// Errors:   bad_settings (ranges), test_cannot_fire (cutoff beyond the window), undecided.
/// Threads:  safe from all; results of the long binomials are kept in a small cache.
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "entropy/errc.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

/// alpha = 2^-20 is the largest allowed (SP 800-90B 4.3).
inline constexpr unsigned alpha_log2_min = 20;
inline constexpr unsigned alpha_log2_max = 80;
inline constexpr unsigned window_binary = 1024;     ///< SP 800-90B 4.4.2, binary samples.
inline constexpr unsigned window_non_binary = 512;  ///< SP 800-90B 4.4.2, all others.

/// C of the repetition count test, at least 2.
[[nodiscard]] Result<std::uint32_t> repetition_count_cutoff(std::uint32_t millibits,
                                                            unsigned alpha_log2);

/// Smallest c with P(X >= c) <= 2^-alpha_log2, X binomial over `trials` with probability
/// 2^-(millibits/1000); in [1, trials + 1], where trials + 1 means that no count can ever reach it.
/// `trials` in [1, 65,536]. A bound for every predictor as well: with H bits of min-entropy given
/// the past, no rule can be right more often.
[[nodiscard]] Result<std::uint32_t> binomial_cutoff(std::uint32_t trials, std::uint32_t millibits,
                                                    unsigned alpha_log2);

/// C of the adaptive proportion test; refused (test_cannot_fire) when it exceeds the window.
[[nodiscard]] Result<std::uint32_t> adaptive_proportion_cutoff(std::uint32_t window,
                                                               std::uint32_t millibits,
                                                               unsigned alpha_log2);

/// The k of alpha = 2^-k that keeps all test decisions of one source below one false alarm in
/// `years` years, clamped to [20, 80]. A source without a nominal rate is taken at 1,000,000
/// samples a second.
[[nodiscard]] unsigned alpha_for_budget(std::uint32_t nominal_rate_hz, std::uint32_t years);

/// All cutoffs of one source at one level.
struct LevelCutoffs {
  unsigned alpha_log2 = 0;
  std::uint32_t repetition = 0;    ///< Equal samples in a row that alarm.
  std::uint32_t proportion = 0;    ///< Samples of a window equal to its first that alarm.
  std::uint32_t half_window = 0;   ///< Right guesses among 2,048 (lag, most common, successor).
  std::uint32_t startup_lags = 0;  ///< The same when all 2,047 lags are looked at: alpha / 2^11.
  std::uint32_t long_count = 0;  ///< Of one value among 16,384 samples: alpha / 2^bits_per_sample.
  /// Equal samples in a row that make two places of the stream the same: alpha / 2^14, for at most
  /// 2^8 pairs of places are compared for each sample, and the rest keeps this test below one
  /// decision in 64 samples.
  std::uint32_t duplicate_word = 0;
};

/// Everything that the health tests of one source need.
struct HealthSettings {
  unsigned bits_per_sample = 8;
  std::uint32_t proportion_window = window_non_binary;  ///< Samples.
  LevelCutoffs level1;                                  ///< alpha from the false-alarm budget.
  LevelCutoffs level2;  ///< alpha squared, at least 2^-80: permanent failure.
};

/// Cutoffs for a source. Errors: bad_settings (description out of range), test_cannot_fire.
[[nodiscard]] Result<HealthSettings> health_settings(const SourceDescription& description,
                                                     std::uint32_t years);

}  // namespace talla::entropy

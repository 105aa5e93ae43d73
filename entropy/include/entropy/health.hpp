/// \file
/// The health tests of one source, block by block.
///
/// Standards: SP 800-90B 4.4.1 and 4.4.2 (continuous tests), 4.3 requirement 8 (tests of known
/// failure modes).
///
/// Known failure modes and their tests, all of them predictors: with H bits of assessed min-entropy
/// given the past, no rule can guess the next sample with probability above 2^-H, so the number of
/// right guesses has the binomial bound of `binomial_cutoff` whatever the distribution of a source
/// that keeps its claim.
///   - periodic output: guess the sample `lag` places earlier; lags 1 to 8 in every window, 9 to
///     2,047 in rotation, all of them in the first window of the start-up test;
///   - output that comes again after up to 118,000 samples: duplicate_words.hpp;
///   - collapse to one value: guess the most common value of the window's first half;
///   - dependence on the last sample: guess what followed it the last time; every eighth window;
///   - bias drift: the most common value of 16,384 samples;
///   - dead or drowned source: no sample in time; more than 10 % off the nominal rate, sustained.
/// Cost:    all tests together below 2 ns per sample, and less than the first two of them take as
///          the loop of the text (tests/bench/entropy_health.cpp).
/// Threads: one object belongs to one thread.
/// Secrecy: samples are secret; the objects keep the last one, its run and counts, and wipe nothing
///          they were lent.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "entropy/generator_types.hpp"
#include "entropy/health_cutoffs.hpp"

namespace talla::entropy {

/// Samples of one gate window, and of the start-up test: as many as the longest test looks back.
inline constexpr std::size_t gate_window_samples = 4096;
inline constexpr std::size_t startup_windows = 32;
inline constexpr std::size_t startup_samples = startup_windows * gate_window_samples;
using WindowView = std::span<const std::uint8_t, gate_window_samples>;

/// Level 0: no alarm. Level 1: intermittent. Level 2: permanent.
struct Alarm {
  HealthTest test = HealthTest::none;
  std::uint32_t level = 0;  ///< 0 to 2.
  /// The graver of two; the first on a tie.
  [[nodiscard]] Alarm worse(const Alarm& other) const {
    return other.level > level ? other : *this;
  }
};

/// An alarm, and since when the fault behind it may have stood: all that arrived from then on is
/// suspect.
struct Finding {
  Alarm alarm;
  std::int64_t suspect_from_ns = 0;  ///< Meaningful with an alarm.
  /// The graver alarm, with the earlier of the suspicions that have one.
  [[nodiscard]] Finding joined(const Finding& other) const {
    if (other.alarm.level == 0) return *this;
    if (alarm.level == 0) return other;
    return {alarm.worse(other.alarm),
            suspect_from_ns < other.suspect_from_ns ? suspect_from_ns : other.suspect_from_ns};
  }
};

/// Repetition count and adaptive proportion over a stream cut into blocks of any size.
class ContinuousTests {
 public:
  explicit ContinuousTests(const HealthSettings& settings);
  [[nodiscard]] Alarm feed(std::span<const std::uint8_t> samples);
  void restart();

 private:
  [[nodiscard]] std::uint32_t longest_run(std::span<const std::uint8_t> samples);
  [[nodiscard]] std::uint32_t largest_count(std::span<const std::uint8_t> samples);
  HealthSettings settings_;
  std::uint8_t last_ = 0;       ///< Last sample; meaningful while run_ > 0.
  std::uint32_t run_ = 0;       ///< How many equal samples end at it.
  std::uint8_t reference_ = 0;  ///< First sample of the proportion window.
  std::uint32_t place_ = 0;     ///< Samples of that window seen.
  std::uint32_t count_ = 0;     ///< How many of them equal the reference, itself included.
};

/// The predictor tests over whole windows. Not every test looks at every window: each remembers up
/// to where it last found all well, over restarts too, and suspects everything since.
class Battery {
 public:
  explicit Battery(const HealthSettings& settings);
  /// The next window of the stream; its first sample arrived at or after `from_ns`, no earlier than
  /// those before. What is found well counts only after `keep_clean`: a window that another test
  /// finds red says nothing.
  [[nodiscard]] Finding judge(WindowView window, std::int64_t from_ns);
  /// As `judge`, with every lag from 1 to 2,047.
  [[nodiscard]] Finding judge_startup(WindowView window, std::int64_t from_ns);
  void keep_clean();
  /// Since when a fault may have stood that a test of every window finds; the first window's start
  /// at the earliest.
  [[nodiscard]] std::int64_t window_since_ns() const { return window_since_ns_; }
  /// Counts and rotation begin anew; what was found well stays known.
  void restart();

 private:
  /// The tests that a window has passed.
  struct Passed {
    bool window = false;  ///< Lags 1 to 8 and the most common value.
    bool successor = false;
    bool common_long = false;
    std::uint32_t lag_first = 0;  ///< The lags beyond 8: first, and how many in rotation.
    std::uint32_t lag_count = 0;
  };
  [[nodiscard]] static Finding grade(HealthTest test, std::uint32_t right, std::uint32_t level1,
                                     std::uint32_t level2, std::int64_t since_ns);
  [[nodiscard]] Finding lag(std::uint32_t lag, std::uint32_t matches, bool startup) const;
  [[nodiscard]] Finding lags(WindowView window, bool startup);
  [[nodiscard]] Finding most_common(WindowView window);
  [[nodiscard]] Finding successor(WindowView window);
  [[nodiscard]] Finding judge_all(WindowView window, std::int64_t from_ns, bool startup);
  void begin_window(std::int64_t from_ns);
  HealthSettings settings_;
  std::uint32_t next_lag_ = 0;
  std::uint32_t window_count_ = 0;
  std::array<std::int16_t, 256> long_counts_{};  ///< Of up to 16,384 samples.
  bool begun_ = false;
  Passed now_;  ///< By the window that was judged last.
  /// The same, kept: its successor's start is where the next suspicion of these tests begins.
  Passed kept_;
  std::int64_t window_since_ns_ = 0;
  std::int64_t successor_since_ns_ = 0;
  std::int64_t long_since_ns_ = 0;
  std::vector<std::int64_t> lag_since_ns_;  ///< By lag.
};

/// Stall and rate of a source that streams at a nominal rate; stall alone of a stream whose rate is
/// not known; neither of a source that answers on request.
class RateMonitor {
 public:
  /// `nominal_hz`: samples per second. Stall: nothing for 2 s (or 64 sample times), of a `stream`
  /// without a rate for 4 s, longer than any device is known to take for its first answer. Rate:
  /// two windows in a row, of at least 4 s and 1,000 samples' time each, more than 10 % off to the
  /// same side. A `stream` whose rate nobody has measured is held to its own: the median of its
  /// first three windows, and off is a quarter of it or four times it.
  explicit RateMonitor(std::uint32_t nominal_hz, bool stream = false)
      : nominal_hz_(nominal_hz), stream_(stream) {}
  /// One read: when it was called, when it returned, how many samples came. A pause of the caller
  /// itself (more than 500 ms between reads) starts the measurement anew.
  [[nodiscard]] Alarm note(std::int64_t asked_ns, std::int64_t came_ns, std::size_t samples);
  /// Begins anew; what it has learned of the rate stays, so that a rate which rang once rings
  /// again.
  void restart();
  /// Another stream, or two persons have looked: the rate is learned anew.
  void forget() { heard_.clear(); }
  /// Where the evidence for an alarm begins.
  [[nodiscard]] std::int64_t evidence_from_ns() const { return evidence_from_ns_; }

 private:
  enum class Side : std::uint8_t { good, slow, fast };
  [[nodiscard]] Side side_of(std::uint64_t samples, std::uint64_t elapsed_ns);
  [[nodiscard]] Alarm close_window(std::int64_t came_ns);
  void open_window(std::int64_t now_ns);
  std::uint32_t nominal_hz_;
  bool stream_;
  bool started_ = false;
  std::int64_t returned_ns_ = 0;
  std::int64_t last_sample_ns_ = 0;
  std::int64_t window_from_ns_ = 0;
  std::int64_t evidence_from_ns_ = 0;
  std::uint64_t window_samples_ = 0;
  Side bad_side_ = Side::good;  ///< Of the last whole window.
  /// Of a rate to be learned: thousandths of a sample a second, sorted.
  std::vector<std::uint64_t> heard_;
};

}  // namespace talla::entropy

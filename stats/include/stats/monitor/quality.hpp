/// \file
/// Continuous quality of one noise source: shares that are counted over short and long windows,
/// held against the claimed min-entropy and against the source's own past, with hysteresis.
///
/// Windows:  short, 131,072 samples; long, 32 of those (4,194,304). Nothing is told about fewer
///           samples.
/// Measures: hits of the fifteen predictors (predictors.hpp: lags, long lag, most common value,
///           successor); ones of each bit; failed blocks of 20,000 bits (FIPS 140-2 bounds, up to
///           16 blocks of each short window).
/// Claim:    with H bits of min-entropy given the past, hits are bounded by the binomial law with
///           2^-H. Two windows in a row at or above its 1 - 2^-24 quantile raise an alarm; eight in
///           a row below its 1 - 2^-8 quantile end it.
/// Drift:    eight windows in a row all above (ones of a bit: or all below) each of the 255 short
///           or 127 long ones before them, and away from their mean by what matters (ones: 0.1
///           points; hits: a hundredth; blocks: half a point). Eight in a row inside the old range
///           end it; then the past is learned anew.
/// Rates:    a claim's alarm, 2^-48 a window and measure at most, for every source that keeps its
///           claim. A drift's alarm, 1 / C(255 + 8, 8) or 1 / C(127 + 8, 8) a window, measure and
///           side at most, for every source whose windows are exchangeable, whatever their
///           distribution (the eight are the largest of all with that chance; ties only lower it).
///           Means of false alarms over a time are at most the sums of these
///           (`false_alarms_per_year`).
/// State:    windows that are whole, alarms that stand and counts of alarms (`save`, `load`); the
///           window that is open and what the predictors have learnt of single samples are not
///           kept: nothing about fewer samples is ever stored.
/// Memory:   constant, about 250 KB. Cost: tests/bench (bench_quality). Threads: one object belongs
///           to one thread at a time.
/// Secrecy:  as predictors.hpp; a block of 2,500 bytes is kept and wiped.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stats/blocks/twenty_thousand.hpp"
#include "stats/monitor/predictors.hpp"
#include "stats/monitor/state.hpp"

namespace talla::stats::monitor {

enum class Change : std::uint8_t { none, raised, cleared };

/// Are the last windows all beyond all those before them?
class DriftWatch {
 public:
  struct Options {
    std::size_t reference = 255;  ///< windows of the past
    /// Windows that must be beyond them, and that must come back to end the alarm.
    std::size_t run = 8;
    bool below_too = false;
    double least_difference = 0;  ///< of the means, absolute
    double least_ratio = 0;       ///< of the means, as a part of the past's
  };
  explicit DriftWatch(const Options& options) : options_(options) {}
  Change add(double value);
  [[nodiscard]] bool alarm() const { return alarm_; }
  /// Enough windows for a verdict were seen.
  [[nodiscard]] bool ready() const { return values_.size() == options_.reference + options_.run; }
  /// Chance of an alarm at one window, at most.
  [[nodiscard]] static double rate(const Options& options);
  void save(StateWriter& out) const;
  /// What was saved with the same options; refuses (in `in`) what cannot have been.
  void load(StateReader& in);

 private:
  [[nodiscard]] bool beyond() const;
  [[nodiscard]] bool matters(double past, double recent) const;
  Options options_;
  std::vector<double> values_;  ///< ring, `at_` is the oldest once it is full
  std::size_t at_ = 0;
  bool alarm_ = false;
  double low_ = 0, high_ = 0;  ///< of the past, while the alarm stands
  std::size_t back_ = 0;
};

/// Hits above what the claimed min-entropy allows, twice in a row?
class ClaimWatch {
 public:
  static constexpr double alarm_tail = 0x1p-24;
  static constexpr double good_tail = 0x1p-8;
  static constexpr unsigned run = 2;
  static constexpr unsigned clear_run = 8;
  explicit ClaimWatch(double probability, double tail = alarm_tail)
      : probability_(probability), tail_(tail) {}
  Change add(std::uint64_t hits, std::uint64_t trials);
  [[nodiscard]] bool alarm() const { return alarm_; }
  /// Smallest count with P(X >= count) <= tail, X binomial; n + 1 when there is none.
  [[nodiscard]] static std::uint64_t cutoff(std::uint64_t trials, double probability, double tail);
  void save(StateWriter& out) const;
  void load(StateReader& in);

 private:
  double probability_;
  double tail_;
  std::uint64_t trials_ = 0;  ///< the cutoffs below belong to them
  std::uint64_t bad_ = 0, good_ = 0;
  unsigned above_ = 0, below_ = 0;
  bool alarm_ = false;
};

/// The continuous quality of one source.
class Quality {
 public:
  static constexpr std::size_t short_samples = 131'072;
  static constexpr std::size_t long_shorts = 32;
  static constexpr std::size_t fips_blocks_max = 16;  ///< of a short window

  enum class Scale : std::uint8_t { recent, lasting };  ///< short and long windows
  enum class Against : std::uint8_t { claim, past };
  struct Options {
    unsigned bits = 8;               ///< of a sample, 1 to 8
    std::uint32_t millibits = 8000;  ///< claimed, 1 to 1000 * bits
    DriftWatch::Options recent{.reference = 255};
    DriftWatch::Options lasting{.reference = 127};
    double claim_tail = ClaimWatch::alarm_tail;
  };
  explicit Quality(const Options& options);
  Quality(const Quality&) = delete;
  Quality& operator=(const Quality&) = delete;
  ~Quality();

  /// What came up or ended with a window.
  struct Event {
    std::string measure;
    Scale scale = Scale::recent;
    Against against = Against::claim;
    bool raised = false;
    double share = 0;           ///< of the window
    std::uint64_t samples = 0;  ///< seen so far
  };
  /// Samples as they come, any number. Events are added to `events`.
  void observe(std::span<const std::uint8_t> samples, std::vector<Event>& events);

  struct Row {
    std::string measure;                           ///< "lag 1", "ones of bit 7", "failed blocks"
    std::array<std::optional<double>, 2> share{};  ///< [Scale] of the last whole window
    /// [Scale] of the windows that were whole since `take_rows`; nothing: none was.
    std::array<std::optional<double>, 2> least{}, greatest{};
    std::array<bool, 2> claim_alarm{}, past_alarm{};  ///< [Scale]
    std::array<bool, 2> ready{};                      ///< [Scale] the past is known
    std::uint64_t alarms = 0;                         ///< raised so far
  };
  [[nodiscard]] std::vector<Row> rows() const;
  /// The same; the least and the greatest begin anew.
  [[nodiscard]] std::vector<Row> take_rows();
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  void save(StateWriter& out) const;
  /// Into an object that has seen nothing. Refuses (in `in`) the state of other options or what
  /// cannot have been one; the object is of no use then.
  void load(StateReader& in);

  /// Mean number of false alarms at one window of that scale, at most.
  [[nodiscard]] static double false_alarms_per_window(const Options& options, Scale scale);
  /// The same in a year of so many samples a second, both scales.
  [[nodiscard]] static double false_alarms_per_year(const Options& options,
                                                    double samples_per_second);

 private:
  struct Count {
    std::uint64_t hits = 0;
    std::uint64_t trials = 0;
  };
  struct Measure {
    std::string name;
    Count now, together;  ///< of the short and of the long window that is open
    std::array<std::optional<double>, 2> share{};
    std::array<std::optional<double>, 2> least{}, greatest{};  ///< not kept over a restart
    std::vector<ClaimWatch> claim;  ///< [Scale]; none when the claim says nothing of it
    std::vector<DriftWatch> past;   ///< [Scale]
    std::uint64_t alarms = 0;
  };
  void add_measure(std::string name, bool predictor, DriftWatch::Options kind);
  void count_ones(std::span<const std::uint8_t> samples);
  void count_blocks(std::span<const std::uint8_t> samples);
  void pack(std::uint8_t sample);
  void judge_block();
  void end_short(std::vector<Event>& events);
  static void save(const Measure& measure, StateWriter& out);
  static void load(Measure& measure, StateReader& in);
  void end_window(Measure& measure, Scale scale, const Count& count, std::vector<Event>& events);

  Options options_;
  Predictors predictors_;
  Predictors::Scores scores_{};
  std::vector<Measure> measures_;  ///< predictors, then bits, then blocks
  std::array<std::uint64_t, 8> ones_{};
  std::uint64_t blocks_ = 0, failed_blocks_ = 0;
  std::array<std::uint8_t, blocks::block_bytes> block_{};
  std::size_t block_bits_ = 0;
  std::uint64_t samples_ = 0;
};

/// "short", "long"; "claim", "past".
[[nodiscard]] std::string_view scale_name(Quality::Scale scale);
[[nodiscard]] std::string_view against_name(Quality::Against against);

}  // namespace talla::stats::monitor

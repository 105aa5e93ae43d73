/// \file
/// The monitors of the appliance: what they look at, what an alarm does, how their state survives a
/// restart.
///
/// Looked at: raw samples as a watched source hands them over; sacrificial blocks of conditioned
/// bits, asked for when the pool has plenty and wiped; payments of settled rounds
/// (monitor/payment_reader.hpp); outcomes from committed records alone: DRAW, and shoes at their
/// SHOE_CLOSE. A `public` shoe is then known from its first card to its last; of
/// a `covered` one the cards dealt open before the first covered card are used (what players turn
/// up later is chosen by what it is, and no exact probability belongs to it).
/// Quality: beside its e-processes each source has a tracker of shares over short and long windows
/// (monitor/quality_watch.hpp). Its alarms are HEALTH records as well (source `monitor:quality`)
/// and end by themselves; its past has a file of its own (`quality.state`), which may be lost: it
/// spends no alpha. An alarm: a HEALTH record (source `monitor:noise`, `monitor:bits`,
/// `monitor:outcomes` or `monitor:payments`; test `e-process:NAME:EPOCH` or
/// `e-detector:NAME:EPOCH`; no objects) and, where the configuration says so, a latch. It stands
/// until the next start, which begins a new epoch of that monitor.
/// State: `monitors.state` in the data folder: aggregates only, replaced in one step, at most
/// `save_interval_ns` old and at once with every alarm and new epoch, and the log position up to
/// which outcomes were seen: a restart reads on from there. The ledger keeps the list of monitors
/// and their epochs, so that a lost state cannot spend a share of alpha twice: a state that is
/// missing, damaged, older than that list or made with another alpha is refused by name, and every
/// monitor begins its next epoch.
/// Curves: what the status shows is kept by the minute and by the hour (monitor/curves.hpp), in a
/// folder of its own that may be lost as well.
/// Threads: `watch`ed sources on the feeder's thread, `take_reports` and `status` on the
/// sequencer's, `history` and `add_metrics` on any; the rest runs on the monitors' own thread, or,
/// without `start`, on that of `step`.
/// Secrecy: nothing but aggregates leaves; those over raw samples cover at least 131,072 of them.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "certs/ledger.hpp"
#include "core/monitor_hook.hpp"
#include "core/supply.hpp"
#include "entropy/source.hpp"
#include "monitor/boards.hpp"
#include "monitor/curves.hpp"
#include "monitor/outcome_reader.hpp"
#include "monitor/payment_reader.hpp"
#include "monitor/quality_watch.hpp"
#include "monitor/repeated.hpp"

namespace talla::rngd {

/// What an alarm does beside its record.
enum class Severity : std::uint8_t { record, latch };

/// How sure and how quick the monitors are.
struct MonitorOptions {
  /// False alarms of all e-processes in the whole life: probability at most; (0, 1).
  double alpha = 0.001;
  double run_length = 1e9;  ///< Steps of one detector until a false alarm, in the mean at least.
  std::uint32_t bits_per_second = 4096;  ///< Sacrificed bits, 0: none.
  Severity noise = Severity::record;
  Severity bits = Severity::record;
  Severity outcomes = Severity::record;   ///< Of payments too.
  Severity detectors = Severity::record;  ///< Of all classes; they claim no lifetime bound.
  Severity quality = Severity::record;
  std::string state_file;
  std::string quality_file;   ///< Empty: the quality trackers' past is not kept.
  std::string curves_folder;  ///< Empty: the curves' past is kept in memory alone.
  std::string origin;
  std::int64_t save_interval_ns = 60'000'000'000;
};

/// All monitors of one appliance.
class Monitors final : public core::MonitorHook {
 public:
  struct Effects {
    Clock& clock;
    const certs::Ledger& ledger;
    /// A line for the log: a stable code and words.
    std::function<void(const std::string& event, const std::string& detail)> say;
  };
  /// Takes up the stored state, reads the log to its end, begins new epochs where an alarm stood,
  /// stores the state.
  /// Errors: those of the ledger.
  [[nodiscard]] static Result<std::unique_ptr<Monitors>> create(MonitorOptions options,
                                                                Effects effects);
  ~Monitors() override;

  /// The stream of a device that is back: counted with what it gave before. Any thread.
  [[nodiscard]] std::unique_ptr<entropy::NoiseSource> watch_again(
      std::unique_ptr<entropy::NoiseSource> source);
  /// The same source, looked at on its way. The monitors must outlive it.
  [[nodiscard]] std::unique_ptr<entropy::NoiseSource> watch(
      std::unique_ptr<entropy::NoiseSource> source);
  /// Starts the monitors' thread; `supply` must outlive `stop`.
  void start(core::EntropySupply& supply);
  /// Reads the log to its end, stores the state, ends the thread. Safe to call twice.
  void stop();
  /// One pass without the thread. `supply` may be null: no bits are sacrificed.
  void step(core::EntropySupply* supply);
  /// Stores the state now.
  [[nodiscard]] Status save();

  [[nodiscard]] std::vector<core::MonitorReport> take_reports() override;
  /// Nothing of payments but alarms that stand: who may see them asks `returns`.
  [[nodiscard]] json::Object status() const override;
  [[nodiscard]] json::Object returns() const override;
  [[nodiscard]] json::Object history(const core::HistoryQuery& query) const override;
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

  /// Samples of the source with that key, on the feeder's thread.
  void observe_noise(const std::string& key, std::span<const std::uint8_t> samples);

 private:
  using Finding = Boards::Finding;
  struct Pending {
    MonitorClass monitor_class = MonitorClass::outcomes;
    Finding finding;
  };
  /// What the pages show; replaced as a whole.
  struct Snapshot {
    std::array<Boards::Rows, monitor_classes.size()> rows;
    std::uint64_t unwatched = 0;
    std::uint64_t unwatched_payments = 0;
    std::uint64_t lag = 0;
    json::Object payments{};  ///< PaymentReader::sums
  };

  /// What other threads take.
  struct Shared {
    mutable std::mutex mutex;
    std::vector<core::MonitorReport> reports;  // mutex
    Snapshot snapshot;                         // mutex
  };

  /// How far they are, on their own thread.
  struct Progress {
    std::uint64_t position = 0;  ///< next record to look at
    bool quiet = false;          ///< reading what an earlier life may have reported already
    std::string registry;        ///< as last sent
    std::int64_t saved_ns = 0;
    std::int64_t bits_taken_ns = 0;
    bool changed = false;
    bool urgent = false;  ///< an alarm came up since the last save
  };
  /// Since the start, for the metrics.
  struct Counts {
    std::atomic<std::uint64_t> bits_sacrificed{0};
    std::atomic<std::uint64_t> states_refused{0};
    std::atomic<std::uint64_t> saves_failed{0};
  };

  Monitors(MonitorOptions options, Effects effects);
  [[nodiscard]] Status restore();
  [[nodiscard]] stats::Result<bool> load(const std::string& bytes, const std::string& registry);
  void start_over(const std::string& reason, const std::string& registry);
  void send_registry();
  /// Reads committed records, at most `records_max`; true when there are more.
  [[nodiscard]] Result<bool> follow(std::size_t records_max);
  void confirm(const certs::LedgerRecord& record);
  void sacrifice(core::EntropySupply& supply);
  void collect_noise();
  void raise(MonitorClass monitor_class, std::vector<Finding>& found);
  void report(const Pending& pending);
  void report_quality();
  /// A HEALTH record of that alarm, and a line in the log.
  void add_report(const std::string& source, const std::string& test, Severity severity,
                  std::int64_t since_us, const std::string& seen);
  void publish();

  MonitorOptions options_;
  Effects effects_;

  // The monitors' own thread.
  Boards boards_;  // noise from any thread
  std::unique_ptr<OutcomeReader> reader_;
  std::unique_ptr<PaymentReader> payments_;
  std::vector<Pending> pending_;  // alarms whose HEALTH record was not seen in the log yet
  Progress progress_;

  QualityWatch quality_;
  Curves curves_;
  Shared shared_;
  Counts counts_;
  Repeated repeated_;
};

}  // namespace talla::rngd

/// \file
/// The quality of every watched noise source: one tracker each (stats/monitor/quality.hpp), its
/// alarms, and what the status page and /metrics show of it.
///
/// State: whole windows, standing alarms and their counts (`save`, `load`), so that a restart does
/// not make a source's past forgotten. Of sources that are not watched at the moment it is kept as
/// well, up to 32 in all.
/// Threads: all members from any thread. Secrecy: shares over at least 131,072 samples are all that
///          leaves.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "entropy/source.hpp"
#include "stats/monitor/quality.hpp"

namespace talla::rngd {

class QualityWatch {
 public:
  using Quality = stats::monitor::Quality;
  struct Event {
    std::string source;  ///< key of the source
    Quality::Event what;
    std::uint64_t number = 0;   ///< of this source's alarms so far
    std::int64_t since_us = 0;  ///< when the source came under watch
    /// "quality:SOURCE/lag-1:short:past:3".
    [[nodiscard]] std::string test_name() const;
  };

  /// A tracker for the source; one that is there already goes on. The claim is the description's.
  void add(const std::string& key, const entropy::SourceDescription& description,
           std::int64_t now_us);
  /// Samples of a source that was added; of others nothing is kept.
  void observe(const std::string& key, std::span<const std::uint8_t> samples);
  /// Alarms that were raised and ended since the last call, oldest first.
  [[nodiscard]] std::vector<Event> take_events();
  [[nodiscard]] std::uint64_t alarms_standing() const;
  struct Shares {
    std::string source;  ///< key of the source
    std::vector<Quality::Row> rows;
  };
  /// Of each source; least and greatest begin anew (Quality::take_rows).
  [[nodiscard]] std::vector<Shares> take_shares();
  /// Member `quality` of the monitors' status: one object a source.
  [[nodiscard]] json::Array status() const;
  /// The state of all sources of this log.
  [[nodiscard]] std::string save(const std::string& origin) const;
  /// Takes up what `save` gave, before the first `add`. Errors: what is wrong with it; nothing of
  /// it is used then.
  [[nodiscard]] stats::Result<bool> load(const std::string& bytes, const std::string& origin);
  void add_metrics(std::map<std::string, double>& counters,
                   std::map<std::string, double>& gauges) const;

 private:
  struct Kept {
    std::int64_t since_us = 0;
    std::uint64_t alarms = 0;
    std::string fields;  ///< of Quality::save
  };
  struct Source {
    std::unique_ptr<Quality> quality;
    std::int64_t since_us = 0;
    std::uint64_t alarms = 0;
    double rate_per_sample = 0;  ///< false alarms, at most
  };
  mutable std::mutex mutex_;
  std::map<std::string, Source> sources_;  // mutex_
  std::map<std::string, Kept> kept_;       // mutex_; of sources that nobody added so far
  std::vector<Event> events_;              // mutex_
};

}  // namespace talla::rngd

/// \file
/// What monitors ask of the service: a record of their alarms, perhaps a latch, and a place on the
/// status page.
///
/// The service knows nothing of their mathematics, and they know nothing of what is not committed:
/// they read the ledger.
/// Threads: `history` on any thread; all other members are called on the sequencer's and must not
/// block. The implementation has threads of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "format/record.hpp"

namespace talla::core {

struct MonitorReport {
  certs::Kind kind = certs::Kind::unknown;  ///< HEALTH or SELFTEST; `unknown`: no record.
  json::Value body;
  bool latch = false;  ///< Stops new commitments until an authorised reset.
  /// When not empty: durable list of monitors and their epochs, in the same group.
  std::string registry;
};

/// Which of the monitors' past is asked for.
struct HistoryQuery {
  bool hours = false;        ///< by the hour, not by the minute
  std::int64_t from_us = 0;  ///< intervals that begin then or later,
  std::int64_t to_us = 0;    ///< and before this
  std::size_t limit = 60;    ///< the newest of them
  std::string name{};        ///< of one monitor, or "SOURCE/MEASURE"; empty: all
};

/// What the service tells the monitors, and asks of them.
class MonitorHook {
 public:
  MonitorHook() = default;
  MonitorHook(const MonitorHook&) = delete;
  MonitorHook& operator=(const MonitorHook&) = delete;
  virtual ~MonitorHook() = default;
  /// Reports since the last call, oldest first.
  [[nodiscard]] virtual std::vector<MonitorReport> take_reports() = 0;
  /// Member `monitors` of the status.
  [[nodiscard]] virtual json::Object status() const = 0;
  /// What bets were paid, of every place: {"bets": [{"place","client",...}...], "together": [...],
  /// "not_watched": [{"place","client","game"}...], "unwatched"}. Who may see which of it, the
  /// service says.
  [[nodiscard]] virtual json::Object returns() const = 0;
  /// What the curves of the status were: {"step", "oldest", "more", "left_out", "curves": [{"name",
  /// "side", "stretches": [{"from", "low", "high", "last"}...]}...]}. Nothing of payments.
  [[nodiscard]] virtual json::Object history(const HistoryQuery& query) const = 0;
};

}  // namespace talla::core

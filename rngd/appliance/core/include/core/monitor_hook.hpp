/// \file
/// What monitors ask of the service: a record of their alarms, perhaps a latch, and a place on the
/// status page.
///
/// The service knows nothing of their mathematics, and they know nothing of what is not committed:
/// they read the ledger.
/// Threads: all members are called on the sequencer's thread and must not block; the
/// implementation has threads of its own.
#pragma once

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
};

}  // namespace talla::core

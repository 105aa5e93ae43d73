/// \file
/// What systemd hears of the daemon (sd_notify(3)): ready, well, not ready for this reason,
/// stopping.
///
/// The watchdog is fed only when the sequencer has ended a turn since the last look, with its group
/// committed: a daemon whose sequencer or disk hangs is ended by systemd and started again, which
/// loses nothing that was acknowledged. Without NOTIFY_SOCKET or WATCHDOG_USEC nothing is said.
/// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace talla::rngd {

class Supervisor {
 public:
  /// Reads WATCHDOG_USEC and WATCHDOG_PID.
  Supervisor();

  void ready() const;
  void stopping() const;
  /// One look, a few times a second. `turns`: of the sequencer so far; `now_ns`: monotonic;
  /// `reasons`: what stands against new commitments, as /readyz says it (empty: nothing), shown by
  /// `systemctl status`.
  void look(std::uint64_t turns, std::int64_t now_ns, const std::vector<std::string>& reasons);

 private:
  std::int64_t interval_ns_ =
      0;  // between two pings, a quarter of what systemd waits; 0: no watchdog
  std::int64_t due_ns_ = 0;
  std::uint64_t turns_ = 0;
  std::string status_;
};

}  // namespace talla::rngd

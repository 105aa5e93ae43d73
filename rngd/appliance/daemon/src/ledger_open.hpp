/// \file
/// The ledger that the configuration names, opened for the daemon; a server that does not answer is
/// waited for.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "certs/postgres_ledger.hpp"
#include "config/config.hpp"

namespace talla::rngd {

struct OpenLedger {
  std::unique_ptr<certs::Ledger> ledger;
  const certs::PostgresLedger* server = nullptr;  ///< the same one; null: not on a server
  /// Looks at all of it beside the work; ends early, and well, when the flag is set.
  /// ledger_unreachable: ask again later.
  std::function<Status(const std::atomic<bool>& stop)> check;
};

/// Waits at most `wait_seconds`, and no longer than until SIGTERM or SIGINT is pending. Errors: the
/// ledger's.
[[nodiscard]] Result<OpenLedger> open_ledger(const Config& config);
/// What can be said of the setting without a server.
[[nodiscard]] Status check_ledger_setting(const Config& config);
/// SIGTERM or SIGINT, blocked in every thread, waits to be taken.
[[nodiscard]] bool end_is_asked_for();

}  // namespace talla::rngd

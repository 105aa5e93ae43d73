#include "ledger_open.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "certs/sqlite_ledger.hpp"
#include "log.hpp"

namespace talla::rngd {
namespace {

using SteadyClock = std::chrono::steady_clock;
using certs::Errc;

constexpr auto between_open_tries = std::chrono::seconds(2);

Result<OpenLedger> open_file(const Config& config) {
  certs::SqliteLedgerOptions options;
  options.path = config.data_folder + "/ledger.db";
  options.origin = config.origin;
  OpenLedger out;
  TALLA_TRY(out.ledger, certs::open_sqlite_ledger(options));
  out.check = [options](const std::atomic<bool>& /*stop*/) {
    return certs::check_sqlite_ledger(options);
  };
  return out;
}

/// True: the time has come; false: the wait is over for another reason.
bool wait_for_next_try(SteadyClock::time_point end) {
  const auto next = std::min(SteadyClock::now() + between_open_tries, end);
  while (SteadyClock::now() < next) {
    if (end_is_asked_for()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return SteadyClock::now() < end;
}

Result<OpenLedger> open_on_server(const Config& config) {
  certs::PostgresLedgerOptions options;
  options.connection = config.ledger.connection;
  options.origin = config.origin;
  options.folder = config.data_folder;
  const auto end = SteadyClock::now() + std::chrono::seconds(config.ledger.wait_seconds);
  for (;;) {
    auto opened = certs::open_postgres_ledger(options);
    if (opened) {
      OpenLedger out;
      out.server = opened->get();
      out.ledger = std::move(*opened);
      out.check = [options](const std::atomic<bool>& stop) -> Status {
        Status checked = certs::check_postgres_ledger(options, &stop);
        if (checked || checked.error().is(Errc::ledger_damaged) ||
            checked.error().is(Errc::ledger_foreign))
          return checked;
        return fail(Errc::ledger_unreachable, checked.error().text());
      };
      rngd::log(Level::info, "ledger_epoch", {{"epoch", std::to_string(out.server->epoch())}});
      return out;
    }
    if (!opened.error().is(Errc::ledger_unreachable)) return pass(std::move(opened));
    rngd::log(Level::warning, "ledger_waits", {{"reason", opened.error().text()}});
    if (!wait_for_next_try(end)) return pass(std::move(opened));
  }
}

}  // namespace

Result<OpenLedger> open_ledger(const Config& config) {
  return config.ledger.kind == "postgres" ? open_on_server(config) : open_file(config);
}

Status check_ledger_setting(const Config& config) {
  if (config.ledger.kind != "postgres") return {};
  return certs::check_postgres_connection(config.ledger.connection);
}

bool end_is_asked_for() {
  sigset_t pending;
  if (::sigpending(&pending) != 0) return false;
  return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1;
}

}  // namespace talla::rngd

#include "ledger_watch.hpp"

#include <chrono>

#include "log.hpp"

namespace talla::rngd {
namespace {

constexpr auto between_checks = std::chrono::hours(24);

}  // namespace

LedgerWatch::LedgerWatch(certs::SqliteLedgerOptions options, std::function<void(const Error&)> damaged)
    : options_(std::move(options)), damaged_(std::move(damaged)), thread_([this] { run(); }) {}

LedgerWatch::~LedgerWatch() {
  stop();
}

void LedgerWatch::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LedgerWatch::run() {
  for (;;) {
    if (const Status checked = certs::check_sqlite_ledger(options_); !checked) {
      log(Level::error, "ledger_damaged", {{"reason", checked.error().text()}});
      return damaged_(checked.error());
    }
    log(Level::info, "ledger_checked", {});
    std::unique_lock lock(mutex_);
    if (wake_.wait_for(lock, between_checks, [this] { return stopping_; })) return;
  }
}

}  // namespace talla::rngd

#include "ledger_watch.hpp"

#include <chrono>

#include "certs/errc.hpp"
#include "log.hpp"

namespace talla::rngd {
namespace {

constexpr auto between_checks = std::chrono::hours(24);
constexpr auto between_tries_unreachable = std::chrono::minutes(1);

}  // namespace

LedgerWatch::LedgerWatch(Check check, std::function<void(const Error&)> damaged)
    : check_(std::move(check)), damaged_(std::move(damaged)), thread_([this] { run(); }) {}

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
    const Status checked = check_(stopping_);
    const bool unreachable = !checked && checked.error().is(certs::Errc::ledger_unreachable);
    if (!checked && !unreachable) {
      log(Level::error, "ledger_damaged", {{"reason", checked.error().text()}});
      return damaged_(checked.error());
    }
    if (unreachable) {
      log(Level::warning, "ledger_unchecked", {{"reason", checked.error().text()}});
    } else if (!stopping_) {
      log(Level::info, "ledger_checked", {});
    }
    std::unique_lock lock(mutex_);
    const std::chrono::seconds pause = unreachable ? between_tries_unreachable : between_checks;
    if (wake_.wait_for(lock, pause, [this] { return stopping_.load(); })) return;
  }
}

}  // namespace talla::rngd

/// \file
/// Looks at every page of the ledger beside the work: at the start, and every 24 hours. An open looks at all pages only of
/// a ledger that is not long.
///
/// A damaged page fails the service: nothing more is acknowledged and the process ends. Threads: one of its own.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "certs/sqlite_ledger.hpp"

namespace talla::rngd {

class LedgerWatch {
 public:
  /// `damaged` is called from the watching thread, at most once.
  LedgerWatch(certs::SqliteLedgerOptions options, std::function<void(const Error&)> damaged);
  ~LedgerWatch();
  LedgerWatch(const LedgerWatch&) = delete;
  LedgerWatch& operator=(const LedgerWatch&) = delete;
  void stop();

 private:
  void run();

  certs::SqliteLedgerOptions options_;
  std::function<void(const Error&)> damaged_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // mutex_
  std::thread thread_;
};

}  // namespace talla::rngd

/// \file
/// Looks at all of the ledger beside the work: at the start, and every 24 hours. An open looks at
/// all pages only of a ledger file that is not long.
///
/// Damage fails the service: nothing more is acknowledged and the process ends. A server that does
/// not answer is asked again after a minute. Threads: one of its own.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/result.hpp"

namespace talla::rngd {

class LedgerWatch {
 public:
  /// Ends early when the flag is set.
  using Check = std::function<Status(const std::atomic<bool>& stop)>;
  /// `damaged` is called from the watching thread, at most once.
  LedgerWatch(Check check, std::function<void(const Error&)> damaged);
  ~LedgerWatch();
  LedgerWatch(const LedgerWatch&) = delete;
  LedgerWatch& operator=(const LedgerWatch&) = delete;
  void stop();

 private:
  void run();

  Check check_;
  std::function<void(const Error&)> damaged_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_{false};  // set under mutex_
  std::thread thread_;
};

}  // namespace talla::rngd

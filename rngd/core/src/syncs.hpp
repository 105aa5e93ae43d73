/// \file
/// Threads that sync the ledger while the sequencer stages the next groups: each takes what is written when it begins.
///
/// Several syncs under way share the time that a disk takes to answer; a group is durable when any sync that began behind
/// it has ended well. Private to core.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "certs/log.hpp"

namespace talla::core {

class Syncs {
 public:
  /// `ended`: called on those threads, whenever a sync has ended, well or not.
  Syncs(certs::Log& log, Clock& clock, std::size_t threads, std::function<void()> ended);
  Syncs(const Syncs&) = delete;
  Syncs& operator=(const Syncs&) = delete;
  /// Waits for syncs under way; what nobody has begun to sync stays as it is.
  ~Syncs();

  /// A group was written: one of the threads that are free, or the next one that will be, syncs.
  void ask();
  /// What the last good sync took; 0: none has ended.
  [[nodiscard]] std::int64_t last_ns() const { return last_ns_.load(); }

 private:
  void run();

  certs::Log& log_;
  Clock& clock_;
  std::function<void()> ended_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = false;     // mutex_
  bool stopping_ = false;  // mutex_
  std::atomic<std::int64_t> last_ns_{0};
  std::vector<std::thread> threads_;
};

}  // namespace talla::core

/// \file
/// Acts of persons and latches as lines of the journal, once they are in the log: who, what, why,
/// and what ends it.
///
/// Threads: one of its own between start and stop; the service must outlive it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "core/service.hpp"

namespace talla::rngd {

class ActJournal {
 public:
  explicit ActJournal(core::Service& service) : service_(service) {}
  ActJournal(const ActJournal&) = delete;
  ActJournal& operator=(const ActJournal&) = delete;
  ~ActJournal() { stop(); }

  /// Tells what comes. Of a log of so many records also what was written in the minute before
  /// `now_us`: a kill may have swallowed its lines.
  void start(std::uint64_t records, std::int64_t now_us);
  /// What is in the log by now is told.
  void stop();

 private:
  void run();
  void tell_new();

  core::Service& service_;
  core::EventQuery query_;     // of the thread, while it runs
  std::int64_t since_us_ = 0;  // nothing older is told
  std::mutex mutex_;
  std::condition_variable changed_;
  bool woken_ = false;     // mutex_
  bool stopping_ = false;  // mutex_
  std::shared_ptr<void> watching_;
  std::thread thread_;
};

}  // namespace talla::rngd

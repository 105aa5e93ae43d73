/// \file
/// A thread that does one thing again and again, until it is told to stop.
///
/// Threads: `start` once, then `stop` from any thread; what is repeated runs on the thread alone.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace talla::rngd {

class Repeated {
 public:
  Repeated() = default;
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;
  ~Repeated() { stop(); }

  /// Does `once` after each of these intervals.
  void start(std::chrono::milliseconds every, std::function<void()> once);
  /// Ends the thread after what it is doing. False: it was stopped before.
  bool stop();

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;  // mutex_
  std::thread thread_;
};

}  // namespace talla::rngd

/// \file
/// Threads of the clients of a bench, and what they count.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace talla_bench {

/// Two threads, until it is stopped.
class Run {
 public:
  Run() {
    for (auto& one : threads_) one = std::thread([this] { work(); });
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { stop(); }
  /// No client is touched after it.
  void stop() {
    {
      const std::scoped_lock lock(mutex_);
      if (std::exchange(over_, true)) return;
    }
    wake_.notify_all();
    for (auto& one : threads_) one.join();
  }
  void later(std::function<void()> job) {
    {
      const std::scoped_lock lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    wake_.notify_one();
  }

  std::atomic<bool> running{true};
  std::atomic<long> done{0};

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return over_ || !jobs_.empty(); });
      if (over_) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool over_ = false;
  std::array<std::thread, 2> threads_;
};

}  // namespace talla_bench

/// \file
/// Threads of the clients of a bench, and what they count.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <ctime>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace talla_bench {

/// Nanoseconds of processor of the thread that asks.
inline long thread_cpu_ns() {
  timespec used{};
  static_cast<void>(::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used));
  return used.tv_sec * 1'000'000'000 + used.tv_nsec;
}

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

  /// What the appliance does on a thread of the clients (it looks at a request where it is asked):
  /// no work of theirs.
  template <class Asking>
  void asking(const Asking& ask) {
    const long begin = thread_cpu_ns();
    ask();
    clients_ns -= thread_cpu_ns() - begin;
  }

  std::atomic<bool> running{true};
  std::atomic<long> done{0};
  std::atomic<long> clients_ns{0};  ///< processor time of the clients' own work

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return over_ || !jobs_.empty(); });
      if (over_) return;
      const auto job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      const long begin = thread_cpu_ns();
      job();
      clients_ns += thread_cpu_ns() - begin;
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool over_ = false;
  std::array<std::thread, 2> threads_;
};

}  // namespace talla_bench

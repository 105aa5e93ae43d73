/// \file
/// Threads for work beside the sequencer, done when it is asked for. Private to core.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace talla::core {

class Aside {
 public:
  /// `threads`: so many may do `work` at the same time.
  explicit Aside(std::function<void()> work, std::size_t threads = 1);
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;
  /// Waits for the work under way; what nobody has begun is not done.
  ~Aside();

  /// Once more: at once by a thread that is free, or by the next one that will be. Several asks
  ///            that wait are one.
  void ask();

 private:
  void run();

  std::function<void()> work_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool asked_ = false;     // mutex_
  bool stopping_ = false;  // mutex_
  std::vector<std::thread> threads_;
};

}  // namespace talla::core

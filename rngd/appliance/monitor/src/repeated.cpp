// A thread that does one thing again and again.
#include "monitor/repeated.hpp"

#include <utility>

namespace talla::rngd {

void Repeated::start(std::chrono::milliseconds every, std::function<void()> once) {
  thread_ = std::thread([this, every, once = std::move(once)] {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        if (wake_.wait_for(lock, every, [this] { return stopping_; })) return;
      }
      once();
    }
  });
}

bool Repeated::stop() {
  {
    const std::scoped_lock lock(mutex_);
    if (std::exchange(stopping_, true)) return false;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  return true;
}

}  // namespace talla::rngd

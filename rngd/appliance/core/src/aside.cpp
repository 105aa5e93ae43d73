#include "aside.hpp"

#include <utility>

namespace talla::core {

Aside::Aside(std::function<void()> work, std::size_t threads) : work_(std::move(work)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Aside::~Aside() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Aside::ask() {
  {
    const std::scoped_lock lock(mutex_);
    asked_ = true;
  }
  wake_.notify_one();
}

void Aside::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return asked_ || stopping_; });
    if (stopping_) return;
    asked_ = false;
    lock.unlock();
    work_();
    lock.lock();
  }
}

}  // namespace talla::core

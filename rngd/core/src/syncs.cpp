#include "syncs.hpp"

#include <utility>

namespace talla::core {

Syncs::Syncs(certs::Log& log, Clock& clock, std::size_t threads, std::function<void()> ended)
    : log_(log), clock_(clock), ended_(std::move(ended)) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

Syncs::~Syncs() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void Syncs::ask() {
  {
    const std::scoped_lock lock(mutex_);
    asked_ = true;
  }
  wake_.notify_one();
}

void Syncs::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return asked_ || stopping_; });
    if (stopping_) return;
    asked_ = false;
    lock.unlock();
    const auto begin_ns = clock_.monotonic_ns();
    const bool good = log_.sync().has_value();  // a failure latches the log, which the sequencer sees
    if (good) last_ns_ = clock_.monotonic_ns() - begin_ns;
    ended_();
    lock.lock();
  }
}

}  // namespace talla::core

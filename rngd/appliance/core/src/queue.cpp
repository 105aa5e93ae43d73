// Requests that wait for the sequencer.
#include "queue.hpp"

#include <chrono>
#include <utility>

namespace talla::core {
namespace {

constexpr auto idle_wait = std::chrono::milliseconds(50);

}  // namespace

std::optional<Errc> Queue::push(Admitted& asked, Answer& answer) {
  bool wake = false;
  {
    const std::scoped_lock lock(mutex_);
    if (stopping_) return Errc::stopping;
    if (queue_.size() >= max_) return Errc::too_busy;
    queue_.push_back({std::move(asked), std::move(answer)});
    wake = queue_.size() >= wake_at_;
  }
  if (wake) wake_.notify_one();
  return std::nullopt;
}

void Queue::note_landed() {
  {
    const std::scoped_lock lock(mutex_);
    landed_ = true;
  }
  wake_.notify_one();
}

void Queue::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
}

std::size_t Queue::size() const {
  const std::scoped_lock lock(mutex_);
  return queue_.size();
}

bool Queue::stopping() const {
  const std::scoped_lock lock(mutex_);
  return stopping_;
}

std::deque<Waiting> Queue::take(std::size_t count_max) {
  const std::scoped_lock lock(mutex_);
  if (queue_.size() <= count_max) return std::exchange(queue_, {});
  std::deque<Waiting> taken;
  for (; taken.size() < count_max; queue_.pop_front()) taken.push_back(std::move(queue_.front()));
  return taken;
}

bool Queue::take_landed() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(landed_, false);
}

bool Queue::landed() const {
  const std::scoped_lock lock(mutex_);
  return landed_;
}

void Queue::wait_for_company(std::size_t company, std::int64_t at_most_ns) {
  std::unique_lock lock(mutex_);
  wake_at_ = company;
  wake_.wait_for(lock, std::chrono::nanoseconds(at_most_ns),
                 [&] { return stopping_ || landed_ || queue_.size() >= company; });
  wake_at_ = asleep;
}

void Queue::wait_for_landing() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return landed_; });
}

void Queue::sleep(bool leave_at_stop) {
  std::unique_lock lock(mutex_);
  wake_at_ = 1;
  wake_.wait_for(lock, idle_wait,
                 [&] { return !queue_.empty() || landed_ || (stopping_ && leave_at_stop); });
  wake_at_ = asleep;
}

}  // namespace talla::core

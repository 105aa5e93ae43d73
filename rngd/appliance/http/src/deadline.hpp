/// \file
/// When a connection is cut. Its timer is not moved for each request: when it fires it looks what
/// counts now. Private to http.
///
/// Threads: all on the executor's strand.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace talla::http {

class Deadline {
 public:
  template <class Executor>
  explicit Deadline(const Executor& executor) : timer_(executor) {}

  /// `past` is called when the time is over, as long as `owner` lives, of which this is a part.
  void watch(std::weak_ptr<void> owner, std::function<void()> past) {
    owner_ = std::move(owner);
    past_ = std::move(past);
  }
  void set(std::chrono::seconds time) {
    at_ = Clock::now() + time;
    if (at_ < next_look_) look();
  }
  void drop() { at_ = never; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point never = Clock::time_point::max();

  void look() {
    next_look_ = at_;
    timer_.expires_at(at_);
    timer_.async_wait([this, owner = owner_](boost::system::error_code error) {
      const auto alive = owner.lock();
      if (!error && alive) fire();
    });
  }
  void fire() {
    next_look_ = never;
    if (at_ == never) return;
    if (Clock::now() < at_) return look();
    past_();
  }

  boost::asio::steady_timer timer_;
  std::weak_ptr<void> owner_;
  std::function<void()> past_;
  Clock::time_point at_ = never;
  Clock::time_point next_look_ = never;  // when the timer fires, if ever
};

}  // namespace talla::http

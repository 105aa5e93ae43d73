/// \file
/// Requests that wait for the sequencer, and what wakes it.
///
/// Threads: `push`, `note_landed` and `stop` from any; the rest is the sequencer's.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "admission.hpp"
#include "core/errc.hpp"

namespace talla::core {

struct Waiting {
  Admitted asked;
  Answer answer;
};

class Queue {
 public:
  /// `max`: so many wait at most.
  explicit Queue(std::size_t max) : max_(max) {}

  /// Takes it, or says why not and leaves it alone: stopping, too_busy.
  [[nodiscard]] std::optional<Errc> push(Admitted& asked, Answer& answer);
  /// A group became durable, or its sync failed.
  void note_landed();
  void stop();

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] bool stopping() const;
  /// At most so many, oldest first.
  [[nodiscard]] std::deque<Waiting> take(std::size_t count_max);
  /// True when a landing was noted; it is forgotten.
  bool take_landed();
  [[nodiscard]] bool landed() const;
  /// Ends when `company` wait, a landing was noted, at a stop, or after that time.
  void wait_for_company(std::size_t company, std::int64_t at_most_ns);
  /// Ends when a landing was noted.
  void wait_for_landing();
  /// A moment without work: ends with the first request, a landing, and at a stop if
  /// `leave_at_stop`.
  void sleep(bool leave_at_stop);

 private:
  static constexpr auto asleep = static_cast<std::size_t>(-1);
  const std::size_t max_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Waiting> queue_;     // mutex_
  bool stopping_ = false;         // mutex_
  bool landed_ = false;           // mutex_
  std::size_t wake_at_ = asleep;  // mutex_; the sequencer sleeps until so many wait
};

}  // namespace talla::core

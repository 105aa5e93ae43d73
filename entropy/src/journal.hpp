/// \file
/// What the generator counts and tells: counters, and a bounded queue of events.
///
/// Threads: under the generator's lock.
#pragma once

#include <deque>
#include <vector>

#include "entropy/generator_types.hpp"

namespace talla::entropy {

class Journal {
 public:
  /// The oldest event gives way where nobody took them in time, and is counted.
  void add(Event event);
  /// Events since the last call, oldest first.
  [[nodiscard]] std::vector<Event> take();

  Metrics totals;  ///< Counters only; the rest is filled in when asked.

 private:
  std::deque<Event> events_;
};

}  // namespace talla::entropy

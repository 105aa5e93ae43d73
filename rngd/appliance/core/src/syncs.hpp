/// \file
/// Syncs of the ledger while the sequencer stages the next groups: each takes what is written when
/// it begins.
///
/// Several syncs under way share the time that a disk takes to answer; a group is durable when any
/// sync that began behind it has ended well. Who has synced tidies behind it. Private to core.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "aside.hpp"
#include "base/clock.hpp"
#include "certs/log.hpp"

namespace talla::core {

class Syncs {
 public:
  /// `ended`: called on other threads, whenever a sync has ended, well or not.
  Syncs(certs::Log& log, Clock& clock, std::size_t at_once, std::function<void()> ended);

  /// A group was written: one of the threads that are free, or the next one that will be, syncs.
  void ask() { threads_.ask(); }
  /// What the last good sync took; 0: none has ended.
  [[nodiscard]] std::int64_t last_ns() const { return last_ns_.load(); }

 private:
  void sync();

  certs::Log& log_;
  Clock& clock_;
  std::function<void()> ended_;
  std::atomic<std::int64_t> last_ns_{0};
  Aside threads_;  // the last member: its end waits for syncs under way
};

}  // namespace talla::core

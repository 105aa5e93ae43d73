/// \file
/// One thing that the sequencer looks after beside the commands of its clients.
///
/// Each stands in a file pair of its own, keeps what it must remember to itself, and is told of the
/// moments below. What has nothing to do at one of them leaves it out. Called by the sequencer, but
/// for `objection`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "appliance.hpp"

namespace talla::core {

class Duty {
 public:
  Duty() = default;
  Duty(const Duty&) = delete;
  Duty& operator=(const Duty&) = delete;
  virtual ~Duty() = default;

  /// The ledger is read again, and the first group is open: what a start says of itself goes into
  /// `tx`. Errors end the start.
  [[nodiscard]] virtual Status on_start(Transaction& tx) {
    static_cast<void>(tx);
    return {};
  }
  /// Once a turn, before its commands.
  virtual void on_turn() {}
  /// Instead of `on_turn` once the log has ended: what would have become a record is dropped.
  virtual void on_ended_turn() {}
  /// Now and then: in every turn without work, and in some of those with it.
  virtual void on_pause() {}
  /// The running group was written under this number; it is not durable yet.
  virtual void on_written(std::uint64_t group) { static_cast<void>(group); }
  /// So is this group now, and every one before it; its answers are not given yet.
  virtual void on_durable(std::uint64_t group) { static_cast<void>(group); }

  /// Why nothing new may be committed to now. Any thread.
  [[nodiscard]] virtual std::optional<Error> objection() const { return std::nullopt; }
  /// What latched and is still there, so that no reset can begin; empty: nothing of this duty.
  [[nodiscard]] virtual std::string cause() const { return {}; }
};

}  // namespace talla::core

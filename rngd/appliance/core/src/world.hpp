/// \file
/// All live objects as they are kept, and what one transaction sees of them: its own changes, on
/// copies, and below them the world.
///
/// A command that is refused half way leaves no trace: it worked on copies. Closed objects leave
/// the world when the group that closed them is committed; what they were is in the ledger. Anybody
/// may read; who writes stands in editing.hpp.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "act.hpp"
#include "approval.hpp"
#include "core/errc.hpp"
#include "core/settings.hpp"
#include "model.hpp"

namespace talla::core {

template <class T>
using ObjectMap = std::map<ObjectSeq, T>;

/// More than groups that are not durable can hold.
inline constexpr std::size_t answers_max = 4096;

struct World {
  ObjectMap<Table> tables;
  ObjectMap<Shoe> shoes;
  ObjectMap<Batch> batches;
  ObjectMap<Round> rounds;
  ObjectMap<SharedMeter> meters;
  ObjectMap<Act> acts;                  ///< by the seq of the ACCESS that asked
  std::vector<EnrolledClient> clients;  ///< as KEY records say it
  std::uint64_t clients_edition = 0;    ///< another one with each change of them
  std::vector<Approval> approvals;      ///< of two persons, not carried out yet
  std::set<ObjectSeq> calling;          ///< tables with an open CALL
  std::uint64_t guests_edition = 0;     ///< another one with each change of who may contribute
  /// Newest ANSWERs: seq by what they are one series of. Some may not be durable yet; of those that
  /// are the ledger knows too, and no more than `answers_max` are here.
  std::map<Digest, std::uint64_t> answers;
};

/// Nothing more can happen to it.
[[nodiscard]] inline bool is_over(const Table& table) {
  return table.closed;
}
[[nodiscard]] inline bool is_over(const Shoe& shoe) {
  return !shoe.live();
}
[[nodiscard]] inline bool is_over(const Batch& batch) {
  return batch.progress.closed && batch.open_calls.empty();
}
/// Every secret gave its outcome.
[[nodiscard]] inline bool is_used(const Batch& batch) {
  return batch.progress.next == batch.commit->count && batch.open_calls.empty();
}
inline constexpr std::int64_t never_us = std::numeric_limits<std::int64_t>::max();
/// When the batch is to be closed, by the wall clock; 0: now. Never while a call of it is open.
[[nodiscard]] inline std::int64_t due_us(const Batch& batch) {
  if (batch.progress.closed || !batch.open_calls.empty()) return never_us;
  return is_used(batch) ? 0 : batch.commit->expires_us;
}
[[nodiscard]] inline bool is_over(const Round& round) {
  return round.ended;
}
[[nodiscard]] inline bool is_over(const SharedMeter& meter) {
  return meter.closed;
}
[[nodiscard]] inline bool is_over(const Act& act) {
  return !act.open();
}

/// What one transaction sees. Compiled in world.cpp: maps of these objects, with all that they
/// hold, are long to compile.
class Overlay {
 public:
  /// `base` outlives it.
  explicit Overlay(const World& base);
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;
  ~Overlay();

  /// Null when there is no such object.
  [[nodiscard]] const Table* table(ObjectSeq seq) const;
  [[nodiscard]] const Shoe* shoe(ObjectSeq seq) const;
  [[nodiscard]] const Batch* batch(ObjectSeq seq) const;
  [[nodiscard]] const Round* round(ObjectSeq seq) const;
  [[nodiscard]] const SharedMeter* meter(ObjectSeq seq) const;
  [[nodiscard]] const Act* act(ObjectSeq seq) const;
  /// Acts that wait or run, oldest first.
  [[nodiscard]] std::vector<const Act*> open_acts() const;
  [[nodiscard]] const std::vector<EnrolledClient>& clients() const;
  [[nodiscard]] const std::vector<Approval>& approvals() const;
  /// The newest ANSWER of a series; nothing: none since the start, or one that is long durable.
  [[nodiscard]] std::optional<std::uint64_t> answered(const Digest& series) const;

  [[nodiscard]] const World& base() const { return base_; }

 private:
  friend class Editing;  // writes
  friend class State;    // takes what was written
  const World& base_;
  World top_;  // objects that were changed or added
  std::optional<std::vector<EnrolledClient>> clients_;
  std::optional<std::vector<Approval>> approvals_;
};

}  // namespace talla::core

/// \file
/// All live objects, and an overlay over them that one command changes and then keeps or drops.
///
/// A command that is refused half way leaves no trace: it worked on copies. Closed objects leave
/// the world when the group that closed them is committed; what they were is in the ledger.
#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "act.hpp"
#include "approval.hpp"
#include "core/errc.hpp"
#include "core/settings.hpp"
#include "model.hpp"

namespace talla::core {

template <class T>
using ObjectMap = std::map<ObjectSeq, T>;

struct World {
  ObjectMap<Table> tables;
  ObjectMap<Shoe> shoes;
  ObjectMap<Batch> batches;
  ObjectMap<Round> rounds;
  ObjectMap<SharedMeter> meters;
  ObjectMap<Act> acts;            ///< by the seq of the ACCESS that asked
  bool any_over = false;          ///< some object may be forgotten once its group is committed
  std::int64_t batch_due_us = 0;  ///< no batch is used up or expires before (wall clock)
  std::vector<EnrolledClient> clients;  ///< as KEY records say it
  std::vector<Approval> approvals;      ///< of two persons, not carried out yet
  bool clients_changed = false;         ///< not told outside yet
};

/// Nothing more can happen to it.
[[nodiscard]] inline bool is_over(const Table& table) {
  return table.closed;
}
[[nodiscard]] inline bool is_over(const Shoe& shoe) {
  return !shoe.live();
}
[[nodiscard]] inline bool is_over(const Batch& batch) {
  return batch.closed && batch.open_intents.empty();
}
/// Every secret gave its outcome.
[[nodiscard]] inline bool is_used(const Batch& batch) {
  return batch.progress.next == batch.commit->count && batch.open_intents.empty();
}
inline constexpr std::int64_t never_us = std::numeric_limits<std::int64_t>::max();
/// When the batch is to be closed, by the wall clock; 0: now.
[[nodiscard]] inline std::int64_t due_us(const Batch& batch) {
  if (batch.closed) return never_us;
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

/// Compiled in world.cpp: maps of these objects, with all that they hold, are long to compile.
class Overlay {
 public:
  explicit Overlay(World& base);
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;
  ~Overlay();

  [[nodiscard]] const Table* table(ObjectSeq seq) const;
  [[nodiscard]] const Shoe* shoe(ObjectSeq seq) const;
  [[nodiscard]] const Batch* batch(ObjectSeq seq) const;
  [[nodiscard]] const Round* round(ObjectSeq seq) const;
  [[nodiscard]] const SharedMeter* meter(ObjectSeq seq) const;
  [[nodiscard]] const Act* act(ObjectSeq seq) const;
  /// Acts that wait or run, oldest first.
  [[nodiscard]] std::vector<const Act*> open_acts() const;

  /// For writing; a copy is made at the first touch. Null when there is no such object.
  [[nodiscard]] Table* edit_table(ObjectSeq seq);
  [[nodiscard]] Shoe* edit_shoe(ObjectSeq seq);
  [[nodiscard]] Batch* edit_batch(ObjectSeq seq);
  [[nodiscard]] Round* edit_round(ObjectSeq seq);
  [[nodiscard]] SharedMeter* edit_meter(ObjectSeq seq);
  [[nodiscard]] Act* edit_act(ObjectSeq seq);

  void add(Table table);
  void add(Shoe shoe);
  void add(Batch batch);
  void add(SharedMeter meter);
  void add(Act act);
  void add(Round round);

  [[nodiscard]] const std::vector<EnrolledClient>& clients() const;
  [[nodiscard]] std::vector<EnrolledClient>& edit_clients();
  [[nodiscard]] const std::vector<Approval>& approvals() const;
  [[nodiscard]] std::vector<Approval>& edit_approvals();

  [[nodiscard]] const World& base() const { return base_; }
  /// Moves every changed object into the base.
  void keep();

 private:
  template <class T>
  void merge(ObjectMap<T>& top, ObjectMap<T>& base);

  World& base_;
  World top_;
  std::optional<std::vector<EnrolledClient>> clients_;
  std::optional<std::vector<Approval>> approvals_;
};

}  // namespace talla::core

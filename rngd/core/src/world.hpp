/// \file
/// All live objects, and an overlay over them that one command changes and then keeps or drops.
///
/// A command that is refused half way leaves no trace: it worked on copies. Closed objects leave the world
/// when the
/// group that closed them is committed; what they were is in the ledger.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
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
  ObjectMap<Act> acts;                  ///< by the seq of the ACCESS that asked
  bool any_over = false;                ///< some object may be forgotten once its group is committed
  std::int64_t batch_due_us = 0;        ///< no batch is used up or expires before (wall clock)
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

class Overlay {
 public:
  explicit Overlay(World& base) : base_(base) {}

  [[nodiscard]] const Table* table(ObjectSeq seq) const { return find(top_.tables, base_.tables, seq); }
  [[nodiscard]] const Shoe* shoe(ObjectSeq seq) const { return find(top_.shoes, base_.shoes, seq); }
  [[nodiscard]] const Batch* batch(ObjectSeq seq) const { return find(top_.batches, base_.batches, seq); }
  [[nodiscard]] const Round* round(ObjectSeq seq) const { return find(top_.rounds, base_.rounds, seq); }
  [[nodiscard]] const SharedMeter* meter(ObjectSeq seq) const { return find(top_.meters, base_.meters, seq); }

  [[nodiscard]] const Act* act(ObjectSeq seq) const { return find(top_.acts, base_.acts, seq); }
  /// Acts that wait or run, oldest first.
  [[nodiscard]] std::vector<const Act*> open_acts() const;

  /// For writing; a copy is made at the first touch. Null when there is no such object.
  [[nodiscard]] Table* edit_table(ObjectSeq seq) { return edit(top_.tables, base_.tables, seq); }
  [[nodiscard]] Shoe* edit_shoe(ObjectSeq seq) { return edit(top_.shoes, base_.shoes, seq); }
  [[nodiscard]] Batch* edit_batch(ObjectSeq seq) { return edit(top_.batches, base_.batches, seq); }
  [[nodiscard]] Round* edit_round(ObjectSeq seq) { return edit(top_.rounds, base_.rounds, seq); }
  [[nodiscard]] SharedMeter* edit_meter(ObjectSeq seq) { return edit(top_.meters, base_.meters, seq); }
  [[nodiscard]] Act* edit_act(ObjectSeq seq) { return edit(top_.acts, base_.acts, seq); }

  void add(Table table) { top_.tables.insert_or_assign(table.seq, std::move(table)); }
  void add(Shoe shoe) { top_.shoes.insert_or_assign(shoe.seq, std::move(shoe)); }
  void add(Batch batch) { top_.batches.insert_or_assign(batch.seq, std::move(batch)); }
  void add(SharedMeter meter) { top_.meters.insert_or_assign(meter.seq, std::move(meter)); }
  void add(Act act) { top_.acts.insert_or_assign(act.seq, std::move(act)); }
  void add(Round round) { top_.rounds.insert_or_assign(round.seq, std::move(round)); }

  [[nodiscard]] const std::vector<EnrolledClient>& clients() const {
    return clients_ ? *clients_ : base_.clients;
  }
  [[nodiscard]] std::vector<EnrolledClient>& edit_clients() {
    return clients_ ? *clients_ : clients_.emplace(base_.clients);
  }
  [[nodiscard]] const std::vector<Approval>& approvals() const {
    return approvals_ ? *approvals_ : base_.approvals;
  }
  [[nodiscard]] std::vector<Approval>& edit_approvals() {
    return approvals_ ? *approvals_ : approvals_.emplace(base_.approvals);
  }

  [[nodiscard]] const World& base() const { return base_; }
  /// Moves every changed object into the base.
  void keep() {
    merge(top_.tables, base_.tables);
    merge(top_.shoes, base_.shoes);
    for (const auto& [seq, batch] : top_.batches)
      base_.batch_due_us = std::min(base_.batch_due_us, due_us(batch));
    merge(top_.batches, base_.batches);
    merge(top_.rounds, base_.rounds);
    merge(top_.meters, base_.meters);
    merge(top_.acts, base_.acts);
    if (clients_) {
      base_.clients = *std::exchange(clients_, std::nullopt);
      base_.clients_changed = true;
    }
    if (approvals_) base_.approvals = *std::exchange(approvals_, std::nullopt);
  }

 private:
  template <class T>
  static const T* find(const ObjectMap<T>& top, const ObjectMap<T>& base, ObjectSeq seq) {
    if (const auto found = top.find(seq); found != top.end()) return &found->second;
    const auto below = base.find(seq);
    return below == base.end() ? nullptr : &below->second;
  }
  template <class T>
  static T* edit(ObjectMap<T>& top, const ObjectMap<T>& base, ObjectSeq seq) {
    if (const auto found = top.find(seq); found != top.end()) return &found->second;
    const auto below = base.find(seq);
    return below == base.end() ? nullptr : &top.emplace(seq, below->second).first->second;
  }
  template <class T>
  void merge(ObjectMap<T>& top, ObjectMap<T>& base) {
    for (auto& [seq, object] : top) {
      base_.any_over = base_.any_over || is_over(object);
      base.insert_or_assign(seq, std::move(object));
    }
    top.clear();
  }

  World& base_;
  World top_;
  std::optional<std::vector<EnrolledClient>> clients_;
  std::optional<std::vector<Approval>> approvals_;
};

}  // namespace talla::core

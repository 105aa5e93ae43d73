/// \file
/// All live objects, and an overlay over them that one command changes and then keeps or drops.
///
/// A command that is refused half way leaves no trace: it worked on copies. Closed objects leave the world
/// when the
/// group that closed them is committed; what they were is in the ledger.
#pragma once

#include "act.hpp"
#include "core/errc.hpp"
#include "model.hpp"

namespace talla::core {

template <class T>
using ObjectMap = std::map<ObjectSeq, T>;

struct World {
  ObjectMap<Table> tables;
  ObjectMap<Shoe> shoes;
  ObjectMap<Batch> batches;
  ObjectMap<Round> rounds;
  ObjectMap<Act> acts;  ///< by the seq of the ACCESS that asked
};

class Overlay {
 public:
  explicit Overlay(World& base) : base_(base) {}

  [[nodiscard]] const Table* table(ObjectSeq seq) const { return find(top_.tables, base_.tables, seq); }
  [[nodiscard]] const Shoe* shoe(ObjectSeq seq) const { return find(top_.shoes, base_.shoes, seq); }
  [[nodiscard]] const Batch* batch(ObjectSeq seq) const { return find(top_.batches, base_.batches, seq); }
  [[nodiscard]] const Round* round(ObjectSeq seq) const { return find(top_.rounds, base_.rounds, seq); }

  [[nodiscard]] const Act* act(ObjectSeq seq) const { return find(top_.acts, base_.acts, seq); }
  /// Acts that wait or run, oldest first.
  [[nodiscard]] std::vector<const Act*> open_acts() const;

  /// For writing; a copy is made at the first touch. Null when there is no such object.
  [[nodiscard]] Table* edit_table(ObjectSeq seq) { return edit(top_.tables, base_.tables, seq); }
  [[nodiscard]] Shoe* edit_shoe(ObjectSeq seq) { return edit(top_.shoes, base_.shoes, seq); }
  [[nodiscard]] Batch* edit_batch(ObjectSeq seq) { return edit(top_.batches, base_.batches, seq); }
  [[nodiscard]] Round* edit_round(ObjectSeq seq) { return edit(top_.rounds, base_.rounds, seq); }
  [[nodiscard]] Act* edit_act(ObjectSeq seq) { return edit(top_.acts, base_.acts, seq); }

  void add(Table table) { top_.tables.insert_or_assign(table.seq, std::move(table)); }
  void add(Shoe shoe) { top_.shoes.insert_or_assign(shoe.seq, std::move(shoe)); }
  void add(Batch batch) { top_.batches.insert_or_assign(batch.seq, std::move(batch)); }
  void add(Act act) { top_.acts.insert_or_assign(act.seq, std::move(act)); }
  void add(Round round) { top_.rounds.insert_or_assign(round.seq, std::move(round)); }

  [[nodiscard]] const World& base() const { return base_; }
  /// Moves every changed object into the base.
  void keep() {
    merge(top_.tables, base_.tables);
    merge(top_.shoes, base_.shoes);
    merge(top_.batches, base_.batches);
    merge(top_.rounds, base_.rounds);
    merge(top_.acts, base_.acts);
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
  static void merge(ObjectMap<T>& top, ObjectMap<T>& base) {
    for (auto& [seq, object] : top) base.insert_or_assign(seq, std::move(object));
    top.clear();
  }

  World& base_;
  World top_;
};

}  // namespace talla::core

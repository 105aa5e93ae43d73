/// \file
/// The only owner of the appliance's state. It takes what a transaction kept, and forgets what is
/// over.
///
/// Threads: the sequencer's.
#pragma once

#include <set>
#include <utility>

#include "world.hpp"

namespace talla::core {

class State {
 public:
  [[nodiscard]] const World& world() const { return world_; }

  /// Moves every changed object into the world; nothing is left in the overlay.
  void keep(Overlay& overlay);
  /// Objects that are over, when their group is committed; of acts the newest are kept, for who
  /// asks what became of them. Whether there were any.
  bool forget_over();
  /// Batches that are used up or expired at that time (wall clock), the longest due first.
  [[nodiscard]] std::vector<ObjectSeq> due_batches(std::int64_t now_us) const;
  /// Tables whose call with further contributors began, was opened behind or ended since the last
  /// time.
  [[nodiscard]] std::set<ObjectSeq> take_called() { return std::exchange(called_, {}); }

 private:
  template <class T>
  void merge(ObjectMap<T>& from, ObjectMap<T>& into);
  void forget_acts();
  void keep_answers(std::map<Digest, std::uint64_t>& newest);
  /// What is looked up of tables, before they take the place of those in the world.
  void note_tables(const ObjectMap<Table>& changed);

  World world_;
  std::set<std::pair<std::int64_t, ObjectSeq>> due_;  // of batches that can be closed: when
  std::set<ObjectSeq> called_;
  bool any_over_ = false;  // some object may be forgotten once its group is committed
};

}  // namespace talla::core

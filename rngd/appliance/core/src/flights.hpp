/// \file
/// Groups on their way to the disk: gathered, written, waited for, answered.
///
/// Where a sync takes long, several groups wait for the disk at once, so few as keep the sequencer
/// busy meanwhile; answers wait for the landing of their own group and all before it. A commit that
/// fails ends the service; what is in the air then has no answer yet.
/// Threads: the sequencer's.
#pragma once

#include <deque>

#include "duty.hpp"
#include "events.hpp"
#include "open_draws.hpp"
#include "pace.hpp"
#include "queue.hpp"
#include "replies.hpp"
#include "resume_points.hpp"
#include "rotation.hpp"
#include "syncs.hpp"

namespace talla::core {

class Flights {
 public:
  /// What a group touches beside the log.
  struct Around {
    Queue& queue;
    Replies& replies;
    OpenDraws& draws;
    ResumePoints& points;
    Events& events;
    const LogKeyRotation& keys;
    const std::vector<Duty*>& duties;
  };
  Flights(Appliance& appliance, const Around& around);

  /// From here on threads of their own sync.
  void start_threads();
  void stop_threads() { syncs_.reset(); }

  /// The requests of the next group: waits a moment for those who were just answered, so that they
  /// share it.
  [[nodiscard]] std::deque<Waiting> gather();
  /// Writes the running group. What waits for it is done when it has landed: answers, and outcomes
  /// of its CALLs.
  void commit();
  /// Takes in what became durable.
  void land();
  /// Ends when every group that was written is durable, or the service has failed.
  void await_all();
  /// The answers that nobody will get; nothing is in the air any more.
  [[nodiscard]] std::vector<Replies::Answers> drop();

  [[nodiscard]] bool empty() const { return flights_.empty(); }
  /// Nothing is in the air, or something has landed since the last call: a disk that hangs is
  /// neither.
  [[nodiscard]] bool moved() { return std::exchange(landed_one_, false) || flights_.empty(); }
  /// The turn that began then and took so many commands is over; waits are not counted.
  void turn_begins();
  void turn_ends(std::size_t commands);

 private:
  /// A group that is written, and what waits until it is durable.
  struct Flight {
    std::uint64_t number = 0;
    Replies::Answers answers;
    std::vector<OpenDraw> draws;  ///< of its CALLs
  };
  /// Commands that ask or wait for an answer.
  [[nodiscard]] std::size_t waiting() const;
  /// Commands of the next group: so many that those who wait are spread over all syncs that may be
  /// under way.
  [[nodiscard]] std::size_t group_room() const;
  void wait_for_company();
  /// Without threads: what flies lands here, unless more may join it.
  void await_company();
  /// Something to be done before the next groups are durable.
  [[nodiscard]] bool work_waits() const;
  /// Ends when a sync did. Without threads of its own it syncs itself.
  void await_landing();

  Appliance& appliance_;
  const Around around_;
  std::deque<Flight> flights_;    // oldest first
  std::unique_ptr<Syncs> syncs_;  // none: the sequencer syncs itself
  Pace pace_;
  bool landed_one_ = false;
  std::size_t flights_max_ = 1;  // groups that may be written and not durable, in this turn
  std::int64_t begun_ns_ = 0;    // this turn
  std::int64_t waited_ns_ = 0;   // by this turn, for company or the disk
  std::size_t answered_ = 0;     // by the last group: as many are expected back
  std::int64_t gather_until_ns_ = 0;
};

}  // namespace talla::core

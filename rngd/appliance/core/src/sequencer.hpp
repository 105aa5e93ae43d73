/// \file
/// One turn after another: duties, commands in the order of their coming, one group for all of
/// them.
///
/// Threads: one at a time, the sequencer's.
#pragma once

#include "call_waits.hpp"
#include "flights.hpp"
#include "questions.hpp"
#include "waiting_calls.hpp"

namespace talla::core {

class Sequencer {
 public:
  struct Around {
    Queue& queue;
    Replies& replies;
    OpenDraws& draws;
    ResumePoints& points;
    Flights& flights;
    LogKeyRotation& keys;
    SoftwareWatch& software;
    const Questions& questions;
    const std::vector<Duty*>& duties;
    const Parts& parts;
    WaitingCalls& calls;
    CallWaits& waits;
  };
  Sequencer(Appliance& appliance, const Around& around) : appliance_(appliance), around_(around) {}

  /// One turn; whether anything was done.
  bool turn();
  /// Turns until there is nothing left to do.
  void run_until_idle();
  /// Turns until the queue stops and everything is done; the thread's work.
  void run();
  /// Everybody who waits is told that nothing is known of his request.
  void fail_everything();
  /// What may be forgotten, once its group is committed.
  void prune();
  /// Disk, anchor, tiles, gauges.
  void pause();

  /// Turns that ended with their group committed. Any thread.
  [[nodiscard]] std::uint64_t turns() const { return turns_; }

 private:
  static constexpr std::uint64_t pause_every = 16;  // busy turns
  bool turn_ended();
  [[nodiscard]] std::deque<Waiting> take();
  void handle(Waiting waiting);
  void command(Waiting waiting);
  void run_command(Waiting waiting);
  void answer_in_group(Waiting waiting, Done done, const std::vector<std::uint64_t>& seqs);
  void refuse(Waiting waiting, const Refusal& refusal);

  Appliance& appliance_;
  const Around around_;
  std::deque<Waiting> deferred_;  // to be run again in the next group
  std::uint64_t busy_turns_ = 0;
  std::atomic<std::uint64_t> turns_{0};
};

}  // namespace talla::core

/// \file
/// Group commit: one sequencer thread, many waiting callers, one durable commit for all that wait.
///
/// A work item has one or two steps. Step `first` runs on the sequencer's thread and stages records; after
/// that group is durable, `second` (if any) runs in the next group, beside the first steps of newer items;
/// `done` runs after the item's last group is durable and covered by a checkpoint. So an item of two steps
/// takes two barriers, and one commit carries the DRAWs of one group and the INTENTs of the next.
/// While a commit runs, new items wait; the next group takes all of them (up to `group_max`). After a commit
/// the sequencer waits a moment (an eighth of the commit's time at most) for as many items as it just
/// answered,
/// so that callers who come back at once share one group instead of two.
/// A group that the ledger refuses (duplicate_key, duplicate_nonce) gives that error to all its items: a step
/// must look first.
/// Errors:  a step that fails is undone alone and its `done` gets the error; a failed commit gives every
///          item of the group that error, and every later one ledger_latched.
/// Threads: submit from any thread; steps and `done` run on the sequencer's thread and must not block.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "certs/log.hpp"

namespace talla::certs {

class GroupCommitter {
 public:
  struct Work {
    std::function<Status(Log&)> first;
    std::function<Status(Log&)> second;  ///< may be empty
    std::function<void(const Result<Committed>&)> done;
  };
  struct Options {
    std::size_t group_max = 1024;  ///< items a group
  };
  GroupCommitter(Log& log, Options options);
  GroupCommitter(const GroupCommitter&) = delete;
  GroupCommitter& operator=(const GroupCommitter&) = delete;
  /// Stops.
  ~GroupCommitter();

  /// Queues an item; after `stop` its `done` is called at once with committer_stopped, on this thread.
  void submit(Work work);
  /// Finishes what was taken and ends the thread. Safe to call twice.
  void stop();
  [[nodiscard]] std::uint64_t groups_committed() const { return groups_; }

 private:
  struct Pending {
    Work work;
    bool second_due = false;
  };
  void run();
  [[nodiscard]] std::vector<Pending> take();
  void turn(std::vector<Pending> items);
  [[nodiscard]] std::vector<Pending> run_steps(std::vector<Pending> items);

  Log& log_;
  Options options_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Pending> queue_;             // mutex_
  bool stopping_ = false;                 // mutex_
  std::vector<Pending> seconds_;          // sequencer's thread
  std::size_t expected_ = 0;              // sequencer's thread: items answered by the last commit
  std::chrono::nanoseconds patience_{0};  // sequencer's thread
  std::atomic<std::uint64_t> groups_{0};
  std::thread thread_;
};

}  // namespace talla::certs

/// \file
/// Groups between the committing thread and the database: checked already, written by whoever comes
/// to sync them. Private to certs.
///
/// So the committing thread goes on with the next group while this one is written. `Writer` as
/// StoredLedger has it.
/// Errors:  the writer's; each latches, for what was taken can be neither refused any more nor left
///          out.
/// Threads: `add` belongs to the committing thread, all else to any.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "ledger_rows.hpp"
#include "object_chains.hpp"

namespace talla::certs {

/// How far a ledger has come.
struct GroupMark {
  std::uint64_t groups = 0;  ///< since the ledger was opened
  std::uint64_t size = 0;    ///< records behind them
};

template <class Writer>
class WriteQueue {
 public:
  /// Called behind each group that reached the writer, good or bad, with the records written so
  /// far; one call at a time.
  using Behind = std::function<void(const Writer&, std::uint64_t)>;
  WriteQueue(Writer writer, std::uint64_t size, Behind behind)
      : writer_(std::move(writer)),
        behind_(std::move(behind)),
        taken_{0, size},
        written_{0, size},
        written_size_(size),
        durable_{0, size} {}

  /// All groups added; of the committing thread.
  [[nodiscard]] const GroupMark& taken() const { return taken_; }
  /// Precondition: the group follows those before it; `objects` are the states it leads to.
  void add(std::shared_ptr<const Group> group, GroupDigests digests, ObjectStates objects) {
    const GroupMark next{taken_.groups + 1, taken_.size + group->records.size()};
    const std::scoped_lock lock(waiting_mutex_);
    waiting_.push_back({std::move(group), std::move(digests), std::move(objects),
                        std::exchange(taken_, next).size});
    ++waiting_count_;
    added_.store(taken_.groups);
  }

  /// Records in the database.
  [[nodiscard]] std::uint64_t written_size() const { return written_size_.load(); }
  [[nodiscard]] bool empty() const { return waiting_count_.load() == 0; }
  /// Brings all groups added before the call into the database, in their order. How far it has come
  /// then.
  [[nodiscard]] Result<GroupMark> write() {
    const std::uint64_t added =
        added_.load();  // who added more comes for them: this caller's sync is not kept
    const std::scoped_lock writing(writer_mutex_);
    for (;;) {
      if (latched_.load()) return fail(Errc::ledger_latched, "an earlier commit failed");
      const Waiting* next = written_.groups < added ? first() : nullptr;
      if (next == nullptr) return written_;
      const Status status = writer_.write(*next->group, next->digests, next->size, next->objects);
      if (status) written_ = {written_.groups + 1, next->size + next->group->records.size()};
      written_size_.store(written_.size);
      behind_(writer_, written_.size);
      if (!status) {
        latched_.store(true);
        return tl::unexpected<Error>(final_error(status.error()));
      }
      const std::scoped_lock lock(waiting_mutex_);
      waiting_.pop_front();
      --waiting_count_;
    }
  }
  /// Makes durable what was added before the call.
  [[nodiscard]] Status sync() {
    TALLA_TRY(const GroupMark mark, write());
    Status status = writer_.sync();
    const std::scoped_lock lock(durable_mutex_);
    // Once a sync has failed no other one's word counts: what it did not bring to disk is not told
    // apart.
    if (status && latched_.load()) return fail(Errc::ledger_latched, "another sync failed");
    if (!status) {
      latched_.store(true);
    } else if (mark.groups > durable_.groups) {
      durable_ = mark;
    }
    return status;
  }
  [[nodiscard]] Status tidy() {
    Status status = writer_.tidy();
    if (!status) latched_.store(true);
    return status;
  }
  [[nodiscard]] GroupMark durable() const {
    const std::scoped_lock lock(durable_mutex_);
    return durable_;
  }
  [[nodiscard]] bool latched() const { return latched_.load(); }

 private:
  struct Waiting {
    std::shared_ptr<const Group> group;
    GroupDigests digests;
    ObjectStates objects;
    std::uint64_t size = 0;  ///< records before it
  };
  [[nodiscard]] const Waiting* first() const {
    const std::scoped_lock lock(waiting_mutex_);
    return waiting_.empty() ? nullptr : &waiting_.front();
  }
  /// The group was checked when it was taken: a database that refuses it holds what it should not.
  static Error final_error(const Error& error) {
    if (!error.is(Errc::duplicate_key) && !error.is(Errc::group_refused)) return error;
    return {Errc::ledger_damaged,
            "the database has what the ledger does not know of: " + error.detail};
  }

  Writer writer_;  // writer_mutex_, but for `sync` and `tidy`
  Behind behind_;
  GroupMark taken_;  // the committing thread
  mutable std::mutex writer_mutex_;
  GroupMark written_;  // writer_mutex_
  std::atomic<std::uint64_t> written_size_;
  mutable std::mutex waiting_mutex_;
  std::deque<Waiting>
      waiting_;  // waiting_mutex_; the first one stays in its place until it is written
  std::atomic<std::size_t> waiting_count_{0};
  std::atomic<std::uint64_t> added_{0};  // groups
  mutable std::mutex durable_mutex_;
  GroupMark durable_;  // durable_mutex_
  std::atomic<bool> latched_{false};
};

}  // namespace talla::certs

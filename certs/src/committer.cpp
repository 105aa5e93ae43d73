#include "certs/committer.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talla::certs {

GroupCommitter::GroupCommitter(Log& log, Options options)
    : log_(log), options_(options), thread_([this] { run(); }) {
  TALLA_CHECK(options.group_max > 0);
}

GroupCommitter::~GroupCommitter() {
  stop();
}

void GroupCommitter::submit(Work work) {
  {
    const std::scoped_lock lock(mutex_);
    if (!stopping_) {
      queue_.push_back({.work = std::move(work)});
      wake_.notify_one();
      return;
    }
  }
  work.done(fail(Errc::committer_stopped, "no more work is taken"));
}

void GroupCommitter::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    wake_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

std::vector<GroupCommitter::Pending> GroupCommitter::take() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return stopping_ || !queue_.empty() || !seconds_.empty(); });
  wake_.wait_for(lock, patience_, [this] { return stopping_ || queue_.size() >= expected_; });
  std::vector<Pending> items = std::move(seconds_);
  seconds_.clear();
  while (!queue_.empty() && items.size() < options_.group_max) {
    items.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return items;
}

void GroupCommitter::run() {
  for (;;) {
    std::vector<Pending> items = take();
    if (items.empty()) return;  // stopping, and nothing is left
    turn(std::move(items));
  }
}

std::vector<GroupCommitter::Pending> GroupCommitter::run_steps(std::vector<Pending> items) {
  std::vector<Pending> staged;
  staged.reserve(items.size());
  for (Pending& item : items) {
    const Log::Mark mark = log_.mark();
    Status status = item.second_due ? item.work.second(log_) : item.work.first(log_);
    if (status) {
      staged.push_back(std::move(item));
      continue;
    }
    log_.undo(mark);
    item.work.done(pass(std::move(status)));
  }
  return staged;
}

void GroupCommitter::turn(std::vector<Pending> items) {
  std::vector<Pending> staged = run_steps(std::move(items));
  if (staged.empty()) return;
  const auto start = std::chrono::steady_clock::now();
  const Result<Committed> committed = log_.commit();
  patience_ = (std::chrono::steady_clock::now() - start) / 8;
  groups_.fetch_add(1);
  expected_ = 0;
  for (Pending& item : staged) {
    if (committed && item.work.second && !item.second_due) {
      item.second_due = true;
      seconds_.push_back(std::move(item));
      continue;
    }
    ++expected_;
    item.work.done(committed);
  }
}

}  // namespace talla::certs

// The calls that wait for further contributors, for every thread.
#include "call_board.hpp"

#include <utility>

#include "call_view.hpp"

namespace talla::core {

std::shared_ptr<const PostedCall> CallBoard::posted_of(const Table& table) const {
  const Overlay world(appliance_.world());
  const auto* open = open_call_of(world, table);
  if (open == nullptr) return nullptr;
  const auto& core = open->body.core;
  return std::make_shared<const PostedCall>(
      PostedCall{.core = core,
                 .digest = certs::call_digest(appliance_.context.hashes, core.bytes()),
                 .opening = table.opening,
                 .until_us = table.open_call->until_us(table.open.policy.open_within)});
}

/// A table has one call at a time: another one says that the one before ended.
void CallBoard::note_changes(std::vector<Change>& changes) {
  for (const auto seq : appliance_.take_called()) {
    const auto found = appliance_.world().tables.find(seq);
    const auto* table = found == appliance_.world().tables.end() ? nullptr : &found->second;
    const bool waits = table != nullptr && table->open_call && table->open_call->others > 0;
    const auto told = told_.find(seq);
    const bool known = told != told_.end();
    if (known && (!waits || told->second.call != table->open_call->seq)) {
      changes.push_back({told->second.call, std::nullopt});
      told_.erase(told);
    }
    if (!waits) continue;
    const auto now = told_.find(seq);
    auto call = now == told_.end() ? posted_of(*table) : now->second.posted->call;
    if (!call) continue;
    Change change{table->open_call->seq, Posted{std::move(call), table->open_call->opened_by}};
    told_.insert_or_assign(seq, change);
    changes.push_back(std::move(change));
  }
}

void CallBoard::take(std::vector<Change> changes) {
  const std::scoped_lock lock(mutex_);
  for (auto& change : changes) {
    if (change.posted) {
      posted_.insert_or_assign(change.call, std::move(*change.posted));
    } else if (posted_.erase(change.call) > 0) {
      ended_.push_back(change.call);
    }
  }
}

void CallBoard::publish() {
  std::vector<Change> changes;
  note_changes(changes);
  take(std::move(changes));
}

std::optional<CallBoard::Posted> CallBoard::find(std::uint64_t seq) const {
  const std::scoped_lock lock(mutex_);
  const auto found = posted_.find(seq);
  return found == posted_.end() ? std::nullopt : std::optional(found->second);
}

void CallBoard::on_written(std::uint64_t group) {
  std::vector<Change> changes;
  note_changes(changes);
  if (!changes.empty()) changed_.emplace(group, std::move(changes));
}

void CallBoard::on_durable(std::uint64_t group) {
  while (!changed_.empty() && changed_.begin()->first <= group)
    take(std::move(changed_.extract(changed_.begin()).mapped()));
}

}  // namespace talla::core

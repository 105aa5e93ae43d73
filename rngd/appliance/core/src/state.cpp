// What a transaction kept becomes the state, and what is over leaves it.
#include "state.hpp"

#include <algorithm>
#include <utility>

namespace talla::core {
namespace {

constexpr std::ptrdiff_t acts_over_max = 64;

/// The call that waits for further contributors; null: none.
const CallUnderWay* waiting_call(const Table& table) {
  return table.open_call && table.open_call->others > 0 ? &*table.open_call : nullptr;
}

bool same_call(const CallUnderWay* one, const CallUnderWay* other) {
  if (one == nullptr || other == nullptr) return one == other;
  return one->seq == other->seq && one->opened_by == other->opened_by;
}

}  // namespace

void State::keep(Overlay& overlay) {
  World& top = overlay.top_;
  for (const auto& [seq, batch] : top.batches) {
    if (const auto before = world_.batches.find(seq); before != world_.batches.end())
      due_.erase({due_us(before->second), seq});
    if (batch.secrets && !batch.progress.closed) due_.emplace(due_us(batch), seq);
  }
  note_tables(top.tables);
  merge(top.tables, world_.tables);
  merge(top.shoes, world_.shoes);
  merge(top.batches, world_.batches);
  merge(top.rounds, world_.rounds);
  merge(top.meters, world_.meters);
  merge(top.acts, world_.acts);
  if (overlay.clients_) {
    world_.clients = *std::exchange(overlay.clients_, std::nullopt);
    ++world_.clients_edition;
  }
  keep_answers(top.answers);
  if (overlay.approvals_) world_.approvals = *std::exchange(overlay.approvals_, std::nullopt);
}

/// The oldest leave: what is not durable yet is among the newest.
void State::keep_answers(std::map<Digest, std::uint64_t>& newest) {
  for (const auto& [series, seq] : newest) world_.answers.insert_or_assign(series, seq);
  newest.clear();
  while (world_.answers.size() > answers_max)
    world_.answers.erase(std::ranges::min_element(
        world_.answers, {}, &std::map<Digest, std::uint64_t>::value_type::second));
}

void State::note_tables(const ObjectMap<Table>& changed) {
  for (const auto& [seq, table] : changed) {
    if (table.open_call && !table.closed) {
      world_.calling.insert(seq);
    } else {
      world_.calling.erase(seq);
    }
    const auto before = world_.tables.find(seq);
    const auto* was = before == world_.tables.end() ? nullptr : &before->second;
    if (!same_call(was == nullptr ? nullptr : waiting_call(*was), waiting_call(table)))
      called_.insert(seq);
    const auto* known = was == nullptr ? nullptr : was->panel.guests_edition();
    const auto* now = table.panel.guests_edition();
    if (known != now || (now != nullptr && table.closed)) ++world_.guests_edition;
  }
}

template <class T>
void State::merge(ObjectMap<T>& from, ObjectMap<T>& into) {
  for (auto& [seq, object] : from) {
    any_over_ = any_over_ || is_over(object);
    into.insert_or_assign(seq, std::move(object));
  }
  from.clear();
}

bool State::forget_over() {
  if (!std::exchange(any_over_, false)) return false;
  const auto over = [](const auto& item) { return is_over(item.second); };
  std::erase_if(world_.rounds, over);
  std::erase_if(world_.shoes, over);
  std::erase_if(world_.batches, over);
  std::erase_if(world_.tables, over);
  std::erase_if(world_.meters, over);
  forget_acts();
  return true;
}

void State::forget_acts() {
  auto& acts = world_.acts;
  auto over = std::ranges::count_if(acts, [](const auto& item) { return !item.second.open(); });
  for (auto it = acts.begin(); it != acts.end() && over > acts_over_max;) {
    if (it->second.open()) {
      ++it;
    } else {
      it = acts.erase(it);
      --over;
    }
  }
}

std::vector<ObjectSeq> State::due_batches(std::int64_t now_us) const {
  std::vector<ObjectSeq> due;
  for (const auto& [when, seq] : due_) {
    if (when > now_us) break;
    due.push_back(seq);
  }
  return due;
}

}  // namespace talla::core

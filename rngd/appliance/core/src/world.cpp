// What one transaction sees, and how it is written.
#include "world.hpp"

#include <algorithm>
#include <utility>

#include "editing.hpp"

namespace talla::core {

namespace {

template <class T>
const T* find_object(const ObjectMap<T>& top, const ObjectMap<T>& base, ObjectSeq seq) {
  if (const auto found = top.find(seq); found != top.end()) return &found->second;
  const auto below = base.find(seq);
  return below == base.end() ? nullptr : &below->second;
}

template <class T>
T* edit_object(ObjectMap<T>& top, const ObjectMap<T>& base, ObjectSeq seq) {
  if (const auto found = top.find(seq); found != top.end()) return &found->second;
  const auto below = base.find(seq);
  return below == base.end() ? nullptr : &top.emplace(seq, below->second).first->second;
}

}  // namespace

Overlay::Overlay(const World& base) : base_(base) {}
Overlay::~Overlay() = default;

const Table* Overlay::table(ObjectSeq seq) const {
  return find_object(top_.tables, base_.tables, seq);
}
const Shoe* Overlay::shoe(ObjectSeq seq) const {
  return find_object(top_.shoes, base_.shoes, seq);
}
const Batch* Overlay::batch(ObjectSeq seq) const {
  return find_object(top_.batches, base_.batches, seq);
}
const Round* Overlay::round(ObjectSeq seq) const {
  return find_object(top_.rounds, base_.rounds, seq);
}
const SharedMeter* Overlay::meter(ObjectSeq seq) const {
  return find_object(top_.meters, base_.meters, seq);
}
const Act* Overlay::act(ObjectSeq seq) const {
  return find_object(top_.acts, base_.acts, seq);
}

Table* Editing::table(ObjectSeq seq) {
  return edit_object(overlay_.top_.tables, overlay_.base_.tables, seq);
}
Shoe* Editing::shoe(ObjectSeq seq) {
  return edit_object(overlay_.top_.shoes, overlay_.base_.shoes, seq);
}
Batch* Editing::batch(ObjectSeq seq) {
  return edit_object(overlay_.top_.batches, overlay_.base_.batches, seq);
}
Round* Editing::round(ObjectSeq seq) {
  return edit_object(overlay_.top_.rounds, overlay_.base_.rounds, seq);
}
SharedMeter* Editing::meter(ObjectSeq seq) {
  return edit_object(overlay_.top_.meters, overlay_.base_.meters, seq);
}
Act* Editing::act(ObjectSeq seq) {
  return edit_object(overlay_.top_.acts, overlay_.base_.acts, seq);
}

void Editing::add(Table table) {
  overlay_.top_.tables.insert_or_assign(table.seq, std::move(table));
}
void Editing::add(Shoe shoe) {
  overlay_.top_.shoes.insert_or_assign(shoe.seq, std::move(shoe));
}
void Editing::add(Batch batch) {
  overlay_.top_.batches.insert_or_assign(batch.seq, std::move(batch));
}
void Editing::add(Round round) {
  overlay_.top_.rounds.insert_or_assign(round.seq, std::move(round));
}
void Editing::add(SharedMeter meter) {
  overlay_.top_.meters.insert_or_assign(meter.seq, std::move(meter));
}
void Editing::add(Act act) {
  overlay_.top_.acts.insert_or_assign(act.seq, std::move(act));
}

std::vector<const Act*> Overlay::open_acts() const {
  std::vector<const Act*> open;
  const auto take = [&](const ObjectMap<Act>& acts) {
    for (const auto& [seq, act] : acts) {
      const auto* newest = this->act(seq);
      if (newest->open() && std::ranges::find(open, newest) == open.end()) open.push_back(newest);
    }
  };
  take(base_.acts);
  take(top_.acts);
  std::ranges::sort(open, {}, [](const Act* act) { return act->seq; });
  return open;
}

const std::vector<EnrolledClient>& Overlay::clients() const {
  return clients_ ? *clients_ : base_.clients;
}
std::vector<EnrolledClient>& Editing::clients() {
  auto& clients = overlay_.clients_;
  return clients ? *clients : clients.emplace(overlay_.base_.clients);
}
const std::vector<Approval>& Overlay::approvals() const {
  return approvals_ ? *approvals_ : base_.approvals;
}
std::vector<Approval>& Editing::approvals() {
  auto& approvals = overlay_.approvals_;
  return approvals ? *approvals : approvals.emplace(overlay_.base_.approvals);
}

std::optional<std::uint64_t> Overlay::answered(const Digest& series) const {
  if (const auto found = top_.answers.find(series); found != top_.answers.end())
    return found->second;
  const auto below = base_.answers.find(series);
  return below == base_.answers.end() ? std::nullopt : std::optional(below->second);
}
void Editing::answered(const Digest& series, std::uint64_t seq) {
  overlay_.top_.answers.insert_or_assign(series, seq);
}

}  // namespace talla::core

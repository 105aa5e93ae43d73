#include "world.hpp"

#include <algorithm>
#include <utility>

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

Overlay::Overlay(World& base) : base_(base) {}
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

Table* Overlay::edit_table(ObjectSeq seq) {
  return edit_object(top_.tables, base_.tables, seq);
}
Shoe* Overlay::edit_shoe(ObjectSeq seq) {
  return edit_object(top_.shoes, base_.shoes, seq);
}
Batch* Overlay::edit_batch(ObjectSeq seq) {
  return edit_object(top_.batches, base_.batches, seq);
}
Round* Overlay::edit_round(ObjectSeq seq) {
  return edit_object(top_.rounds, base_.rounds, seq);
}
SharedMeter* Overlay::edit_meter(ObjectSeq seq) {
  return edit_object(top_.meters, base_.meters, seq);
}
Act* Overlay::edit_act(ObjectSeq seq) {
  return edit_object(top_.acts, base_.acts, seq);
}

void Overlay::add(Table table) {
  top_.tables.insert_or_assign(table.seq, std::move(table));
}
void Overlay::add(Shoe shoe) {
  top_.shoes.insert_or_assign(shoe.seq, std::move(shoe));
}
void Overlay::add(Batch batch) {
  top_.batches.insert_or_assign(batch.seq, std::move(batch));
}
void Overlay::add(Round round) {
  top_.rounds.insert_or_assign(round.seq, std::move(round));
}
void Overlay::add(SharedMeter meter) {
  top_.meters.insert_or_assign(meter.seq, std::move(meter));
}
void Overlay::add(Act act) {
  top_.acts.insert_or_assign(act.seq, std::move(act));
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
std::vector<EnrolledClient>& Overlay::edit_clients() {
  return clients_ ? *clients_ : clients_.emplace(base_.clients);
}
const std::vector<Approval>& Overlay::approvals() const {
  return approvals_ ? *approvals_ : base_.approvals;
}
std::vector<Approval>& Overlay::edit_approvals() {
  return approvals_ ? *approvals_ : approvals_.emplace(base_.approvals);
}

void Overlay::keep() {
  merge(top_.tables, base_.tables);
  merge(top_.shoes, base_.shoes);
  for (const auto& [seq, batch] : top_.batches)
    base_.batch_due_us = std::min(base_.batch_due_us, due_us(batch));
  merge(top_.batches, base_.batches);
  merge(top_.rounds, base_.rounds);
  merge(top_.meters, base_.meters);
  merge(top_.acts, base_.acts);
  if (clients_) {
    base_.clients = *std::exchange(clients_, std::nullopt);
    base_.clients_changed = true;
  }
  if (approvals_) base_.approvals = *std::exchange(approvals_, std::nullopt);
}

template <class T>
void Overlay::merge(ObjectMap<T>& top, ObjectMap<T>& base) {
  for (auto& [seq, object] : top) {
    base_.any_over = base_.any_over || is_over(object);
    base.insert_or_assign(seq, std::move(object));
  }
  top.clear();
}

}  // namespace talla::core

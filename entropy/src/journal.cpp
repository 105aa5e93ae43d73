#include "journal.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t events_max = 4096;

}  // namespace

void Journal::add(Event event) {
  if (events_.size() == events_max) {
    events_.pop_front();
    ++totals.events_lost;
  }
  events_.push_back(event);
}

std::vector<Event> Journal::take() {
  std::vector<Event> events(events_.begin(), events_.end());
  events_.clear();
  return events;
}

}  // namespace talla::entropy

// Groups on their way to the disk.
#include "flights.hpp"

#include <algorithm>

namespace talla::core {
namespace {

/// Part of a sync's time that the next group waits for company.
constexpr std::int64_t gather_part = 6;

}  // namespace

Flights::Flights(Appliance& appliance, const Around& around)
    : appliance_(appliance),
      around_(around),
      pace_(appliance.settings.syncs_at_once, appliance.settings.overlap_from_us * 1000) {}

void Flights::start_threads() {
  syncs_ = std::make_unique<Syncs>(appliance_.effects.log, appliance_.effects.clock,
                                   std::max<std::size_t>(appliance_.settings.syncs_at_once, 1),
                                   [this] { around_.queue.note_landed(); });
}

void Flights::turn_begins() {
  begun_ns_ = appliance_.effects.clock.monotonic_ns();
  waited_ns_ = 0;
}

void Flights::turn_ends(std::size_t commands) {
  pace_.turn_took(appliance_.effects.clock.monotonic_ns() - begun_ns_ - waited_ns_, commands);
}

std::size_t Flights::waiting() const {
  auto count = around_.queue.size() + around_.replies.finished() + around_.draws.begun();
  for (const auto& flight : flights_) count += flight.answers.finished.size() + flight.draws.size();
  return count;
}

std::size_t Flights::group_room() const {
  const auto group_max = appliance_.settings.group_max;
  const auto parts = flights_max_;
  if (parts == 1) return group_max;
  const auto share = std::clamp<std::size_t>((waiting() + parts - 1) / parts, 1, group_max);
  const auto taken = around_.replies.finished();
  return share > taken ? share - taken : 0;
}

void Flights::wait_for_company() {
  const auto begin_ns = appliance_.effects.clock.monotonic_ns();
  const auto left_ns = gather_until_ns_ - begin_ns;
  const auto company = std::min(answered_, group_room());
  if (left_ns <= 0 || around_.queue.size() >= company) return;
  around_.queue.wait_for_company(company, left_ns);
  waited_ns_ += appliance_.effects.clock.monotonic_ns() - begin_ns;
}

std::deque<Waiting> Flights::gather() {
  flights_max_ = pace_.groups(waiting());
  wait_for_company();
  return around_.queue.take(group_room());
}

void Flights::commit() {
  auto& log = appliance_.effects.log;
  if (log.group().empty() && around_.replies.finished() == 0) {
    if (appliance_.failed()) return;
    auto plain = around_.replies.take_plain();
    if (flights_.empty()) return Replies::give(std::move(plain));
    // A refusal may rest on what is written and not durable.
    auto& last = flights_.back().answers.plain;
    std::move(plain.begin(), plain.end(), std::back_inserter(last));
    if (!syncs_) await_company();
    return;
  }
  around_.points.stage(false);
  while (!appliance_.failed() && flights_.size() >= flights_max_) await_landing();
  if (!around_.keys.whole()) appliance_.fail();
  if (appliance_.failed()) return;
  const auto written = log.write();
  if (!written) return appliance_.fail();
  appliance_.metrics.count("talla_groups_total");
  appliance_.metrics.count("talla_records_total", static_cast<double>(written->records));
  flights_.push_back({written->number, around_.replies.take(), around_.draws.take()});
  for (auto* duty : around_.duties) duty->on_written(written->number);
  if (syncs_) return syncs_->ask();
  await_company();
}

/// Nobody else asks the disk then.
void Flights::await_company() {
  while (!appliance_.failed() && !flights_.empty() &&
         (flights_.size() >= flights_max_ || !work_waits()))
    await_landing();
}

bool Flights::work_waits() const {
  return around_.queue.size() > 0 || around_.draws.any_due();
}

void Flights::await_landing() {
  const auto begin_ns = appliance_.effects.clock.monotonic_ns();
  if (syncs_) {
    around_.queue.wait_for_landing();
  } else {
    const bool good = appliance_.effects.log.sync().has_value();  // a failure latches the log
    pace_.sync_took(appliance_.effects.clock.monotonic_ns() - begin_ns);
    if (good) static_cast<void>(appliance_.effects.log.tidy());
  }
  waited_ns_ += appliance_.effects.clock.monotonic_ns() - begin_ns;
  land();
}

void Flights::await_all() {
  while (!appliance_.failed() && !flights_.empty()) await_landing();
}

void Flights::land() {
  auto& log = appliance_.effects.log;
  static_cast<void>(around_.queue.take_landed());
  if (syncs_) pace_.sync_took(syncs_->last_ns());
  const bool latched = log.latched();
  const auto durable = log.ledger().durable_groups();
  std::size_t answered = 0;
  while (!flights_.empty() && flights_.front().number <= durable) {
    if (!log.settle(flights_.front().number)) return appliance_.fail();
    landed_one_ = true;
    for (auto* duty : around_.duties) duty->on_durable(flights_.front().number);
    if (appliance_.failed()) return;
    Flight flight = std::move(flights_.front());
    flights_.pop_front();
    gather_until_ns_ = appliance_.effects.clock.monotonic_ns() + pace_.sync_ns() / gather_part;
    answered += flight.answers.finished.size();
    around_.draws.landed(std::move(flight.draws));
    around_.replies.give(std::move(flight.answers));
    around_.events.wake_all();
  }
  if (answered > 0) answered_ = answered;
  if (latched)
    appliance_
        .fail();  // also without a group in the air: a copy of the write-ahead log that failed
}

std::vector<Replies::Answers> Flights::drop() {
  std::vector<Replies::Answers> answers;
  for (auto& flight : std::exchange(flights_, {})) answers.push_back(std::move(flight.answers));
  return answers;
}

}  // namespace talla::core

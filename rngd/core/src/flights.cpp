// Groups on their way to the disk: written, waited for, answered.
#include <algorithm>

#include "core.hpp"

namespace talla::core {
namespace {

/// Part of a sync's time that the next group waits for company.
constexpr std::int64_t gather_part = 6;

}  // namespace

/// Commands that ask or wait for an answer.
std::size_t Service::Core::waiting() const {
  auto count = queue_.size() + finished_.size() + pending_draws_.size();
  for (const auto& flight : flights_) count += flight.finished.size() + flight.draws.size();
  return count;
}

/// Commands of the next group: so many that those who wait are spread over all syncs that may be under way.
std::size_t Service::Core::group_room() const {
  const auto parts = flights_max_;
  if (parts == 1) return settings_.group_max;
  const auto share = std::clamp<std::size_t>((waiting() + parts - 1) / parts, 1, settings_.group_max);
  return share > finished_.size() ? share - finished_.size() : 0;
}

void Service::Core::gather(std::unique_lock<std::mutex>& lock) {
  const auto left_ns = gather_until_ns_ - effects_.clock.monotonic_ns();
  const auto company = std::min(answered_, group_room());
  if (left_ns <= 0 || queue_.size() >= company) return;
  wake_at_ = company;
  const auto begin_ns = effects_.clock.monotonic_ns();
  wake_.wait_for(lock, std::chrono::nanoseconds(left_ns),
                 [&] { return stopping_ || landed_ || queue_.size() >= company; });
  wake_at_ = asleep;
  waited_ns_ += effects_.clock.monotonic_ns() - begin_ns;
}

void Service::Core::commit_group() {
  if (effects_.log.group().empty() && finished_.empty()) {
    if (failed_) return fail_everything();
    if (flights_.empty()) return answer(std::exchange(plain_, {}));
    // A refusal may rest on what is written and not durable.
    auto& last = flights_.back().plain;
    std::move(plain_.begin(), plain_.end(), std::back_inserter(last));
    return plain_.clear();
  }
  stage_resume_points(false);
  while (!failed_ && flights_.size() >= flights_max_) await_landing();
  failed_ = failed_ || !rotation_whole();
  if (failed_) return fail_everything();
  const bool reset = running(ActKind::latch_reset) != nullptr;
  const auto written = effects_.log.write();
  if (!written) {
    failed_ = true;
    return fail_everything();
  }
  count("talla_groups_total");
  count("talla_records_total", static_cast<double>(written->records));
  flights_.push_back({written->number, reset, std::exchange(finished_, {}), std::exchange(plain_, {}),
                      std::exchange(pending_draws_, {}), changed_people()});
  if (syncs_) return syncs_->ask();
  while (!flights_.empty() && (flights_.size() >= flights_max_ || !work_waits())) await_landing();
}

/// Something to be done before the next groups are durable.
bool Service::Core::work_waits() {
  const std::scoped_lock lock(mutex_);
  return !queue_.empty() || !due_draws_.empty();
}

void Service::Core::await_landing() {
  const auto begin_ns = effects_.clock.monotonic_ns();
  if (syncs_) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return landed_; });
  } else {
    const bool good = effects_.log.sync().has_value();  // a failure latches the log
    pace_.sync_took(effects_.clock.monotonic_ns() - begin_ns);
    if (good) static_cast<void>(effects_.log.tidy());
  }
  waited_ns_ += effects_.clock.monotonic_ns() - begin_ns;
  land();
}

void Service::Core::await_all() {
  while (!failed_ && !flights_.empty()) await_landing();
}

void Service::Core::land() {
  {
    const std::scoped_lock lock(mutex_);
    landed_ = false;
  }
  if (syncs_) pace_.sync_took(syncs_->last_ns());
  const bool latched = effects_.log.latched();
  const auto durable = effects_.log.ledger().durable_groups();
  std::size_t answered = 0;
  bool reset = false;
  while (!flights_.empty() && flights_.front().number <= durable) {
    Flight flight = std::move(flights_.front());
    flights_.pop_front();
    landed_one_ = true;
    if (!effects_.log.settle(flight.number)) {
      flights_.push_front(std::move(flight));
      failed_ = true;
      return fail_everything();
    }
    finish_rotation();  // the next checkpoint is the new key's
    if (failed_) return fail_everything();
    gather_until_ns_ = effects_.clock.monotonic_ns() + pace_.sync_ns() / gather_part;
    answered += flight.finished.size();
    reset = reset || flight.reset;
    std::move(flight.draws.begin(), flight.draws.end(), std::back_inserter(due_draws_));
    if (flight.people) publish_people(std::move(*flight.people));
    give_answers(std::move(flight));
    events_.wake_all();
  }
  if (answered > 0) answered_ = answered;
  if (reset) begin_due_reset();
  if (!latched) return;  // also without a group in the air: a copy of the write-ahead log that failed
  failed_ = true;
  fail_everything();
}

void Service::Core::give_answers(Flight flight) {
  for (const auto& reply : flight.finished) {
    auto node = running_.extract(reply.id);
    if (node.empty()) continue;
    Reply out;
    if (auto body = effects_.log.reply_body(reply)) {
      out.status = reply.status;
      out.body = std::move(*body);
    } else {
      out = problem_reply(Refusal(body.error()));
    }
    for (auto& one : node.mapped().answers) one(out);
  }
  answer(std::move(flight.plain));
}

void Service::Core::answer(std::vector<PlainReply> replies) {
  for (auto& plain : replies) plain.answer(std::move(plain.reply));
}

Reply Service::Core::failed_reply() const {
  return problem_reply(Error(Errc::ledger_failed, "nothing of this request is known to be done; ask again"));
}

void Service::Core::fail_everything() {
  finished_.clear();
  pending_draws_.clear();
  due_draws_.clear();
  held_draws_.clear();
  auto running = std::exchange(running_, {});
  for (auto& [id, one] : running) {
    for (auto& reply : one.answers) reply(failed_reply());
  }
  for (auto& flight : std::exchange(flights_, {})) {
    for (auto& plain : flight.plain) plain.answer(failed_reply());
  }
  for (auto& plain : std::exchange(plain_, {})) plain.answer(failed_reply());
  std::deque<Waiting> waiting = std::exchange(deferred_, {});
  {
    const std::scoped_lock lock(mutex_);
    for (auto& one : std::exchange(queue_, {})) waiting.push_back(std::move(one));
  }
  for (auto& one : waiting) one.answer(failed_reply());
  refuse_challenges(failed_reply());
}

}  // namespace talla::core

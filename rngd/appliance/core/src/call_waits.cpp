// Who waits until a call has ended.
#include "call_waits.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "operations.hpp"
#include "problem.hpp"
#include "questions.hpp"
#include "sight.hpp"

namespace talla::core {

bool CallWaits::answer(const Admitted& asked, Answer& answer) {
  const auto& route = asked.route;
  const auto* question = std::get_if<Question>(&route.operation->handler);
  if (question == nullptr || *question != &Questions::call) return false;
  const auto seq = parse_number(route.argument("call"), json::integer_max);
  if (!seq) return false;
  const auto& client = asked.request.client;
  if (const auto posted = board_.find(*seq)) {
    if (!views_.shown_to(client, posted->call->core.table)) return false;
    const auto wait = number_of(route, "wait", 0);
    if (wait == 0 || !park(*seq, client, wait, answer)) answer(views_.reply(views_.made(*seq)));
    return true;
  }
  auto ended = views_.made(*seq);
  if (!ended || !views_.shown_to(client, ended->record.table)) return false;
  answer(views_.reply(std::move(ended)));
  return true;
}

bool CallWaits::park(std::uint64_t call, const Client& client, std::int64_t seconds,
                     Answer& answer) {
  const auto until_ns = appliance_.effects.clock.monotonic_ns() + seconds * 1'000'000'000;
  const std::scoped_lock lock(mutex_);
  // Looked up under the lock: an end that the board has already is behind `on_durable`.
  if (closed_ || waits_.size() >= most || !board_.find(call)) return false;
  auto& count = of_client_[client.id];
  if (count >= most_of_one) return false;
  ++count;
  next_ns_ = waits_.empty() ? until_ns : std::min(next_ns_, until_ns);
  waits_.emplace(call, Wait{client, until_ns, std::move(answer)});
  return true;
}

void CallWaits::forget_one(const std::string& client) {
  const auto found = of_client_.find(client);
  if (found != of_client_.end() && --found->second == 0) of_client_.erase(found);
}

void CallWaits::tell_next(Waits::iterator wait) {
  forget_one(wait->second.client.id);
  over_.insert(waits_.extract(wait));
}

void CallWaits::tell_over() {
  Waits over;
  {
    const std::scoped_lock lock(mutex_);
    over = std::exchange(over_, {});
  }
  std::optional<Reply> reply;
  std::uint64_t of = 0;
  for (auto& [call, wait] : over) {
    if (!reply || of != call) reply = views_.reply(views_.made(call));
    of = call;
    const auto& invitation = wait.client.invitation;
    // It may have ended meanwhile.
    const bool shown = !invitation || views_.shown_to(wait.client, invitation->table);
    wait.answer(shown ? *reply : problem_reply(Refusal(not_found("call").value())));
  }
}

void CallWaits::start_thread() {
  thread_ = std::make_unique<Aside>([this] { tell_over(); });
}

void CallWaits::end() {
  thread_.reset();
  {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    while (!waits_.empty()) tell_next(waits_.begin());
  }
  tell_over();
}

void CallWaits::fail(const Reply& reply) {
  Waits all;
  {
    const std::scoped_lock lock(mutex_);
    while (!waits_.empty()) tell_next(waits_.begin());
    all = std::exchange(over_, {});
  }
  for (auto& [call, wait] : all) wait.answer(reply);
}

void CallWaits::on_turn() {
  const auto now_ns = appliance_.effects.clock.monotonic_ns();
  {
    const std::scoped_lock lock(mutex_);
    if (waits_.empty() || now_ns < next_ns_) return;
    next_ns_ = std::numeric_limits<std::int64_t>::max();
    for (auto it = waits_.begin(); it != waits_.end();) {
      const auto wait = it++;
      if (wait->second.until_ns > now_ns) {
        next_ns_ = std::min(next_ns_, wait->second.until_ns);
      } else {
        tell_next(wait);
      }
    }
  }
  told_now();
}

void CallWaits::on_durable(std::uint64_t /*group*/) {
  const auto ended = board_.take_ended();
  if (ended.empty()) return;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto call : ended) {
      for (auto it = waits_.find(call); it != waits_.end(); it = waits_.find(call)) tell_next(it);
    }
    if (over_.empty()) return;
  }
  told_now();
}

void CallWaits::told_now() {
  if (thread_) return thread_->ask();
  tell_over();
}

}  // namespace talla::core

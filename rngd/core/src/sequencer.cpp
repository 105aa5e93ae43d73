#include <algorithm>

#include "base/check.hpp"
#include "core.hpp"
#include "format/domain.hpp"

namespace talla::core {
namespace {

constexpr auto idle_wait = std::chrono::milliseconds(50);
/// Part of a commit's time that the next group waits for company.
constexpr std::int64_t gather_part = 8;
constexpr auto asleep = static_cast<std::size_t>(-1);

/// The path without its query: what an idempotency key is bound to.
std::string plain_path(const std::string& path) {
  return path.substr(0, path.find('?'));
}

std::optional<certs::Client> author_client(const Client& client) {
  certs::Client author;
  author.id = client.id;
  if (const auto spki = digest_from_hex(client.spki)) author.spki = *spki;
  return author;
}

}  // namespace

void Service::Core::count(const std::string& name, double by) {
  const std::scoped_lock lock(metrics_mutex_);
  counters_[name] += by;
}

void Service::Core::submit(Request request, Answer answer) {
  if (auto reply = proof_query(request)) return answer(std::move(*reply));
  std::optional<Errc> refused;
  bool wake = false;
  {
    const std::scoped_lock lock(mutex_);
    if (failed_) {
      refused = Errc::ledger_failed;
    } else if (stopping_) {
      refused = Errc::stopping;
    } else if (queue_.size() >= settings_.queue_max) {
      refused = Errc::too_busy;
    } else {
      queue_.push_back({std::move(request), std::move(answer)});
      wake = queue_.size() >= wake_at_;
    }
  }
  if (refused) {
    answer(problem_reply(Error(*refused, "try again later")));
    return;
  }
  if (wake) wake_.notify_one();
}

void Service::Core::gather(std::unique_lock<std::mutex>& lock) {
  const auto left_ns = gather_until_ns_ - effects_.clock.monotonic_ns();
  if (left_ns <= 0 || queue_.size() >= answered_) return;
  wake_at_ = answered_;
  wake_.wait_for(lock, std::chrono::nanoseconds(left_ns),
                 [this] { return stopping_ || queue_.size() >= answered_; });
  wake_at_ = asleep;
}

std::deque<Service::Core::Waiting> Service::Core::take() {
  auto items = std::exchange(deferred_, {});
  std::unique_lock lock(mutex_);
  gather(lock);
  while (!queue_.empty() && items.size() < settings_.group_max) {
    items.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  return items;
}

bool Service::Core::turn() {
  if (failed_) {
    fail_everything();
    return false;
  }
  watch_clock();
  watch_reset();
  complete_draws();
  expire_batches();
  expire_acts();
  auto items = take();
  const bool busy = !items.empty() || !effects_.log.group().empty();
  for (auto& item : items) handle(std::move(item));
  commit_group();
  begin_due_reset();
  keep_house();
  if (!failed_) ++turns_;
  return busy;
}

std::optional<Reply> Service::Core::turned_away(const Request& request, const Result<Route>& route) {
  count("talla_requests_total");
  if (!route) return problem_reply(Refusal(route.error()));
  const auto& client = request.client;
  if (client.id.empty() || !may(client.roles, route->row->operation)) {
    return problem_reply(Error(Errc::forbidden, "no role of this client may do this"));
  }
  if (!rate_limit_.take(client.id, effects_.clock.monotonic_ns())) {
    return problem_reply(Error(Errc::too_many_requests, "slow down"));
  }
  return std::nullopt;
}

void Service::Core::handle(Waiting waiting) {
  const auto route = find_route(waiting.request.method, waiting.request.path);
  if (!waiting.admitted) {
    if (auto reply = turned_away(waiting.request, route))
      return answer_now(std::move(waiting.answer), std::move(*reply));
    waiting.admitted = true;
  }
  if (route->row->method == "GET") {
    auto reply = query(waiting.request, *route);
    return answer_now(std::move(waiting.answer), std::move(reply));
  }
  command(std::move(waiting), *route);
}

bool Service::Core::known_key(Waiting& waiting, const certs::ReplyKey& id, const Digest& digest) {
  const auto other = [&] {
    answer_now(std::move(waiting.answer),
               problem_reply(Error(Errc::key_reused, "this key belongs to another request")));
    return true;
  };
  if (const auto found = running_.find(id); found != running_.end()) {
    if (found->second.request != digest) return other();
    found->second.answers.push_back(std::move(waiting.answer));
    return true;
  }
  const auto stored = effects_.log.stored_reply(id);
  if (!stored) {
    answer_now(std::move(waiting.answer), problem_reply(Refusal(stored.error())));
    return true;
  }
  if (!stored->has_value()) return false;
  if ((*stored)->request != digest) return other();
  auto body = effects_.log.reply_body(**stored);
  if (!body) {
    answer_now(std::move(waiting.answer), problem_reply(Refusal(body.error())));
    return true;
  }
  Reply reply;
  reply.status = (*stored)->status;
  reply.body = std::move(*body);
  answer_now(std::move(waiting.answer), std::move(reply));
  return true;
}

void Service::Core::command(Waiting waiting, const Route& route) {
  const auto& request = waiting.request;
  const auto refuse_now = [&](const Refusal& refusal) {
    count("talla_refusals_total{code=\"" + std::string(refusal.error.code) + "\"}");
    answer_now(std::move(waiting.answer), problem_reply(refusal));
  };
  const bool keyed = route.row->makes_record;
  if (keyed && request.idempotency_key.empty()) {
    return refuse_now(Error(Errc::key_missing, "send a fresh Idempotency-Key with this request"));
  }
  if (keyed && !certs::idempotency_key_valid(request.idempotency_key)) {
    return refuse_now(Error(Errc::key_malformed, "1 to 64 characters of A-Z a-z 0-9 . _ -"));
  }
  const auto digest = certs::request_digest(context_.hashes, request.method, request.path, request.body);
  const certs::ReplyKey id{request.client.id, request.method, plain_path(request.path),
                           request.idempotency_key};
  if (keyed && known_key(waiting, id, digest)) return;
  const auto body =
      json::parse(request.body.empty() ? std::string_view("{}") : std::string_view(request.body));
  if (!body) return refuse_now(Error(Errc::malformed_request, body.error().text()));
  if (!body->is_object()) return refuse_now(Error(Errc::malformed_request, "the body must be a JSON object"));

  Author author{author_client(request.client), keyed ? request.idempotency_key : std::string(), {}};
  if (keyed) author.request = digest;
  Transaction tx(tx_effects(), world_, std::move(author));
  const Call call{parts_, tx, request.client, *body};
  auto outcome = run_command(call, route);
  if (!outcome) {
    if (!outcome.error().defer) return refuse_now(outcome.error().refusal);
    deferred_.push_back(std::move(waiting));
    return;
  }
  const auto seqs = tx.seqs();
  tx.keep();
  count("talla_commands_total{operation=\"" + std::string(route.row->id) + "\"}");
  if (!keyed) {
    Reply reply;
    reply.status = outcome->status;
    reply.body = json::canonical(json::Value(std::move(outcome->body)));
    return answer_now(std::move(waiting.answer), std::move(reply));
  }
  auto& running = running_[id];
  running.request = digest;
  running.answers.push_back(std::move(waiting.answer));
  if (!outcome->waits_for_intent) return store_reply(id, digest, outcome->status, outcome->body, seqs);
  const auto batch = certs::object_seq("batch", body->find("batch")->string());
  TALLA_CHECK(batch.has_value());
  pending_draws_.push_back({*batch, *outcome->waits_for_intent, id.path});
}

Outcome Service::Core::run_command(const Call& call, const Route& route) {
  switch (route.row->operation) {
    case Operation::open_table:
      return open_table(call);
    case Operation::close_table:
      return close_table(call, route.argument("table"));
    case Operation::new_shoe:
      return new_shoe(call, route.argument("table"));
    case Operation::cut_shoe:
      return cut_shoe(call, route.argument("shoe"));
    case Operation::recommit_shoe:
      return recommit_shoe(call, route.argument("shoe"));
    case Operation::deal:
      return deal_cards(call, route.argument("shoe"));
    case Operation::open_card:
      return open_card(call, route.argument("shoe"));
    case Operation::close_shoe:
      return close_shoe(call, route.argument("shoe"));
    case Operation::new_round:
      return new_round(call, route.argument("table"));
    case Operation::bets:
      return put_bets(call, route.argument("round"));
    case Operation::close_bets:
      return close_bets(call, route.argument("round"));
    case Operation::action:
      return act(call, route.argument("round"));
    case Operation::misdeal:
      return misdeal(call, route.argument("round"));
    case Operation::new_batch:
      return new_batch(call, route.argument("table"));
    case Operation::draw:
      return start_draw(call);
    case Operation::ask_act:
      return ask_act(call);
    case Operation::confirm_act:
      return confirm_act(call, route.argument("act"));
    case Operation::withdraw_act:
      return withdraw_act(call, route.argument("act"));
    case Operation::latch_generator:
      return latch_generator(call);
    default:
      break;
  }
  return refuse(Errc::method_not_allowed, "not a command");
}

void Service::Core::store_reply(const certs::ReplyKey& id, const Digest& digest, int status,
                                const json::Object& body, const std::vector<std::uint64_t>& seqs) {
  certs::StoredReply reply{id, digest, status, json::canonical(json::Value(body)), seqs};
  effects_.log.group().replies.push_back(reply);
  finished_.push_back(std::move(reply));
}

void Service::Core::complete_draws() {
  auto due = std::exchange(held_draws_, {});
  for (auto& pending : std::exchange(pending_draws_, {})) due.push_back(std::move(pending));
  for (const auto& pending : due) {
    if (!answer_voided(pending) && !hold(pending)) complete_one(pending);
  }
}

void Service::Core::complete_one(const PendingDraw& pending) {
  const auto& intent = world_.batches.at(pending.batch).open_intents.at(pending.intent);
  const certs::ReplyKey id{intent.client ? intent.client->id : std::string(), "POST", pending.path,
                           intent.key};
  const auto digest = intent.request.value_or(Digest{});
  Transaction tx(tx_effects(), world_, {intent.client, intent.key, intent.request});
  auto body = complete_draw(parts_, tx, pending.batch, pending.intent);
  if (!body) {
    // The INTENT stays open; a restart completes it with its committed secret.
    count("talla_draw_failures_total");
    failed_ = true;
    return;
  }
  auto seqs = tx.seqs();
  seqs.insert(seqs.begin(), pending.intent);
  tx.keep();
  count("talla_draws_total");
  store_reply(id, digest, 200, *body, seqs);
}

void Service::Core::expire_batches() {
  const auto now = effects_.clock.utc_us();
  for (const auto& [seq, batch] : world_.batches) {
    const bool used = batch.progress.next == batch.commit.count && batch.open_intents.empty();
    if (batch.closed || !batch.secrets || (!used && now < batch.commit.expires_us)) continue;
    Transaction tx(tx_effects(), world_, {});
    const auto reason = used ? certs::BatchCloseReason::used : certs::BatchCloseReason::expired;
    if (add_batch_close(tx, seq, reason)) tx.keep();
  }
}

void Service::Core::commit_group() {
  if (effects_.log.group().empty() && finished_.empty()) {
    return failed_ ? fail_everything() : give_answers();
  }
  stage_resume_points(false);
  const auto before = effects_.log.size();
  const auto begin_ns = effects_.clock.monotonic_ns();
  const auto committed =
      failed_ ? Result<certs::Committed>(fail(Errc::ledger_failed, "stopped")) : effects_.log.commit();
  if (!committed) {
    failed_ = true;
    return fail_everything();
  }
  count("talla_groups_total");
  count("talla_records_total", static_cast<double>(effects_.log.size() - before));
  const auto end_ns = effects_.clock.monotonic_ns();
  gather_until_ns_ = end_ns + (end_ns - begin_ns) / gather_part;
  answered_ = finished_.size();
  give_answers();
  prune();
  events_.wake_all();
}

void Service::Core::give_answers() {
  for (const auto& reply : std::exchange(finished_, {})) {
    auto node = running_.extract(reply.id);
    if (node.empty()) continue;
    Reply out;
    if (auto body = effects_.log.reply_body(reply)) {
      out.status = reply.status;
      out.body = std::move(*body);
    } else {
      out = problem_reply(Refusal(body.error()));
    }
    for (auto& answer : node.mapped().answers) answer(out);
  }
  for (auto& plain : std::exchange(plain_, {})) plain.answer(std::move(plain.reply));
}

Reply Service::Core::failed_reply() const {
  return problem_reply(Error(Errc::ledger_failed, "nothing of this request is known to be done; ask again"));
}

void Service::Core::fail_everything() {
  finished_.clear();
  pending_draws_.clear();
  held_draws_.clear();
  auto running = std::exchange(running_, {});
  for (auto& [id, one] : running) {
    for (auto& answer : one.answers) answer(failed_reply());
  }
  for (auto& plain : std::exchange(plain_, {})) plain.answer(failed_reply());
  std::deque<Waiting> waiting = std::exchange(deferred_, {});
  {
    const std::scoped_lock lock(mutex_);
    for (auto& one : std::exchange(queue_, {})) waiting.push_back(std::move(one));
  }
  for (auto& one : waiting) one.answer(failed_reply());
}

void Service::Core::prune() {
  std::erase_if(world_.rounds, [](const auto& item) { return item.second.ended; });
  std::erase_if(world_.shoes, [](const auto& item) { return !item.second.live(); });
  std::erase_if(world_.batches,
                [](const auto& item) { return item.second.closed && item.second.open_intents.empty(); });
  std::erase_if(world_.tables, [](const auto& item) { return item.second.closed; });
  prune_acts(world_);
  std::erase_if(resume_points_, [this](const auto& item) { return !world_.tables.contains(item.first); });
}

void Service::Core::start() {
  TALLA_CHECK(!thread_.joinable());
  thread_ = std::thread([this] { run(); });
}

void Service::Core::run() {
  for (;;) {
    const bool busy = turn();
    std::unique_lock lock(mutex_);
    if (failed_ && queue_.empty() && stopping_) return;
    const bool idle = queue_.empty() && deferred_.empty() && pending_draws_.empty();
    if (stopping_ && idle && !busy) return;
    if (!idle && !failed_) continue;
    wake_at_ = 1;
    wake_.wait_for(lock, idle_wait, [this] { return !queue_.empty() || stopping_; });
    wake_at_ = asleep;
  }
}

void Service::Core::run_until_idle() {
  for (;;) {
    const bool busy = turn();
    const std::scoped_lock lock(mutex_);
    if (failed_) return;
    if (!busy && queue_.empty() && deferred_.empty() && pending_draws_.empty()) return;
  }
}

void Service::Core::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  } else if (!ended_) {
    run_until_idle();
  }
  if (std::exchange(ended_, true) || failed_) return;
  Transaction tx(tx_effects(), world_, {});
  if (!tx.add({certs::Kind::power, {}, {}, json::Object{{"event", "stop"}}})) return;
  tx.keep();
  stage_resume_points(true);
  commit_group();
  if (!failed_) static_cast<void>(effects_.log.write_anchor());
  if (effects_.tiles != nullptr) static_cast<void>(effects_.tiles->update());
}

}  // namespace talla::core

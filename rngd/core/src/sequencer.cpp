#include <algorithm>

#include "base/check.hpp"
#include "core.hpp"
#include "format/domain.hpp"

namespace talla::core {
namespace {

constexpr auto idle_wait = std::chrono::milliseconds(50);

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
  if (software_challenge(request, answer)) return;
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

std::deque<Service::Core::Waiting> Service::Core::take() {
  auto items = std::exchange(deferred_, {});
  std::unique_lock lock(mutex_);
  flights_max_ = pace_.groups(waiting());
  gather(lock);
  for (auto room = group_room(); !queue_.empty() && room > 0; --room) {
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
  if (settings_.ended) return turn_ended();
  const auto begin_ns = effects_.clock.monotonic_ns();
  waited_ns_ = 0;
  land();
  watch_clock();
  watch_reset();
  record_refused();
  record_software();
  const auto drawn = complete_draws();
  expire_batches();
  expire_acts();
  keep_config();
  auto items = take();
  const bool busy = !items.empty() || !effects_.log.group().empty();
  const auto commands = items.size() + drawn;
  for (auto& item : items) handle(std::move(item));
  const bool rotating = prepare_rotation();
  commit_group();
  prune();
  if (!busy || ++busy_turns_ % house_every == 0) keep_house();
  pace_.turn_took(effects_.clock.monotonic_ns() - begin_ns - waited_ns_, commands);
  if (!failed_ && (flights_.empty() || std::exchange(landed_one_, false)))
    ++turns_;  // a disk that hangs holds them
  return busy || rotating;
}

/// Of a log that has ended: questions and known replies. What would have made a record is dropped.
bool Service::Core::turn_ended() {
  static_cast<void>(effects_.supply.take_events());
  if (effects_.monitors != nullptr) static_cast<void>(effects_.monitors->take_reports());
  if (effects_.software != nullptr) static_cast<void>(effects_.software->take_checks());
  {
    const std::scoped_lock lock(mutex_);
    refused_.clear();
  }
  auto items = take();
  const bool busy = !items.empty();
  for (auto& item : items) handle(std::move(item));
  TALLA_CHECK(effects_.log.group().empty() && finished_.empty());
  commit_group();  // answers
  keep_house();
  if (!failed_) ++turns_;
  return busy;
}

Error Service::Core::ended_error() const {
  return {Errc::log_ended, "the root ended this log with " + std::to_string(settings_.ended->size) +
                               " records (" + settings_.ended->reason + "): nothing is added to it any more"};
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
    await_all();  // questions see what is durable, and beyond it their own group at most
    auto reply = failed_ ? failed_reply() : query(waiting.request, *route);
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
  if (settings_.ended) return refuse_now(ended_error());
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
  if (!outcome->waits_for_intent)
    return store_reply(id, digest, outcome->status, std::move(outcome->body), seqs);
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
    case Operation::open_meter:
      return open_meter(call);
    case Operation::close_meter:
      return close_meter(call, route.argument("meter"));
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
    case Operation::release_shoe:
      return release_shoe(call, route.argument("shoe"));
    case Operation::next_target:
      return next_target(call, route.argument("shoe"));
    case Operation::report_shuffle:
      return report_shuffle(call, route.argument("shoe"));
    case Operation::ask_openings:
      return ask_openings(call, route.argument("shoe"));
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
    case Operation::confirm_hand:
      return confirm_hand(call, route.argument("round"));
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
    case Operation::test_generator:
      return test_generator(call);
    default:
      break;
  }
  return refuse(Errc::method_not_allowed, "not a command");
}

void Service::Core::store_reply(const certs::ReplyKey& id, const Digest& digest, int status,
                                json::Object body, const std::vector<std::uint64_t>& seqs) {
  certs::StoredReply reply{id, digest, status, json::canonical(json::Value(std::move(body))), seqs};
  effects_.log.group().replies.push_back(reply);
  finished_.push_back(std::move(reply));
}

std::size_t Service::Core::complete_draws() {
  auto due = std::exchange(held_draws_, {});
  for (auto& pending : std::exchange(due_draws_, {})) due.push_back(std::move(pending));
  std::size_t completed = 0;
  for (const auto& pending : due) {
    if (answer_voided(pending) || hold(pending)) continue;
    complete_one(pending);
    ++completed;
  }
  return completed;
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
  store_reply(id, digest, 200, std::move(*body), seqs);
}

void Service::Core::expire_batches() {
  const auto now = effects_.clock.utc_us();
  if (now < world_.batch_due_us) return;
  auto next_us = never_us;
  for (const auto& [seq, batch] : world_.batches) {
    if (!batch.secrets) continue;
    if (now < due_us(batch)) {
      next_us = std::min(next_us, due_us(batch));
      continue;
    }
    Transaction tx(tx_effects(), world_, {});
    const auto reason = is_used(batch) ? certs::BatchCloseReason::used : certs::BatchCloseReason::expired;
    if (add_batch_close(tx, seq, reason)) {
      tx.keep();
    } else {
      next_us = 0;  // again in the next turn
    }
  }
  world_.batch_due_us = next_us;
}

void Service::Core::prune() {
  if (!std::exchange(world_.any_over, false)) return;
  const auto over = [](const auto& item) { return is_over(item.second); };
  std::erase_if(world_.rounds, over);
  std::erase_if(world_.shoes, over);
  std::erase_if(world_.batches, over);
  std::erase_if(world_.tables, over);
  std::erase_if(world_.meters, over);
  prune_acts(world_);
  std::erase_if(resume_points_, [this](const auto& item) { return !world_.tables.contains(item.first); });
}

void Service::Core::start() {
  TALLA_CHECK(!thread_.joinable());
  const auto ended = [this] {
    {
      const std::scoped_lock lock(mutex_);
      landed_ = true;
    }
    wake_.notify_one();
  };
  syncs_ = std::make_unique<Syncs>(effects_.log, effects_.clock,
                                   std::max<std::size_t>(settings_.syncs_at_once, 1), ended);
  if (effects_.tiles != nullptr) tiles_aside_ = std::make_unique<Aside>([this] { write_tiles(); });
  thread_ = std::thread([this] { run(); });
}

void Service::Core::run() {
  for (;;) {
    const bool busy = turn();
    std::unique_lock lock(mutex_);
    if (failed_ && queue_.empty() && stopping_) return;
    const bool stuck =
        deferred_.empty() || !flights_.empty();  // what is deferred waits for a group in the air
    const bool idle = queue_.empty() && due_draws_.empty() && !landed_ && stuck;
    if (stopping_ && idle && !busy && flights_.empty()) return;
    if (!idle && !failed_) continue;
    wake_at_ = 1;
    wake_.wait_for(lock, idle_wait,
                   [this] { return !queue_.empty() || landed_ || (stopping_ && flights_.empty()); });
    wake_at_ = asleep;
  }
}

void Service::Core::run_until_idle() {
  for (;;) {
    const bool busy = turn();
    const std::scoped_lock lock(mutex_);
    if (failed_) return;
    if (!busy && queue_.empty() && deferred_.empty() && due_draws_.empty()) return;
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
    syncs_.reset();
    tiles_aside_.reset();
  } else if (!ended_) {
    run_until_idle();
  }
  refuse_challenges(
      problem_reply(Error(Errc::stopping, "the appliance is stopping")));  // since the last turn
  if (std::exchange(ended_, true) || failed_ || settings_.ended) return;
  Transaction tx(tx_effects(), world_, {});
  if (!tx.add({certs::Kind::power, {}, {}, json::Object{{"event", "stop"}}})) return;
  tx.keep();
  stage_resume_points(true);
  commit_group();
  if (!failed_) static_cast<void>(effects_.log.write_anchor());
  if (effects_.tiles != nullptr) static_cast<void>(effects_.tiles->update());
}

}  // namespace talla::core

#include "witness/witness_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "verify/botan_hashes.hpp"

namespace talla::rngd {
namespace {

constexpr std::int64_t retry_ms_max = 300'000;
constexpr int start_attempts = 3;  // a network that is just coming up

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

bool second_history(const Error& error) {
  return error.is(certs::Errc::ledger_shorter) || error.is(certs::Errc::ledger_different);
}

}  // namespace

WitnessKeeper::WitnessKeeper(Options options, Events events)
    : options_(std::move(options)),
      events_(std::move(events)),
      store_(options_.store_path, options_.origin) {
  for (const WitnessEndpoint& endpoint : options_.witnesses) {
    Member member;
    member.peer =
        std::make_unique<WitnessPeer>(endpoint, options_.origin, options_.timeout_seconds);
    members_.push_back(std::move(member));
  }
}

WitnessKeeper::~WitnessKeeper() {
  stop();
}

Result<std::uint64_t> WitnessKeeper::compare(certs::Prover& prover, const Terms& terms) {
  const std::scoped_lock lock(send_mutex_);
  prover_ = &prover;
  TALLA_TRY_STATUS(store_.load());
  for (const CosignedNote& kept : store_.notes()) {
    TALLA_TRY(const certs::SignedCheckpoint head, certs::parse_cosigned_checkpoint(kept.note));
    TALLA_TRY_STATUS(certs::compare_with_anchor(prover, terms.origin,
                                                {.origin = head.checkpoint.origin,
                                                 .size = head.checkpoint.size,
                                                 .root = head.checkpoint.root}));
  }
  for (Member& member : members_) {
    const auto known = store_.size_of(certs::format_verifier_key(member.peer->key()));
    if (known && !terms.adopt) member.peer->know(*known);
  }
  if (prover.size() == 0) return 0;
  std::size_t cosigned = 0;
  for (int attempt = 0; attempt < start_attempts; ++attempt) {
    if (attempt > 0) std::this_thread::sleep_for(std::chrono::seconds(1));
    TALLA_TRY(cosigned, round(true));
    if (cosigned >= options_.answers_at_start || terms.adopt) return 0;
  }
  return fail(certs::Errc::anchor_unreachable,
              fmt::format("{} of {} witnesses have cosigned this log's present size, {} must; "
                          "nothing shows that it is "
                          "not an older copy",
                          cosigned, members_.size(), options_.answers_at_start));
}

Status WitnessKeeper::write(const certs::AnchorState& state) {
  if (state.size == 0 || written_size_ >= state.size) return {};
  const std::scoped_lock lock(send_mutex_);
  TALLA_TRY(const std::size_t cosigned, round(true));
  if (cosigned > 0 || options_.answers_at_start == 0) return {};
  return fail(certs::Errc::anchor_unreachable, "no witness has cosigned the present size");
}

void WitnessKeeper::post(const certs::AnchorState& state) {
  static_cast<void>(state);
  {
    const std::scoped_lock lock(mutex_);
    posted_ = true;
  }
  wake_.notify_all();
}

void WitnessKeeper::start(std::function<void()> second_history) {
  second_history_ = std::move(second_history);
  thread_ = std::thread([this] { run(); });
}

void WitnessKeeper::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WitnessKeeper::run() {
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, std::chrono::milliseconds(options_.interval_ms),
                     [this] { return stopping_ || posted_; });
      if (stopping_) return;
      posted_ = false;
    }
    const std::scoped_lock lock(send_mutex_);
    const auto cosigned = round(false);
    if (cosigned || !second_history(cosigned.error())) continue;
    events_.say("second_history", cosigned.error().text());
    if (second_history_) second_history_();
    return;
  }
}

Result<std::size_t> WitnessKeeper::round(bool all) {
  PushedHead head;
  head.size = prover_->size();
  TALLA_TRY(head.note, prover_->checkpoint(head.size));
  std::size_t cosigned = 0;
  bool changed = false;
  for (Member& member : members_) {
    const bool done = member.size == head.size && head.size > 0;
    if (done) {
      ++cosigned;
      continue;
    }
    if (!all && now_ms() < member.retry_ms) continue;
    const Status pushed = push(member, head);
    if (pushed) {
      ++cosigned;
      changed = true;
      continue;
    }
    if (second_history(pushed.error())) return pass(Status(pushed));
  }
  if (changed) {
    if (const Status saved = store_.save(); !saved)
      events_.say("cosigned_not_saved", saved.error().text());
  }
  return cosigned;
}

Status WitnessKeeper::push(Member& member, const PushedHead& head) {
  const std::string name = member.peer->key().name;
  const auto line = member.peer->push(*prover_, head);
  if (line) {
    store_.add(certs::format_verifier_key(member.peer->key()), head.size, head.note, *line);
    const std::scoped_lock lock(metrics_mutex_);
    if (member.failed_rounds > 0) events_.say("witness_back", name);
    member.failed_rounds = 0;
    member.retry_ms = 0;
    member.size = head.size;
    ++member.cosigned;
    written_size_ = std::max(written_size_.load(), head.size);
    return {};
  }
  failed(member, line.error());
  const bool starting = !thread_.joinable();
  if (line.error().is(WitnessErrc::ahead) && (starting || proven_second_history(member)))
    return fail(certs::Errc::ledger_shorter, "witness " + name + ": " + line.error().detail);
  if (line.error().is(WitnessErrc::different) && (starting || proven_second_history(member)))
    return fail(certs::Errc::ledger_different, "witness " + name + ": " + line.error().detail);
  return fail(certs::Errc::anchor_unreachable, "witness " + name + ": " + line.error().text());
}

void WitnessKeeper::failed(Member& member, const Error& error) {
  ++failures_;
  const std::scoped_lock lock(metrics_mutex_);
  if (member.failed_rounds == 0 || !error.is(WitnessErrc::unreachable))
    events_.say("witness_failed", member.peer->key().name + ": " + error.text());
  ++member.failures;
  if (error.is(WitnessErrc::ahead) || error.is(WitnessErrc::different) ||
      error.is(WitnessErrc::forgot))
    ++member.conflicts;
  member.failed_rounds = std::min(member.failed_rounds + 1, 10U);
  const std::int64_t pause = options_.interval_ms << member.failed_rounds;
  member.retry_ms = now_ms() + std::min(pause, retry_ms_max);
}

bool WitnessKeeper::proven_second_history(Member& member) {
  const auto served = member.peer->served_checkpoint(hashes_);
  const auto note = served ? certs::parse_note(*served)
                           : Result<certs::SignedNote>(fail(WitnessErrc::unreachable, ""));
  if (!note) return false;
  const auto head = certs::parse_checkpoint_text(note->text);
  const auto keys = prover_->public_keys();  // one that was rotated meanwhile has signed it, too
  const bool own = std::any_of(keys.begin(), keys.end(), [&](const Digest& key) {
    const auto verifier =
        certs::make_verifier_key(hashes_, options_.origin, certs::KeyType::log, key);
    return certs::check_log_signature(*note, verifier, certs::BotanEd25519()) ==
           certs::Signed::valid;
  });
  if (!head || !own) return false;
  if (head->size > prover_->size()) return true;
  const auto root = prover_->root(head->size);
  return root && *root != head->root;
}

void WitnessKeeper::add_metrics(std::map<std::string, double>& counters,
                                std::map<std::string, double>& gauges) const {
  const std::scoped_lock lock(metrics_mutex_);
  for (const Member& member : members_) {
    const std::string label = "{witness=\"" + member.peer->key().name + "\"}";
    gauges["talla_witness_size" + label] = static_cast<double>(member.size);
    counters["talla_witness_cosigned_total" + label] = static_cast<double>(member.cosigned);
    counters["talla_witness_failures_total" + label] = static_cast<double>(member.failures);
    counters["talla_witness_conflicts_total" + label] = static_cast<double>(member.conflicts);
  }
}

}  // namespace talla::rngd

// The inside of the service: its parts, put together; how it starts and how it stops.
#include "core.hpp"

#include "approval.hpp"
#include "base/check.hpp"
#include "catalogues.hpp"
#include "ended.hpp"
#include "problem.hpp"
#include "restart.hpp"
#include "sealed.hpp"

namespace talla::core {

Service::Core::Core(Settings settings, Effects effects, std::unique_ptr<Catalogues> catalogues)
    : appliance_(std::move(settings), std::move(effects), std::move(catalogues)),
      parts_(make_parts()),
      events_(appliance_.effects.log.ledger()),
      queue_(appliance_.settings.queue_max),
      admission_(appliance_),
      replies_(appliance_),
      points_(appliance_),
      clock_(appliance_),
      latch_(appliance_, clock_),
      generator_(appliance_, latch_),
      enrolment_(appliance_),
      software_(appliance_, admission_, replies_),
      draws_(appliance_, parts_, replies_),
      expiry_(appliance_),
      configuration_(appliance_),
      keys_(appliance_, [this] { flights_.await_all(); }),
      disk_(appliance_),
      anchor_(appliance_),
      tiles_(appliance_),
      gauges_(appliance_),
      // SOFTWARE, CONFIG, KEY of the log and of clients follow each other in a start's records.
      duties_{&clock_,     &disk_,  &anchor_, &generator_, &software_, &configuration_, &keys_,
              &enrolment_, &draws_, &expiry_, &latch_,     &tiles_,    &gauges_},
      flights_(appliance_, {queue_, replies_, draws_, points_, events_, keys_, duties_}),
      questions_(appliance_, events_, software_, [this] { return ready(); }),
      proofs_(appliance_, admission_, events_, keys_),
      sequencer_(appliance_, {queue_, admission_, replies_, draws_, points_, flights_, keys_,
                              software_, questions_, duties_, parts_}) {}

Service::Core::~Core() {
  queue_.stop();
  if (thread_.joinable()) thread_.join();
}

Parts Service::Core::make_parts() {
  return {appliance_.settings,
          appliance_.effects.clock,
          appliance_.effects.hashes,
          appliance_.effects.supply,
          *appliance_.catalogues,
          [this](const std::string& client, const Bytes& nonce) -> Result<bool> {
            return appliance_.effects.log.nonce_used(client, nonce);
          },
          [this](const std::string& client, const std::string& object) {
            const auto state = appliance_.effects.log.ledger().object(object);
            return state && state->has_value() && events_.owned(client, object);
          },
          [this] { return commitments_allowed(); },
          [this] { return reset_allowed(); },
          [this](const std::string& object, std::uint64_t seq) {
            return unsealed(appliance_, object, seq);
          },
          [this](const std::string& shoe) { return openings_of(appliance_, shoe); },
          [this](const std::string& name) { appliance_.metrics.count(name); },
          [this]() -> Result<certs::LogKey> {
            TALLA_TRY(auto next, keys_.next_log_key());
            return std::move(next.log_key);
          },
          [this] { return appliance_.effects.log.anchor_lag(); },
          [this](const Digest& manifest) { return software_.update_possible(manifest); }};
}

Status Service::Core::begin() {
  Restart restart(appliance_, points_);
  TALLA_TRY_STATUS(restart.run());
  TALLA_TRY_STATUS(enrolment_.load());
  sequencer_.prune();
  TALLA_TRY_STATUS(latch_.load());
  if (appliance_.settings.ended) {
    enrolment_.publish();
    sequencer_.pause();
    return {};
  }
  // A live shoe or batch without its secret cannot go on as committed.
  if (secrets_lost(appliance_.world)) appliance_.effects.supply.latch(entropy::LatchReason::other);
  TALLA_TRY_STATUS(add_start_records());
  generator_.on_turn();
  TALLA_TRY_STATUS(latch_.end_interrupted());
  TALLA_TRY_STATUS(draws_.complete_found());
  flights_.commit();
  if (appliance_.failed())
    return fail(Errc::ledger_failed, "the first group could not be committed");
  enrolment_.publish();
  TALLA_TRY_STATUS(appliance_.effects.log.write_anchor());  // behind the KEY records of this start
  sequencer_.pause();
  return {};
}

Status Service::Core::add_start_records() {
  const auto& ledger = appliance_.effects.log.ledger();
  auto tx = appliance_.begin();
  json::Object power{{"event", "start"}, {"clean", is_clean_stop(ledger)}};
  TALLA_TRY_STATUS(tx.record({certs::Kind::power, {}, {}, std::move(power)}));
  TALLA_TRY_STATUS(latch_.record_standing(tx));
  for (auto* duty : duties_) TALLA_TRY_STATUS(duty->on_start(tx));
  keep_approvals(tx);
  tx.keep();
  return {};
}

void Service::Core::submit(Request request, Answer answer) {
  if (auto reply = proofs_.answer(request)) return answer(std::move(*reply));
  if (software_.challenged(request, answer)) return;
  const auto refused = appliance_.failed() ? Errc::ledger_failed : queue_.push(request, answer);
  if (refused) answer(problem_reply(Error(*refused, "try again later")));
}

void Service::Core::start() {
  TALLA_CHECK(!thread_.joinable());
  flights_.start_threads();
  tiles_.start_thread();
  thread_ = std::thread([this] { sequencer_.run(); });
}

void Service::Core::stop() {
  queue_.stop();
  if (thread_.joinable()) {
    thread_.join();
    flights_.stop_threads();
    tiles_.stop_thread();
  } else if (!stopped_) {
    sequencer_.run_until_idle();
  }
  // Since the last turn.
  software_.refuse_challenges(problem_reply(Error(Errc::stopping, "the appliance is stopping")));
  if (std::exchange(stopped_, true) || appliance_.failed() || appliance_.settings.ended) return;
  {
    auto tx = appliance_.begin();
    if (!tx.add({certs::Kind::power, {}, {}, json::Object{{"event", "stop"}}})) return;
    tx.keep();
  }
  points_.stage(true);
  flights_.commit();
  if (appliance_.failed()) return sequencer_.fail_everything();
  static_cast<void>(appliance_.effects.log.write_anchor());
  tiles_.finish();
}

Status Service::Core::commitments_allowed() const {
  for (const auto* duty : duties_) {
    if (auto error = duty->objection()) return tl::unexpected(std::move(*error));
  }
  return {};
}

Status Service::Core::reset_allowed() const {
  TALLA_TRY_STATUS(latch_.reset_possible());
  for (const auto* duty : duties_) {
    const auto cause = duty->cause();
    if (!cause.empty()) return fail(Errc::cause_persists, cause);
  }
  return {};
}

Readiness Service::Core::ready() const {
  Readiness state;
  const auto add = [&](Errc errc) { state.reasons.emplace_back(errc_name(errc)); };
  if (appliance_.failed()) add(Errc::ledger_failed);
  if (appliance_.settings.ended) {
    add(Errc::log_ended);
    return state;
  }
  for (const auto* duty : duties_) {
    if (const auto error = duty->objection()) state.reasons.emplace_back(error->code);
  }
  const auto& supply = appliance_.effects.supply;
  if (!latch_.stands() && supply.latched()) {
    add(Errc::entropy_latched);
  } else if (!latch_.stands() && supply.ready_bits() == 0) {
    add(Errc::entropy_not_ready);
  }
  state.ready = state.reasons.empty();
  return state;
}

MetricsSnapshot Service::Core::metrics() const {
  MetricsSnapshot snapshot = appliance_.metrics.snapshot();
  snapshot.gauges["talla_ready"] = ready().ready ? 1.0 : 0.0;
  snapshot.gauges["talla_failed"] = appliance_.failed() ? 1.0 : 0.0;
  return snapshot;
}

}  // namespace talla::core

// The inside of the service: its parts, put together; how it starts and how it stops.
#include "core.hpp"

#include "approval.hpp"
#include "base/check.hpp"
#include "call_view.hpp"
#include "catalogues.hpp"
#include "ended.hpp"
#include "format/body_machine.hpp"
#include "opening_check.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "restart.hpp"
#include "sealed.hpp"

namespace talla::core {

Service::Core::Core(Settings settings, Effects effects, std::unique_ptr<Catalogues> catalogues)
    : appliance_(std::move(settings), std::move(effects), std::move(catalogues)),
      parts_(make_parts()),
      guests_(appliance_),
      events_(appliance_.effects.log.ledger(), appliance_.effects.hashes, guests_),
      board_(appliance_),
      calls_(appliance_, {board_, events_, guests_}),
      waits_(appliance_, board_, calls_),
      queue_(appliance_.settings.queue_max),
      admission_(appliance_),
      replies_(appliance_),
      points_(appliance_),
      duties_(appliance_, parts_, {replies_, guests_, board_, waits_},
              [this] { flights_.await_all(); }),
      flights_(appliance_,
               {queue_, replies_, duties_.draws, points_, events_, duties_.keys, duties_.all}),
      questions_(appliance_, events_, calls_, duties_.software, duties_.certification,
                 duties_.latch, duties_.sampling, [this] { return ready(); }),
      proofs_(appliance_, events_, duties_.keys),
      sequencer_(appliance_,
                 {queue_, replies_, duties_.draws, points_, flights_, duties_.keys,
                  duties_.software, questions_, duties_.all, parts_, duties_.calls, waits_}) {}

Service::Core::~Core() {
  queue_.stop();
  if (thread_.joinable()) thread_.join();
}

namespace {

/// The record whose number is the whole text of a document; nothing: there is no document.
Result<std::optional<certs::Record>> record_named_in(const Appliance& appliance,
                                                     const certs::DocumentName& name) {
  const auto& ledger = appliance.effects.log.ledger();
  TALLA_TRY(const auto text, ledger.document(name));
  if (!text) return std::optional<certs::Record>();
  TALLA_TRY(const auto seq, json::parse(*text));
  if (!seq.is_integer() || seq.integer() < 0)
    return fail(Errc::replay_failed, "the document " + name.text() + " is damaged");
  TALLA_TRY(const auto stored, ledger.record(static_cast<std::uint64_t>(seq.integer())));
  TALLA_TRY(auto record, certs::parse_record(stored.bytes));
  return std::optional(std::move(record));
}

}  // namespace

Parts Service::Core::make_parts() {
  return {
      appliance_.settings,
      appliance_.effects.clock,
      appliance_.effects.hashes,
      appliance_.effects.supply,
      *appliance_.catalogues,
      [this](const certs::ReplyKey& id) { return appliance_.effects.log.stored_reply(id); },
      [this](const std::string& object) { return appliance_.effects.log.ledger().chain(object); },
      [this](const std::string& client, const std::string& object) {
        const auto state = appliance_.effects.log.ledger().object(object);
        return state && state->has_value() && events_.owned(client, object);
      },
      [this](const std::string& place) {
        return record_named_in(appliance_, certs::documents::place(place));
      },
      [this](const Digest& series) {
        return record_named_in(appliance_, certs::documents::answer(series));
      },
      [this] { return commitments_allowed(); },
      [this] { duties_.latch.stop_by_order(); },
      [this] { return reset_allowed(); },
      [this](const std::string& object, std::uint64_t seq) {
        return unsealed(appliance_, object, seq);
      },
      [this](const std::string& shoe) { return openings_of(appliance_, shoe); },
      [this](const std::string& name) { appliance_.metrics.count(name); },
      [this]() -> Result<certs::LogKey> {
        TALLA_TRY(auto next, duties_.keys.next_log_key());
        return std::move(next.log_key);
      },
      [this] { return appliance_.effects.log.anchor_lag(); },
      [this](const Digest& manifest) { return duties_.software.update_possible(manifest); },
      [this](std::uint64_t seq) {
        return calls_.made(seq).map([](const auto& call) { return call.record.table; });
      },
      [this](std::uint64_t seq, const std::string& id) { return calls_.opened(seq, id); },
      [this] {
        std::vector<std::uint64_t> seqs;
        for (const auto& seq : {appliance_.start.software, appliance_.start.config}) {
          if (seq) seqs.push_back(*seq);
        }
        return seqs;
      }};
}

Status Service::Core::begin() {
  Restart restart(appliance_, points_);
  TALLA_TRY_STATUS(restart.run());
  sequencer_.prune();
  TALLA_TRY_STATUS(duties_.latch.load());
  guests_.publish();
  board_.publish();
  if (appliance_.settings.ended) {
    duties_.enrolment.publish();
    sequencer_.pause();
    return {};
  }
  // A live shoe or batch without its secret cannot go on as committed.
  if (secrets_lost(appliance_.world()))
    appliance_.effects.supply.latch(entropy::LatchReason::other);
  TALLA_TRY_STATUS(add_start_records());
  duties_.generator.on_turn();
  TALLA_TRY_STATUS(duties_.latch.end_interrupted());
  TALLA_TRY_STATUS(duties_.sampling.end_interrupted());
  TALLA_TRY_STATUS(duties_.draws.complete_found());
  flights_.commit();
  if (appliance_.failed())
    return fail(Errc::ledger_failed, "the first group could not be committed");
  duties_.enrolment.publish();
  TALLA_TRY_STATUS(appliance_.effects.log.write_anchor());  // behind the KEY records of this start
  sequencer_.pause();
  return {};
}

Status Service::Core::add_start_records() {
  const auto& ledger = appliance_.effects.log.ledger();
  auto tx = appliance_.begin();
  const certs::PowerBody power{.stop = false, .clean = is_clean_stop(ledger)};
  TALLA_TRY_STATUS(tx.add({certs::Kind::power, {}, {}, power.to_json()}));
  TALLA_TRY_STATUS(duties_.latch.record_standing(tx));
  for (auto* duty : duties_.all) TALLA_TRY_STATUS(duty->on_start(tx));
  keep_approvals(tx);
  tx.keep();
  return {};
}

void Service::Core::submit(Request request, Answer answer) {
  const auto later = [&](Errc errc) { answer(problem_reply(Error(errc, "try again later"))); };
  if (appliance_.failed()) return later(Errc::ledger_failed);
  auto asked = admission_.admit(std::move(request));
  if (!asked) return answer(std::move(asked.error()));
  if (auto reply = proofs_.answer(*asked)) return answer(std::move(*reply));
  if (waits_.answer(*asked, answer)) return;
  if (asked->route.operation->opens_call)
    asked->opening = judge_opening(appliance_.context.hashes, board_, *asked);
  if (duties_.software.challenged(*asked, answer)) return;
  if (const auto refused = queue_.push(*asked, answer)) later(*refused);
}

void Service::Core::start() {
  TALLA_CHECK(!thread_.joinable());
  flights_.start_threads();
  waits_.start_thread();
  duties_.tiles.start_thread();
  thread_ = std::thread([this] { sequencer_.run(); });
}

void Service::Core::stop() {
  queue_.stop();
  if (thread_.joinable()) {
    thread_.join();
    flights_.stop_threads();
    duties_.tiles.stop_thread();
  } else if (!stopped_) {
    sequencer_.run_until_idle();
  }
  // Since the last turn.
  waits_.end();
  duties_.software.refuse_challenges(
      problem_reply(Error(Errc::stopping, "the appliance is stopping")));
  if (std::exchange(stopped_, true) || appliance_.failed() || appliance_.settings.ended) return;
  {
    auto tx = appliance_.begin();
    if (!tx.add({certs::Kind::power, {}, {}, certs::PowerBody{.stop = true}.to_json()})) return;
    tx.keep();
  }
  points_.stage(true);
  flights_.commit();
  if (appliance_.failed()) return sequencer_.fail_everything();
  static_cast<void>(appliance_.effects.log.write_anchor());
  duties_.tiles.finish();
}

Status Service::Core::commitments_allowed() const {
  for (const auto* duty : duties_.all) {
    if (auto error = duty->objection()) return tl::unexpected(std::move(*error));
  }
  return {};
}

Status Service::Core::reset_allowed() const {
  TALLA_TRY_STATUS(duties_.latch.reset_possible());
  for (const auto* duty : duties_.all) {
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
  for (const auto* duty : duties_.all) {
    if (const auto error = duty->objection()) state.reasons.emplace_back(error->code);
  }
  const auto& supply = appliance_.effects.supply;
  if (!duties_.latch.stands() && supply.latched()) {
    add(Errc::entropy_latched);
  } else if (!duties_.latch.stands() && supply.ready_bits() == 0) {
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

#include "corridor.hpp"

#include <utility>

#include "entropy/start_tests.hpp"

namespace talla::entropy {

Status refusal_of(State state, LatchReason reason) {
  switch (state) {
    case State::off:
    case State::startup:
      return fail(Errc::not_started, "the generator has not finished its start-up");
    case State::suspended:
      return fail(Errc::suspended, "a source is in its start-up test after an alarm");
    case State::latched:
      return fail(Errc::latched, std::string(latch_reason_name(reason)));
    case State::operational:
      return fail(Errc::not_ready, "fewer full-entropy bits are ready than asked for");
  }
  return fail(Errc::not_started, "unknown state");
}

Corridor::Corridor(GeneratorOptions options, Lanes lanes, const GeneratorEffects& effects,
                   std::function<void()> state_changed)
    : options_(std::move(options)),
      effects_(effects),
      state_changed_(std::move(state_changed)),
      lanes_(std::move(lanes)),
      pool_(options_.pool_blocks),
      drbg_(options_.drbg, {options_.appliance_id, options_.boot_counter, options_.instance, 0, 0},
            {options_.reseed_calls, options_.reseed_interval_ns}),
      outlet_(options_.outlet_blocks, options_.drbg,
              {options_.appliance_id, options_.boot_counter, options_.instance, 0, 0},
              {options_.reseed_calls, options_.reseed_interval_ns}) {}

void Corridor::tell(Event event) {
  event.monotonic_ns = effects_.clock.monotonic_ns();
  event.utc_us = effects_.clock.utc_us();
  event.reseed_counter = drbg_.seeds();
  event.generate_counter = drbg_.calls();
  journal_.add(event);
}

void Corridor::set_state(State state, LatchReason reason) {
  state_ = state;
  reason_ = reason;
  tell({.kind = EventKind::state, .state = state, .reason = reason});
  state_changed_();
}

void Corridor::latch(LatchReason reason) {
  if (state_ == State::latched) return;
  drbg_.destroy();
  journal_.totals.blocks_wiped += pool_.wipe() + outlet_.wipe();
  lanes_.wipe();
  set_state(State::latched, reason);
}

Status Corridor::self_tests() {
  Status status;
  for (const StartTest& test : start_tests(options_.drbg))
    if (status) status = test.run();
  if (status && options_.further_known_answers) status = options_.further_known_answers();
  tell({.kind = EventKind::self_test, .passed = status.has_value()});
  if (!status) latch(LatchReason::self_test_failed);
  return status;
}

Status Corridor::begin() {
  if (state_ == State::latched)
    for (Lane& lane : lanes_) lane.gate.reopen();
  set_state(State::startup);
  return self_tests();
}

Status Corridor::test_again() {
  TALLA_TRY_STATUS(self_tests());
  for (Lane& lane : lanes_) lane.gate.restart();
  drbg_.want_seed();
  outlet_.want_seed();
  set_state(State::suspended);
  return {};
}

namespace {

Status fits(const Lanes& lanes, State state, std::size_t index, const NoiseSource* source) {
  if (index >= lanes.size() || source == nullptr)
    return fail(Errc::source_refused, "no such source");
  const bool stopped = state == State::latched || state == State::off;
  if (!stopped && !lanes[index].lost) {
    return fail(Errc::wrong_state,
                "a source is replaced while latched or off, or when its stream is over");
  }
  const SourceDescription& old = lanes[index].description;
  const SourceDescription& fresh = source->description();
  const bool same = old.model == fresh.model && old.source_class == fresh.source_class &&
                    old.bits_per_sample == fresh.bits_per_sample &&
                    old.nominal_rate_hz == fresh.nominal_rate_hz &&
                    old.assessed_millibits_per_sample == fresh.assessed_millibits_per_sample;
  if (!same) return fail(Errc::source_refused, "the new source is of another kind or assessment");
  if (old.serial != fresh.serial)
    return fail(Errc::source_refused, "the new source has another serial number");
  return {};
}

}  // namespace

Result<std::unique_ptr<NoiseSource>> Corridor::replace(std::size_t index,
                                                       std::unique_ptr<NoiseSource> source) {
  const Status fit = fits(lanes_, state_, index, source.get());
  if (index < lanes_.size()) {
    Event event{.kind = EventKind::source};
    event.source = static_cast<std::uint32_t>(index);
    event.passed = fit.has_value();
    tell(event);
  }
  if (!fit) return tl::unexpected(fit.error());
  Lane& lane = lanes_[index];
  auto before = std::exchange(lane.slot.source, std::move(source));
  lane.lost = false;
  lane.gate.reopen();  // its start-up test comes first, also where others carried on
  return before;
}

Evidence Corridor::evidence() const {
  Evidence evidence;
  lanes_.describe(evidence);
  evidence.drbg = options_.drbg;
  evidence.conditioner = options_.conditioner;
  evidence.state = state_;
  evidence.reseed_counter = drbg_.seeds();
  evidence.generate_counter = drbg_.calls();
  return evidence;
}

Metrics Corridor::metrics() const {
  Metrics metrics = journal_.totals;
  metrics.state = state_;
  metrics.pool_blocks = pool_.size();
  metrics.pool_blocks_max = options_.pool_blocks;
  metrics.outlet_blocks = outlet_.blocks();
  metrics.outlet_blocks_max = outlet_.blocks_max();
  metrics.outlet_seeds = outlet_.seeds();
  metrics.reseeds = drbg_.seeds();
  metrics.generate_calls = drbg_.calls();
  metrics.cycles = drbg_.cycles();
  metrics.sources = lanes_.metrics();
  return metrics;
}

std::vector<Event> Corridor::take_events() {
  return journal_.take();
}

}  // namespace talla::entropy

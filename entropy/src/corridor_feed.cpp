// How green samples become blocks and seeds of the generator.
#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "corridor.hpp"

namespace talla::entropy {

std::size_t Corridor::samples_wanted(std::size_t index) const {
  if (state_ == State::off || state_ == State::latched) return 0;
  const Lane& lane = lanes_[index];
  if (lane.gate.state() == GateState::closed) return 0;
  // A stream is read all the time: its health and rate are judged, and surplus is wiped.
  if (!lane.on_request() || lane.gate.state() == GateState::startup) return gate_window_samples;
  const bool run = outlet_.raw().wants_run(index);
  const bool room = !pool_.full() || drbg_.seed_due() || outlet_.wants_block() || run;
  const std::size_t enough = std::max(lane.share(), run ? gate_window_samples : 0);
  return room && lane.gate.green_samples() < enough ? gate_window_samples : 0;
}

void Corridor::fed(std::size_t index, const Result<std::size_t>& got,
                   std::span<const std::uint8_t> buffer, ReadTimes times) {
  if (state_ == State::off || state_ == State::latched) return;
  Lane& lane = lanes_[index];
  if (!got) {
    lane.lost = true;
    judge(index, lane.gate.stream_over(times.came_ns), LatchReason::source_failed);
    return;
  }
  TALLA_CHECK(*got <= buffer.size());
  judge(index, lane.gate.feed(buffer.first(*got), times), LatchReason::health_permanent);
}

void Corridor::judge(std::size_t index, const GateReport& report, LatchReason reason) {
  Lane& lane = lanes_[index];
  lane.ever_good = lane.ever_good || report.startup_passed;
  Event event{.kind = EventKind::health, .source = static_cast<std::uint32_t>(index)};
  if (report.alarm.level == 0) {
    if (report.startup_passed) tell(event);
    return;
  }
  event.test = report.alarm.test;
  event.level = report.alarm.level;
  event.suspect_from_ns = report.suspect_from_ns;
  event.dropped_samples = report.dropped_samples;
  tell(event);
  if (lane.credited) {
    journal_.totals.blocks_wiped +=
        pool_.drop_since(report.suspect_from_ns) + outlet_.drop_since(report.suspect_from_ns);
  }
  outlet_.raw().drop_since(index, report.suspect_from_ns);
  if (report.alarm.level >= 2 && (lane.slot.required || !lanes_.credited_left())) {
    latch(reason);
    return;
  }
  drbg_.want_seed();
  outlet_.want_seed();
  if (state_ == State::operational && !lanes_.good()) set_state(State::suspended);
}

bool Corridor::build_block(SecretBytes& block, TimeRange& samples) {
  const Shares shares = lanes_.shares();
  if (!shares.enough()) return false;
  Result<SecretBytes> made = lanes_.make_block(options_.conditioner, shares, samples);
  if (!made) {
    latch(LatchReason::drbg_failed);
    return false;
  }
  block = std::move(*made);
  Metrics& totals = journal_.totals;
  ++totals.blocks_made;
  const bool certified = lanes_.construction() == Construction::lab || !lanes_.uncertified();
  (certified ? totals.credited_millibits : totals.uncertified_millibits) += shares.millibits;
  return true;
}

/// A block that seeds is never in the pool, and one in the pool never seeds.
bool Corridor::seed_if_due() {
  if (!drbg_.seed_due()) return true;
  SecretBytes block;
  TimeRange samples;
  if (!build_block(block, samples)) return false;
  const LatchReason failed =
      drbg_.seed(block, effects_.os, effects_.rdseed, effects_.clock.monotonic_ns());
  if (failed != LatchReason::none) {
    latch(failed);
    return false;
  }
  ++journal_.totals.blocks_for_seeds;
  tell({.kind = EventKind::reseed});
  return true;
}

void Corridor::fill_outlet() {
  outlet_.age(effects_.clock.monotonic_ns());
  RawAside& raw = outlet_.raw();
  const auto source = raw.source();
  const bool rests = !drbg_.seed_due() && pool_.full();
  if (source && !raw.holds() && rests && lanes_.run_to_spare(*source))
    raw.take_from(lanes_[*source].gate);
  while (outlet_.wants_block() && !drbg_.seed_due() && pool_.full() && lanes_.to_spare()) {
    SecretBytes block;
    TimeRange samples;
    if (!build_block(block, samples)) return;
    const LatchReason failed =
        outlet_.take(block, samples, effects_.os, effects_.rdseed, effects_.clock.monotonic_ns());
    if (failed != LatchReason::none) {
      latch(failed);
      return;
    }
  }
}

void Corridor::advance() {
  if (state_ == State::off || state_ == State::latched) return;
  const std::int64_t now_ns = effects_.clock.monotonic_ns();
  drbg_.age(now_ns);
  if (!lanes_.good()) {
    if (state_ == State::operational) set_state(State::suspended);
    return;
  }
  if (seed_if_due()) {
    SecretBytes block;
    TimeRange samples;
    while (!pool_.full() && build_block(block, samples)) pool_.push(block, samples);
  }
  if (state_ == State::latched) return;
  if (state_ == State::operational) {
    if (drbg_.overdue(now_ns)) set_state(State::suspended);
  } else if (drbg_.exists() && !drbg_.seed_due()) {
    set_state(State::operational);
  }
  if (state_ != State::operational) return;
  if (!drbg_.cycle(now_ns, options_.cycle_min_ns, options_.cycle_spread_ns)) {
    latch(LatchReason::drbg_failed);
    return;
  }
  fill_outlet();
}

}  // namespace talla::entropy

// How samples of the sources become blocks and seeds of the generator.
#include <algorithm>
#include <chrono>

#include "base/check.hpp"
#include "generator_core.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t mixed_in_samples = 64;  // of each source that is mixed in without credit
constexpr std::size_t blocks_at_start = 8;
constexpr unsigned turn_ms = 1;  // for one stream among several
constexpr int idle_steps_max = 100'000;

}  // namespace

std::size_t Generator::Core::samples_wanted(const Lane& lane) const {
  if (lane.gate.state() == GateState::closed) return 0;
  // A stream is read all the time: its health and rate are judged, and surplus is wiped.
  if (!lane.on_request() || lane.gate.state() == GateState::startup) return gate_window_samples;
  const bool room = !pool_.full() || seed_due_ || outlet_.wants_block();
  const std::size_t low = lane.credited ? lane.samples_per_block() : mixed_in_samples;
  return room && lane.gate.green_samples() < low ? gate_window_samples : 0;
}

bool Generator::Core::read_lane(std::size_t index, unsigned timeout_ms) {
  std::size_t wanted = 0;
  NoiseSource* source = nullptr;
  {
    const std::lock_guard guard(lock_);
    if (state_ == State::off || state_ == State::latched) return false;
    wanted = samples_wanted(lanes_[index]);
    source = lanes_[index].slot.source.get();
  }
  if (wanted == 0) return false;
  const std::span<std::uint8_t> buffer(buffer_.data(), wanted);
  const std::int64_t asked_ns = effects_.clock.monotonic_ns();
  const Result<std::size_t> got = source->read(buffer, timeout_ms);
  const std::int64_t came_ns = effects_.clock.monotonic_ns();
  const std::lock_guard guard(lock_);
  if (state_ != State::off && state_ != State::latched) {
    Lane& lane = lanes_[index];
    if (!got) {
      lane.lost = true;
      judge(index, lane.gate.stream_over(came_ns), LatchReason::source_failed);
    } else {
      TALLA_CHECK(*got <= wanted);
      judge(index, lane.gate.feed(buffer.first(*got), {asked_ns, came_ns}),
            LatchReason::health_permanent);
    }
  }
  wipe(buffer_.data(), buffer_.size());
  return got.has_value() && *got > 0;
}

void Generator::Core::judge(std::size_t index, const GateReport& report, LatchReason reason) {
  Lane& lane = lanes_[index];
  lane.ever_good = lane.ever_good || report.startup_passed;
  Event event{.kind = EventKind::health, .source = static_cast<std::uint32_t>(index)};
  if (report.alarm.level == 0) {
    if (report.startup_passed) add_event(event);
    return;
  }
  event.test = report.alarm.test;
  event.level = report.alarm.level;
  event.suspect_from_ns = report.suspect_from_ns;
  event.dropped_samples = report.dropped_samples;
  add_event(event);
  if (lane.credited) {
    totals_.blocks_wiped +=
        pool_.drop_since(report.suspect_from_ns) + outlet_.drop_since(report.suspect_from_ns);
  }
  const bool credited_left = std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& other) {
    return other.credited && other.gate.state() != GateState::closed;
  });
  if (report.alarm.level >= 2 && (lane.slot.required || !credited_left)) {
    latch_locked(reason);
    return;
  }
  seed_due_ = true;
  outlet_.want_seed();
  if (state_ == State::operational && !sources_good()) set_state(State::suspended);
}

bool Generator::Core::sources_good() const {
  bool credited = false;
  for (const Lane& lane : lanes_) {
    if (lane.slot.required && !lane.open()) return false;
    credited = credited || (lane.credited && lane.open());
  }
  return credited;
}

std::vector<std::size_t> Generator::Core::block_shares(std::uint64_t& credit) const {
  std::vector<std::size_t> shares(lanes_.size(), 0);
  CreditSum sum;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (!lane.open()) continue;
    shares[i] = std::min(lane.gate.green_samples(),
                         lane.credited ? lane.samples_per_block() : mixed_in_samples);
    const std::uint64_t part =
        std::uint64_t{lane.description.assessed_millibits_per_sample} * shares[i];
    if (lane.credited) sum.add(part, lane.slot.independent);
  }
  credit = sum.millibits();
  return shares;
}

bool Generator::Core::build_block(SecretBytes& block, TimeRange& samples) {
  std::uint64_t credit = 0;
  const std::vector<std::size_t> shares = block_shares(credit);
  if (credit < block_credit_needed_millibits) return false;
  std::vector<SecretBytes> taken(lanes_.size());
  std::vector<Contribution> parts;
  bool first = true;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (shares[i] > 0) {
      taken[i].reserve(shares[i]);
      const TimeRange range = lane.gate.take(shares[i], taken[i]);
      samples = first ? range : samples.joined(range);
      first = false;
    }
    const std::uint32_t assessed = lane.description.assessed_millibits_per_sample;
    parts.push_back({taken[i], assessed, lane.credited, lane.slot.independent});
    if (lane.credited) lane.credited_millibits += std::uint64_t{assessed} * shares[i];
  }
  Result<SecretBytes> made = condition(options_.conditioner, parts);
  if (!made) {
    latch_locked(LatchReason::drbg_failed);
    return false;
  }
  block = std::move(*made);
  ++totals_.blocks_made;
  const bool certified = construction_ == Construction::lab || !uncertified();
  (certified ? totals_.credited_millibits : totals_.uncertified_millibits) += credit;
  return true;
}

bool Generator::Core::seed_with(const SecretBytes& block) {
  identity_.seeds = reseed_counter_;
  if (!drbg_) ++identity_.incarnation;
  const Result<SecretBytes> seed = make_seed(block, identity_, effects_.os, effects_.rdseed);
  if (!seed) {
    latch_locked(LatchReason::seed_failed);
    return false;
  }
  bool good = false;
  if (drbg_) {
    good = drbg_->reseed(*seed).has_value();
  } else if (auto made = Drbg::instantiate(options_.drbg, *seed, personalisation_of(identity_));
             made) {
    drbg_ = std::move(*made);
    good = true;
  }
  if (!good) {
    latch_locked(LatchReason::drbg_failed);
    return false;
  }
  ++totals_.blocks_for_seeds;
  ++reseed_counter_;
  seed_due_ = false;
  calls_since_seed_ = 0;
  output_since_seed_ = 0;
  seeded_ns_ = effects_.clock.monotonic_ns();
  add_event({.kind = EventKind::reseed});
  return true;
}

/// A block that seeds is never in the pool, and one in the pool never seeds.
bool Generator::Core::seed_if_due() {
  if (!seed_due_) return true;
  SecretBytes block;
  TimeRange samples;
  return build_block(block, samples) && seed_with(block);
}

void Generator::Core::fill() {
  if (!seed_if_due()) return;
  while (!pool_.full()) {
    SecretBytes block;
    TimeRange samples;
    if (!build_block(block, samples)) return;
    pool_.push(block, samples);
  }
}

void Generator::Core::cycle(std::int64_t now_ns) {
  if (!drbg_ || spent() || now_ns < cycle_due_ns_) return;
  SecretBytes thrown_away(block_bytes);
  if (!generate(thrown_away)) return;
  ++totals_.cycles;
  // The next moment comes from bytes that nobody else sees; its small bias is of no account.
  const std::uint64_t spread = static_cast<std::uint64_t>(options_.cycle_spread_ns) >> 16U;
  const std::uint64_t part =
      spread * static_cast<std::uint64_t>(load_be32(thrown_away.data()) >> 16U);
  cycle_due_ns_ = now_ns + options_.cycle_min_ns + static_cast<std::int64_t>(part);
}

void Generator::Core::advance() {
  if (state_ == State::off || state_ == State::latched) return;
  const std::int64_t now_ns = effects_.clock.monotonic_ns();
  if (drbg_ && now_ns - seeded_ns_ >= options_.reseed_interval_ns) seed_due_ = true;
  if (!sources_good()) {
    if (state_ == State::operational) set_state(State::suspended);
    return;
  }
  fill();
  if (state_ == State::latched) return;
  if (state_ == State::operational) {
    if (overdue(now_ns)) set_state(State::suspended);
  } else if (drbg_ && !seed_due_) {
    set_state(State::operational);
  }
  if (state_ == State::operational) cycle(now_ns);
  if (state_ == State::operational) fill_outlet();
}

/// One stream is waited for. Of several each gives what it has, and only when none has anything
/// they are waited for in short turns: a slow or silent one holds up no other.
bool Generator::Core::read_lanes(unsigned timeout_ms) {
  const auto streams =
      std::ranges::count_if(lanes_, [](const Lane& lane) { return !lane.on_request(); });
  bool any = false;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const bool wait = streams <= 1 && !any;
    any = read_lane(i, wait ? timeout_ms : 0) || any;
  }
  const auto round_ms = static_cast<unsigned>(streams) * turn_ms;
  for (unsigned waited_ms = 0; streams > 1 && !any && waited_ms < timeout_ms;
       waited_ms += round_ms) {
    for (std::size_t i = 0; i < lanes_.size() && !any; ++i) {
      if (!lanes_[i].on_request()) any = read_lane(i, turn_ms);
    }
  }
  return any;
}

bool Generator::Core::feed(unsigned timeout_ms) {
  const bool any = read_lanes(timeout_ms);
  const std::lock_guard guard(lock_);
  advance();
  changed_.notify_all();
  return any;
}

Status Generator::Core::drive(unsigned timeout_ms) {
  const std::int64_t end_ns = effects_.clock.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  for (int idle = 0;;) {
    const bool any = feed(std::min(feed_step_ms, timeout_ms));
    idle = any ? 0 : idle + 1;
    const std::lock_guard guard(lock_);
    if (state_ == State::latched) return refusal();
    if (state_ == State::operational && pool_.size() >= blocks_at_start) return {};
    if (effects_.clock.monotonic_ns() >= end_ns || idle > idle_steps_max) {
      latch_locked(LatchReason::startup_timeout);
      return refusal();
    }
  }
}

}  // namespace talla::entropy

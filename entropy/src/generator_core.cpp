#include "generator_core.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/check.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t events_max = 4096;
constexpr std::uint32_t overdue_calls_factor = 16;
constexpr std::int64_t overdue_time_factor = 2;

}  // namespace

std::size_t Lane::samples_per_block() const {
  const std::uint64_t each = description.assessed_millibits_per_sample;
  return static_cast<std::size_t>((block_credit_needed_millibits + each - 1) / each);
}

Verdict Lane::verdict() const {
  switch (gate.state()) {
    case GateState::open:
      return Verdict::good;
    case GateState::closed:
      return Verdict::failed;
    case GateState::startup:
      return ever_good ? Verdict::testing : Verdict::untested;
  }
  return Verdict::failed;
}

Generator::Core::Core(GeneratorOptions options, std::vector<Lane> lanes, Construction construction,
                      GeneratorEffects effects)
    : options_(std::move(options)),
      construction_(construction),
      effects_(effects),
      owner_(::getpid()),
      buffer_(gate_window_samples),
      lanes_(std::move(lanes)),
      pool_(options_.pool_blocks),
      outlet_(options_.outlet_blocks,
              {options_.appliance_id, options_.boot_counter, options_.instance, 0, 0}),
      identity_{options_.appliance_id, options_.boot_counter, options_.instance, 0, 0} {}

Generator::Core::~Core() {
  halt();
}

bool Generator::Core::foreign_process() const {
  return ::getpid() != owner_;
}

bool Generator::Core::uncertified() const {
  return construction_ != Construction::rbg3_xor ||
         std::ranges::any_of(lanes_, [](const Lane& lane) {
           return lane.credited && !lane.slot.assessment.documented();
         });
}

void Generator::Core::add_event(Event event) {
  event.monotonic_ns = effects_.clock.monotonic_ns();
  event.utc_us = effects_.clock.utc_us();
  event.reseed_counter = reseed_counter_;
  event.generate_counter = generate_counter_;
  if (events_.size() == events_max) {
    events_.pop_front();
    ++totals_.events_lost;
  }
  events_.push_back(event);
}

void Generator::Core::set_state(State state, LatchReason reason) {
  state_ = state;
  reason_ = reason;
  add_event({.kind = EventKind::state, .state = state, .reason = reason});
  changed_.notify_all();
}

void Generator::Core::latch_locked(LatchReason reason) {
  if (state_ == State::latched) return;
  drbg_.reset();
  totals_.blocks_wiped += pool_.wipe() + outlet_.wipe();
  for (Lane& lane : lanes_) lane.gate.wipe();
  seed_due_ = true;
  set_state(State::latched, reason);
}

void Generator::Core::want_blocks() {
  blocks_wanted_ = true;
  wanted_.notify_all();
}

bool Generator::Core::overdue(std::int64_t now_ns) const {
  return calls_since_seed_ >= overdue_calls_factor * options_.reseed_calls ||
         now_ns - seeded_ns_ >= overdue_time_factor * options_.reseed_interval_ns;
}

Status Generator::Core::refusal() const {
  switch (state_) {
    case State::off:
    case State::startup:
      return fail(Errc::not_started, "the generator has not finished its start-up");
    case State::suspended:
      return fail(Errc::suspended, "a source is in its start-up test after an alarm");
    case State::latched:
      return fail(Errc::latched, std::string(latch_reason_name(reason_)));
    case State::operational:
      return fail(Errc::not_ready, "fewer full-entropy bits are ready than asked for");
  }
  return fail(Errc::not_started, "unknown state");
}

bool Generator::Core::generate(std::span<std::uint8_t> out) {
  TALLA_CHECK(!spent());
  if (!drbg_ || !drbg_->generate(out)) {
    latch_locked(LatchReason::drbg_failed);
    return false;
  }
  ++generate_counter_;
  ++calls_since_seed_;
  output_since_seed_ += out.size();
  if (calls_since_seed_ >= options_.reseed_calls || spent()) seed_due_ = true;
  return true;
}

Result<FullEntropy> Generator::Core::full_entropy(std::size_t n_bytes, unsigned timeout_ms) {
  if (foreign_process())
    return fail(Errc::wrong_process, "the generator belongs to the parent process");
  if (n_bytes == 0) return fail(Errc::bad_settings, "no bytes asked for");
  if (n_bytes > std::min(options_.pool_blocks * block_bytes, Drbg::request_bytes_max))
    return fail(Errc::request_too_large, "more than the pool holds, or than 65536 bytes");
  const std::size_t blocks = (n_bytes + block_bytes - 1) / block_bytes;
  FullEntropy answer;
  answer.bytes.resize(n_bytes);
  std::unique_lock guard(lock_);
  // Of what waits green a seed can be made without the feeder.
  if (state_ == State::operational && spent() && sources_good()) static_cast<void>(seed_if_due());
  // Time passes while nobody feeds, too: an overdue seed stops the output here as well.
  const auto given = [&] {
    return state_ == State::operational && pool_.size() >= blocks && !spent() &&
           !overdue(effects_.clock.monotonic_ns());
  };
  if (timeout_ms > 0 && !given()) {
    want_blocks();
    changed_.wait_for(guard, std::chrono::milliseconds(timeout_ms),
                      [&] { return state_ == State::latched || given(); });
  }
  if (!given()) {
    ++totals_.requests_refused;
    want_blocks();
    return pass(refusal());
  }
  const std::span<std::uint8_t> out(answer.bytes);
  if (!generate(out)) return pass(refusal());
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t at = block * block_bytes;
    const TimeRange range = pool_.take_xor(out.subspan(at, std::min(block_bytes, n_bytes - at)));
    answer.samples_from_ns =
        block == 0 ? range.from_ns : std::min(answer.samples_from_ns, range.from_ns);
    answer.samples_to_ns = std::max(answer.samples_to_ns, range.to_ns);
  }
  totals_.blocks_given += blocks;
  answer.evidence = evidence_locked();
  want_blocks();
  return answer;
}

std::size_t Generator::Core::ready_bits() const {
  if (foreign_process()) return 0;
  const std::lock_guard guard(lock_);
  std::uint64_t credit = 0;
  if (spent()) static_cast<void>(block_shares(credit));
  const bool seeded = !spent() || (sources_good() && credit >= block_credit_needed_millibits);
  const bool ready =
      state_ == State::operational && seeded && !overdue(effects_.clock.monotonic_ns());
  return ready ? pool_.size() * block_bits : 0;
}

State Generator::Core::state() const {
  const std::lock_guard guard(lock_);
  return state_;
}

Evidence Generator::Core::evidence_locked() const {
  Evidence evidence;
  evidence.construction = construction_;
  evidence.uncertified = uncertified();
  evidence.drbg = options_.drbg;
  evidence.conditioner = options_.conditioner;
  evidence.state = state_;
  evidence.reseed_counter = reseed_counter_;
  evidence.generate_counter = generate_counter_;
  bool first = true;
  for (const Lane& lane : lanes_) {
    evidence.sources.push_back(
        {lane.description.model, lane.description.serial, lane.description.source_class,
         lane.description.assessed_millibits_per_sample, lane.description.bits_per_sample,
         lane.credited, lane.slot.independent, lane.verdict(), lane.slot.required, lane.lost,
         lane.description.nominal_rate_hz, lane.slot.assessment});
    if (!lane.slot.required && !lane.credited) continue;
    const std::int64_t good_ns = lane.gate.last_good_ns();
    evidence.last_good_verdict_ns =
        first ? good_ns : std::min(evidence.last_good_verdict_ns, good_ns);
    first = false;
  }
  return evidence;
}

Evidence Generator::Core::evidence() const {
  const std::lock_guard guard(lock_);
  return evidence_locked();
}

Metrics Generator::Core::metrics() const {
  const std::lock_guard guard(lock_);
  Metrics metrics = totals_;
  metrics.state = state_;
  metrics.pool_blocks = pool_.size();
  metrics.pool_blocks_max = options_.pool_blocks;
  metrics.outlet_blocks = outlet_.blocks();
  metrics.outlet_blocks_max = outlet_.blocks_max();
  metrics.outlet_seeds = outlet_.seeds();
  metrics.reseeds = reseed_counter_;
  metrics.generate_calls = generate_counter_;
  for (const Lane& lane : lanes_) {
    const GateCounts& counts = lane.gate.counts();
    metrics.sources.push_back({counts.raw_samples, counts.green_samples, counts.surplus_samples,
                               counts.green_windows, counts.dropped_windows, counts.level1_events,
                               counts.level2_events, lane.credited_millibits});
  }
  return metrics;
}

std::vector<Event> Generator::Core::take_events() {
  const std::lock_guard guard(lock_);
  std::vector<Event> events(events_.begin(), events_.end());
  events_.clear();
  return events;
}

void Generator::Core::latch(LatchReason reason) {
  const std::lock_guard guard(lock_);
  latch_locked(reason);
}

std::optional<LatchReason> Generator::Core::latched() const {
  const std::lock_guard guard(lock_);
  return state_ == State::latched ? std::optional(reason_) : std::nullopt;
}

}  // namespace talla::entropy

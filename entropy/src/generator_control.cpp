// How the generator starts, pumps, is tested, latches and is reset.
#include <algorithm>
#include <chrono>
#include <utility>

#include "generator_core.hpp"

namespace talla::entropy {

namespace {

constexpr auto idle_pause = std::chrono::milliseconds(50);

}  // namespace

Status Generator::Core::self_tests() {
  Status status = conditioner_self_test();
  if (status) status = Drbg::self_test(options_.drbg);
  if (status && options_.further_known_answers) status = options_.further_known_answers();
  add_event({.kind = EventKind::self_test, .passed = status.has_value()});
  if (!status) latch_locked(LatchReason::self_test_failed);
  return status;
}

Status Generator::Core::start(unsigned timeout_ms) {
  if (foreign_process())
    return fail(Errc::wrong_process, "the generator belongs to the parent process");
  const std::lock_guard feeding(feeding_);
  {
    const std::lock_guard guard(lock_);
    if (state_ != State::off)
      return fail(Errc::wrong_state, "start is for a generator that is off");
    set_state(State::startup);
    TALLA_TRY_STATUS(self_tests());
  }
  return drive(timeout_ms);
}

bool Generator::Core::pump(unsigned timeout_ms) {
  if (foreign_process()) return false;
  const std::lock_guard feeding(feeding_);
  const State now = state();
  return now != State::off && now != State::latched && feed(timeout_ms);
}

void Generator::Core::run() {
  const std::lock_guard threads(thread_lock_);
  if (feeder_.joinable()) return;
  feeder_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (pump(feed_step_ms)) continue;
      std::unique_lock guard(lock_);
      wanted_.wait_for(guard, idle_pause, [&] { return blocks_wanted_ || stop.stop_requested(); });
      blocks_wanted_ = false;
    }
  });
}

void Generator::Core::halt() {
  const std::lock_guard threads(thread_lock_);
  if (!feeder_.joinable() || foreign_process()) return;
  {
    const std::lock_guard guard(lock_);
    feeder_.request_stop();
    for (const Lane& lane : lanes_) lane.slot.source->stop();
  }
  wanted_.notify_all();
  feeder_.join();
}

Status Generator::Core::test_on_demand() {
  if (foreign_process())
    return fail(Errc::wrong_process, "the generator belongs to the parent process");
  const auto refused = [] {
    return fail(Errc::wrong_state, "on-demand tests are for an operational generator");
  };
  const std::lock_guard feeding(feeding_);
  if (state() != State::operational) return refused();
  drop_old_samples();
  const std::lock_guard guard(lock_);
  if (state_ != State::operational) return refused();
  TALLA_TRY_STATUS(self_tests());
  for (Lane& lane : lanes_) lane.gate.restart();
  seed_due_ = true;
  outlet_.want_seed();
  set_state(State::suspended);
  want_blocks();
  return {};
}

/// What waits anywhere between a device and here is old noise; start-up tests are made on what is
/// younger than the wish for them. A source that cannot renew itself says so again when it is read.
void Generator::Core::drop_old_samples() {
  for (Lane& lane : lanes_) {
    if (!lane.lost) static_cast<void>(lane.slot.source->renew());
  }
}

Status Generator::Core::reset_latch(unsigned timeout_ms) {
  if (foreign_process())
    return fail(Errc::wrong_process, "the generator belongs to the parent process");
  const std::lock_guard feeding(feeding_);
  if (state() != State::latched) return fail(Errc::wrong_state, "reset is for a latched generator");
  drop_old_samples();
  {
    const std::lock_guard guard(lock_);
    if (state_ != State::latched)
      return fail(Errc::wrong_state, "reset is for a latched generator");
    for (Lane& lane : lanes_) lane.gate.reopen();
    seed_due_ = true;
    set_state(State::startup);
    TALLA_TRY_STATUS(self_tests());
  }
  return drive(timeout_ms);
}

Status Generator::Core::fits(std::size_t index, const NoiseSource* source) const {
  if (index >= lanes_.size() || source == nullptr)
    return fail(Errc::source_refused, "no such source");
  const bool stopped = state_ == State::latched || state_ == State::off;
  if (!stopped && !lanes_[index].lost) {
    return fail(Errc::wrong_state,
                "a source is replaced while latched or off, or when its stream is over");
  }
  const SourceDescription& old = lanes_[index].description;
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

Status Generator::Core::replace_source(std::size_t index, std::unique_ptr<NoiseSource> source) {
  std::unique_ptr<NoiseSource> before;  // its end may take time: outside of the locks
  const std::lock_guard feeding(feeding_);
  const std::lock_guard guard(lock_);
  Status fit = fits(index, source.get());
  if (index < lanes_.size()) {
    Event event{.kind = EventKind::source};
    event.source = static_cast<std::uint32_t>(index);
    event.passed = fit.has_value();
    add_event(event);
  }
  if (!fit) return fit;
  Lane& lane = lanes_[index];
  before = std::exchange(lane.slot.source, std::move(source));
  lane.lost = false;
  lane.gate.reopen();  // its start-up test comes first, also where others carried on
  want_blocks();
  return {};
}

}  // namespace talla::entropy

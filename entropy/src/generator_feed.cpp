// How the generator's sources are read.
#include <algorithm>

#include "generator_core.hpp"

namespace talla::entropy {

namespace {

/// The longest that one step of the feeder waits for samples.
constexpr unsigned feed_step_ms = 100;
constexpr unsigned turn_ms = 1;  // for one stream among several
constexpr int idle_steps_max = 100'000;
constexpr auto idle_pause = std::chrono::milliseconds(50);

}  // namespace

bool Generator::Core::read_lane(std::size_t index, unsigned timeout_ms) {
  std::size_t wanted = 0;
  NoiseSource* source = nullptr;
  {
    const std::lock_guard guard(lock_);
    wanted = corridor_.samples_wanted(index);
    source = corridor_.lanes()[index].slot.source.get();
  }
  if (wanted == 0) return false;
  const std::span<std::uint8_t> buffer(buffer_.data(), wanted);
  const std::int64_t asked_ns = clock_.monotonic_ns();
  const Result<std::size_t> got = source->read(buffer, timeout_ms);
  const std::int64_t came_ns = clock_.monotonic_ns();
  const std::lock_guard guard(lock_);
  corridor_.fed(index, got, buffer, {asked_ns, came_ns});
  wipe(buffer_.data(), buffer_.size());
  return got.has_value() && *got > 0;
}

/// One stream is waited for. Of several each gives what it has, and only when none has anything
/// they are waited for in short turns: a slow or silent one holds up no other.
bool Generator::Core::read_lanes(unsigned timeout_ms) {
  const Lanes& lanes = corridor_.lanes();  // how many and what they are never changes
  const auto streams =
      std::ranges::count_if(lanes, [](const Lane& lane) { return !lane.on_request(); });
  bool any = false;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const bool wait = streams <= 1 && !any;
    any = read_lane(i, wait ? timeout_ms : 0) || any;
  }
  const auto round_ms = static_cast<unsigned>(streams) * turn_ms;
  for (unsigned waited_ms = 0; streams > 1 && !any && waited_ms < timeout_ms;
       waited_ms += round_ms) {
    for (std::size_t i = 0; i < lanes.size() && !any; ++i) {
      if (!lanes[i].on_request()) any = read_lane(i, turn_ms);
    }
  }
  return any;
}

bool Generator::Core::feed(unsigned timeout_ms) {
  const bool any = read_lanes(timeout_ms);
  const std::lock_guard guard(lock_);
  corridor_.advance();
  changed_.notify_all();
  return any;
}

Status Generator::Core::drive(unsigned timeout_ms) {
  const std::int64_t end_ns = clock_.monotonic_ns() + std::int64_t{timeout_ms} * 1'000'000;
  for (int idle = 0;;) {
    const bool any = feed(std::min(feed_step_ms, timeout_ms));
    idle = any ? 0 : idle + 1;
    const std::lock_guard guard(lock_);
    const bool late = clock_.monotonic_ns() >= end_ns || idle > idle_steps_max;
    if (corridor_.started()) return {};
    if (late) corridor_.latch(LatchReason::startup_timeout);
    if (corridor_.state() == State::latched)
      return refusal_of(corridor_.state(), corridor_.reason());
  }
}

/// What waits anywhere between a device and here is old noise; start-up tests are made on what is
/// younger than the wish for them. A source that cannot renew itself says so again when it is read.
void Generator::Core::drop_old_samples() {
  for (Lane& lane : corridor_.lanes()) {
    if (!lane.lost) static_cast<void>(lane.slot.source->renew());
  }
}

bool Generator::Core::pump(unsigned timeout_ms) {
  if (!process_.check()) return false;
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
  if (!feeder_.joinable() || !process_.check()) return;
  {
    const std::lock_guard guard(lock_);
    feeder_.request_stop();
    for (const Lane& lane : corridor_.lanes()) lane.slot.source->stop();
  }
  wanted_.notify_all();
  feeder_.join();
}

void Generator::Core::wake_feeder() {
  blocks_wanted_ = true;
  wanted_.notify_all();
}

}  // namespace talla::entropy

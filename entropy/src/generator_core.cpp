#include "generator_core.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace talla::entropy {

Generator::Core::Core(GeneratorOptions options, Lanes lanes, const GeneratorEffects& effects)
    : clock_(effects.clock),
      buffer_(gate_window_samples),
      corridor_(std::move(options), std::move(lanes), effects, [this] { changed_.notify_all(); }) {}

Generator::Core::~Core() {
  halt();
}

Status OwnProcess::check() const {
  if (::getpid() == owner_) return {};
  return fail(Errc::wrong_process, "the generator belongs to the parent process");
}

Status Generator::Core::start(unsigned timeout_ms) {
  TALLA_TRY_STATUS(process_.check());
  const std::lock_guard feeding(feeding_);
  {
    const std::lock_guard guard(lock_);
    if (corridor_.state() != State::off)
      return fail(Errc::wrong_state, "start is for a generator that is off");
    TALLA_TRY_STATUS(corridor_.begin());
  }
  return drive(timeout_ms);
}

Status Generator::Core::test_on_demand() {
  TALLA_TRY_STATUS(process_.check());
  const auto refused = [] {
    return fail(Errc::wrong_state, "on-demand tests are for an operational generator");
  };
  const std::lock_guard feeding(feeding_);
  if (state() != State::operational) return refused();
  drop_old_samples();
  const std::lock_guard guard(lock_);
  if (corridor_.state() != State::operational) return refused();
  TALLA_TRY_STATUS(corridor_.test_again());
  wake_feeder();
  return {};
}

Status Generator::Core::reset_latch(unsigned timeout_ms) {
  TALLA_TRY_STATUS(process_.check());
  const std::lock_guard feeding(feeding_);
  // Only who holds feeding_ leaves the latch.
  if (state() != State::latched) return fail(Errc::wrong_state, "reset is for a latched generator");
  drop_old_samples();
  {
    const std::lock_guard guard(lock_);
    TALLA_TRY_STATUS(corridor_.begin());
  }
  return drive(timeout_ms);
}

Status Generator::Core::replace_source(std::size_t index, std::unique_ptr<NoiseSource> source) {
  std::unique_ptr<NoiseSource> before;  // its end may take time: outside of the locks
  const std::lock_guard feeding(feeding_);
  const std::lock_guard guard(lock_);
  TALLA_TRY(before, corridor_.replace(index, std::move(source)));
  wake_feeder();
  return {};
}

Result<FullEntropy> Generator::Core::full_entropy(std::size_t n_bytes, unsigned timeout_ms) {
  TALLA_TRY_STATUS(process_.check());
  if (n_bytes == 0) return fail(Errc::bad_settings, "no bytes asked for");
  const std::size_t most = corridor_.options().pool_blocks * block_bytes;
  if (n_bytes > std::min(most, Drbg::request_bytes_max))
    return fail(Errc::request_too_large, "more than the pool holds, or than 65536 bytes");
  FullEntropy answer;
  answer.bytes.resize(n_bytes);
  std::unique_lock guard(lock_);
  corridor_.seed_for_draw();
  if (timeout_ms > 0 && !corridor_.can_draw(n_bytes)) {
    wake_feeder();
    changed_.wait_for(guard, std::chrono::milliseconds(timeout_ms), [&] {
      return corridor_.state() == State::latched || corridor_.can_draw(n_bytes);
    });
  }
  Status drawn = corridor_.draw(answer);
  wake_feeder();
  if (!drawn) return pass(std::move(drawn));
  return answer;
}

Result<GivenAway> Generator::Core::give_away(std::size_t n_bytes) {
  TALLA_TRY_STATUS(process_.check());
  if (n_bytes == 0) return fail(Errc::bad_settings, "no bytes asked for");
  if (n_bytes > corridor_.options().outlet_blocks * block_bytes)
    return fail(Errc::request_too_large, "more than is ever kept for others");
  GivenAway answer;
  answer.bytes.resize(n_bytes);
  const std::lock_guard guard(lock_);
  Status given = corridor_.give_away(answer);
  wake_feeder();
  if (!given) return pass(std::move(given));
  return answer;
}

Status Generator::Core::set_raw_aside(std::optional<std::size_t> source) {
  const std::lock_guard guard(lock_);
  if (source && *source >= corridor_.lanes().size())
    return fail(Errc::source_refused, "no such source");
  corridor_.raw_aside().want(source);
  wake_feeder();
  return {};
}

Result<SecretBytes> Generator::Core::take_raw() {
  TALLA_TRY_STATUS(process_.check());
  const std::lock_guard guard(lock_);
  RawAside& raw = corridor_.raw_aside();
  if (corridor_.state() != State::operational || !raw.holds())
    return pass(refusal_of(corridor_.state(), corridor_.reason()));
  auto run = raw.give();
  wake_feeder();
  return run;
}

std::size_t Generator::Core::ready_bits() const {
  if (!process_.check()) return 0;
  const std::lock_guard guard(lock_);
  return corridor_.ready_bits();
}

std::size_t Generator::Core::spare_bits() const {
  if (!process_.check()) return 0;
  const std::lock_guard guard(lock_);
  return corridor_.spare_bits();
}

State Generator::Core::state() const {
  const std::lock_guard guard(lock_);
  return corridor_.state();
}

Evidence Generator::Core::evidence() const {
  const std::lock_guard guard(lock_);
  return corridor_.evidence();
}

Metrics Generator::Core::metrics() const {
  const std::lock_guard guard(lock_);
  return corridor_.metrics();
}

std::vector<Event> Generator::Core::take_events() {
  const std::lock_guard guard(lock_);
  return corridor_.take_events();
}

void Generator::Core::latch(LatchReason reason) {
  const std::lock_guard guard(lock_);
  corridor_.latch(reason);
}

std::optional<LatchReason> Generator::Core::latched() const {
  const std::lock_guard guard(lock_);
  return corridor_.state() == State::latched ? std::optional(corridor_.reason()) : std::nullopt;
}

}  // namespace talla::entropy

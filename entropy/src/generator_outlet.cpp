// What the generator can spare for others than draws.
#include <algorithm>

#include "generator_core.hpp"

namespace talla::entropy {

namespace {

/// Half of the samples of a stream that may wait: they stay for the draws.
constexpr std::size_t reserve_samples = 4 * gate_window_samples;

}  // namespace

bool Generator::Core::to_spare() const {
  if (seed_due_ || !pool_.full()) return false;
  return std::all_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) {
    const bool stream = lane.credited && lane.open() && !lane.on_request();
    return !stream || lane.gate.green_samples() >= reserve_samples + lane.samples_per_block();
  });
}

bool Generator::Core::seed_outlet(const SecretBytes& block) {
  const Result<SecretBytes> seed =
      make_seed(block, outlet_.next_identity(), effects_.os, effects_.rdseed);
  if (!seed) {
    latch_locked(LatchReason::seed_failed);
    return false;
  }
  if (!outlet_.seed(options_.drbg, *seed, effects_.clock.monotonic_ns())) {
    latch_locked(LatchReason::drbg_failed);
    return false;
  }
  return true;
}

void Generator::Core::fill_outlet() {
  outlet_.age(options_.reseed_calls, options_.reseed_interval_ns, effects_.clock.monotonic_ns());
  while (outlet_.wants_block() && to_spare()) {
    SecretBytes block;
    TimeRange samples;
    if (!build_block(block, samples)) return;
    if (outlet_.seed_due()) {
      if (!seed_outlet(block)) return;
    } else {
      outlet_.push(block, samples);
    }
  }
}

Result<GivenAway> Generator::Core::give_away(std::size_t n_bytes) {
  if (foreign_process())
    return fail(Errc::wrong_process, "the generator belongs to the parent process");
  if (n_bytes == 0) return fail(Errc::bad_settings, "no bytes asked for");
  if (n_bytes > options_.outlet_blocks * block_bytes)
    return fail(Errc::request_too_large, "more than is ever kept for others");
  GivenAway answer;
  answer.bytes.resize(n_bytes);
  const std::lock_guard guard(lock_);
  const std::int64_t now_ns = effects_.clock.monotonic_ns();
  outlet_.age(options_.reseed_calls, options_.reseed_interval_ns, now_ns);
  if (state_ != State::operational || overdue(now_ns) || !outlet_.ready(n_bytes)) {
    ++totals_.outlet_refused;
    want_blocks();
    return pass(refusal());
  }
  if (!outlet_.give(answer.bytes)) {
    latch_locked(LatchReason::drbg_failed);
    return pass(refusal());
  }
  totals_.outlet_blocks_given += (n_bytes + block_bytes - 1) / block_bytes;
  if (!uncertified()) answer.assessed_bits = 8 * std::uint64_t{n_bytes};
  want_blocks();
  return answer;
}

std::size_t Generator::Core::spare_bits() const {
  if (foreign_process()) return 0;
  const std::lock_guard guard(lock_);
  const bool ready =
      state_ == State::operational && !overdue(effects_.clock.monotonic_ns()) && outlet_.ready(0);
  return ready ? outlet_.blocks() * block_bits : 0;
}

}  // namespace talla::entropy

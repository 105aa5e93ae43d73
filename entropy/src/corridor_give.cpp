// What the generator gives: bits for draws, and for others what it can spare.
#include <algorithm>

#include "corridor.hpp"

namespace talla::entropy {

namespace {

/// Blocks that stand ready before a start has ended.
constexpr std::size_t blocks_at_start = 8;

constexpr std::size_t blocks_of(std::size_t n_bytes) {
  return (n_bytes + block_bytes - 1) / block_bytes;
}

}  // namespace

bool Corridor::started() const {
  return state_ == State::operational && pool_.size() >= blocks_at_start;
}

void Corridor::seed_for_draw() {
  if (state_ == State::operational && drbg_.spent() && lanes_.good())
    static_cast<void>(seed_if_due());
}

/// Time passes while nobody feeds, too: an overdue seed stops the output here as well.
bool Corridor::can_draw(std::size_t n_bytes) const {
  return state_ == State::operational && pool_.size() >= blocks_of(n_bytes) && !drbg_.spent() &&
         !drbg_.overdue(effects_.clock.monotonic_ns());
}

Status Corridor::draw(FullEntropy& answer) {
  const std::span<std::uint8_t> out(answer.bytes);
  if (!can_draw(out.size())) {
    ++journal_.totals.requests_refused;
    return refusal_of(state_, reason_);
  }
  if (!drbg_.generate(out)) {
    latch(LatchReason::drbg_failed);
    return refusal_of(state_, reason_);
  }
  TimeRange samples;
  for (std::size_t at = 0; at < out.size(); at += block_bytes) {
    const TimeRange range = pool_.take_xor(out.subspan(at, std::min(block_bytes, out.size() - at)));
    samples = at == 0 ? range : samples.joined(range);
  }
  answer.samples_from_ns = samples.from_ns;
  answer.samples_to_ns = samples.to_ns;
  journal_.totals.blocks_given += blocks_of(out.size());
  answer.evidence = evidence();
  return {};
}

Status Corridor::give_away(GivenAway& answer) {
  const std::int64_t now_ns = effects_.clock.monotonic_ns();
  outlet_.age(now_ns);
  if (state_ != State::operational || drbg_.overdue(now_ns) ||
      !outlet_.ready(answer.bytes.size())) {
    ++journal_.totals.outlet_refused;
    return refusal_of(state_, reason_);
  }
  if (!outlet_.give(answer.bytes)) {
    latch(LatchReason::drbg_failed);
    return refusal_of(state_, reason_);
  }
  journal_.totals.outlet_blocks_given += blocks_of(answer.bytes.size());
  if (!lanes_.uncertified()) answer.assessed_bits = 8 * std::uint64_t{answer.bytes.size()};
  return {};
}

std::size_t Corridor::ready_bits() const {
  const bool seeded = !drbg_.spent() || (lanes_.good() && lanes_.shares().enough());
  const bool ready =
      state_ == State::operational && seeded && !drbg_.overdue(effects_.clock.monotonic_ns());
  return ready ? pool_.size() * block_bits : 0;
}

std::size_t Corridor::spare_bits() const {
  const bool ready = state_ == State::operational &&
                     !drbg_.overdue(effects_.clock.monotonic_ns()) && outlet_.ready(0);
  return ready ? outlet_.blocks() * block_bits : 0;
}

}  // namespace talla::entropy

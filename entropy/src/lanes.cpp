#include "lanes.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace talla::entropy {

namespace {

constexpr std::size_t mixed_in_samples = 64;  // of each source that is mixed in without credit
/// Half of the samples of a stream that may wait.
constexpr std::size_t reserve_samples = 4 * gate_window_samples;

}  // namespace

std::size_t Lane::samples_per_block() const {
  const std::uint64_t each = description.assessed_millibits_per_sample;
  return static_cast<std::size_t>((block_credit_needed_millibits + each - 1) / each);
}

std::size_t Lane::share() const {
  return credited ? samples_per_block() : mixed_in_samples;
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

Lanes::Lanes(std::vector<Lane> lanes, Construction construction)
    : lanes_(std::move(lanes)), construction_(construction) {}

bool Lanes::uncertified() const {
  return construction_ != Construction::rbg3_xor ||
         std::ranges::any_of(lanes_, [](const Lane& lane) {
           return lane.credited && !lane.slot.assessment.documented();
         });
}

bool Lanes::good() const {
  bool credited = false;
  for (const Lane& lane : lanes_) {
    if (lane.slot.required && !lane.open()) return false;
    credited = credited || (lane.credited && lane.open());
  }
  return credited;
}

bool Lanes::credited_left() const {
  return std::ranges::any_of(lanes_, [](const Lane& lane) {
    return lane.credited && lane.gate.state() != GateState::closed;
  });
}

bool Lanes::to_spare() const {
  return std::ranges::all_of(lanes_, [](const Lane& lane) {
    const bool stream = lane.credited && lane.open() && !lane.on_request();
    return !stream || lane.gate.green_samples() >= reserve_samples + lane.samples_per_block();
  });
}

bool Lanes::run_to_spare(std::size_t index) const {
  const Lane& lane = lanes_[index];
  const bool stream = lane.credited && !lane.on_request();
  const std::size_t kept = stream ? reserve_samples + lane.samples_per_block() : 0;
  return lane.open() && to_spare() && lane.gate.green_samples() >= kept + gate_window_samples;
}

Shares Lanes::shares() const {
  Shares shares{.samples = std::vector<std::size_t>(lanes_.size(), 0)};
  CreditSum sum;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (!lane.open()) continue;
    shares.samples[i] = std::min(lane.gate.green_samples(), lane.share());
    const std::uint64_t part =
        std::uint64_t{lane.description.assessed_millibits_per_sample} * shares.samples[i];
    if (lane.credited) sum.add(part, lane.slot.independent);
  }
  shares.millibits = sum.millibits();
  return shares;
}

Result<SecretBytes> Lanes::make_block(ConditionerKind kind, const Shares& shares,
                                      TimeRange& samples) {
  TALLA_CHECK(shares.enough());
  std::vector<SecretBytes> taken(lanes_.size());
  std::vector<Contribution> parts;
  bool first = true;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    const std::size_t count = shares.samples[i];
    if (count > 0) {
      taken[i].reserve(count);
      const TimeRange range = lane.gate.take(count, taken[i]);
      samples = first ? range : samples.joined(range);
      first = false;
    }
    const std::uint32_t assessed = lane.description.assessed_millibits_per_sample;
    parts.push_back({taken[i], assessed, lane.credited, lane.slot.independent});
    if (lane.credited) lane.credited_millibits += std::uint64_t{assessed} * count;
  }
  return condition(kind, parts);
}

void Lanes::wipe() {
  for (Lane& lane : lanes_) lane.gate.wipe();
}

void Lanes::describe(Evidence& evidence) const {
  evidence.construction = construction_;
  evidence.uncertified = uncertified();
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
}

std::vector<SourceMetrics> Lanes::metrics() const {
  std::vector<SourceMetrics> all;
  for (const Lane& lane : lanes_) {
    const GateCounts& counts = lane.gate.counts();
    all.push_back({counts.raw_samples, counts.green_samples, counts.surplus_samples,
                   counts.green_windows, counts.dropped_windows, counts.level1_events,
                   counts.level2_events, lane.credited_millibits});
  }
  return all;
}

}  // namespace talla::entropy

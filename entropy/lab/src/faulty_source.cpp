#include "entropy_lab/faulty_source.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "base/secret.hpp"
#include "entropy/errc.hpp"

namespace talla::entropy {
namespace {

constexpr std::uint32_t million = 1'000'000;

}  // namespace

FaultySource::FaultySource(NoiseSource& inner, std::uint32_t nominal_rate_hz, std::uint64_t seed)
    : inner_(inner), description_(inner.description()), state_(seed), buffer_(buffer_samples) {
  description_.source_class = SourceClass::lab;
  description_.nominal_rate_hz = nominal_rate_hz;
}

FaultySource::~FaultySource() {
  wipe(history_.data(), history_.size());
  wipe(buffer_.data(), buffer_.size());
}

void FaultySource::set(const FaultOptions& options) {
  options_ = options;
  samples_ = 0;
  struck_ = 0;
  run_ = 0;
}

/// splitmix64 against the share; its bias is below 2^-40.
bool FaultySource::strikes() {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  z ^= z >> 31U;
  return (z >> 10U) < ((std::uint64_t{1} << 54U) / million) * options_.share_ppm;
}

std::uint8_t FaultySource::spoil(std::uint8_t healthy) {
  const auto mask = static_cast<std::uint8_t>((1U << description_.bits_per_sample) - 1U);
  std::uint8_t value = healthy;
  switch (options_.fault) {
    case Fault::stuck:
      if (options_.length == 0 || struck_ < options_.length) value = last_;
      ++struck_;
      break;
    case Fault::biased:
      // The source's own zeros do not count: the share is that of the fault, whatever the source is
      // like.
      value = strikes() && run_ < options_.run_max ? 0 : std::max<std::uint8_t>(healthy, 1);
      run_ = value == 0 ? run_ + 1 : 0;
      break;
    case Fault::periodic:
      if (strikes()) value = history_[samples_ % history_.size()];
      break;
    case Fault::again:
      value = buffer_[buffer_at_];
      break;
    case Fault::chained:
      // A full cycle through all values (Knuth 3.2.1.2, theorem A): each comes as often as any
      // other.
      if (strikes()) value = static_cast<std::uint8_t>((5U * last_ + 1U) & mask);
      break;
    case Fault::out_of_range:
      value = static_cast<std::uint8_t>(value | ~mask);
      break;
    default:
      break;
  }
  history_[samples_ % history_.size()] = value;
  buffer_[buffer_at_] = value;
  buffer_at_ = buffer_at_ + 1 == buffer_.size() ? 0 : buffer_at_ + 1;
  ++samples_;
  last_ = value;
  return value;
}

Result<std::size_t> FaultySource::read(std::span<std::uint8_t> samples, unsigned timeout_ms) {
  if (options_.fault == Fault::gone) return fail(Errc::source_failed, "taken away on purpose");
  auto got = inner_.read(samples, timeout_ms);
  if (!got) {
    error_ = got.error();
    return got;
  }
  if (options_.fault == Fault::silent) {
    wipe(samples.data(), *got);
    return std::size_t{0};
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < *got; ++i) {
    if (options_.fault == Fault::slow && !strikes()) continue;
    samples[kept++] = spoil(samples[i]);
  }
  return kept;
}

RecordedSource::RecordedSource(SourceDescription description, std::vector<std::uint8_t> samples,
                               ManualClock& clock)
    : description_(std::move(description)), samples_(std::move(samples)), clock_(clock) {
  TALLA_CHECK(!samples_.empty());
  TALLA_CHECK(description_.nominal_rate_hz > 0);
}

Result<std::size_t> RecordedSource::read(std::span<std::uint8_t> samples, unsigned /*timeout_ms*/) {
  for (std::uint8_t& sample : samples) {
    sample = samples_[at_];
    if (++at_ < samples_.size()) continue;
    at_ = 0;
    ++rounds_;
  }
  clock_.advance_ns(static_cast<std::int64_t>(samples.size()) * 1'000'000'000 /
                    description_.nominal_rate_hz);
  return samples.size();
}

}  // namespace talla::entropy

#include "entropy_lab/model_source.hpp"

#include <algorithm>

#include "entropy/errc.hpp"

namespace talla::entropy {

namespace {

constexpr std::uint64_t drift_samples = 1'000'000;

}  // namespace

ModelSource::ModelSource(ModelOptions options, ManualClock* clock)
    : options_(std::move(options)), clock_(clock), state_(options_.seed) {
  history_.assign(std::max<std::uint32_t>(options_.period, 1), 0);
}

void ModelSource::set_illness(Illness illness, std::uint32_t strength_permille,
                              std::uint64_t ill_samples) {
  options_.illness = illness;
  options_.strength_permille = strength_permille;
  options_.onset_samples = produced_;
  options_.ill_samples = ill_samples;
}

Illness ModelSource::illness_now() const {
  if (produced_ < options_.onset_samples) return Illness::healthy;
  const bool over =
      options_.ill_samples != 0 && produced_ >= options_.onset_samples + options_.ill_samples;
  return over ? Illness::healthy : options_.illness;
}

std::uint64_t ModelSource::next_word() {
  state_ += 0x9E3779B97F4A7C15ULL;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31U);
}

bool ModelSource::strikes(std::uint32_t permille) {
  // Lab noise: the bias of this comparison is below 2^-50.
  return (next_word() >> 10U) < ((std::uint64_t{1} << 54U) / 1000) * permille;
}

std::uint8_t ModelSource::sample(Illness illness) {
  const auto mask = static_cast<std::uint8_t>((1U << options_.description.bits_per_sample) - 1U);
  auto value = static_cast<std::uint8_t>((next_word() >> 56U) & mask);
  const std::uint32_t strength = options_.strength_permille;
  const auto place = static_cast<std::size_t>(produced_ % history_.size());
  switch (illness) {
    case Illness::stuck:
      value = stuck_value_;
      break;
    case Illness::biased:
      if (strikes(strength)) value = 0;
      break;
    case Illness::drift: {
      const std::uint64_t age = std::min(produced_ - options_.onset_samples, drift_samples);
      if (strikes(static_cast<std::uint32_t>(age * strength / drift_samples))) value = 0;
      break;
    }
    case Illness::periodic:
      if (strikes(strength)) value = history_[place];
      break;
    case Illness::noisy_range:
      value = static_cast<std::uint8_t>(value | ~mask);
      break;
    default:
      break;
  }
  if (illness == Illness::healthy) stuck_value_ = value;
  if (illness != Illness::periodic) history_[place] = value;
  ++produced_;
  return value;
}

void ModelSource::pass_time(std::uint64_t samples, std::uint32_t rate_permille) {
  const std::uint64_t rate = options_.description.nominal_rate_hz;
  if (clock_ == nullptr || rate == 0) return;
  const std::uint64_t ns = samples * 1'000'000'000 / rate * 1000 / std::max(rate_permille, 1U);
  clock_->advance_ns(static_cast<std::int64_t>(ns));
}

Result<std::size_t> ModelSource::read(std::span<std::uint8_t> samples, unsigned timeout_ms) {
  if (stopped_.exchange(false)) return std::size_t{0};
  const Illness first = illness_now();
  if (first == Illness::gone) return fail(Errc::source_failed, "model source is gone");
  std::size_t done = 0;
  while (done < samples.size()) {
    const Illness illness = illness_now();
    if (illness == Illness::silent || illness == Illness::gone) break;
    samples[done++] = sample(illness);
  }
  pass_time(done, first == Illness::slow ? options_.strength_permille : 1000);
  if (done == 0 && clock_ != nullptr)
    clock_->advance_ns(std::max(timeout_ms, 1U) * std::int64_t{1'000'000});
  return done;
}

}  // namespace talla::entropy

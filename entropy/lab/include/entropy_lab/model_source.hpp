/// \file
/// An emulated noise source with a seed and a choice of illnesses, for induced failures and
/// simulations.
///
/// The stream is a pure function of the options: splitmix64 words (Steele, Lea, Flood 2014), shaped
/// by the model. It is predictable to everybody who knows the seed and never belongs near
/// production; the class says `lab` unless a simulation asks for another. With a ManualClock the
/// source moves time itself: each sample takes 1/rate. Threads: one thread, `stop` excepted.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/clock.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

enum class Illness : std::uint8_t {
  healthy,  ///< Uniform samples.
  stuck,    ///< One value for ever.
  biased,   ///< Value 0 with probability `strength_permille`, otherwise uniform.
  drift,    ///< As biased, growing from nothing to `strength_permille` over one million samples.
  /// The last `period` healthy samples again and again; `strength_permille` of the samples take
  /// part.
  periodic,
  slow,         ///< Samples come at `strength_permille` of the nominal rate.
  silent,       ///< No more samples.
  gone,         ///< `read` returns an error.
  noisy_range,  ///< Bits outside `bits_per_sample`.
};

/// What the emulated source is like, and when it falls ill.
struct ModelOptions {
  SourceDescription description = {.model = "model",
                                   .serial = "0",
                                   .source_class = SourceClass::lab,
                                   .bits_per_sample = 8,
                                   .assessed_millibits_per_sample = 7000,
                                   .nominal_rate_hz = 100'000};
  std::uint64_t seed = 1;  ///< Of its noise: the same seed, the same samples.
  Illness illness = Illness::healthy;
  /// The illness begins after this many samples, and ends after `ill_samples` more (0 = never).
  std::uint64_t onset_samples = 0;
  std::uint64_t ill_samples = 0;
  std::uint32_t strength_permille = 1000;
  std::uint32_t period = 64;
};

/// The emulated source.
class ModelSource final : public NoiseSource {
 public:
  /// `clock` (if given) must outlive the source and is moved by it.
  explicit ModelSource(ModelOptions options, ManualClock* clock = nullptr);
  [[nodiscard]] const SourceDescription& description() const override {
    return options_.description;
  }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  void stop() override { stopped_.store(true); }
  /// Falls ill at the next sample (for `ill_samples`, 0 = for good), or recovers.
  void set_illness(Illness illness, std::uint32_t strength_permille = 1000,
                   std::uint64_t ill_samples = 0);

 private:
  [[nodiscard]] Illness illness_now() const;
  [[nodiscard]] std::uint64_t next_word();
  [[nodiscard]] bool strikes(std::uint32_t permille);
  [[nodiscard]] std::uint8_t sample(Illness illness);
  void pass_time(std::uint64_t samples, std::uint32_t rate_permille);

  ModelOptions options_;
  ManualClock* clock_;
  std::uint64_t state_;
  std::uint64_t produced_ = 0;
  std::uint8_t stuck_value_ = 0;
  std::vector<std::uint8_t> history_;
  std::atomic<bool> stopped_{false};
};

}  // namespace talla::entropy

/// \file
/// A laboratory's copy of the way from samples to full-entropy bits, with one source that can be
/// made ill.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "entropy/generator.hpp"
#include "entropy_lab/faulty_source.hpp"
#include "lab_kit/induce.hpp"

namespace talla::lab {

/// One false alarm in so many years: the default of the appliance.
inline constexpr std::uint32_t years_per_false_alarm = 1000;

class CopyOfPath {
 public:
  /// Not started. `source` outlives the copy.
  [[nodiscard]] static Result<std::unique_ptr<CopyOfPath>> create(entropy::NoiseSource& source,
                                                                  std::uint32_t rate_hz,
                                                                  std::uint64_t seed,
                                                                  const InduceEffects& effects);
  [[nodiscard]] entropy::Generator& generator() { return *generator_; }
  [[nodiscard]] entropy::FaultySource& source() { return *source_; }
  /// Starts, and runs until so many samples were read and 64 bytes were given.
  /// Errors: wrong_stream (its own tests fail without any fault), interrupted, and those of the
  ///         source.
  [[nodiscard]] Status run_healthy(std::uint64_t samples);
  /// One step of the feeder; what the pool holds is asked for and wiped, so that the source is read
  /// on.
  void step();
  /// Steps until bits come; false when none did, or a latch came first.
  [[nodiscard]] Result<bool> gives();
  /// Steps until `done` says so, at most so many samples and seconds. Errors: interrupted.
  [[nodiscard]] Status step_until(const std::function<bool()>& done, std::uint64_t more_samples_max,
                                  unsigned seconds_max);
  /// Adds the alarms since the last call to the case.
  void note_alarms(InducedCase& into);
  /// Asks in every way; true when nothing came.
  [[nodiscard]] bool gives_nothing();
  /// Fills in latch, times and what came after.
  void finish(InducedCase& into, std::int64_t onset_ns);
  /// Resets the latch; true when bits come again.
  [[nodiscard]] bool works_again();
  /// Another source of the same kind in place of one that is over.
  [[nodiscard]] Status replace(entropy::NoiseSource& source);

 private:
  CopyOfPath(const InduceEffects& effects, std::uint32_t rate_hz, std::uint64_t seed)
      : effects_(effects), rate_hz_(rate_hz), seed_(seed) {}
  const InduceEffects& effects_;
  std::uint32_t rate_hz_;
  std::uint64_t seed_;
  entropy::SystemOsRandom os_;
  entropy::NoRdSeed no_rdseed_;
  entropy::FaultySource* source_ = nullptr;  ///< The generator's.
  std::unique_ptr<entropy::Generator> generator_;
  bool given_ = false;  ///< `step` got bits.
};

/// "repetition_count".
[[nodiscard]] bool alarmed(const InducedCase& in, std::string_view test);

}  // namespace talla::lab

/// \file
/// A noise source that is made ill behind its driver: the samples of another one, spoilt on
/// purpose.
///
/// For induced failures: real, emulated or recorded noise goes through it into a laboratory's copy
/// of the source path. The class it describes is always `lab`, so no appliance can take it. Faults
/// strike from the next sample on.
/// Threads: one thread, `stop` excepted. Secrecy: keeps the last 16,000 samples, wiped at the end.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "entropy/source.hpp"

namespace talla::entropy {

enum class Fault : std::uint8_t {
  none,
  stuck,         ///< The last sample again and again; `length` of them, 0 for ever.
  biased,        ///< The value 0 with a share of `share_ppm`, never more than `run_max` in a row.
  periodic,      ///< The sample 8 places earlier, with a share of `share_ppm`.
  again,         ///< The last 16,000 samples before it, again and again.
  chained,       ///< What a fixed rule makes of the sample before, with a share of `share_ppm`.
  out_of_range,  ///< A bit above `bits_per_sample`.
  slow,          ///< Only a share of `share_ppm` of the samples comes; time passes as before.
  silent,        ///< No sample comes; time passes as before.
  gone,          ///< `read` is an error; at once again good after `set`.
};

/// Which illness, and how strong.
struct FaultOptions {
  Fault fault = Fault::none;
  std::uint32_t share_ppm = 1'000'000;
  std::uint32_t run_max = 0xFFFFFFFF;
  std::uint64_t length = 0;  ///< stuck: how many samples; 0: for ever
};

/// The ill source.
class FaultySource final : public NoiseSource {
 public:
  /// `inner` outlives this. `nominal_rate_hz` replaces that of the inner source; the class becomes
  /// `lab`.
  FaultySource(NoiseSource& inner, std::uint32_t nominal_rate_hz, std::uint64_t seed);
  ~FaultySource() override;
  [[nodiscard]] const SourceDescription& description() const override { return description_; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  [[nodiscard]] Status renew() override { return inner_.renew(); }
  void stop() override { inner_.stop(); }
  void set(const FaultOptions& options);
  /// Samples handed out since the last `set`.
  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  /// Of the inner source, when it failed.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  [[nodiscard]] std::uint8_t spoil(std::uint8_t healthy);
  [[nodiscard]] bool strikes();
  NoiseSource& inner_;
  SourceDescription description_;
  FaultOptions options_;
  std::uint64_t state_;
  std::uint64_t samples_ = 0;
  std::uint64_t struck_ = 0;
  std::uint8_t last_ = 0;
  std::uint32_t run_ = 0;  ///< Zeros that end at the last sample.
  std::array<std::uint8_t, 8> history_{};
  static constexpr std::size_t buffer_samples = 16'000;
  std::vector<std::uint8_t> buffer_;  ///< A ring of so many; `again` only reads it.
  std::size_t buffer_at_ = 0;
  std::optional<Error> error_;
};

/// A recording as a source: begins again at its end; moves `clock` by 1/rate a sample.
class RecordedSource final : public NoiseSource {
 public:
  /// Preconditions (checked): at least one sample; a rate above 0. `clock` outlives this.
  RecordedSource(SourceDescription description, std::vector<std::uint8_t> samples,
                 ManualClock& clock);
  [[nodiscard]] const SourceDescription& description() const override { return description_; }
  [[nodiscard]] Result<std::size_t> read(std::span<std::uint8_t> samples,
                                         unsigned timeout_ms) override;
  void stop() override {}
  /// How often it began again.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

 private:
  SourceDescription description_;
  std::vector<std::uint8_t> samples_;
  ManualClock& clock_;
  std::size_t at_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace talla::entropy

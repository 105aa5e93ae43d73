/// \file
/// A noise source as the health gate sees it: a described stream of samples, one byte each.
///
/// Every driver (USB generator, system, RDSEED, recording) hands out samples as one byte per sample
/// holding `bits_per_sample` significant bits, the form SP 800-90B's tools read too; a driver that
/// meets wider samples documents which bits it keeps. Nothing here judges samples: that is the
/// gate's work.
/// Threads: one source belongs to one thread, `stop` excepted.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.hpp"

namespace talla::entropy {

/// What a stream may be credited with (house rule; SP 800-90C method 1 counts physical sources
/// alone).
enum class SourceClass : std::uint8_t {
  /// Health-testable raw stream of a physical source: the only class that is credited.
  raw_physical,
  /// A physical source behind the device's own processing: mixed in, credit 0.
  conditioned_physical,
  system,  ///< The operating system's generator: credit 0 beside a raw source; alone uncertified.
  rdseed,  ///< The processor's RDSEED: as `system`.
  lab,     ///< Emulated or recorded: laboratory tool and tests only.
};
[[nodiscard]] constexpr std::string_view source_class_name(SourceClass source_class) {
  switch (source_class) {
    case SourceClass::raw_physical:
      return "raw_physical";
    case SourceClass::conditioned_physical:
      return "conditioned_physical";
    case SourceClass::system:
      return "system";
    case SourceClass::rdseed:
      return "rdseed";
    case SourceClass::lab:
      return "lab";
  }
  return "unknown";
}

/// What a source says of itself; fixed while it is open.
struct SourceDescription {
  std::string model;   ///< Stable id of the driver, e.g. "chaoskey", "system", "rdseed".
  std::string serial;  ///< Of the device; empty when it has none.
  SourceClass source_class = SourceClass::system;
  unsigned bits_per_sample = 8;  ///< 1 to 8 significant bits in each byte.
  /// Assessed min-entropy of one sample in thousandths of a bit, 1 to 1000 * bits_per_sample.
  std::uint32_t assessed_millibits_per_sample = 8000;
  /// Expected samples per second; 0: no rate is judged, silence is (not known), or neither is (the
  /// source answers on request: system, RDSEED).
  std::uint32_t nominal_rate_hz = 0;
};

/// Answers when it is asked; every other source is a stream, whether its rate is known or not: it
/// is read all the time, and its silence is a fault.
[[nodiscard]] constexpr bool answers_on_request(const SourceDescription& source) {
  return source.nominal_rate_hz == 0 && source.source_class != SourceClass::raw_physical &&
         source.source_class != SourceClass::conditioned_physical;
}

/// A source of samples.
class NoiseSource {
 public:
  NoiseSource() = default;
  NoiseSource(const NoiseSource&) = delete;
  NoiseSource& operator=(const NoiseSource&) = delete;
  virtual ~NoiseSource() = default;

  /// What the source says of itself.
  [[nodiscard]] virtual const SourceDescription& description() const = 0;
  /// Waits at most `timeout_ms` for samples and writes up to `samples.size()` of them, oldest
  /// first. Returns how many were written; 0 means none came in time (the stall detector's
  /// business, no error).
  /// Errors: the device is gone or answers nonsense; the stream is over and the source must be made
  ///         anew.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<std::uint8_t> samples,
                                                 unsigned timeout_ms) = 0;
  /// Throws away all that was sampled before this call, wherever it waits between the device and
  /// here: what `read` gives from now on is younger. A source that keeps nothing, because it
  /// answers when asked, has nothing to do.
  /// Errors: as of `read`; the stream is over then.
  [[nodiscard]] virtual Status renew() { return {}; }
  /// Asks a `read` that waits in another thread to return soon; safe from any thread.
  virtual void stop() = 0;
};

}  // namespace talla::entropy

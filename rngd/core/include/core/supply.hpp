/// \file
/// Full-entropy bits as the service sees them: a small face of the generator, so that tests run on a fixed
/// stream.
///
/// Times are the monotonic clock's nanoseconds, the same clock that the service is given.
/// Errors:  the generator's own, passed on: latched, suspended, not ready (entropy::Errc).
/// Threads: all members may be called from the sequencer's thread, `full_entropy`, `ready_bits` and `metrics`
/// from the monitors' beside it; implementations may have their own.
/// Secrecy: bytes are secret until a rule opens what was made of them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "entropy/generator.hpp"

namespace talla::core {

class EntropySupply {
 public:
  EntropySupply() = default;
  EntropySupply(const EntropySupply&) = delete;
  EntropySupply& operator=(const EntropySupply&) = delete;
  virtual ~EntropySupply() = default;
  /// All `n_bytes` or nothing; must answer at once (a commitment never waits inside the sequencer).
  [[nodiscard]] virtual Result<entropy::FullEntropy> full_entropy(std::size_t n_bytes) = 0;
  /// Bits a call would get now.
  [[nodiscard]] virtual std::size_t ready_bits() const = 0;
  [[nodiscard]] virtual entropy::Evidence evidence() const = 0;
  [[nodiscard]] virtual entropy::Metrics metrics() const = 0;
  [[nodiscard]] virtual std::optional<entropy::LatchReason> latched() const = 0;
  /// Events since the last call, oldest first.
  [[nodiscard]] virtual std::vector<entropy::Event> take_events() = 0;
  /// Stops giving bits for good (until an authorised reset).
  virtual void latch(entropy::LatchReason reason) = 0;
};

/// The real one: a started generator and its feeder thread, which `create` starts and destruction ends.
class GeneratorSupply final : public EntropySupply {
 public:
  /// Starts the generator if it is off (known-answer and start-up tests), then its feeder thread.
  /// Errors: those of Generator::start.
  [[nodiscard]] static Result<std::unique_ptr<GeneratorSupply>> create(
      std::unique_ptr<entropy::Generator> generator);
  ~GeneratorSupply() override;
  [[nodiscard]] Result<entropy::FullEntropy> full_entropy(std::size_t n_bytes) override;
  [[nodiscard]] std::size_t ready_bits() const override;
  [[nodiscard]] entropy::Evidence evidence() const override;
  [[nodiscard]] entropy::Metrics metrics() const override;
  [[nodiscard]] std::optional<entropy::LatchReason> latched() const override;
  [[nodiscard]] std::vector<entropy::Event> take_events() override;
  void latch(entropy::LatchReason reason) override;

 private:
  explicit GeneratorSupply(std::unique_ptr<entropy::Generator> generator)
      : generator_(std::move(generator)) {}
  std::unique_ptr<entropy::Generator> generator_;
};

}  // namespace talla::core

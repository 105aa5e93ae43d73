/// \file
/// Full-entropy bits as the service sees them: a small face of the generator, so that tests run on
/// a fixed stream.
///
/// Times are the monotonic clock's nanoseconds, the same clock that the service is given.
/// Errors:  the generator's own, passed on: latched, suspended, not ready (entropy::Errc).
/// Threads: all members may be called from the sequencer's thread, `full_entropy`, `ready_bits` and
/// `metrics` from the monitors' beside it; implementations may have their own.
/// Secrecy: bytes are secret until a rule opens what was made of them.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
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
  /// Bytes for others, as Generator::give_away: at once, all or nothing, and never of a draw.
  [[nodiscard]] virtual Result<entropy::GivenAway> give_away(std::size_t n_bytes) = 0;
  /// Bits that `give_away` would give now.
  [[nodiscard]] virtual std::size_t spare_bits() const = 0;
  /// Raw samples of that source are set aside from now on, as Generator::set_raw_aside; nothing:
  /// none any more.
  [[nodiscard]] virtual Status set_raw_aside(std::optional<std::size_t> source) = 0;
  /// A run of them that is ready, given once.
  [[nodiscard]] virtual Result<SecretBytes> take_raw() = 0;
  [[nodiscard]] virtual entropy::Evidence evidence() const = 0;
  [[nodiscard]] virtual entropy::Metrics metrics() const = 0;
  [[nodiscard]] virtual std::optional<entropy::LatchReason> latched() const = 0;
  /// Events since the last call, oldest first.
  [[nodiscard]] virtual std::vector<entropy::Event> take_events() = 0;
  /// Stops giving bits for good (until an authorised reset).
  virtual void latch(entropy::LatchReason reason) = 0;
  /// Leaves the latch through self-tests, start-up tests of every source and a new seed; the caller
  /// has authorised and logged it. Answers at once; one at a time.
  virtual void begin_reset() = 0;
  /// Tests what a start tests, as Generator::test_on_demand; answers at once, what is found comes
  /// as events. Nothing happens unless the generator is operational.
  virtual void begin_test() = 0;
  /// How the reset that was begun ended, once; nothing while it runs. Take it before the events:
  /// all that led to it are there by then. Errors: those of Generator::reset_latch.
  [[nodiscard]] virtual std::optional<Status> take_reset() = 0;
};

/// The real one: a started generator and its feeder thread, which `create` starts and destruction
///               ends.
class GeneratorSupply final : public EntropySupply {
 public:
  /// Starts the generator if it is off (known-answer and start-up tests), then its feeder thread.
  /// Errors: those of Generator::start.
  [[nodiscard]] static Result<std::unique_ptr<GeneratorSupply>> create(
      std::unique_ptr<entropy::Generator> generator);
  ~GeneratorSupply() override;
  [[nodiscard]] Result<entropy::FullEntropy> full_entropy(std::size_t n_bytes) override;
  [[nodiscard]] std::size_t ready_bits() const override;
  [[nodiscard]] Result<entropy::GivenAway> give_away(std::size_t n_bytes) override;
  [[nodiscard]] std::size_t spare_bits() const override;
  [[nodiscard]] Status set_raw_aside(std::optional<std::size_t> source) override;
  [[nodiscard]] Result<SecretBytes> take_raw() override;
  [[nodiscard]] entropy::Evidence evidence() const override;
  [[nodiscard]] entropy::Metrics metrics() const override;
  [[nodiscard]] std::optional<entropy::LatchReason> latched() const override;
  [[nodiscard]] std::vector<entropy::Event> take_events() override;
  void latch(entropy::LatchReason reason) override;
  void begin_reset() override;
  void begin_test() override;
  [[nodiscard]] std::optional<Status> take_reset() override;
  /// A device that is back, as Generator::replace_source. Any thread.
  [[nodiscard]] Status replace_source(std::size_t index,
                                      std::unique_ptr<entropy::NoiseSource> source);

 private:
  explicit GeneratorSupply(std::unique_ptr<entropy::Generator> generator)
      : generator_(std::move(generator)) {}
  std::unique_ptr<entropy::Generator> generator_;
  std::mutex reset_lock_;
  std::optional<Status> reset_result_;  // reset_lock_
  std::atomic<bool> reset_runs_{false};
  std::thread reset_;  // the sequencer's and the destructor's
  std::atomic<bool> test_runs_{false};
  std::thread test_;  // the sequencer's and the destructor's
};

}  // namespace talla::core

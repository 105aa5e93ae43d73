/// \file
/// The locks, threads and waiting of the generator around its corridor. Two locks: `feeding_` is
/// held by the one who reads sources (pump, start, reset); `lock_` by whoever looks at or changes
/// the corridor, and never while a source is being read.
/// Order: feeding_, then lock_.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "corridor.hpp"
#include "entropy/generator.hpp"

namespace talla::entropy {

/// Only the process that made a generator gets anything from it.
class OwnProcess {
 public:
  OwnProcess() : owner_(::getpid()) {}
  [[nodiscard]] Status check() const;

 private:
  pid_t owner_;
};

class Generator::Core {
 public:
  Core(GeneratorOptions options, Lanes lanes, const GeneratorEffects& effects);
  ~Core();
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  [[nodiscard]] Status start(unsigned timeout_ms);
  bool pump(unsigned timeout_ms);
  void run();
  void halt();
  [[nodiscard]] Result<FullEntropy> full_entropy(std::size_t n_bytes, unsigned timeout_ms);
  [[nodiscard]] Result<GivenAway> give_away(std::size_t n_bytes);
  [[nodiscard]] std::size_t spare_bits() const;
  [[nodiscard]] Status set_raw_aside(std::optional<std::size_t> source);
  [[nodiscard]] Result<SecretBytes> take_raw();
  [[nodiscard]] std::size_t ready_bits() const;
  [[nodiscard]] State state() const;
  [[nodiscard]] Evidence evidence() const;
  [[nodiscard]] Metrics metrics() const;
  [[nodiscard]] std::vector<Event> take_events();
  [[nodiscard]] Status test_on_demand();
  void latch(LatchReason reason);
  [[nodiscard]] std::optional<LatchReason> latched() const;
  [[nodiscard]] Status reset_latch(unsigned timeout_ms);
  [[nodiscard]] Status replace_source(std::size_t index, std::unique_ptr<NoiseSource> source);

 private:
  // generator_feed.cpp: feeding_ is held by the caller.
  bool feed(unsigned timeout_ms);
  [[nodiscard]] bool read_lanes(unsigned timeout_ms);
  [[nodiscard]] bool read_lane(std::size_t index, unsigned timeout_ms);
  [[nodiscard]] Status drive(unsigned timeout_ms);
  void drop_old_samples();
  // lock_ is held by the caller.
  void wake_feeder();

  Clock& clock_;
  const OwnProcess process_;

  std::mutex feeding_;
  SecretBytes buffer_;  ///< Under feeding_: what one read brings.

  mutable std::mutex lock_;
  std::condition_variable changed_;  ///< Pool or state changed.
  std::condition_variable wanted_;   ///< The feeder may go on: see blocks_wanted_.
  bool blocks_wanted_ = false;
  Corridor corridor_;

  std::mutex thread_lock_;
  std::jthread feeder_;  ///< Under thread_lock_.
};

}  // namespace talla::entropy

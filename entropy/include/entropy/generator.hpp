/// \file
/// The random bit generator of the appliance: gated noise in, full-entropy bits out, or nothing at
/// all.
///
/// Construction: SP 800-90C RBG3(XOR) over raw physical sources: each output block is a
///          full-entropy conditioner block (at least 576 assessed bits into 512) XOR DRBG output of
///          256-bit strength. The DRBG is never seeded from samples that feed the other half.
///          Without a raw source the same corridor runs as `system`, uncertified, and says so.
/// States:  off -> startup -> operational <-> suspended; any -> latched; latched -> startup by
///          `reset_latch` only. Bits are given in `operational` only.
/// Errors:  as named at each call; any failed call of the DRBG destroys it and latches.
/// Threads: all members may be called from any thread. `pump` does the reading; calls of it wait
///          for each other.
/// Secrecy: output, blocks, samples and seeds live in SecretBytes and are wiped after one use; a
///          forked child gets Errc::wrong_process and nothing else.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "entropy/effects.hpp"
#include "entropy/generator_types.hpp"

namespace talla::entropy {

/// The effects of a generator; all must outlive it.
struct GeneratorEffects {
  Clock& clock;
  OsRandom& os;
  RdSeed& rdseed;
};

/// The generator: gated sources, a pool of conditioned blocks, DRBG and latch.
class Generator {
 public:
  /// Checks options and sources, computes every cutoff exactly, refuses tests that could never
  /// fire.
  /// Errors: bad_settings, test_cannot_fire, source_refused.
  [[nodiscard]] static Result<std::unique_ptr<Generator>> create(GeneratorOptions options,
                                                                 std::vector<SourceSlot> sources,
                                                                 GeneratorEffects effects);
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator();

  /// Known-answer tests, start-up tests of all sources, first seed. Pumps by itself until
  /// operational or failed. Errors: self_test_failed, latched, source_failed, wrong_state (not
  /// `off`). Time is the passed-in clock's.
  [[nodiscard]] Status start(unsigned timeout_ms = 60'000);

  /// One step of the feeder: reads what the sources have (waiting at most `timeout_ms`), judges it,
  /// fills the pool, reseeds and cycles when due. Returns whether anything was read. Does nothing
  /// when off or latched.
  bool pump(unsigned timeout_ms);
  /// Starts an own thread that pumps until destruction or `halt`.
  void run();
  void halt();

  /// `n_bytes` (1 to 64 * pool_blocks, at most 65,536) of full entropy, each bit given once; all or
  /// nothing.
  /// Waits at most `timeout_ms` of real time for the pool to fill; 0 = answer at once.
  /// Errors: not_started, suspended, latched, not_ready, request_too_large, wrong_process.
  [[nodiscard]] Result<FullEntropy> full_entropy(std::size_t n_bytes, unsigned timeout_ms = 0);
  /// `n_bytes` (1 to 64 * outlet_blocks) of full entropy for others, at once; all or nothing. They
  /// come from samples that no draw and no seed of the draws uses, and from a DRBG of their own.
  /// Draws come first.
  /// Errors: not_started, suspended, latched, not_ready (nothing to spare now), request_too_large
  /// (no outlet too), bad_settings (no bytes), wrong_process.
  [[nodiscard]] Result<GivenAway> give_away(std::size_t n_bytes);
  /// How many bits `give_away` would give right now; 0 in every state but operational.
  [[nodiscard]] std::size_t spare_bits() const;
  /// From now on runs of 4,096 raw samples of that source are set aside for `take_raw`, green ones
  /// in a row, one run at a time: only while the pool of the draws is full, and of a stream only
  /// what exceeds half of the samples that may wait. They go out of their gate, so nothing else is
  /// made of them. Nothing: none any more; what was set aside is wiped. Errors: source_refused (no
  /// such source).
  [[nodiscard]] Status set_raw_aside(std::optional<std::size_t> source);
  /// The run that is set aside, one byte a sample; given once. Errors: not_started, suspended,
  /// latched, not_ready (none now), wrong_process.
  [[nodiscard]] Result<SecretBytes> take_raw();
  /// How many bits a call would get right now without waiting; 0 in every state but operational.
  [[nodiscard]] std::size_t ready_bits() const;

  /// As of now.
  [[nodiscard]] State state() const;
  [[nodiscard]] Evidence evidence() const;
  [[nodiscard]] Metrics metrics() const;
  /// Events since the last call, oldest first.
  [[nodiscard]] std::vector<Event> take_events();

  /// What `start` tests, again (SP 800-90B 4.3, SP 800-90A 11.3 on demand): every known answer,
  /// then each source's start-up test; suspended until all have passed. Errors: wrong_state unless
  /// operational (nothing was tested); self_test_failed or what the further answers said: latched.
  [[nodiscard]] Status test_on_demand();

  /// Stops at once and wipes the DRBG and the pool.
  void latch(LatchReason reason);
  /// The reason while latched.
  [[nodiscard]] std::optional<LatchReason> latched() const;
  /// Leaves the latch through self-tests, start-up tests and a new DRBG instance; on failure
  /// latched again. The caller has authorised and logged it. Errors: wrong_state, self_test_failed,
  /// latched.
  [[nodiscard]] Status reset_latch(unsigned timeout_ms = 60'000);
  /// A new stream for a source whose old one is over: the same model, serial number, class and
  /// assessment. Its start-up test comes first; a latch stays. Also for a sound one while latched
  /// or off. An event tells of it, taken or refused.
  /// Errors: wrong_state, source_refused.
  [[nodiscard]] Status replace_source(std::size_t index, std::unique_ptr<NoiseSource> source);

 private:
  class Core;
  explicit Generator(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace talla::entropy

/// \file
/// A DRBG with its seeds and the counts that say when the next one is due: of the draws, or of the
/// outlet.
///
/// Standard: SP 800-90A 9.2; SP 800-90C 5.2.3 and 6.4.2 (2^17 bits, then a seed before any more).
/// Threads:  under the generator's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "entropy/drbg.hpp"
#include "entropy/effects.hpp"
#include "seed.hpp"

namespace talla::entropy {

/// A seed is due after so many calls or so much time; see GeneratorOptions.
struct SeedLimits {
  std::uint32_t calls = 0;
  std::int64_t interval_ns = 0;
};

class SeededDrbg {
 public:
  /// `identity.seeds` and `.incarnation` are counted here. There is no DRBG before the first seed.
  SeededDrbg(DrbgKind kind, SeedIdentity identity, SeedLimits limits);

  [[nodiscard]] bool exists() const { return drbg_ != nullptr; }
  [[nodiscard]] bool seed_due() const { return seed_due_; }
  void want_seed() { seed_due_ = true; }
  /// A seed is due where the last one is too old.
  void age(std::int64_t now_ns);
  /// So much was given since the last seed that nothing more may be.
  [[nodiscard]] bool spent() const { return output_since_seed_ >= Drbg::seed_output_bytes; }
  /// A seed was due so long ago that nothing more may be given: 16 times the calls, twice the time.
  [[nodiscard]] bool overdue(std::int64_t now_ns) const;

  /// Makes the DRBG, or gives it a new seed, of a block that is used for nothing else. None: done;
  /// seed_failed: the operating system or RDSEED did not deliver; drbg_failed: it is gone.
  [[nodiscard]] LatchReason seed(std::span<const std::uint8_t> block, OsRandom& os, RdSeed& rdseed,
                                 std::int64_t now_ns);
  /// Precondition: not spent. False: there is none, or it failed and is gone.
  [[nodiscard]] bool generate(std::span<std::uint8_t> out);
  /// Where it is due: runs on and throws the result away; the next time is `min_ns` and a random
  /// part below `spread_ns` later. False: it failed and is gone.
  [[nodiscard]] bool cycle(std::int64_t now_ns, std::int64_t min_ns, std::int64_t spread_ns);
  /// Wipes it; a seed is due.
  void destroy();

  [[nodiscard]] std::uint64_t seeds() const { return identity_.seeds; }
  [[nodiscard]] std::uint64_t calls() const { return calls_; }  ///< Since creation.
  [[nodiscard]] std::uint64_t cycles() const { return cycles_; }

 private:
  DrbgKind kind_;
  SeedIdentity identity_;
  SeedLimits limits_;
  std::unique_ptr<Drbg> drbg_;
  bool seed_due_ = true;
  std::uint32_t calls_since_seed_ = 0;
  std::size_t output_since_seed_ = 0;  ///< In bytes.
  std::int64_t seeded_ns_ = 0;
  std::int64_t cycle_due_ns_ = 0;
  std::uint64_t calls_ = 0;
  std::uint64_t cycles_ = 0;
};

}  // namespace talla::entropy

/// \file
/// Entropy for others: blocks made of samples that draws do not need, and a DRBG of their own; raw
/// samples of that kind.
/// Nothing in here ever feeds a draw or a seed of the draws' DRBG, and nothing of theirs comes in
/// here.
///
/// A block stands in one of the two pools, never in both: each comes from samples that were taken
/// for it alone.
/// Threads: under the generator's lock.
#pragma once

#include <cstdint>
#include <span>

#include "block_pool.hpp"
#include "raw_aside.hpp"
#include "seeded_drbg.hpp"

namespace talla::entropy {

class Outlet {
 public:
  /// `blocks_max` 0: there is no outlet, and it never wants a block.
  Outlet(std::size_t blocks_max, DrbgKind kind, SeedIdentity identity, SeedLimits limits);

  [[nodiscard]] std::size_t blocks() const { return pool_.size(); }
  [[nodiscard]] std::size_t blocks_max() const { return blocks_max_; }
  [[nodiscard]] bool wants_block() const {
    return blocks_max_ > 0 && (drbg_.seed_due() || !pool_.full());
  }
  [[nodiscard]] std::uint64_t seeds() const { return drbg_.seeds(); }
  /// Precondition: wants_block. Takes a block made for it alone: as a seed where one is due, else
  /// into the pool. Errors as of SeededDrbg::seed.
  [[nodiscard]] LatchReason take(std::span<const std::uint8_t> block, TimeRange samples,
                                 OsRandom& os, RdSeed& rdseed, std::int64_t now_ns);

  /// Enough blocks, and a seed that is not due.
  [[nodiscard]] bool ready(std::size_t n_bytes) const;
  /// Precondition: ready. Fills `out` with blocks XOR DRBG; false: the DRBG failed. After
  /// `Drbg::seed_output_bytes` of them a seed is due before any more.
  [[nodiscard]] bool give(std::span<std::uint8_t> out);
  void age(std::int64_t now_ns) { drbg_.age(now_ns); }
  void want_seed() { drbg_.want_seed(); }
  /// Wipes the blocks any of whose samples came at or after that time; returns how many.
  std::size_t drop_since(std::int64_t from_ns) { return pool_.drop_since(from_ns); }
  [[nodiscard]] RawAside& raw() { return raw_; }
  [[nodiscard]] const RawAside& raw() const { return raw_; }
  /// Wipes all, the DRBG and the raw samples too; returns how many blocks.
  std::size_t wipe();

 private:
  std::size_t blocks_max_;
  BlockPool pool_;
  SeededDrbg drbg_;
  RawAside raw_;
};

}  // namespace talla::entropy
